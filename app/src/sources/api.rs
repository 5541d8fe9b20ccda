//! What the page of sources says to the server.

use serde::{Deserialize, Serialize};

use crate::types::{FormSchema, Slug, Timestamp};

/// Nothing is counted above this.
pub const COUNTED: i64 = 1000;

/// A source, with what it did lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRow {
    /// Its name.
    pub slug: Slug,
    /// Who sends, as people call them.
    pub sender: String,
    /// Whether it carries no real money.
    pub is_test: bool,
    /// Where its provider posts to.
    pub receive_url: String,
    /// How many secrets count.
    pub secrets: i64,
    /// When the first of them ends.
    pub ends: Option<Timestamp>,
    /// When it last took a webhook.
    pub last: Option<Timestamp>,
    /// Webhooks that it took in the last 24 hours, to ten minutes.
    pub day: i64,
    /// Those that it refused.
    pub rejected: i64,
    /// Events that wait for a person, up to [`COUNTED`].
    pub held: i64,
    /// Events of the last 24 hours that no destination takes, up to [`COUNTED`] of all sources.
    pub unrouted: i64,
}

/// How to set a provider up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Whose.
    pub title: String,
    /// What to enter there.
    pub receive_url: String,
    /// What to do, step by step.
    pub steps: Vec<String>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcesPage {
    /// All of them, by name.
    pub sources: Vec<SourceRow>,
    /// What is asked to be filled in.
    pub asked: Option<FormSchema>,
    /// What to do at a provider.
    pub setup: Option<Setup>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::text::Lang;
    use crate::types::FormInput;
    use crate::viewer::Viewer;

    /// What the server does for the page. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Sources: Send + Sync {
        /// The page, with the form that the URL's query asks for where they may fill it in.
        async fn page(&self, viewer: &Viewer, search: &str, lang: Lang) -> Result<SourcesPage, AppError>;
        /// Makes, changes or deletes one, as the field `act` of the form says: `new`, `edit` or `delete`. The path
        /// of the page that shows what came of it. `NotFound`, `AlreadyExists`, `Invalid`.
        async fn apply(&self, viewer: &Viewer, form: &FormInput) -> Result<String, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Sources;
