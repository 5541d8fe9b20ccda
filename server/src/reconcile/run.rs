//! One run: everything that the provider lists for the window, a page at a time, against what we have.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use app::types::Timestamp;

use super::events::Events;
use super::invoices::Invoices;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::difference::FoundDifference;
use crate::error::Failure;
use crate::provider::api::ApiCredentials;
use crate::provider::feed::Feed;
use crate::provider::problem::{ApiDescription, ApiError};
use crate::receive::Receiver;
use crate::registry::Source;
use crate::store::reconciliation;
use crate::store::reconciliation::{self as store, Progress};

/// Pages that a run follows.
const MOST_PAGES: usize = 1000;
/// Rows that are compared together.
const ROWS: usize = 100;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The provider's API.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Our own side.
    #[error(transparent)]
    StoredRecords(#[from] Failure),
    /// Another process took it for dead.
    #[error("the run was taken for dead")]
    TakenForDead,
}

impl From<sqlx::Error> for RunError {
    fn from(error: sqlx::Error) -> Self {
        Self::StoredRecords(error.into())
    }
}

/// What a run works with.
#[derive(Debug)]
pub struct RunContext {
    /// What we have.
    pub db: Db,
    /// The time.
    pub clock: SharedClock,
    /// Takes in what is missing.
    pub receiver: Receiver,
}

/// A run under way.
#[derive(Debug)]
pub struct Run {
    /// Its row.
    pub id: i64,
    /// Of this source.
    pub source: Arc<Source>,
    /// How to ask.
    pub credentials: ApiCredentials,
    /// Made at the provider at or after.
    pub from: Timestamp,
    /// Made at the provider before.
    pub to: Timestamp,
    /// Whether what is missing is taken in.
    pub backfill: bool,
}

/// What a provider lists for the window of a run.
pub trait ProviderListing: Sync {
    /// One row of it.
    type Row: Send + Sync;
    /// What is told of it.
    const ABOUT: &'static ApiDescription;

    /// The page after this cursor.
    fn page(
        &self,
        cursor: Option<&str>,
    ) -> impl Future<Output = Result<ListedPage<Self::Row>, ApiError>> + Send;

    /// Rows against what we have.
    fn compare(
        &self,
        tools: &RunContext,
        rows: &[Self::Row],
    ) -> impl Future<Output = Result<ComparisonResult, RunError>> + Send;
}

/// A page.
#[derive(Debug)]
pub struct ListedPage<T> {
    /// What of it lies in the window.
    pub rows: Vec<T>,
    /// The cursor of the next one; none: it is the last.
    pub next: Option<String>,
}

/// What came of comparing some rows.
#[derive(Debug)]
pub struct ComparisonResult {
    /// What they are about.
    pub resources: Vec<String>,
    /// What differs.
    pub found: Vec<FoundDifference>,
    /// How many events were taken in.
    pub backfilled: i64,
}

impl Run {
    /// Lists and compares to the end of the window. Without a backfill it changes nothing but differences and the
    /// run's own row.
    ///
    /// # Errors
    /// Why it ended before.
    pub async fn execute(&self, tools: &RunContext) -> Result<(), RunError> {
        match Feed::of(self.source.provider) {
            Some(feed) => self.follow(&Events::open(self, feed, tools)?, tools).await,
            None => self.follow(&Invoices::open(self, tools).await?, tools).await,
        }
    }

    async fn follow<B: ProviderListing>(&self, books: &B, tools: &RunContext) -> Result<(), RunError> {
        let mut progress = Progress::default();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let page = books.page(cursor.as_deref()).await?;
            for rows in page.rows.chunks(ROWS) {
                let compared = books.compare(tools, rows).await?;
                self.record(tools, rows.len(), &compared, &mut progress).await?;
            }
            let Some(next) = page.next else { return Ok(()) };
            if !cursors.insert(next.clone()) {
                return Err(ApiError::RepeatedCursor.into());
            }
            cursor = Some(next);
        }
        Err(ApiError::TooManyPages { most: MOST_PAGES * ROWS, about: B::ABOUT }.into())
    }

    async fn record(
        &self,
        tools: &RunContext,
        rows: usize,
        compared: &ComparisonResult,
        progress: &mut Progress,
    ) -> Result<(), RunError> {
        let rows = i64::try_from(rows).unwrap_or(i64::MAX);
        progress.fetched += rows;
        progress.compared += rows;
        progress.backfilled += compared.backfilled;
        for difference in &compared.found {
            *progress.seen.entry(difference.kind).or_default() += 1;
        }
        let resources: Vec<_> = compared.resources.iter().map(String::as_str).collect();
        let now = tools.clock.now();
        let mut tx = tools.db.begin_write().await?;
        if !store::progress(&mut tx, self.id, progress, now).await? {
            return Err(RunError::TakenForDead);
        }
        reconciliation::difference::record(
            &mut tx,
            (self.source.id, self.id),
            &resources,
            &compared.found,
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(())
    }
}
