//! What the deliveries' pages and the REST API say to the server.

use serde::{Deserialize, Serialize};

use crate::types::{
    AttemptError, DeliveryNumber, DeliveryState, EventNumber, Page, ShownBody, Slug, Timestamp, Trigger,
};

/// One delivery in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct DeliverySummary {
    /// Its number.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: DeliveryNumber,
    /// The provider's id of the event.
    pub event_id: String,
    /// Our number of the event: `/events/{event}`.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub event: EventNumber,
    /// The provider's name of the event, such as `invoice.paid`.
    pub r#type: String,
    /// What the money happened to, such as `inv_…`.
    pub resource_id: Option<String>,
    /// The source it came by.
    pub source: Slug,
    /// Where it goes.
    pub destination: Slug,
    /// How it stands.
    pub state: DeliveryState,
    /// Scheduled attempts made so far.
    pub attempts: u32,
    /// Rungs of its ladder.
    pub max_attempts: u32,
    /// When the next scheduled one is due.
    pub next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last attempt that got an answer.
    pub last_status: Option<u16>,
    /// Why the last attempt failed; null when it did not, or none was made.
    pub last_error: Option<AttemptError>,
    /// When the event arrived.
    pub received_at: Timestamp,
    /// When a destination took it.
    pub delivered_at: Option<Timestamp>,
}

/// Which deliveries. Empty fields do not filter; the fields together narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeliveryFilter {
    /// Any of these numbers; empty: all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub id: Vec<DeliveryNumber>,
    /// Any of these states; empty: all.
    pub state: Vec<DeliveryState>,
    /// To this destination.
    pub destination: Option<Slug>,
    /// From this source.
    pub source: Option<Slug>,
    /// Of this type; `invoice.*` for all that begin so.
    pub r#type: Option<String>,
    /// Of this resource.
    pub resource: Option<String>,
    /// Of the event with this id at its provider.
    pub event_id: Option<String>,
    /// Due and not yet attempted.
    pub overdue: bool,
    /// Received at or after.
    pub from: Option<Timestamp>,
    /// Received before.
    pub to: Option<Timestamp>,
}

/// Where the time of an attempt went, in milliseconds; null: it did not come to that, or the connection was there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Latency {
    /// Resolving the name.
    pub dns_ms: Option<i64>,
    /// Connecting.
    pub connect_ms: Option<i64>,
    /// The TLS handshake.
    pub tls_ms: Option<i64>,
    /// From there to the first byte of the answer.
    pub first_byte_ms: Option<i64>,
    /// The connection was there from before.
    pub reused: bool,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Attempt {
    /// Its row's number: unique over all attempts.
    pub id: i64,
    /// Which rung; null when by hand.
    pub n: Option<u32>,
    /// Why it was made.
    pub trigger: Trigger,
    /// Who asked for it.
    pub actor: Option<String>,
    /// Why they did.
    pub reason: Option<String>,
    /// When it was asked for or due to start.
    pub queued_at: Timestamp,
    /// When it started; null while it waits.
    pub started_at: Option<Timestamp>,
    /// How long it took.
    pub duration_ms: Option<i64>,
    /// Where the time went; null: nothing was sent.
    pub latency: Option<Latency>,
    /// HTTP status of the answer.
    pub status: Option<u16>,
    /// Why it failed; null when it did not.
    pub error: Option<AttemptError>,
    /// More of the error, in the words of the network.
    pub detail: Option<String>,
    /// The URL it went to.
    pub url: Option<String>,
    /// Name and value of what was sent; signatures included, secrets never.
    pub request_headers: Vec<(String, String)>,
    /// Name and value of what came back.
    pub response_headers: Vec<(String, String)>,
    /// What came back, capped; bytes that are no UTF-8 are replaced.
    pub response_body: Option<String>,
    /// More came back than is kept.
    pub response_truncated: bool,
    /// A process that had it before ended, or was too slow, and wrote nothing down: the destination may have got it then
    /// already.
    pub may_repeat: bool,
}

/// One rung of a delivery's ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Rung {
    /// Counted from 1.
    pub n: u32,
    /// When it was made, or is due.
    pub due_at: Timestamp,
    /// Whether it was made.
    pub done: bool,
}

/// One delivery in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(not(feature = "ssr"), serde(from = "flat::Flat"))]
pub struct DeliveryDetail {
    /// As in the list.
    #[serde(flatten)]
    pub summary: DeliverySummary,
    /// Every attempt, oldest first; those that wait last.
    pub attempt_log: Vec<Attempt>,
    /// The whole ladder.
    pub rungs: Vec<Rung>,
    /// When it happened, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// The status that the event tells of its resource, such as `paid`.
    pub status: Option<String>,
    /// As received.
    pub content_type: Option<String>,
    /// Bytes of the body: `/events/{event}/body`.
    pub body_size: i64,
    /// Where it goes.
    pub url: String,
    /// How often the event arrived.
    pub arrivals: i64,
}

/// How the browser reads a delivery in full: field by field, since `flatten` brings a second reader of everything.
#[cfg(not(feature = "ssr"))]
mod flat {
    use super::*;

