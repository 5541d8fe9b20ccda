//! Reconciliation: what the provider says against what we have. By hand for a window, and every night at 03:00 UTC
//! for the last 48 hours; a run that fails is made again after an hour. It reports and corrects nothing; only who asks
//! for a backfill has the events taken in that never came, where the provider lists them.
//!
//! The database decides who runs: a source has one run at a time and one a night, however many processes there are.

pub mod compare;
mod events;
mod invoices;
mod run;
pub mod schedule;

use std::sync::Arc;
use std::time::Duration;

use app::context::Viewer;
use app::error::{AppError, Rule};
use app::reconciliation::Comparison;
use app::types::{Provider, Slug, Timestamp};
use futures_util::future::join_all;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::provider::api::ApiCredentials;
use crate::provider::feed::Feed;
use crate::receive::Receiver;
use crate::registry::{Registry, Source};
use crate::store::audit;
use crate::store::reconciliation::{self as store, NewRun};
use run::{Run, RunContext, RunError};
use schedule::ScheduledRun;

/// How often it looks whether a night has begun, or a run gives no sign of life.
const LOOK: Duration = Duration::from_secs(20);
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Seconds without a sign of life after which a run counts as cut off.
const STALE: i64 = 120;
/// Seconds until a night is tried again after its run failed.
const AGAIN: i64 = 3600;
/// How long an orderly end waits for runs to write down that they were stopped.
const PATIENCE: Duration = Duration::from_secs(5);
const DAY: i64 = 86_400;
const CUT_OFF: &str = "the process that made this run ended before the run did";
const STOPPED: &str = "Acuse was stopped before the run was through";

