//! What the page of destinations says to the server.

use serde::{Deserialize, Serialize};

use crate::types::{Format, SignatureOrder, Slug, Timestamp};

/// A destination, with how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DestinationRow {
    /// Its name.
    pub slug: Slug,
    /// Where deliveries are posted.
    pub url: String,
    /// The headers that it reads.
    pub format: Format,
    /// In which order it is signed with several secrets.
    pub signature_order: SignatureOrder,
    /// Sources that it takes: slugs, or `*`.
    pub sources: Vec<String>,
    /// Types that it takes: names, `invoice.*`, or `*`.
    pub events: Vec<String>,
    /// Gaps between scheduled attempts.
    pub ladder: Vec<String>,
    /// Milliseconds that an attempt may take.
    pub timeout_ms: i64,
    /// Attempts at the same time.
    pub max_in_flight: i64,
    /// Attempts a second; none: as fast as it answers.
    pub rate_per_s: Option<f64>,
    /// Since when it is paused.
    pub paused_at: Option<Timestamp>,
    /// Deliveries on their ladder, up to 10 000.
    pub pending: i64,
    /// Those held, up to 10 000.
    pub held: i64,
    /// Those that used up their ladder, up to 10 000.
    pub failed: i64,
    /// When the one that is due first is due.
    pub oldest_due: Option<Timestamp>,
    /// When the newest event arrived that it took.
    pub last_delivered: Option<Timestamp>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Timestamp>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DestinationsPage {
    /// All of them, by name.
    pub destinations: Vec<DestinationRow>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// The settings of a destination as they stand in a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DestinationForm {
    /// Its name.
    pub slug: String,
    /// Where deliveries are posted.
    pub url: String,
    /// The headers that it reads.
    pub format: String,
    /// In which order it is signed with several secrets; blank: newest first.
    pub signature_order: String,
    /// Sources, with commas; blank: all.
    pub sources: String,
    /// Types, with commas; blank: all.
    pub events: String,
    /// Gaps, with commas; blank: the usual ones.
    pub ladder: String,
    /// Milliseconds that an attempt may take; blank: 10 000.
    pub timeout_ms: String,
    /// Attempts at the same time; blank: 16.
    pub max_in_flight: String,
    /// Attempts a second; blank: as fast as it answers.
    pub rate_per_s: String,
}

/// What is done to a destination that there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Its deliveries are held.
    Pause,
    /// They are let out.
    Resume,
    /// They are cancelled, and it is gone.
    Delete,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::secrets::NewSecret;
    use crate::viewer::Viewer;

    /// What the server does for the page. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Destinations: Send + Sync {
        /// The page.
        async fn page(&self) -> Result<DestinationsPage, AppError>;
        /// Pauses, resumes or deletes one; `NotFound`.
        async fn apply(&self, viewer: &Viewer, slug: &Slug, change: Change) -> Result<(), AppError>;
        /// Makes one with its first secret; `AlreadyExists`, `Invalid`.
        async fn create(&self, viewer: &Viewer, form: DestinationForm) -> Result<NewSecret, AppError>;
        /// Changes the settings of one; `NotFound`, `Invalid`.
        async fn edit(&self, viewer: &Viewer, form: DestinationForm) -> Result<(), AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Destinations;
