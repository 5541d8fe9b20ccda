//! What the reconciliation page and the REST API say to the server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::types::{
    DeliveryNumber, DifferenceKind, DifferenceState, EventNumber, Page, RunState, Slug, Timestamp,
};

/// One reconciliation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Reconciliation {
    /// Its number.
    pub id: i64,
    /// Of which source.
    pub source: Slug,
    /// `manual` or `nightly`.
    pub trigger: String,
    /// Who started it.
    pub actor: String,
    /// Made at the provider at or after.
    pub from: Timestamp,
    /// Made at the provider before.
    pub to: Timestamp,
    /// Whether it takes in events that never came.
    pub backfill: bool,
    /// How it stands.
    pub state: RunState,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Rows that the provider listed so far.
    pub fetched: i64,
    /// Of them, compared with ours so far.
    pub compared: i64,
    /// Events that it took in so far.
    pub backfilled: i64,
    /// Differences that it saw, by kind.
    #[cfg_attr(feature = "ssr", schema(value_type = std::collections::HashMap<String, i64>))]
    pub differences: BTreeMap<DifferenceKind, i64>,
    /// Why it failed.
    pub error: Option<String>,
}

/// One disagreement; reported, never corrected silently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Difference {
    /// Its number.
    pub id: i64,
    /// Of which source.
    pub source: Slug,
    /// Of which resource, such as `inv_…`; of Stripe and Paddle of which event.
    pub resource_id: String,
    /// What disagrees.
    pub kind: DifferenceKind,
    /// What we know.
    pub ours: Option<String>,
    /// What they say.
    pub theirs: Option<String>,
    /// The amount at stake, as the provider writes it.
    pub amount: Option<String>,
    /// Its currency.
    pub currency: Option<String>,
    /// The merchant's own order.
    pub order_ref: Option<String>,
    /// The event that it is about.
    #[cfg_attr(feature = "ssr", schema(value_type = Option<i64>))]
    pub event: Option<EventNumber>,
    /// The delivery that it is about.
    #[cfg_attr(feature = "ssr", schema(value_type = Option<i64>))]
    pub delivery: Option<DeliveryNumber>,
    /// When a reconciliation first saw it.
    pub first_seen: Timestamp,
    /// When one last saw it.
    pub last_seen: Timestamp,
    /// How it stands.
    pub state: DifferenceState,
    /// What somebody noted.
    pub note: Option<String>,
    /// Who did.
    pub acknowledged_by: Option<String>,
}

/// Which differences. Empty fields do not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DifferenceFilter {
    /// Of this source.
    pub source: Option<Slug>,
    /// Of this kind.
    pub kind: Option<DifferenceKind>,
    /// In this state.
    pub state: Option<DifferenceState>,
    /// Of this resource.
    pub resource: Option<String>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReconciliationPage {
    /// Sources that can be reconciled.
    pub sources: Vec<Slug>,
    /// Whether the provider of one of them lists events, so that missing ones can be taken in.
    pub has_feed: bool,
    /// The newest runs.
    pub runs: Vec<Reconciliation>,
    /// The differences that match the filter.
    pub differences: Page<Difference>,
    /// Open ones of each kind.
    pub open: BTreeMap<DifferenceKind, i64>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::types::PageRequest;
    use crate::viewer::Viewer;

    /// What a reconciliation is asked to look at, and to do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Comparison {
        /// Made at the provider at or after.
        pub from: Timestamp,
        /// Made at the provider before.
        pub to: Timestamp,
        /// Whether events that never came are taken in.
        pub backfill: bool,
    }

    /// What the server does for the reconciliation page and API. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Reconciliations: Send + Sync {
        /// The page.
        async fn page(
            &self,
            filter: DifferenceFilter,
            page: PageRequest,
        ) -> Result<ReconciliationPage, AppError>;
        /// Starts one in the background and tells its number. `NoCredentials`, `AlreadyRunning`, `NotFound`, `Invalid`.
        async fn start(&self, viewer: &Viewer, source: &Slug, asked: Comparison) -> Result<i64, AppError>;
        /// Runs, newest first.
        async fn list(
            &self,
            source: Option<Slug>,
            page: PageRequest,
        ) -> Result<Page<Reconciliation>, AppError>;
        /// One run; `NotFound`.
        async fn get(&self, id: i64) -> Result<Reconciliation, AppError>;
        /// Differences, newest first.
        async fn differences(
            &self,
            filter: DifferenceFilter,
            page: PageRequest,
        ) -> Result<Page<Difference>, AppError>;
        /// Marks one as looked at, with a note of 1 to 500 characters.
        async fn acknowledge(&self, viewer: &Viewer, id: i64, note: &str) -> Result<Difference, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::{Comparison, Reconciliations};
