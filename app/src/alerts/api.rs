//! What the alerts' page and the REST API say to the server.

use serde::{Deserialize, Serialize};

use super::Facts;
use crate::types::{AlertKind, AlertState, Page, Timestamp};

/// Something that somebody should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Alert {
    /// Its number.
    pub id: i64,
    /// What kind of thing.
    pub kind: AlertKind,
    /// When it happened.
    pub opened_at: Timestamp,
    /// What it is about, by name.
    pub subject: String,
    /// What happened and what to do, in English.
    pub detail: String,
    /// The same as names and figures.
    pub facts: Facts,
    /// How it stands.
    pub state: AlertState,
    /// Who acknowledged it.
    pub acknowledged_by: Option<String>,
    /// When they did.
    pub acknowledged_at: Option<Timestamp>,
    /// When it was over.
    pub resolved_at: Option<Timestamp>,
}

/// Which alerts. Empty fields do not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AlertFilter {
    /// In this state.
    pub state: Option<AlertState>,
    /// Of this kind.
    pub kind: Option<AlertKind>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertsPage {
    /// The rows: those that were asked for by number, or those that match.
    pub page: Page<Alert>,
    /// How many match that are newer than the first row, up to 100; asked with rows by number alone.
    pub newer: usize,
    /// How many are open.
    pub open: i64,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::types::PageRequest;
    use crate::viewer::Viewer;

    /// What the server does for the alerts' page and API.
    #[async_trait::async_trait]
    pub trait Alerts: Send + Sync {
        /// One page of those that match, newest first.
        async fn list(&self, filter: AlertFilter, page: PageRequest) -> Result<Page<Alert>, AppError>;
        /// The page. When rows are held, these and how many are newer.
        async fn page(
            &self,
            filter: AlertFilter,
            page: PageRequest,
            held: Vec<i64>,
        ) -> Result<AlertsPage, AppError>;
        /// Somebody has looked at it; one that is acknowledged or resolved stays as it is. `NotFound`.
        async fn acknowledge(&self, viewer: &Viewer, id: i64) -> Result<Alert, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Alerts;
