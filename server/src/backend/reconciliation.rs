//! Reconciliations for the dashboard and the API.

use std::sync::Arc;

use app::comment::written;
use app::context::Viewer;
use app::error::AppError;
use app::reconciliation::{
    Comparison, Difference, DifferenceFilter, Reconciliation, ReconciliationPage,
    Reconciliations as Interface,
};
use app::types::{Page, PageRequest, Slug, Timestamp};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::reconcile::{Reconciler, has_feed, is_possible};
use crate::registry::Registry;
use crate::request_coalescing::{ChangeCount, InFlight, key};
use crate::store::{audit, reconciliation};

/// Does what the pages and the API ask.
#[derive(Debug, Clone)]
pub struct Reconciliations {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    reconciler: Reconciler,
    acts: ChangeCount,
    pages: Arc<InFlight<String, ReconciliationPage>>,
}

impl Reconciliations {
    /// With what it needs.
    pub fn new(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        reconciler: Reconciler,
        acts: ChangeCount,
    ) -> Self {
        Self { db, clock, registry, reconciler, acts, pages: Arc::default() }
    }

    async fn shown(
        &self,
        filter: &DifferenceFilter,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<ReconciliationPage, Failure> {
        let snapshot = self.registry.snapshot();
        let possible: Vec<_> = snapshot.sources.values().filter(|source| is_possible(source)).collect();
        let mut sources: Vec<_> = possible.iter().map(|source| source.slug.clone()).collect();
        sources.sort();
        Ok(ReconciliationPage {
            sources,
            has_feed: possible.iter().any(|source| has_feed(source)),
            runs: reconciliation::newest(&self.db).await?,
            differences: reconciliation::difference::list(&self.db, filter, page).await?,
            open: reconciliation::difference::open_by_kind(&self.db).await?,
            now,
        })
    }

    async fn note(&self, viewer: &Viewer, id: i64, note: &str, now: Timestamp) -> Result<(), Failure> {
        let mut tx = self.db.begin_write().await?;
        if !reconciliation::difference::acknowledge(&mut tx, id, &viewer.name, note, now).await? {
            return Err(AppError::NotFound.into());
        }
        let entry = Entry::by(viewer, action::DIFFERENCE_ACKNOWLEDGED, format!("difference/{id}"), now);
        audit::record(&mut tx, &entry.with_reason(note)).await?;
        Ok(tx.commit().await?)
    }
}

#[async_trait::async_trait]
impl Interface for Reconciliations {
    async fn page(
        &self,
        filter: DifferenceFilter,
        page: PageRequest,
    ) -> Result<ReconciliationPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let which = format!("{} {page:?}", key(&filter));
        let read = self.shown(&filter, page, look.at);
        Ok(ReconciliationPage { now: look.at, ..self.pages.get(which, look, read).await? })
    }

    async fn start(&self, viewer: &Viewer, source: &Slug, asked: Comparison) -> Result<i64, AppError> {
        Ok(self.reconciler.start(viewer, source, asked).await?)
    }

    async fn list(&self, source: Option<Slug>, page: PageRequest) -> Result<Page<Reconciliation>, AppError> {
        Ok(reconciliation::list(&self.db, source.as_ref(), page).await?)
    }

    async fn get(&self, id: i64) -> Result<Reconciliation, AppError> {
        reconciliation::get(&self.db, id).await?.ok_or(AppError::NotFound)
    }

    async fn differences(
        &self,
        filter: DifferenceFilter,
        page: PageRequest,
    ) -> Result<Page<Difference>, AppError> {
        Ok(reconciliation::difference::list(&self.db, &filter, page).await?)
    }

    async fn acknowledge(&self, viewer: &Viewer, id: i64, note: &str) -> Result<Difference, AppError> {
        let note = written(note).map_err(|rule| AppError::field("note", rule))?;
        let now = self.clock.now();
        self.note(viewer, id, note, now).await?;
        reconciliation::difference::get(&self.db, id).await?.ok_or(AppError::NotFound)
    }
}
