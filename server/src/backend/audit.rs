//! What the server does for the audit page.

use std::sync::{Arc, Mutex, PoisonError};

use app::audit::{Audit, AuditFilter, AuditLine, AuditPage, ChainVerification};
use app::error::AppError;
use app::text::Lang;
use app::types::{PageRequest, Timestamp};

use super::audit_labels;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::request_coalescing::{ChangeCount, InFlight, key};
use crate::store::audit::{self, AuditEntry};

/// Seconds that a check counts for the page; the API always checks anew.
const FRESH_S: i64 = 60;

/// Reads the audit.
#[derive(Debug, Clone)]
pub struct AuditBackend {
    db: Db,
    clock: SharedClock,
    verified: Arc<Mutex<Option<ChainVerification>>>,
    acts: ChangeCount,
    pages: Arc<InFlight<String, AuditPage>>,
}

impl AuditBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, acts: ChangeCount) -> Self {
        Self { db, clock, verified: Arc::default(), acts, pages: Arc::default() }
    }

    async fn shown(
        &self,
        filter: &AuditFilter,
        page: PageRequest,
        lang: Lang,
        now: Timestamp,
    ) -> Result<AuditPage, Failure> {
        let rows = audit::page(&self.db, filter, page).await?;
        Ok(AuditPage {
            verified: self.verified(rows.items.first()).await?,
            items: rows.items.into_iter().map(|entry| line(entry, lang)).collect(),
            next_cursor: rows.next_cursor,
            actions: audit_labels::actions(lang),
            now,
        })
    }

    /// Whether the chain holds: as it was found within the last minute, unless something was appended since.
    async fn verified(&self, newest: Option<&AuditEntry>) -> Result<ChainVerification, Failure> {
        let now = self.clock.now();
        let known = self.verified.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_fresh = |known: &ChainVerification| {
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
    async fn page(&self, filter: AuditFilter, page: PageRequest, lang: Lang) -> Result<AuditPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let which = format!("{} {page:?} {}", key(&filter), lang.code());
        let read = self.shown(&filter, page, lang, look.at);
        Ok(AuditPage { now: look.at, ..self.pages.get(which, look, read).await? })
    }
}

fn line(entry: AuditEntry, lang: Lang) -> AuditLine {
    AuditLine {
        id: entry.id,
        at: entry.at,
        actor: audit_labels::actor_name(lang, entry.actor),
        address: entry.address,
        did: audit_labels::describe_action(lang, &entry.action, &entry.subject),
        page: audit_labels::page_of(&entry.subject),
        reason: entry.reason,
        detail: entry.detail.as_ref().map(|detail| audit_labels::in_a_line(lang, detail)).unwrap_or_default(),
    }
}
