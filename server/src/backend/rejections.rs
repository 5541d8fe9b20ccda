//! What the server does for the rejections' pages and API.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use app::context::Viewer;
use app::error::AppError;
use app::rejections::{
    Finding, FindingKind, RecentRejections, RejectionDetail, RejectionFilter, RejectionNumber, RejectionPage,
    RejectionSummary, Rejections, RejectionsPage, ReverifyResult, ReverifySummary, StillFailing,
};
use app::text::Lang;
use app::types::{NotKept, Page, PageRequest, RejectionReason, ReverifyStatus, ShownBody, Slug};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::domain::doctor::{self as words, describe};
use crate::error::Failure;
use crate::receive::Receiver;
use crate::registry::{Registry, Source};
use crate::rejection_analysis;
use crate::request_coalescing::{ChangeCount, FollowedList, FollowedPage, InFlight, Snapshot, key};
use crate::store::rejection::{self, StoredRejection};
use crate::store::{audit, event};
use crate::vault::Vault;

/// Rejections that are read at a time when all of a source are verified again.
const STEP: i64 = 32;
const DAY: i64 = 24 * 60;

/// Reads, examines and verifies rejections.
#[derive(Debug, Clone)]
pub struct RejectionsBackend {
    db: Db,
    clock: SharedClock,
    vault: Arc<Vault>,
    registry: Arc<Registry>,
    receiver: Receiver,
    acts: ChangeCount,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    list: FollowedList<RejectionSummary>,
    lately: InFlight<(), Vec<RecentRejections>>,
    details: InFlight<(RejectionNumber, Lang), RejectionPage>,
}

impl RejectionsBackend {
    /// Over this database; what turns out to be good goes to this receiver.
    pub fn new(
        db: Db,
        clock: SharedClock,
        vault: Arc<Vault>,
        registry: Arc<Registry>,
        receiver: Receiver,
        acts: ChangeCount,
    ) -> Self {
        Self { db, clock, vault, registry, receiver, acts, shared: Arc::default() }
    }

    async fn renew_page(
        &self,
        look: Snapshot,
        filter: &RejectionFilter,
        page: PageRequest,
        ids: &[RejectionNumber],
    ) -> Result<(Page<RejectionSummary>, usize), Failure> {
        let place = |row: &RejectionSummary| (row.received_at, row.id);
        let held = FollowedPage { ids, filter: key(filter), page, place };
        let rows = async |ids: Vec<i64>| rejection::rows(&self.db, &ids).await;
        let page = async |page| rejection::page(&self.db, filter, page).await;
        self.shared.list.renew_page(look, held, rows, page).await
    }

