//! What the audit page and the REST API say to the server.

use serde::{Deserialize, Serialize};

use crate::types::Timestamp;

/// Which entries. Empty fields do not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFilter {
    /// Of this actor.
    pub actor: Option<String>,
    /// Of this action, or `secret.*`.
    pub action: Option<String>,
    /// About this subject, or `source/*`.
    pub subject: Option<String>,
    /// At or after.
    pub from: Option<Timestamp>,
    /// Before.
    pub to: Option<Timestamp>,
}

/// Whether the chain holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ChainVerification {
    /// Whether every entry is as it was written, and none is missing.
    pub valid: bool,
    /// Entries that hold, from the first one on.
    pub entries: i64,
    /// The hash of the last entry. Kept elsewhere, it shows that not even the whole chain was written anew.
    pub head: String,
    /// The first entry that was changed or is missing.
    pub broken_at: Option<i64>,
    /// When it was checked.
    pub checked_at: Timestamp,
}

/// What somebody did, as the page shows it: in the words of the language that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// Its place in the chain.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// From where.
    pub address: Option<String>,
    /// What they did, and to what.
    pub did: String,
    /// The page that shows what it was done to.
    pub page: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// More of it, in a line.
    pub detail: String,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    /// Newest first.
    pub items: Vec<AuditLine>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// Every action that there is: its code, and what it is called.
    pub actions: Vec<(String, String)>,
    /// Whether the chain holds.
    pub verified: ChainVerification,
    /// The server's time when it was read.
    pub now: Timestamp,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::text::Lang;
    use crate::types::PageRequest;

    /// What the server does for the audit page. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Audit: Send + Sync {
        /// The page.
        async fn page(
            &self,
            filter: AuditFilter,
            page: PageRequest,
            lang: Lang,
        ) -> Result<AuditPage, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Audit;
