//! What the server does for the audit page.

use std::sync::{Arc, Mutex, PoisonError};

use app::audit::{Audit, AuditFilter, AuditLine, AuditPage, Verified};
use app::error::AppError;
use app::types::{PageRequest, Timestamp};
use serde_json::Value;

use super::shared::{Acts, Answers, key};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::action;
use crate::error::Failure;
use crate::store::audit::{self, AuditEntry};

/// Seconds that a check counts for the page; the API always checks anew.
const FRESH_S: i64 = 60;

/// Reads the audit.
#[derive(Debug, Clone)]
pub struct AuditBackend {
    db: Db,
    clock: SharedClock,
    verified: Arc<Mutex<Option<Verified>>>,
    acts: Acts,
    pages: Arc<Answers<String, AuditPage>>,
}

impl AuditBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, acts: Acts) -> Self {
        Self { db, clock, verified: Arc::default(), acts, pages: Arc::default() }
    }

    async fn shown(
        &self,
        filter: &AuditFilter,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<AuditPage, Failure> {
        let rows = audit::page(&self.db, filter, page).await?;
        Ok(AuditPage {
            verified: self.verified(rows.items.first()).await?,
            items: rows.items.into_iter().map(line).collect(),
            next_cursor: rows.next_cursor,
            actions: action::ALL.iter().map(|action| (*action).to_owned()).collect(),
            now,
        })
    }

    /// Whether the chain holds: as it was found within the last minute, unless something was appended since.
    async fn verified(&self, newest: Option<&AuditEntry>) -> Result<Verified, Failure> {
        let now = self.clock.now();
        let known = self.verified.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_fresh = |known: &Verified| {
            (0..FRESH_S).contains(&now.seconds_since(known.checked_at))
                && newest.is_none_or(|newest| newest.id <= known.entries)
        };
        if let Some(known) = known.filter(is_fresh) {
            return Ok(known);
        }
        let verified = audit::verify(&self.db, now).await?;
        *self.verified.lock().unwrap_or_else(PoisonError::into_inner) = Some(verified.clone());
        Ok(verified)
    }
}

#[async_trait::async_trait]
impl Audit for AuditBackend {
    async fn page(&self, filter: AuditFilter, page: PageRequest) -> Result<AuditPage, AppError> {
        let look = self.acts.look(&self.clock);
        let which = format!("{} {page:?}", key(&filter));
        let read = self.shown(&filter, page, look.at);
        Ok(AuditPage { now: look.at, ..self.pages.get(which, look, read).await? })
    }
}

fn line(entry: AuditEntry) -> AuditLine {
    AuditLine {
        id: entry.id,
        at: entry.at,
        actor: entry.actor,
        address: entry.address,
        action: entry.action,
        subject: entry.subject,
        reason: entry.reason,
        detail: entry.detail.as_ref().map(in_a_line).unwrap_or_default(),
    }
}

/// `secret sec_1, overlap_s 86400`. What is empty is left out, and what is nested too: the API has it.
fn in_a_line(detail: &Value) -> String {
    let Value::Object(members) = detail else { return detail.to_string() };
    let told = members.iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some(format!("{name} {text}")),
        Value::Number(_) | Value::Bool(_) => Some(format!("{name} {value}")),
        Value::Array(items) => {
            let texts: Option<Vec<_>> = items.iter().map(Value::as_str).collect();
            texts.filter(|texts| !texts.is_empty()).map(|texts| format!("{name} {}", texts.join(" ")))
        }
        Value::Null | Value::Object(_) => None,
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_detail_is_a_line() {
        let detail = json!({"secret": "sec_1", "overlap_s": 60, "beside": [{"a": 1}], "ends": null, "events": ["a", "b"]});
        assert_eq!(in_a_line(&detail), "events a b, overlap_s 60, secret sec_1");
    }
}
