//! The worker that runs the dispatcher until shutdown, and the overdue monitor beside it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::attempt::{AttemptContext, AttemptJob};
use super::destination_queue::DestinationQueues;
use super::dispatcher::Dispatcher;
use super::overdue_monitor::OverdueMonitor;
use super::transport::{HttpClient, Network};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::Registry;
use crate::store::delivery;

/// Longest sleep without a notification or a report.
const POLL: Duration = Duration::from_millis(500);
/// Wait after a database error.
const ERROR_PAUSE: Duration = Duration::from_secs(1);
/// How long running attempts may take to finish at shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(9);
/// Time between two checks for overdue deliveries.
const MONITOR_INTERVAL: Duration = Duration::from_secs(10);

/// The worker that makes attempts. Clones share their queues.
#[derive(Debug, Clone)]
pub struct Deliverer {
    context: Arc<AttemptContext>,
    queues: Arc<DestinationQueues<AttemptJob>>,
    overdue_monitor: Arc<OverdueMonitor>,
    notifiers: Notifiers,
}

impl Deliverer {
    /// A deliverer of this database's deliveries, over this network.
    pub fn new(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        network: Network,
    ) -> Self {
        let context = AttemptContext { db, clock, registry, http_client: HttpClient::new(network) };
        Self {
            context: Arc::new(context),
            queues: Arc::default(),
            overdue_monitor: Arc::default(),
            notifiers,
        }
    }

    /// Claims and finishes everything that is due by the clock, and every resend that waits. Returns how many attempts
    /// it made.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn run_once(&self) -> Result<usize, Failure> {
        let mut dispatcher = Dispatcher::new(Arc::clone(&self.context), Arc::clone(&self.queues));
        loop {
            let claimed = dispatcher.run_batch(true).await?;
            if claimed == 0 && dispatcher.is_idle() {
                dispatcher.write_uses().await;
                return Ok(dispatcher.completed());
            }
            if dispatcher.has_running_attempts() {
                dispatcher.receive_outcomes().await;
            }
        }
    }

    /// Delivers until shutdown. Then running attempts may finish, and claims that have not started are given back.
    pub async fn run(self, shutdown: CancellationToken) {
        self.end_leases().await;
        let mut dispatcher = Dispatcher::new(Arc::clone(&self.context), Arc::clone(&self.queues));
        let mut checked_at: Option<Instant> = None;
        while !shutdown.is_cancelled() {
            if let Err(error) = dispatcher.run_batch(true).await {
                tracing::error!(%error, "deliveries could not be claimed or written down; trying again");
                tokio::select! {
                    () = tokio::time::sleep(ERROR_PAUSE) => {}
                    () = shutdown.cancelled() => {}
                }
                continue;
            }
            if checked_at.is_none_or(|at| at.elapsed() > MONITOR_INTERVAL) {
                checked_at = Some(Instant::now());
                self.watch_once().await;
                dispatcher.refresh().await;
            }
            tokio::select! {
                () = dispatcher.receive_outcomes() => {}
                () = self.notifiers.deliverer.wait(POLL) => {}
                () = shutdown.cancelled() => {}
            }
        }
        if tokio::time::timeout(SHUTDOWN_GRACE, finish_attempts(&mut dispatcher)).await.is_err() {
            tracing::warn!("attempts were cut off by the end of the process; they will be repeated");
        }
        dispatcher.write_uses().await;
    }

    /// Ends leases that a killed process has left. Only one process opens a SQLite database, so every lease is such a one.
    async fn end_leases(&self) {
        let Db::Sqlite(_) = &self.context.db else { return };
        let ended = async {
            let mut tx = self.context.db.begin_write().await?;
            delivery::end_leases(&mut tx).await?;
            tx.commit().await
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, "old leases could not be ended; they run out by themselves");
        }
    }

    /// Checks once for overdue deliveries, and opens and resolves their alerts.
    pub async fn watch_once(&self) {
        let AttemptContext { db, clock, .. } = &*self.context;
        if let Err(error) = self.overdue_monitor.check(db, clock).await {
            tracing::warn!(%error, "what is due could not be looked at");
        }
    }
}

async fn finish_attempts(dispatcher: &mut Dispatcher) {
    dispatcher.release_claims();
    while !dispatcher.is_idle() {
        if dispatcher.has_running_attempts() {
            dispatcher.receive_outcomes().await;
        }
        if let Err(error) = dispatcher.run_batch(false).await {
            tracing::error!(%error, "results could not be written down; trying again");
            tokio::time::sleep(ERROR_PAUSE).await;
        }
    }
}
