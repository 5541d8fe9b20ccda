//! The lists of events of Stripe and Paddle, as far as a backfill asks them, over real HTTP. They are strict: a wrong
//! key, version or parameter is refused, and the first request of all is told to slow down.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use app::types::Timestamp;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::sandbox::serve;

pub const KEY: &str = "sk_test_that_reads_events";
/// Events of a page, however many are asked for.
const PAGE: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Stripe,
    Paddle,
}

impl Kind {
    pub const BOTH: [Self; 2] = [Self::Stripe, Self::Paddle];

    pub fn provider(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
            Self::Paddle => "paddle",
        }
    }

    /// An event as the API writes it: with blanks and digits of its own.
    pub fn event(self, id: &str, name: &str, at: Timestamp) -> Event {
        let body = match self {
            Self::Stripe => format!(
                "{{\n      \"id\": \"{id}\",\n      \"object\" : \"event\", \"type\":\"{name}\",\n      \"created\": {},\n  \
                 \"livemode\": false, \"data\": {{\"object\": {{\"id\": \"ch_{id}\", \"object\": \"charge\", \"amount\": \
                 1.00}}}}, \"text\": \"\\u00e9é\"}}",
                at.unix()
            ),
            Self::Paddle => format!(
                "{{\"event_id\": \"{id}\",  \"event_type\":\"{name}\", \"occurred_at\":\"{at}\",\n\t\"data\": {{\"id\": \
                 \"txn_{id}\", \"status\":\"paid\", \"rate\": 1.50}} }}"
            ),
        };
        Event { id: id.to_owned(), at, body }
    }
}

#[derive(Debug, Clone)]
pub struct Event {
    pub id: String,
    at: Timestamp,
    pub body: String,
}

/// One account's API.
#[derive(Clone)]
pub struct FakeApi {
    pub url: String,
    kind: Kind,
    /// Oldest first.
    events: Arc<Mutex<Vec<Event>>>,
    asked: Arc<Mutex<usize>>,
}

impl FakeApi {
    pub async fn start(kind: Kind, events: Vec<Event>) -> Self {
        let events = Arc::new(Mutex::new(events));
        let api = Self { url: String::new(), kind, events, asked: Arc::default() };
        let router = axum::Router::new().fallback(answer).with_state(api.clone());
        Self { url: format!("http://{}", serve(router).await), ..api }
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

async fn answer(
    State(api): State<FakeApi>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    uri: axum::http::Uri,
) -> Response {
    let mut asked = api.asked.lock().unwrap();
    *asked += 1;
    if *asked == 1 {
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "0")]).into_response();
    }
    let refused =
        |status, code: &str| (status, format!("{{\"error\":{{\"code\":\"{code}\"}}}}")).into_response();
    if headers.get(header::AUTHORIZATION).is_none_or(|it| *it != format!("Bearer {KEY}")) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_key");
    }
    let query = query.unwrap_or_default();
    let query: BTreeMap<String, String> =
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let page = match (api.kind, uri.path()) {
        (Kind::Stripe, "/v1/events") => api.stripe(query),
        (Kind::Paddle, "/events") if headers.get("paddle-version").is_some_and(|it| it == "1") => {
            api.paddle(query)
        }
        _ => None,
    };
    page.map_or_else(|| refused(StatusCode::BAD_REQUEST, "not_as_documented"), IntoResponse::into_response)
}

impl FakeApi {
    fn stripe(&self, mut query: BTreeMap<String, String>) -> Option<String> {
        let from: i64 = query.remove("created[gte]")?.parse().ok()?;
        let to: i64 = query.remove("created[lte]")?.parse().ok()?;
        query.remove("limit").filter(|limit| limit == "100")?;
        let mut events = self.events.lock().unwrap().clone();
        events.reverse();
        events.retain(|event| (from..=to).contains(&event.at.unix()));
        let (page, has_more) = page(events, query.remove("starting_after"))?;
        let list =
            format!(r#"{{"object": "list", "data": [{page}], "has_more": {has_more}, "url": "/v1/events"}}"#);
        query.is_empty().then_some(list)
    }

    /// It is not so strict about the window as to keep to it.
    fn paddle(&self, mut query: BTreeMap<String, String>) -> Option<String> {
        query.remove("from")?.parse::<Timestamp>().ok()?;
        query.remove("to")?.parse::<Timestamp>().ok()?;
        query.remove("order_by").filter(|order| order == "id[ASC]")?;
        query.remove("per_page").filter(|limit| limit == "100")?;
        let (page, has_more) = page(self.events.lock().unwrap().clone(), query.remove("after"))?;
        let list = format!(
            r#"{{"data": [{page}], "meta": {{"request_id": "r", "pagination": {{"per_page": 2, "next": "https://nowhere",
            "has_more": {has_more}, "estimated_total": 9}}}}}}"#
        );
        query.is_empty().then_some(list)
    }
}

/// The events after this one, as many as a page holds, and whether there are more.
fn page(mut events: Vec<Event>, after: Option<String>) -> Option<(String, bool)> {
    if let Some(after) = after {
        let place = events.iter().position(|event| event.id == after)?;
        events.drain(..=place);
    }
    let has_more = events.len() > PAGE;
    let bodies: Vec<_> = events.into_iter().take(PAGE).map(|event| event.body).collect();
    Some((bodies.join(",\n    "), has_more))
}
