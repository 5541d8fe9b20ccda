//! What pages ask the server for, and what they get: one type for all of them, so that the browser's half holds the
//! code that loads, waits and renews once.

use leptos::prelude::*;
use leptos::server::codee::{Decoder, Encoder};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::alerts::AlertsPage;
use crate::audit::AuditPage;
use crate::deliveries::{DeliveriesPage, DeliveryPage};
use crate::destinations::DestinationsPage;
use crate::error::AppError;
use crate::events::{EventPage, EventsPage};
use crate::reconciliation::ReconciliationPage;
use crate::rejections::{RejectionNumber, RejectionPage, RejectionsPage};
use crate::resends::{PlanPage, ResendPage, ResendsPage};
use crate::route_chunks;
use crate::secrets::SecretsPage;
use crate::sources::SourcesPage;
use crate::types::{DeliveryNumber, EventNumber, Timestamp};
use crate::ui::Ui;
#[cfg(feature = "ssr")]
use crate::{
    alerts, audit, deliveries, destinations, events, reconciliation, rejections, resends, secrets, sources,
};

/// What a page asks for. A number that is none in the URL finds nothing.
#[derive(Clone, PartialEq, Eq)]
pub enum Question {
    /// The list that a URL's query asks for.
    Deliveries(ListRequest),
    /// One delivery.
    Delivery(Option<DeliveryNumber>),
    /// The list that a URL's query asks for.
    Events(ListRequest),
    /// What was done, as a URL's query asks for it.
    Audit(ListRequest),
    /// One event.
    Event(Option<EventNumber>),
    /// The runs, and the differences that a URL's query asks for.
    Reconciliation(String),
    /// The list that a URL's query asks for.
    Rejections(ListRequest),
    /// One rejection.
    Rejection(Option<RejectionNumber>),
    /// The list that a URL's query asks for.
    Alerts(ListRequest),
    /// Every source and destination with its secrets.
    Secrets,
    /// Every source, and what the page's query asks for.
    Sources(String),
    /// Every destination; the page's query is asked again when it changes.
    Destinations(String),
    /// The list of resends of many that a URL's query asks for.
    Resends(String),
    /// One of them.
    Resend(Option<i64>),
    /// What a resend of the deliveries that a URL's query asks for would do.
    ResendPlan(String),
}