    #[derive(Deserialize)]
    pub(super) struct Flat {
        id: DeliveryNumber,
        event_id: String,
        event: EventNumber,
        r#type: String,
        resource_id: Option<String>,
        source: Slug,
        destination: Slug,
        state: DeliveryState,
        attempts: u32,
        max_attempts: u32,
        next_attempt_at: Option<Timestamp>,
        last_status: Option<u16>,
        last_error: Option<AttemptError>,
        received_at: Timestamp,
        delivered_at: Option<Timestamp>,
        attempt_log: Vec<Attempt>,
        rungs: Vec<Rung>,
        occurred_at: Option<Timestamp>,
        status: Option<String>,
        content_type: Option<String>,
        body_size: i64,
        url: String,
        arrivals: i64,
    }

    impl From<Flat> for DeliveryDetail {
        fn from(flat: Flat) -> Self {
            Self {
                summary: DeliverySummary {
                    id: flat.id,
                    event_id: flat.event_id,
                    event: flat.event,
                    r#type: flat.r#type,
                    resource_id: flat.resource_id,
                    source: flat.source,
                    destination: flat.destination,
                    state: flat.state,
                    attempts: flat.attempts,
                    max_attempts: flat.max_attempts,
                    next_attempt_at: flat.next_attempt_at,
                    last_status: flat.last_status,
                    last_error: flat.last_error,
                    received_at: flat.received_at,
                    delivered_at: flat.delivered_at,
                },
                attempt_log: flat.attempt_log,
                rungs: flat.rungs,
                occurred_at: flat.occurred_at,
                status: flat.status,
                content_type: flat.content_type,
                body_size: flat.body_size,
                url: flat.url,
                arrivals: flat.arrivals,
            }
        }
    }
}

/// What the page of one delivery shows: its detail and the body as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryPage {
    /// The delivery.
    pub delivery: DeliveryDetail,
    /// The body, for people.
    pub body: ShownBody,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// How many deliveries stand in a state, in the last 24 hours or, when not `delivered`, in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCount {
    /// The state.
    pub state: DeliveryState,
    /// How many, counted up to 10 000.
    pub count: i64,
}

/// What the list page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveriesPage {
    /// The rows: those that were asked for by number, or those that match.
    pub page: Page<DeliverySummary>,
    /// How many match that are newer than the first row, up to 100; asked with rows by number alone.
    pub newer: usize,
    /// For the chips.
    pub counts: Vec<StateCount>,
    /// For the filter.
    pub sources: Vec<Slug>,
    /// For the filter.
    pub destinations: Vec<Slug>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::types::PageRequest;
    use crate::viewer::Viewer;

    /// What the server does for the deliveries' pages and API. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Deliveries: Send + Sync {
        /// One page of those that match, newest first.
        async fn list(
            &self,
            filter: DeliveryFilter,
            page: PageRequest,
        ) -> Result<Page<DeliverySummary>, AppError>;
        /// The list page: the same, with what its filters show. When rows are held, these and how many are newer.
        async fn page(
            &self,
            filter: DeliveryFilter,
            page: PageRequest,
            held: Vec<DeliveryNumber>,
        ) -> Result<DeliveriesPage, AppError>;
        /// One delivery; `NotFound`.
        async fn get(&self, id: DeliveryNumber) -> Result<DeliveryDetail, AppError>;
        /// One delivery with its body as text; `NotFound`.
        async fn detail_page(&self, id: DeliveryNumber) -> Result<DeliveryPage, AppError>;
        /// Asks for one manual attempt, outside the ladder; it runs at once. The reason is 1 to 500 characters.
        async fn resend(&self, viewer: &Viewer, id: DeliveryNumber, reason: &str) -> Result<(), AppError>;
        /// Delivers an event to a destination, whatever it subscribes to; when it has a delivery of it already, that
        /// one is resent. The number of the delivery; `NotFound`.
        async fn deliver(
            &self,
            viewer: &Viewer,
            event: EventNumber,
            destination: &Slug,
            reason: &str,
        ) -> Result<DeliveryNumber, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Deliveries;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_reads_back_as_itself() {
        let at: Timestamp = "2026-11-30T14:09:07Z".parse().unwrap();
        let detail = DeliveryDetail {
            summary: DeliverySummary {
                id: 482_131,
                event_id: "evt_1".to_owned(),
                event: 7,
                r#type: "invoice.paid".to_owned(),
                resource_id: None,
                source: "paymos-live".parse().unwrap(),
                destination: "shop-eu".parse().unwrap(),
                state: DeliveryState::Pending,
                attempts: 3,
                max_attempts: 11,
                next_attempt_at: Some(at),
                last_status: Some(503),
                last_error: Some(AttemptError::Status),
                received_at: at,
                delivered_at: None,
            },
            attempt_log: Vec::new(),
            rungs: vec![Rung { n: 1, due_at: at, done: true }],
            occurred_at: Some(at),
            status: Some("paid".to_owned()),
            content_type: None,
            body_size: 512,
            url: "https://shop.example/hooks".to_owned(),
            arrivals: 2,
        };
        let json = serde_json::to_string(&detail).unwrap();
        assert_eq!(serde_json::from_str::<DeliveryDetail>(&json).unwrap(), detail);
    }
}
