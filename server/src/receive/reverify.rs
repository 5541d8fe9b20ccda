//! Takes in what was refused, once a secret has been mended: by the same way, as if it had just come.

use app::error::AppError;
use app::types::{NotKept, RejectionReason, ReverifyStatus, Slug};
use bytes::Bytes;

use super::Receiver;
use super::accept::{AcceptTimes, accept};
use super::answer::Outcome;
use crate::error::Failure;
use crate::store::rejection::StoredRejection;

/// What became of it.
#[derive(Debug, Clone)]
pub struct ReverifyResult {
    /// Whether it was taken in.
    pub status: ReverifyStatus,
    /// Why not.
    pub reason: Option<RejectionReason>,
    /// What of it is not kept, so that it cannot be verified at all.
    pub not_kept: Option<NotKept>,
    /// The row of its source.
    pub source_id: i64,
    /// The provider's id of the event that it is; of several the first.
    pub event_id: Option<String>,
}

impl Receiver {
    /// Verifies it at the time of its arrival with the secrets that count now, and if it is good stores it as any
    /// other arrival.
    ///
    /// # Errors
    /// `NotFound`: its source is gone; `Unavailable`: it could not be stored.
    pub async fn reverify(&self, slug: &Slug, kept: &StoredRejection) -> Result<ReverifyResult, Failure> {
        let inner = &*self.0;
        let source = inner.registry.source(slug).ok_or(AppError::NotFound)?;
        let source_id = source.id;
        let refused = |reason, not_kept| ReverifyResult {
            status: ReverifyStatus::Rejected,
            reason: Some(reason),
            not_kept,
            source_id,
            event_id: None,
        };
        if let Some(part) = kept.not_kept(source.policy.as_ref()) {
            return Ok(refused(kept.summary.reason, Some(part)));
        }
        let headers = kept.header_map();
        let query = kept.target.split_once('?').map(|(_, query)| query);
        let body = Bytes::copy_from_slice(&kept.body);
        let moments = AcceptTimes { arrived: kept.summary.received_at, now: inner.clock.now() };
        let events = match accept(&source, &headers, query, &body, moments) {
            Ok(events) => events,
            Err(reason) => return Ok(refused(reason.into(), None)),
        };
        let event_id = events.first.event_id.clone();
        let outcomes = inner.inbox.store(source, events).await.ok_or(AppError::Unavailable)?;
        let any_new = outcomes.iter().any(|outcome| *outcome == Outcome::Stored);
        let status = if any_new { ReverifyStatus::Stored } else { ReverifyStatus::Duplicate };
        Ok(ReverifyResult { status, reason: None, not_kept: None, source_id, event_id: Some(event_id) })
    }
}