/// A question on its way: the name of its [`Answer`], the server function, and the fields.
#[cfg(any(not(feature = "ssr"), test))]
#[derive(Debug, PartialEq, Eq)]
struct Call(&'static str, &'static str, Vec<(&'static str, String)>);

/// What a list asks for.
#[derive(Clone, PartialEq, Eq)]
pub struct ListRequest {
    /// The URL's query.
    pub search: String,
    /// The rows that are on the page, by number with commas; empty at first.
    pub held: String,
}

/// What a list got, for its next question.
pub struct ListState {
    /// The rows' numbers, in order.
    pub ids: Vec<i64>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// How many are newer than the first, up to 100.
    pub newer: usize,
}

impl ListRequest {
    /// The numbers of the rows that are held.
    #[cfg(feature = "ssr")]
    pub fn numbers(held: &str) -> Vec<i64> {
        held.split(',').filter_map(|id| id.parse().ok()).take(200).collect()
    }
}

/// What it gets. As JSON, an object of one field: the name, and in it the page.
#[derive(Clone, Serialize)]
pub enum Answer {
    /// To [`Question::Deliveries`].
    Deliveries(DeliveriesPage),
    /// To [`Question::Delivery`].
    Delivery(Box<DeliveryPage>),
    /// To [`Question::Audit`].
    Audit(AuditPage),
    /// To [`Question::Events`].
    Events(EventsPage),
    /// To [`Question::Event`].
    Event(Box<EventPage>),
    /// To [`Question::Reconciliation`].
    Reconciliation(ReconciliationPage),
    /// To [`Question::Rejections`].
    Rejections(RejectionsPage),
    /// To [`Question::Rejection`].
    Rejection(Box<RejectionPage>),
    /// To [`Question::Alerts`].
    Alerts(AlertsPage),
    /// To [`Question::Secrets`].
    Secrets(SecretsPage),
    /// To [`Question::Sources`].
    Sources(SourcesPage),
    /// To [`Question::Destinations`].
    Destinations(DestinationsPage),
    /// To [`Question::Resends`].
    Resends(ResendsPage),
    /// To [`Question::Resend`].
    Resend(Box<ResendPage>),
    /// To [`Question::ResendPlan`].
    ResendPlan(PlanPage),
}

/// The answer to a page's question, and to the same question again while the page renews.
pub type PageData = Resource<Result<Answer, AppError>, Json>;

impl Question {
    /// Asks the server.
    #[cfg(not(feature = "ssr"))]
    async fn ask(self) -> Result<Answer, AppError> {
        let Call(kind, path, fields) = self.call()?;
        let json =
            crate::call::call(path, fields.iter().map(|(name, value)| (*name, value.as_str()))).await?;
        route_chunks::read(kind.to_owned(), json).await
    }

    /// Which call answers it, and with what.
    #[cfg(any(not(feature = "ssr"), test))]
    fn call(self) -> Result<Call, AppError> {
        let ask = |ListRequest { search, held }| vec![("search", search), ("held", held)];
        let search = |search| vec![("search", search)];
        let id = |id: Option<i64>| id.map(|id| vec![("id", id.to_string())]).ok_or(AppError::NotFound);
        Ok(match self {
            Self::Deliveries(given) => Call("Deliveries", "/rpc/deliveries/page", ask(given)),
            Self::Delivery(number) => Call("Delivery", "/rpc/deliveries/detail", id(number)?),
            Self::Audit(given) => Call("Audit", "/rpc/audit/page", ask(given)),
            Self::Events(given) => Call("Events", "/rpc/events/page", ask(given)),
            Self::Event(number) => Call("Event", "/rpc/events/detail", id(number)?),
            Self::Reconciliation(given) => Call("Reconciliation", "/rpc/reconciliation/page", search(given)),
            Self::Rejections(given) => Call("Rejections", "/rpc/rejections/page", ask(given)),
            Self::Rejection(number) => Call("Rejection", "/rpc/rejections/detail", id(number)?),
            Self::Alerts(given) => Call("Alerts", "/rpc/alerts/page", ask(given)),
            Self::Secrets => Call("Secrets", "/rpc/secrets/page", Vec::new()),
            Self::Sources(given) => Call("Sources", "/rpc/sources/page", search(given)),
            Self::Destinations(_) => Call("Destinations", "/rpc/destinations/page", Vec::new()),
            Self::Resends(given) => Call("Resends", "/rpc/resends/page", search(given)),
            Self::Resend(number) => Call("Resend", "/rpc/resends/detail", id(number)?),
            Self::ResendPlan(given) => Call("ResendPlan", "/rpc/resends/plan/page", search(given)),
        })
    }

    /// Reads the answer where it is.
    #[cfg(feature = "ssr")]
    async fn ask(self) -> Result<Answer, AppError> {
        Ok(match self {
            Self::Deliveries(ListRequest { search, held }) => {
                Answer::Deliveries(deliveries::list_deliveries(search, held).await?)
            }
            Self::Delivery(id) => {
                let page = deliveries::read_delivery(id.ok_or(AppError::NotFound)?).await?;
                Answer::Delivery(Box::new(page))
            }
            Self::Audit(ListRequest { search, .. }) => Answer::Audit(audit::list_audit(search).await?),
            Self::Events(ListRequest { search, held }) => {
                Answer::Events(events::list_events(search, held).await?)
            }
            Self::Event(id) => {
                Answer::Event(Box::new(events::read_event(id.ok_or(AppError::NotFound)?).await?))
            }
            Self::Reconciliation(search) => {
                Answer::Reconciliation(reconciliation::read_reconciliation(search).await?)
            }
            Self::Rejections(ListRequest { search, held }) => {
                Answer::Rejections(rejections::list_rejections(search, held).await?)
            }
            Self::Rejection(id) => {
                let page = rejections::read_rejection(id.ok_or(AppError::NotFound)?).await?;
                Answer::Rejection(Box::new(page))
            }
            Self::Alerts(ListRequest { search, held }) => {
                Answer::Alerts(alerts::list_alerts(search, held).await?)
            }
            Self::Secrets => Answer::Secrets(secrets::read_secrets().await?),
            Self::Sources(search) => Answer::Sources(sources::read_sources(search).await?),
            Self::Destinations(_) => Answer::Destinations(destinations::read_destinations().await?),
            Self::Resends(search) => Answer::Resends(resends::list_resends(search).await?),
            Self::Resend(id) => {
                Answer::Resend(Box::new(resends::read_resend(id.ok_or(AppError::NotFound)?).await?))
            }
            Self::ResendPlan(search) => Answer::ResendPlan(resends::plan_resend(search).await?),
        })
    }
}

impl Answer {
    /// Reads a page, as an answer of this name.
    ///
    /// # Errors
    /// It is another page.
    pub fn of<T: DeserializeOwned>(page: &str, answer: fn(T) -> Self) -> Result<Self, AppError> {
        serde_json::from_slice(page.as_bytes()).map(answer).map_err(|_| AppError::Transport)
    }

    /// The server's time when it was read.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::Deliveries(page) => page.now,
            Self::Delivery(page) => page.now,
            Self::Events(page) => page.now,
            Self::Audit(page) => page.now,
            Self::Event(page) => page.now,
            Self::Reconciliation(page) => page.now,
            Self::Rejections(page) => page.now,
            Self::Rejection(page) => page.now,
            Self::Alerts(page) => page.now,
            Self::Secrets(page) => page.now,
            Self::Sources(page) => page.now,
            Self::Destinations(page) => page.now,
            Self::Resends(page) => page.now,
            Self::Resend(page) => page.now,
            Self::ResendPlan(page) => page.now,
        }
    }
}

