//! Moves the deliveries of a destination that was paused, resumed or deleted, batch by batch: whoever changes one waits
//! a moment for it, and the rest goes on in the background. What was cut off is found and finished.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::store::destination::lifecycle;

/// How often it looks for what was cut off.
const POLL: Duration = Duration::from_secs(5);
/// How long whoever changes a destination waits for its deliveries.
const PATIENCE: Duration = Duration::from_secs(2);

/// The one who moves them. Clones do the same.
#[derive(Debug, Clone)]
pub struct DestinationLifecycle {
    db: Db,
    clock: SharedClock,
    notifiers: Notifiers,
}

impl DestinationLifecycle {
    /// Over this database.
    pub const fn new(db: Db, clock: SharedClock, notifiers: Notifiers) -> Self {
        Self { db, clock, notifiers }
    }

    /// Moves the deliveries of one that was changed just now, as many as can be in a moment.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn follow(&self, destination: i64) -> Result<(), Failure> {
        match tokio::time::timeout(PATIENCE, self.apply_moves(destination)).await {
            Ok(moved) => moved.map(drop),
            Err(_) => Ok(()),
        }
    }

    /// Moves everything that is not where it belongs; returns how many deliveries.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn run_once(&self) -> Result<u64, Failure> {
        let mut moved = 0;
        for destination in lifecycle::find_unfinished(&self.db).await? {
            moved += self.apply_moves(destination).await?;
        }
        Ok(moved)
    }

    /// Does so until told to stop.
    pub async fn run(self, shutdown: CancellationToken) {
        while tokio::time::timeout(POLL, shutdown.cancelled()).await.is_err() {
            if let Err(error) = self.run_once().await {
                tracing::error!(%error, "deliveries could not follow their destination; trying again");
            }
        }
    }

    async fn apply_moves(&self, destination: i64) -> Result<u64, Failure> {
        let mut moved = 0;
        loop {
            let mut tx = self.db.begin_write().await?;
            let batch = lifecycle::shift(&mut tx, &self.db, destination, self.clock.now()).await?;
            tx.commit().await?;
            if batch == 0 {
                return Ok(moved);
            }
            moved += batch;
            self.notifiers.deliverer.notify();
        }
    }
}
