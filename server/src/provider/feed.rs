//! The lists of events that Stripe and Paddle keep: the same events as their webhooks, under the same ids. Only read.

use app::types::{Provider, Timestamp};
use bytes::Bytes;
use reqwest::RequestBuilder;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

use super::api::{Api, ApiCredentials, whole_seconds};
use super::problem::{ApiDescription, ApiError};
use crate::domain::secret::SecretValue;

/// Events of a page.
pub const PAGE: usize = 100;
/// What is told of it.
pub const ABOUT: ApiDescription = ApiDescription {
    lists: "events",
    check: "the API key, which is the secret half of the credentials",
    needed: "a key that may read events",
};

/// A provider's list of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// Newest first.
    Stripe,
    /// Oldest first, as it is asked to.
    Paddle,
}

impl Feed {
    /// That of a provider; none: its API lists no events.
    pub const fn of(provider: Provider) -> Option<Self> {
        match provider {
            Provider::Stripe => Some(Self::Stripe),
            Provider::Paddle => Some(Self::Paddle),
            Provider::Paymos | Provider::StandardWebhooks | Provider::Hmac => None,
        }
    }

    /// Days that an event stays in it.
    pub const fn reach_days(self) -> u16 {
        match self {
            Self::Stripe => 30,
            Self::Paddle => 90,
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::Stripe => "/v1/events",
            Self::Paddle => "/events",
        }
    }

    /// What it is asked: never for types, so that those that were added later come along.
    fn query(self, from: Timestamp, to: Timestamp, after: Option<&str>) -> String {
        let mut query = Serializer::for_suffix(String::from("?"), 1);
        match self {
            Self::Stripe => {
                let (first, last) = whole_seconds(from, to);
                query.append_pair("created[gte]", &first.to_string());
                query.append_pair("created[lte]", &last.max(first).to_string());
                query.append_pair("limit", &PAGE.to_string());
            }
            Self::Paddle => {
                query.append_pair("from", &from.to_string());
                query.append_pair("to", &to.to_string());
                query.append_pair("order_by", "id[ASC]");
                query.append_pair("per_page", &PAGE.to_string());
            }
        }
        if let Some(after) = after {
            query.append_pair(if self == Self::Stripe { "starting_after" } else { "after" }, after);
        }
        query.finish()
    }
}

/// An event of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventList {
    /// The provider's id of it, as in its webhook.
    pub id: String,
    /// The exact bytes of the list's element.
    pub body: Bytes,
}

/// One page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    /// About `PAGE`, or fewer.
    pub events: Vec<EventList>,
    /// After which event the next page begins; none on the last one.
    pub next: Option<String>,
}

/// Asks one account's API for its events.
#[derive(Debug)]
pub struct FeedClient {
    feed: Feed,
    api: Api,
    key: SecretValue,
}

impl FeedClient {
    /// A client with these credentials, of which the secret half is the key.
    ///
    /// # Errors
    /// The base URL is none.
    pub fn new(feed: Feed, credentials: &ApiCredentials) -> Result<Self, ApiError> {
        let api = Api::new(&credentials.base_url, &ABOUT)?;
        Ok(Self { feed, api, key: credentials.secret.clone() })
    }

    /// Whom it asks: host and port.
    pub fn host(&self) -> &str {
        self.api.host()
    }

    /// One page of the events that happened in the window; a few more may be in it, at its ends.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn events(
        &self,
        from: Timestamp,
        to: Timestamp,
        after: Option<&str>,
    ) -> Result<EventPage, ApiError> {
        let signed = |request: RequestBuilder| {
            let request = request.bearer_auth(self.key.expose());
            if self.feed == Feed::Paddle { request.header("Paddle-Version", "1") } else { request }
        };
        let path = self.feed.path();
        let answer = self.api.get(path, &self.feed.query(from, to, after), signed).await?;
        let list: List<'_> = answer.decode()?;
        let has_more = list.has_more.or(list.meta.map(|meta| meta.pagination.has_more));
        let has_more = has_more.ok_or_else(|| malformed(path, "it does not say whether there is more"))?;
        let events: Vec<EventList> =
            list.data.iter().map(|event| listed(path, event)).collect::<Result<_, _>>()?;
        let last = events.last().map(|event| event.id.clone());
        match (has_more, last) {
            (true, None) => Err(malformed(path, "it says that there is more, and lists nothing")),
            (true, next) => Ok(EventPage { events, next }),
            (false, _) => Ok(EventPage { events, next: None }),
        }
    }
}

/// An answer of either: Stripe says at the top whether there is more, Paddle in `meta`.
#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    data: Vec<&'a RawValue>,
    has_more: Option<bool>,
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    pagination: Pagination,
}

#[derive(Deserialize)]
struct Pagination {
    has_more: bool,
}

/// An event of either: Stripe says `id`, Paddle `event_id`.
#[derive(Deserialize)]
struct EventIdentity {
    id: Option<String>,
    event_id: Option<String>,
}

fn listed(path: &'static str, event: &RawValue) -> Result<EventList, ApiError> {
    let named: EventIdentity = serde_json::from_str(event.get()).map_err(|error| malformed(path, error))?;
    let id = named.event_id.or(named.id).ok_or_else(|| malformed(path, "an event has no id"))?;
    Ok(EventList { id, body: Bytes::copy_from_slice(event.get().as_bytes()) })
}

fn malformed(path: &'static str, problem: impl ToString) -> ApiError {
    ApiError::Malformed { path, problem: problem.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_asked_for_as_each_api_takes_it() {
        let at = |micros| Timestamp::from_micros(micros);
        for (from, to, wanted) in [
            (10_000_000, 20_000_000, (10, 19)),
            (10_000_001, 20_000_001, (11, 20)),
            (10_500_000, 10_600_000, (11, 11)),
        ] {
            let (first, last) = wanted;
            assert_eq!(
                Feed::Stripe.query(at(from), at(to), None),
                format!("?created%5Bgte%5D={first}&created%5Blte%5D={last}&limit=100")
            );
        }
        assert_eq!(
            Feed::Paddle.query(at(0), at(1_500_000), Some("evt_1")),
            "?from=1970-01-01T00%3A00%3A00Z&to=1970-01-01T00%3A00%3A01.500Z&order_by=id%5BASC%5D&per_page=100\
             &after=evt_1"
        );
    }
}