impl Answer {
    /// The rows of a list that renews in place; none for everything else.
    pub fn rows(&self) -> Option<ListState> {
        match self {
            Self::Deliveries(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Events(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Rejections(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Alerts(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            _ => None,
        }
    }
}

/// Asks, again whenever the question changes or the page renews.
pub fn load(ui: Ui, question: Box<dyn Fn() -> Question + Send + Sync>) -> PageData {
    Resource::new_with_options(move || (question(), ui.live.tick()), |(question, _)| question.ask(), false)
}

/// An answer as JSON, or `{"Err":…}`. Reading it is in `lazy`: each part of the browser's half reads its own pages.
pub struct Json;

impl Encoder<Result<Answer, AppError>> for Json {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(value: &Result<Answer, AppError>) -> Result<String, serde_json::Error> {
        match value {
            Ok(answer) => serde_json::to_string(answer),
            Err(error) => serde_json::to_string(error).map(|error| format!(r#"{{"Err":{error}}}"#)),
        }
    }
}

impl Decoder<Result<Answer, AppError>> for Json {
    type Error = AppError;
    type Encoded = str;

    fn decode(text: &str) -> Result<Result<Answer, AppError>, AppError> {
        let named = text.strip_prefix("{\"").and_then(|text| text.strip_suffix('}'));
        let (name, json) = named.and_then(|text| text.split_once("\":")).ok_or(AppError::Transport)?;
        if name == "Err" {
            return serde_json::from_slice(json.as_bytes()).map(Err).map_err(|_| AppError::Transport);
        }
        route_chunks::poll_once(route_chunks::read(name.to_owned(), json.to_owned()))
            .ok_or(AppError::Transport)?
            .map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use leptos::server_fn::ServerFn;

    use super::*;

    #[test]
    fn an_error_reads_back() {
        for error in [AppError::NotFound, AppError::field("reason", crate::error::Rule::TooLong)] {
            let text = Json::encode(&Err(error.clone())).unwrap();
            assert_eq!(Json::decode(&text).ok().unwrap().err(), Some(error));
        }
        assert!(Json::decode("").is_err() && Json::decode(r#"{"Nothing":0}"#).is_err());
    }

    #[test]
    fn each_question_goes_where_its_call_is_and_gets_its_own_answer() {
        let ask = || ListRequest { search: "state=failed".to_owned(), held: "1,2".to_owned() };
        let search = || "x=1".to_owned();
        for (question, path, fields) in [
            (Question::Deliveries(ask()), deliveries::ListDeliveries::PATH, 2),
            (Question::Delivery(Some(7)), deliveries::ReadDelivery::PATH, 1),
            (Question::Audit(ask()), audit::ListAudit::PATH, 2),
            (Question::Events(ask()), events::ListEvents::PATH, 2),
            (Question::Event(Some(7)), events::ReadEvent::PATH, 1),
            (Question::Reconciliation(search()), reconciliation::ReadReconciliation::PATH, 1),
            (Question::Rejections(ask()), rejections::ListRejections::PATH, 2),
            (Question::Rejection(Some(7)), rejections::ReadRejection::PATH, 1),
            (Question::Alerts(ask()), alerts::ListAlerts::PATH, 2),
            (Question::Secrets, secrets::ReadSecrets::PATH, 0),
            (Question::Sources(search()), sources::ReadSources::PATH, 1),
            (Question::Destinations(search()), destinations::ReadDestinations::PATH, 0),
            (Question::Resends(search()), resends::ListResends::PATH, 1),
            (Question::Resend(Some(7)), resends::ReadResend::PATH, 1),
            (Question::ResendPlan(search()), resends::PlanResend::PATH, 1),
        ] {
            let call = question.call().unwrap();
            assert_eq!((call.1, call.2.len()), (path, fields));
            // What is wrong with it is what is in it, not its name.
            let read =
                route_chunks::poll_once(route_chunks::read(call.0.to_owned(), "0".to_owned())).unwrap();
            assert_eq!(read.err(), Some(AppError::Transport), "{}", call.0);
        }
        assert_eq!(Question::Delivery(None).call(), Err(AppError::NotFound));
    }
}
