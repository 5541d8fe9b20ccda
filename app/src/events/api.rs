//! What the events' pages and the REST API say to the server.

use serde::{Deserialize, Serialize};

use crate::deliveries::DeliverySummary;
use crate::types::{EventNumber, Page, ShownBody, Slug, Timestamp};

/// One event in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct EventSummary {
    /// Our number of it.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: EventNumber,
    /// The source it came by.
    pub source: Slug,
    /// The provider's id of it, unique in its source.
    pub event_id: String,
    /// The provider's name of what happened.
    pub r#type: String,
    /// What it happened to.
    pub resource_id: Option<String>,
    /// When, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// When it first arrived.
    pub received_at: Timestamp,
    /// When its deliveries were made.
    pub processed_at: Option<Timestamp>,
    /// How often it arrived.
    pub arrivals: i64,
    /// It was processed, and no destination took it.
    pub unrouted: bool,
}

/// Which events. Empty fields do not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventFilter {
    /// From this source.
    pub source: Option<Slug>,
    /// Of this type; `invoice.*` for all that begin so.
    pub r#type: Option<String>,
    /// Of this resource.
    pub resource: Option<String>,
    /// With this id at the provider.
    pub event_id: Option<String>,
    /// Those alone that no destination took.
    pub unrouted: bool,
    /// Event id, type or resource that begins so.
    pub q: Option<String>,
    /// Those that wait for a person to release them.
    pub held: bool,
    /// Received at or after.
    pub from: Option<Timestamp>,
    /// Received before.
    pub to: Option<Timestamp>,
}

/// One arrival of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Arrival {
    /// When.
    pub received_at: Timestamp,
    /// `stored` for the first, `duplicate` for the others.
    pub outcome: String,
    /// Whether its bytes were those of the first.
    pub same_bytes: bool,
}

/// One event of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct TimelineEvent {
    /// Our number of it.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: EventNumber,
    /// The provider's id of it.
    pub event_id: String,
    /// The provider's name of what happened.
    pub r#type: String,
    /// The status that it tells of its resource.
    pub status: Option<String>,
    /// When, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// When it first arrived.
    pub received_at: Timestamp,
    /// It arrived after one that happened later: a receiver that lets the last arrival win ends with an old status.
    pub out_of_order: bool,
}

/// One event in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct EventDetail {
    /// As in the list, but for `arrivals`, which is the list of them here.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: EventNumber,
    /// The source it came by.
    pub source: Slug,
    /// The provider's id of it.
    pub event_id: String,
    /// The provider's name of what happened.
    pub r#type: String,
    /// What it happened to.
    pub resource_id: Option<String>,
    /// What that is, in the provider's word.
    pub resource_kind: Option<String>,
    /// When, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// When it first arrived.
    pub received_at: Timestamp,
    /// When its deliveries were made.
    pub processed_at: Option<Timestamp>,
    /// The status that it tells of its resource.
    pub status: Option<String>,
    /// Whether it comes from the provider's sandbox; null: it does not tell.
    pub is_test: Option<bool>,
    /// The version of its form, as the provider counts them.
    pub version: Option<String>,
    /// As received.
    pub content_type: Option<String>,
    /// Bytes of the body.
    pub body_size: i64,
    /// The headers that are kept.
    pub headers: Vec<(String, String)>,
    /// It contradicts its source's mode, and waits for a person to release it.
    pub held: bool,
    /// Who released it.
    pub released_by: Option<String>,
    /// When.
    pub released_at: Option<Timestamp>,
    /// How often it arrived.
    pub arrival_count: i64,
    /// The first 100 of them.
    pub arrivals: Vec<Arrival>,
    /// The newest 50 events of its resource by the same source, itself among them, in the provider's order of time;
    /// empty when it is about none.
    pub story: Vec<TimelineEvent>,
    /// Where it went.
    pub deliveries: Vec<DeliverySummary>,
    /// What it did to its payment; null when it did nothing to one. No page shows it yet, so the browser skips it.
    #[cfg(feature = "ssr")]
    pub transition: Option<serde_json::Value>,
}

/// What the list page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventsPage {
    /// The rows: those that were asked for by number, or those that match.
    pub page: Page<EventSummary>,
    /// How many match that are newer than the first row, up to 100; asked with rows by number alone.
    pub newer: usize,
    /// For the filter.
    pub sources: Vec<Slug>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// What the page of one event shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPage {
    /// The event.
    pub event: EventDetail,
    /// The body, for people.
    pub body: ShownBody,
    /// The source carries real money.
    pub live: bool,
    /// Where it can be delivered by hand.
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

    /// What the server does for the events' pages and API.
    #[async_trait::async_trait]
    pub trait Events: Send + Sync {
        /// One page of those that match, newest first.
        async fn list(&self, filter: EventFilter, page: PageRequest) -> Result<Page<EventSummary>, AppError>;
        /// The list page. When rows are held, these and how many are newer.
        async fn page(
            &self,
            filter: EventFilter,
            page: PageRequest,
            held: Vec<EventNumber>,
        ) -> Result<EventsPage, AppError>;
        /// One event; `NotFound`.
        async fn get(&self, id: EventNumber) -> Result<EventDetail, AppError>;
        /// One event with its body as text; `NotFound`.
        async fn detail_page(&self, id: EventNumber) -> Result<EventPage, AppError>;
        /// Lets one go to its destinations that waits because it contradicts its source's mode; `NotFound`. One that
        /// does not wait stays as it is.
        async fn release(&self, viewer: &Viewer, id: EventNumber, reason: &str) -> Result<(), AppError>;
        /// The exact bytes; `NotFound`.
        async fn body(&self, id: EventNumber) -> Result<Vec<u8>, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Events;