/// Makes the runs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Reconciler(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    tools: RunContext,
    registry: Arc<Registry>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Reconciler {
    /// A reconciler of the directory's sources; what is missing goes through this receiver.
    pub fn new(db: Db, clock: SharedClock, registry: Arc<Registry>, receiver: Receiver) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        Self(Arc::new(Inner { tools: RunContext { db, clock, receiver }, registry, tasks, stop }))
    }

    /// Starts a run in the background and tells its number.
    ///
    /// # Errors
    /// `NotFound`, `NoCredentials`, `AlreadyRunning`, a window that is empty or that the provider does not reach, a
    /// backfill where no events are listed, or the database does not answer.
    pub async fn start(&self, viewer: &Viewer, slug: &Slug, asked: Comparison) -> Result<i64, Failure> {
        let Comparison { from, to, backfill } = asked;
        let source = self.0.registry.source(slug).ok_or(AppError::NotFound)?;
        let now = self.0.tools.clock.now();
        check(&source, asked, now)?;
        let credentials = credentials(&source).ok_or(AppError::NoCredentials)?;
        self.end_stale(now).await?;
        let new = NewRun { source_id: source.id, night: None, actor: &viewer.name, from, to, backfill };
        let mut tx = self.0.tools.db.begin_write().await?;
        let id = store::begin(&mut tx, &new, now).await?.ok_or(AppError::AlreadyRunning)?;
        let detail = json!({"reconciliation": id, "from": from, "to": to, "backfill": backfill});
        let started = Entry::by(viewer, action::RECONCILIATION_STARTED, format!("source/{slug}"), now);
        audit::record(&mut tx, &started.with(detail)).await?;
        tx.commit().await?;
        let run = Run { id, source, credentials, from, to, backfill };
        let reconciler = self.clone();
        self.0.tasks.spawn(async move { reconciler.run_to_end(run).await });
        Ok(id)
    }

    /// Makes the nightly runs that are due and waits for their end; tells their numbers.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn run_due_once(&self, now: Timestamp) -> Result<Vec<i64>, Failure> {
        self.end_stale(now).await?;
        let night = ScheduledRun::of(now);
        let name = night.name();
        let mut runs = Vec::new();
        let due = store::sources_due(&self.0.tools.db, &name, night.begins, now.plus_seconds(-AGAIN)).await?;
        for source_id in due {
            let snapshot = self.0.registry.snapshot();
            let Some(source) = snapshot.source_by_id(source_id).cloned() else { continue };
            let Some(credentials) = credentials(&source) else { continue };
            let (from, to) = (night.from(), night.begins);
            let backfill = false;
            let new = NewRun { source_id, night: Some(&name), actor: "acuse", from, to, backfill };
            let mut tx = self.0.tools.db.begin_write().await?;
            if let Some(id) = store::begin(&mut tx, &new, now).await? {
                tx.commit().await?;
                runs.push(Run { id, source, credentials, from, to, backfill });
            }
        }
        let ids = runs.iter().map(|run| run.id).collect();
        join_all(runs.into_iter().map(|run| self.run_to_end(run))).await;
        Ok(ids)
    }

    /// Ends the runs that a killed process has left; their nights are made again. Returns how many.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn end_stale(&self, now: Timestamp) -> Result<u64, Failure> {
        let ended = store::end_stale(&self.0.tools.db, now.plus_seconds(-STALE), CUT_OFF, now).await?;
        if ended > 0 {
            tracing::warn!(runs = ended, "reconciliations were cut off by the end of their process");
        }
        Ok(ended)
    }

    /// Waits until no run that was started here is under way.
    pub async fn idle(&self) {
        while !self.0.tasks.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Makes the nightly runs until the end is asked for, and then ends those that are under way.
    pub async fn run(self, shutdown: CancellationToken) {
        loop {
            let reconciler = self.clone();
            self.0.tasks.spawn(async move {
                if let Err(error) = reconciler.run_due_once(reconciler.0.tools.clock.now()).await {
                    tracing::warn!(%error, "the nightly reconciliation could not begin");
                }
            });
            if tokio::time::timeout(LOOK, shutdown.cancelled()).await.is_ok() {
                break;
            }
        }
        self.0.stop.cancel();
        self.0.tasks.close();
        let _ = tokio::time::timeout(PATIENCE, self.0.tasks.wait()).await;
    }

    /// Makes a run to its end, with signs of life, and writes down how it ended.
    async fn run_to_end(&self, run: Run) {
        let inner = &self.0;
        let error = tokio::select! {
            outcome = run.execute(&inner.tools) => outcome.err().map(|error| describe_error(&error)),
            () = self.record_heartbeat(run.id) => Some(CUT_OFF.to_owned()),
            () = inner.stop.cancelled() => Some(STOPPED.to_owned()),
        };
        match &error {
            Some(error) => {
                tracing::warn!(run.id, source = %run.source.slug, error, "a reconciliation failed");
            }
            None => tracing::info!(run.id, source = %run.source.slug, "a reconciliation is done"),
        }
        let now = inner.tools.clock.now();
        let finished = store::finish(&inner.tools.db, run.id, error.as_deref(), now).await;
        if let Err(error) = finished {
            tracing::warn!(run.id, %error, "the end of a reconciliation could not be written down");
        }
    }

    /// Signs of life, until somebody has ended the run.
    async fn record_heartbeat(&self, run: i64) {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            if matches!(store::heartbeat(&self.0.tools.db, run, self.0.tools.clock.now()).await, Ok(false)) {
                return;
            }
        }
    }
}

/// Whether such a run can be made of it.
fn check(source: &Source, asked: Comparison, now: Timestamp) -> Result<(), AppError> {
    if asked.from >= asked.to {
        return Err(AppError::field("from", Rule::NotBefore));
    }
    match Feed::of(source.provider) {
        None if asked.backfill => Err(AppError::field("backfill", Rule::ListsNoEvents)),
        Some(feed) if asked.from < now.plus_seconds(-DAY * i64::from(feed.reach_days())) => {
            Err(AppError::field("from", Rule::OutOfReach { days: feed.reach_days() }))
        }
        _ => Ok(()),
    }
}

/// The credentials, if there is a client for them.
fn credentials(source: &Source) -> Option<ApiCredentials> {
    let has_client = source.provider == Provider::Paymos || has_feed(source);
    has_client.then(|| source.api.clone()).flatten()
}

/// One sentence for the page.
fn describe_error(stopped: &RunError) -> String {
    match stopped {
        RunError::Api(error) => error.to_string(),
        RunError::TakenForDead => CUT_OFF.to_owned(),
        RunError::StoredRecords(error) => {
            tracing::error!(%error, "a reconciliation could not use the database");
            "the database of Acuse did not answer; its log says more".to_owned()
        }
    }
}

/// Whether a source can be reconciled.
pub fn is_possible(source: &Source) -> bool {
    credentials(source).is_some()
}

/// Whether the provider of a source lists its events, so that what is missing can be taken in.
pub fn has_feed(source: &Source) -> bool {
    Feed::of(source.provider).is_some()
}
