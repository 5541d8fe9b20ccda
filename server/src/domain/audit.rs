//! The audit: what somebody did, and the chain of hashes that shows whether a row was changed or taken out later.

use app::context::Viewer;
use app::types::{Role, Timestamp};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What people do, as it is written down.
pub mod action {
    macro_rules! actions {
        ($($name:ident = $word:literal,)+) => {
            $(#[doc = concat!("`", $word, "`.")] pub const $name: &str = $word;)+

            /// All of them.
            pub const ALL: &[&str] = &[$($word),+];
        };
    }

    actions! {
        ALERT_ACKNOWLEDGED = "alert.acknowledged",
        DELIVERIES_RESENT = "deliveries.resent",
        DELIVERY_RESENT = "delivery.resent",
        DESTINATION_CHANGED = "destination.changed",
        DESTINATION_CREATED = "destination.created",
        DESTINATION_DELETED = "destination.deleted",
        DESTINATION_PAUSED = "destination.paused",
        DESTINATION_RESUMED = "destination.resumed",
        DESTINATION_TESTED = "destination.tested",
        DIFFERENCE_ACKNOWLEDGED = "difference.acknowledged",
        EVENT_DELIVERED = "event.delivered",
        EVENT_RELEASED = "event.released",
        KEYS_ROTATED = "keys.rotated",
        LOGIN_FAILED = "login.failed",
        LOGIN_SUCCEEDED = "login.succeeded",
        RECONCILIATION_STARTED = "reconciliation.started",
        REJECTION_REVERIFIED = "rejection.reverified",
        REJECTIONS_REVERIFIED = "rejections.reverified",
        RESEND_CANCELLED = "resend.cancelled",
        SECRET_EXTENDED = "secret.extended",
        SECRET_MADE = "secret.made",
        SECRET_RETIRED = "secret.retired",
        SECRET_ROTATED = "secret.rotated",
        SECRET_SHOWN = "secret.shown",
        SECRET_UNDONE = "secret.undone",
        SOURCE_CHANGED = "source.changed",
        SOURCE_CREATED = "source.created",
        SOURCE_DELETED = "source.deleted",
        TOKEN_CREATED = "token.created",
        USER_ADDED = "user.added",
    }
}

/// The actor of what is done on the command line.
pub const COMMAND_LINE: &str = "command line";

/// Whoever may run commands on the machine of the database.
pub fn command_line() -> Viewer {
    Viewer { name: COMMAND_LINE.to_owned(), role: Role::Admin, from: None }
}

/// The hash before the first row's.
pub const START: [u8; 32] = [0; 32];

/// What somebody did. Nothing in it is a secret.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Who: an e-mail, `token:` and its name, or [`COMMAND_LINE`].
    pub actor: &'a str,
    /// The address that they did it from, where there is one.
    pub from: Option<&'a str>,
    /// What: one of [`action`].
    pub action: &'static str,
    /// To what, such as `source/paymos-live`.
    pub subject: String,
    /// Why, in their words.
    pub reason: Option<&'a str>,
    /// More of it, an object.
    pub detail: Option<Value>,
    /// When.
    pub at: Timestamp,
}

impl<'a> Entry<'a> {
    /// What the viewer did.
    pub fn by(viewer: &'a Viewer, action: &'static str, subject: impl Into<String>, at: Timestamp) -> Self {
        Self {
            actor: &viewer.name,
            from: viewer.from.as_deref(),
            action,
            subject: subject.into(),
            reason: None,
            detail: None,
            at,
        }
    }

    /// With the reason that they gave; a blank one is none.
    #[must_use]
    pub fn with_reason(self, reason: &'a str) -> Self {
        let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
        Self { reason, ..self }
    }

    /// With more of it.
    #[must_use]
    pub fn with(self, detail: Value) -> Self {
        Self { detail: Some(detail), ..self }
    }
}

/// A row's texts and numbers, as they are stored.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its place in the chain, counted from 1.
    pub id: i64,
    /// Microseconds since 1970.
    pub at: i64,
    /// Who.
    pub actor: &'a str,
    /// From where.
    pub from: Option<&'a str>,
    /// What.
    pub action: &'a str,
    /// To what.
    pub subject: &'a str,
    /// Why.
    pub reason: Option<&'a str>,
    /// More of it, as the JSON that is stored.
    pub detail: Option<&'a str>,
}

/// The hash of a row after the row with that hash. Every text is preceded by its length, so that no two rows have the
/// same bytes.
pub fn hash(previous: &[u8], row: Row<'_>) -> [u8; 32] {
    let mut hash = Sha256::new().chain_update(b"acuse audit\0").chain_update(previous);
    hash.update(row.id.to_be_bytes());
    hash.update(row.at.to_be_bytes());
    for text in [Some(row.actor), row.from, Some(row.action), Some(row.subject), row.reason, row.detail] {
        match text {
            None => hash.update([0]),
            Some(text) => {
                hash.update([1]);
                hash.update((text.len() as u64).to_be_bytes());
                hash.update(text.as_bytes());
            }
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row<'static> {
        Row {
            id: 7,
            at: 1_796_040_000_000_000,
            actor: "ana@shop.test",
            from: Some("203.0.113.7"),
            action: action::SECRET_ROTATED,
            subject: "source/paymos-live",
            reason: Some("the laptop was stolen"),
            detail: Some("{\"overlap_s\":86400}"),
        }
    }

    #[test]
    fn every_part_of_a_row_is_in_its_hash() {
        let first = hash(&START, row());
        assert_eq!(first, hash(&START, row()));
        let changed = [
            Row { id: 8, ..row() },
            Row { at: 1, ..row() },
            Row { actor: "eva@shop.test", ..row() },
            Row { from: None, ..row() },
            Row { action: action::SECRET_RETIRED, ..row() },
            Row { subject: "source/paymos-test", ..row() },
            Row { reason: None, ..row() },
            Row { reason: Some(""), ..row() },
            Row { detail: None, ..row() },
            // The same bytes in a row, cut elsewhere.
            Row { actor: "ana@shop.tes", from: Some("t203.0.113.7"), ..row() },
        ];
        for row in changed {
            assert_ne!(hash(&START, row), first, "{row:?}");
        }
        assert_ne!(hash(&first, row()), first, "the row before is in it too");
    }

    #[test]
    fn a_blank_reason_is_none() {
        let viewer = Viewer { name: "ana".to_owned(), role: app::types::Role::Admin, from: None };
        let entry = Entry::by(&viewer, action::USER_ADDED, "user/eva", Timestamp::from_unix(0));
        assert_eq!(entry.clone().with_reason("  ").reason, None);
        assert_eq!(entry.with_reason(" new here ").reason, Some("new here"));
    }

    #[test]
    fn actions_are_noun_and_verb() {
        for action in action::ALL {
            assert!(
                action.split_once('.').is_some_and(|(noun, verb)| !noun.is_empty() && verb.ends_with("ed")
                    || matches!(verb, "shown" | "made" | "resent" | "undone")),
                "{action}"
            );
        }
        assert!(action::ALL.is_sorted());
    }
}
