//! What pages ask the server for, and what they get: one type for all of them, so that the browser's half holds the
//! code that loads, waits and renews once.

pub(crate) mod answer;
mod chunk_reader;
pub mod list;
mod loading;

use leptos::prelude::*;
use leptos::server::codee::{Decoder, Encoder};

use crate::error::AppError;
use crate::rejections::RejectionNumber;
use crate::types::{DeliveryNumber, EventNumber};
use crate::ui::Ui;
use crate::ui::list_query::ListRequest;
#[cfg(feature = "ssr")]
use crate::{
    alerts::list_alerts,
    audit::list_audit,
    deliveries::{list_deliveries, read_delivery},
    destinations::read_destinations,
    events::{list_events, read_event},
    reconciliation::read_reconciliation,
    rejections::{list_rejections, read_rejection},
    resends::{list_resends, plan_resend, read_resend},
    secrets::read_secrets,
    sources::read_sources,
};

pub use answer::Answer;
pub(crate) use chunk_reader::poll_once;
#[cfg(feature = "hydrate")]
pub(crate) use chunk_reader::{load_desk_reader, load_story_reader};
pub use loading::loaded;

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

/// The answer to a page's question, and to the same question again while the page renews.
pub type PageData = Resource<Result<Answer, AppError>, Json>;

impl Question {
    /// Asks the server.
    #[cfg(not(feature = "ssr"))]
    async fn ask(self) -> Result<Answer, AppError> {
        let Call(kind, path, fields) = self.call()?;
        let json =
            crate::call::call(path, fields.iter().map(|(name, value)| (*name, value.as_str()))).await?;
        chunk_reader::read(kind.to_owned(), json).await
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
                Answer::Deliveries(list_deliveries(search, held).await?)
            }
            Self::Delivery(id) => {
                let page = read_delivery(id.ok_or(AppError::NotFound)?).await?;
                Answer::Delivery(Box::new(page))
            }
            Self::Audit(ListRequest { search, .. }) => Answer::Audit(list_audit(search).await?),
            Self::Events(ListRequest { search, held }) => Answer::Events(list_events(search, held).await?),
            Self::Event(id) => Answer::Event(Box::new(read_event(id.ok_or(AppError::NotFound)?).await?)),
            Self::Reconciliation(search) => Answer::Reconciliation(read_reconciliation(search).await?),
            Self::Rejections(ListRequest { search, held }) => {
                Answer::Rejections(list_rejections(search, held).await?)
            }
            Self::Rejection(id) => {
                let page = read_rejection(id.ok_or(AppError::NotFound)?).await?;
                Answer::Rejection(Box::new(page))
            }
            Self::Alerts(ListRequest { search, held }) => Answer::Alerts(list_alerts(search, held).await?),
            Self::Secrets => Answer::Secrets(read_secrets().await?),
            Self::Sources(search) => Answer::Sources(read_sources(search).await?),
            Self::Destinations(_) => Answer::Destinations(read_destinations().await?),
            Self::Resends(search) => Answer::Resends(list_resends(search).await?),
            Self::Resend(id) => Answer::Resend(Box::new(read_resend(id.ok_or(AppError::NotFound)?).await?)),
            Self::ResendPlan(search) => Answer::ResendPlan(plan_resend(search).await?),
        })
    }
}

/// Asks, again whenever the question changes or the page renews.
pub fn load(ui: Ui, question: Box<dyn Fn() -> Question + Send + Sync>) -> PageData {
    Resource::new_with_options(move || (question(), ui.live.tick()), |(question, _)| question.ask(), false)
}

/// An answer as JSON, or `{"Err":…}`. Reading it is in `chunk_reader`: each part of the browser's half reads its own pages.
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
        poll_once(chunk_reader::read(name.to_owned(), json.to_owned())).ok_or(AppError::Transport)?.map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use leptos::server_fn::ServerFn;

    use super::*;
    use crate::{
        alerts, audit, deliveries, destinations, events, reconciliation, rejections, resends, secrets,
        sources,
    };

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
            let read = poll_once(chunk_reader::read(call.0.to_owned(), "0".to_owned())).unwrap();
            assert_eq!(read.err(), Some(AppError::Transport), "{}", call.0);
        }
        assert_eq!(Question::Delivery(None).call(), Err(AppError::NotFound));
    }
}
