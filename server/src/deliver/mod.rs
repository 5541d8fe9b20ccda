//! The deliverer: claims what is due, signs, posts, and writes down what came of it.
//!
//! The desk claims and writes down, many deliveries in one transaction. Workers attempt, each in the lane of its
//! destination. What a process claimed and did not finish is due again when the lease ends, so that a crash at any
//! point loses nothing and at worst repeats one POST with the same id.

mod address;
mod attempt_job;
mod client;
mod connect;
mod destination_queue;
mod dispatcher;
mod health;
mod outcome_buffer;
mod overdue_monitor;
mod resolve;
mod settle;

pub use self::client::{HttpClient, Network, ResponseSummary};
pub use self::resolve::Lookup;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use self::attempt_job::{AttemptContext, AttemptJob};
use self::destination_queue::DestinationQueue;
use self::dispatcher::Dispatcher;
use self::overdue_monitor::OverdueMonitor;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::Registry;
use crate::store::delivery;

/// How long it sleeps at most when nobody rings and nothing comes back.
const POLL: Duration = Duration::from_millis(500);
/// How long it waits after the database did not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// How long running attempts may take to end at a shutdown.
const GRACE: Duration = Duration::from_secs(9);
/// How often it looks at what is due.
const WATCH: Duration = Duration::from_secs(10);

/// The worker that makes attempts. Clones share their lanes.
#[derive(Debug, Clone)]
pub struct Deliverer {
    shared: Arc<Shared>,
    notifiers: Notifiers,
}

#[derive(Debug)]
struct Shared {
    tools: AttemptContext,
    lanes: Mutex<HashMap<i64, Arc<DestinationQueue<AttemptJob>>>>,
    watch: OverdueMonitor,
}

impl Shared {
    fn lane(&self, destination: i64) -> Arc<DestinationQueue<AttemptJob>> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lanes.entry(destination).or_default())
    }

    fn lanes(&self) -> Vec<Arc<DestinationQueue<AttemptJob>>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

impl Deliverer {
    /// One that posts this database's deliveries to what the network reaches.
    pub fn new(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        network: Network,
    ) -> Self {
        let tools = AttemptContext { db, clock, registry, poster: HttpClient::new(network) };
        Self {
            shared: Arc::new(Shared { tools, lanes: Mutex::default(), watch: OverdueMonitor::default() }),
            notifiers,
        }
    }

    /// Claims and finishes everything that is due by the clock, and every resend that waits. Returns how many attempts
    /// it made.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn run_once(&self) -> Result<usize, Failure> {
        let mut desk = Dispatcher::new(Arc::clone(&self.shared));
        loop {
            let claimed = desk.turn(true).await?;
            if claimed == 0 && desk.is_clear() {
                desk.write_uses().await;
                return Ok(desk.made());
            }
            if desk.is_out() {
                desk.hear().await;
            }
        }
    }

    /// Delivers until told to stop; then what runs may end, and what waits is given back.
    pub async fn run(self, shutdown: CancellationToken) {
        self.end_leases().await;
        let mut desk = Dispatcher::new(Arc::clone(&self.shared));
        let mut watched: Option<Instant> = None;
        while !shutdown.is_cancelled() {
            if let Err(error) = desk.turn(true).await {
                tracing::error!(%error, "deliveries could not be claimed or written down; trying again");
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = shutdown.cancelled() => {}
                }
                continue;
            }
            if watched.is_none_or(|at| at.elapsed() > WATCH) {
                watched = Some(Instant::now());
                self.watch_once().await;
                desk.refresh().await;
            }
            tokio::select! {
                () = desk.hear() => {}
                () = self.notifiers.deliverer.wait(POLL) => {}
                () = shutdown.cancelled() => {}
            }
        }
        if tokio::time::timeout(GRACE, finish(&mut desk)).await.is_err() {
            tracing::warn!("attempts were cut off by the end of the process; they will be repeated");
        }
        desk.write_uses().await;
    }

    /// SQLite has one process: a lease that is there when it starts is left from one that was killed.
    async fn end_leases(&self) {
        let Db::Sqlite(_) = &self.shared.tools.db else { return };
        let ended = async {
            let mut tx = self.shared.tools.db.begin_write().await?;
            delivery::end_leases(&mut tx).await?;
            tx.commit().await
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, "old leases could not be ended; they run out by themselves");
        }
    }

    /// Looks whether what is due is attempted, and opens and resolves the alerts about that.
    pub async fn watch_once(&self) {
        let AttemptContext { db, clock, .. } = &self.shared.tools;
        if let Err(error) = self.shared.watch.look(db, clock).await {
            tracing::warn!(%error, "what is due could not be looked at");
        }
    }
}

async fn finish(desk: &mut Dispatcher) {
    desk.withdraw();
    while !desk.is_clear() {
        if desk.is_out() {
            desk.hear().await;
        }
        if let Err(error) = desk.turn(false).await {
            tracing::error!(%error, "results could not be written down; trying again");
            tokio::time::sleep(PAUSE).await;
        }
    }
}