    async fn examined(&self, id: i64, lang: Lang) -> Result<ExaminedRejection, Failure> {
        let kept = rejection::find(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let source = self.registry.source(&kept.summary.source);
        let now = self.clock.now();
        let (kept, findings) =
            rejection_analysis::examine(&self.db, Arc::clone(&self.vault), source.clone(), kept, now).await?;
        let (mut titles, mut told) = (Vec::new(), Vec::new());
        for finding in &findings {
            let words = describe(finding, lang);
            titles.push((words.title, finding.verdict()));
            told.push(Finding { code: finding.code().to_owned(), message: words.message });
        }
        let body_cut = !kept.is_whole();
        let not_kept = kept.not_kept(source.as_ref().and_then(|source| source.policy.as_ref()));
        let StoredRejection { summary, target, headers, body } = kept;
        let rejection = RejectionDetail {
            id: summary.id,
            source: summary.source,
            received_at: summary.received_at,
            reason: summary.reason,
            skew_s: summary.skew_s,
            findings: told,
            remote_address: summary.remote_address,
            target,
            headers: headers.into_iter().map(|(name, value)| (name, shown(&value))).collect(),
            body_size: summary.body_size,
            body_cut,
            not_kept,
            status: summary.status,
            event: summary.event,
            verified_by: summary.verified_by,
            verified_at: summary.verified_at,
        };
        Ok(ExaminedRejection { rejection, titles, source, body })
    }

    async fn reverify_one(&self, viewer: &Viewer, id: i64, lang: Lang) -> Result<ReverifyResult, Failure> {
        let kept = rejection::find(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let taken = self.receiver.reverify(&kept.summary.source, &kept).await?;
        let event = match &taken.event_id {
            Some(event_id) => event::list::number(&self.db, taken.source_id, event_id).await?,
            None => None,
        };
        if taken.status != ReverifyStatus::Rejected {
            let now = self.clock.now();
            rejection::mark_stored(&self.db, id, taken.status, event, &viewer.name, now).await?;
        }
        let (reason, not_kept) = (taken.reason, taken.not_kept);
        let message = reason.map(|reason| describe_reason(reason, not_kept, lang).to_owned());
        Ok(ReverifyResult { status: taken.status, reason, not_kept, message, event_id: taken.event_id })
    }

    async fn reverify_source(
        &self,
        viewer: &Viewer,
        source: &Slug,
        lang: Lang,
    ) -> Result<ReverifySummary, Failure> {
        self.registry.source(source).ok_or(AppError::NotFound)?;
        let (mut done, mut after) = (ReverifySummary::default(), 0);
        let mut still: BTreeMap<_, i64> = BTreeMap::new();
        loop {
            let ids = rejection::waiting(&self.db, source, after, STEP).await?;
            let Some(last) = ids.last() else { break };
            after = *last;
            // Together, so that they share the receiver's transactions.
            let all = ids.iter().map(|id| self.reverify_one(viewer, *id, lang));
            for again in futures_util::future::join_all(all).await {
                match again {
                    Ok(ReverifyResult { status: ReverifyStatus::Stored, .. }) => done.stored += 1,
                    Ok(ReverifyResult { status: ReverifyStatus::Duplicate, .. }) => done.duplicate += 1,
                    Ok(ReverifyResult { reason, not_kept, .. }) => {
                        done.rejected += 1;
                        *still.entry((reason, not_kept)).or_default() += 1;
                    }
                    // It has gone meanwhile: newer ones came.
                    Err(Failure::App(AppError::NotFound)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        let tell = |((reason, not_kept), count): ((Option<RejectionReason>, Option<NotKept>), i64)| {
            let reason = reason?;
            Some(StillFailing {
                count,
                reason,
                not_kept,
                message: describe_reason(reason, not_kept, lang).to_owned(),
            })
        };
        done.still = still.into_iter().filter_map(tell).collect();
        done.still.sort_by_key(|still| Reverse(still.count));
        Ok(done)
    }

    async fn recent_rejections(&self) -> Result<Vec<RecentRejections>, Failure> {
        let minute = rejection::count::minute(self.clock.now()) + 1;
        let day = rejection::count::count_by_hour(&self.db, minute - DAY, minute).await?;
        let before = rejection::count::count_by_hour(&self.db, minute - 8 * DAY, minute - DAY).await?;
        let count = |sums: &[(i64, i64)], id: i64| {
            sums.iter().find(|(of, _)| *of == id).map_or(0, |(_, count)| *count)
        };
        let mut lately = Vec::new();
        let snapshot = self.registry.snapshot();
        for source in snapshot.sources.values() {
            let waiting = rejection::count_waiting(&self.db, &source.slug).await?;
            let (day, usual) = (count(&day, source.id), count(&before, source.id) / 7);
            if day > 0 || waiting > 0 {
                lately.push(RecentRejections { source: source.slug.clone(), day, usual, waiting });
            }
        }
        lately.sort_by(|a, b| (b.day, &a.source).cmp(&(a.day, &b.source)));
        Ok(lately)
    }
}

/// Why it is not taken in, and what to do.
const fn describe_reason(reason: RejectionReason, not_kept: Option<NotKept>, lang: Lang) -> &'static str {
    match not_kept {
        Some(part) => words::not_kept(part, lang),
        None => words::still_refused(reason, lang),
    }
}

/// A rejection, and what of it only the page shows.
struct ExaminedRejection {
    rejection: RejectionDetail,
    titles: Vec<(String, FindingKind)>,
    source: Option<Arc<Source>>,
    body: Vec<u8>,
}

/// A header's value for people: its bytes as UTF-8, where they are.
fn shown(value: &str) -> String {
    let bytes: Vec<u8> = value.chars().filter_map(|letter| u8::try_from(letter).ok()).collect();
    match value.is_ascii() || bytes.len() < value.chars().count() {
        true => value.to_owned(),
        false => String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned()),
    }
}

#[async_trait::async_trait]
impl Rejections for RejectionsBackend {
    async fn list(
        &self,
        filter: RejectionFilter,
        page: PageRequest,
    ) -> Result<Page<RejectionSummary>, AppError> {
        Ok(rejection::page(&self.db, &filter, page).await?)
    }

    async fn page(
        &self,
        filter: RejectionFilter,
        page: PageRequest,
        held: Vec<RejectionNumber>,
    ) -> Result<RejectionsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let (page, newer) = match held.is_empty() {
            true => (rejection::page(&self.db, &filter, page).await?, 0),
            false => self.renew_page(look, &filter, page, &held).await?,
        };
        let lately = self.shared.lately.get((), look, self.recent_rejections()).await?;
        Ok(RejectionsPage { page, newer, sources: self.registry.source_names(), lately, now: look.at })
    }

    async fn get(&self, id: RejectionNumber) -> Result<RejectionDetail, AppError> {
        Ok(self.examined(id, Lang::En).await?.rejection)
    }

    async fn detail_page(&self, id: RejectionNumber, lang: Lang) -> Result<RejectionPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let now = look.at;
        let read = async {
            let ExaminedRejection { rejection, titles, source, body } = self.examined(id, lang).await?;
            let shown = super::body::shown(&body);
            let body_sha256 = (!rejection.body_cut).then(|| hex::encode(Sha256::digest(&body)));
            let body = ShownBody { is_cut: shown.is_cut || rejection.body_cut, ..shown };
            let tolerance_s = source.and_then(|source| source.tolerance_s);
            let cannot = rejection.not_kept.map(|part| words::not_kept(part, lang).to_owned());
            Ok::<_, Failure>(RejectionPage { rejection, titles, tolerance_s, cannot, body, body_sha256, now })
        };
        Ok(RejectionPage { now, ..self.shared.details.get((id, lang), look, read).await? })
    }

    async fn reverify(
        &self,
        viewer: &Viewer,
        id: RejectionNumber,
        lang: Lang,
    ) -> Result<ReverifyResult, AppError> {
        let done = self.reverify_one(viewer, id, lang).await?;
        let entry =
            Entry::by(viewer, action::REJECTION_REVERIFIED, format!("rejection/{id}"), self.clock.now());
        let entry =
            entry.with(json!({"status": done.status, "not_kept": done.not_kept, "event_id": done.event_id}));
        audit::record_alone(&self.db, &entry).await.map_err(Failure::from)?;
        Ok(done)
    }

    async fn reverify_all(
        &self,
        viewer: &Viewer,
        source: &Slug,
        lang: Lang,
    ) -> Result<ReverifySummary, AppError> {
        let done = self.reverify_source(viewer, source, lang).await?;
        let subject = format!("source/{source}");
        let entry = Entry::by(viewer, action::REJECTIONS_REVERIFIED, subject, self.clock.now());
        let counts = json!({"stored": done.stored, "duplicate": done.duplicate, "rejected": done.rejected});
        let entry = entry.with(counts);
        audit::record_alone(&self.db, &entry).await.map_err(Failure::from)?;
        Ok(done)
    }
}
