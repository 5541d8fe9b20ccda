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
pub struct Verified {
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
