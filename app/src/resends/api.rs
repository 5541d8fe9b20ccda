//! What the pages of resends and the REST API say to the server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::deliveries::DeliveryFilter;
use crate::types::{Page, ResendState, Slug, Timestamp};

/// A resend of many: one manual attempt for each delivery that matched when it started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Resend {
    /// Its number.
    pub id: i64,
    /// How it stands.
    pub state: ResendState,
    /// Who asked for it.
    pub actor: String,
    /// Why they did.
    pub reason: String,
    /// What it was asked for, as in `GET /deliveries`.
    #[cfg_attr(feature = "ssr", schema(value_type = Object))]
    pub filter: DeliveryFilter,
    /// Attempts a second at most; null: as fast as the destinations take them.
    pub rate_per_s: Option<f64>,
    /// When it started: what matched then is resent.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Deliveries that matched. It still grows in the first moments of a large one.
    pub matching: i64,
    /// Attempts that are over.
    pub done: i64,
    /// Those that a destination took.
    pub succeeded: i64,
    /// Those that it did not.
    pub failed: i64,
}

/// What a resend would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ResendPlan {
    /// Deliveries that match now.
    pub matching: i64,
    /// How many of them go to each destination.
    pub by_destination: BTreeMap<String, i64>,
    /// How many there are of each type.
    pub by_type: BTreeMap<String, i64>,
}

/// How a resend stands with one destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResendLane {
    /// Its name.
    pub destination: Slug,
    /// How many go there.
    pub matching: i64,
    /// How many of these wait.
    pub waiting: i64,
    /// It was paused since: they wait for it.
    pub paused: bool,
}

/// What the list page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResendsPage {
    /// The rows.
    pub page: Page<Resend>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// What the page of one shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResendPage {
    /// The resend.
    pub resend: Resend,
    /// Where its deliveries go.
    pub lanes: Vec<ResendLane>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// What the page that asks before a resend shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPage {
    /// What would be done.
    pub plan: ResendPlan,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::types::PageRequest;
    use crate::viewer::Viewer;

    /// A resend that is asked for.
    #[derive(Debug, Clone)]
    pub struct NewResend {
        /// Which deliveries.
        pub filter: DeliveryFilter,
        /// Why: 1 to 500 characters.
        pub reason: String,
        /// Attempts a second at most.
        pub rate_per_s: Option<f64>,
    }

    /// What the server does for the pages and the API of resends. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Resends: Send + Sync {
        /// What a resend of this would do.
        async fn plan(&self, filter: DeliveryFilter) -> Result<ResendPlan, AppError>;
        /// The page that asks.
        async fn plan_page(&self, filter: DeliveryFilter) -> Result<PlanPage, AppError>;
        /// Starts one; its number.
        async fn start(&self, viewer: &Viewer, new: NewResend) -> Result<i64, AppError>;
        /// All, newest first.
        async fn list(&self, page: PageRequest) -> Result<Page<Resend>, AppError>;
        /// The list page.
        async fn page(&self, page: PageRequest) -> Result<ResendsPage, AppError>;
        /// One; `NotFound`.
        async fn get(&self, id: i64) -> Result<Resend, AppError>;
        /// The page of one; `NotFound`.
        async fn detail_page(&self, id: i64) -> Result<ResendPage, AppError>;
        /// Cancels what has not run; nothing when it is over. `NotFound`.
        async fn cancel(&self, viewer: &Viewer, id: i64) -> Result<Resend, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::{NewResend, Resends};
