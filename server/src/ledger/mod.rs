//! The ledger step: one transaction makes the deliveries of an event and marks it processed, so that a crash leaves
//! either both or neither. Many events share one transaction. Any number of processes may run it: each locks its own
//! events, and what one has processed another one does not find.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use app::types::Slug;
use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::{Db, Tx};
use crate::domain::delivery::Delivery;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::{Destination, Registry, Snapshot};
use crate::store::ledger::{self, NewDelivery, UnprocessedRow};

/// Events of one transaction.
const BATCH: i64 = 256;
/// How long it sleeps at most when nobody rings.
const POLL: Duration = Duration::from_secs(1);

/// The worker that makes deliveries of events.
#[derive(Debug, Clone)]
pub struct Ledger {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    notifiers: Notifiers,
}

impl Ledger {
    /// One that processes this database's events.
    pub const fn new(db: Db, clock: SharedClock, registry: Arc<Registry>, notifiers: Notifiers) -> Self {
        Self { db, clock, registry, notifiers }
    }

    /// Processes everything that is unprocessed now; returns how many events.
    ///
    /// # Errors
    /// The database does not answer; what was not committed is unprocessed still.
    pub async fn run_once(&self) -> Result<usize, Failure> {
        let mut total = 0;
        loop {
            let processed = self.batch().await?;
            total += processed;
            if processed < BATCH as usize {
                return Ok(total);
            }
        }
    }

    /// Processes events as they come, until told to stop.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            let wait = match self.run_once().await {
                Ok(_) => self.notifiers.ledger.wait(POLL),
                Err(error) => {
                    tracing::error!(%error, "events could not be processed; trying again");
                    tokio::time::sleep(POLL).await;
                    continue;
                }
            };
            tokio::select! {
                () = wait => {}
                () = shutdown.cancelled() => {}
            }
        }
    }

    async fn batch(&self) -> Result<usize, Failure> {
        let mut tx = self.db.begin_write().await?;
        let events = ledger::lock_unprocessed(&mut tx, &self.db, BATCH).await?;
        if events.is_empty() {
            return Ok(0);
        }
        let snapshot = self.newest(&mut tx).await?;
        let wanted = subscribed(&snapshot, &events)?;
        let (made, routed) = self.create_delivery(&mut tx, &snapshot, &events, &wanted).await?;
        let now = self.clock.now();
        ledger::mark_processed(&mut tx, &events, now).await?;
        let unrouted: Vec<_> =
            events.iter().map(|event| event.id).filter(|id| !routed.contains(id)).collect();
        if !unrouted.is_empty() {
            ledger::mark_unrouted(&mut tx, &unrouted).await?;
        }
        tx.commit().await?;
        metrics::counter!("acuse_events_processed_total").increment(events.len() as u64);
        if made > 0 {
            self.notifiers.deliverer.notify();
        }
        Ok(events.len())
    }

    /// The directory, with the destinations that another process made just now.
    async fn newest(&self, tx: &mut Tx) -> Result<Arc<Snapshot>, Failure> {
        let newest = ledger::newest_destination_id(tx).await?;
        if newest > self.registry.snapshot().destinations.keys().max().copied() {
            self.registry.reload().await?;
        }
        Ok(self.registry.snapshot())
    }

    /// Makes the deliveries of a batch; those to a destination that was deleted since the snapshot are left out, and
    /// those to one that is paused are held. Returns how many are new, and which events have one.
    async fn create_delivery(
        &self,
        tx: &mut Tx,
        snapshot: &Snapshot,
        events: &[UnprocessedRow],
        wanted: &BTreeMap<i64, Vec<usize>>,
    ) -> Result<(u64, HashSet<i64>), Failure> {
        if wanted.is_empty() {
            return Ok((0, HashSet::new()));
        }
        let ids: Vec<_> = wanted.keys().copied().collect();
        let there = ledger::lock_destinations(tx, &self.db, &ids).await?;
        let now = self.clock.now();
        let mut rows = Vec::new();
        for (destination_id, paused) in there {
            let Some(destination) = snapshot.destinations.get(&destination_id) else { continue };
            let of_events = wanted.get(&destination_id).into_iter().flatten();
            rows.extend(of_events.filter_map(|index| events.get(*index)).map(|event| NewDelivery {
                event,
                destination_id,
                delivery: Delivery::new(destination.row.settings.ladder.attempts(), paused, now),
            }));
        }
        rows.sort_by_key(|row| (row.event.id, row.destination_id));
        let routed = rows.iter().map(|row| row.event.id).collect();
        Ok((ledger::insert_deliveries(tx, &rows).await?, routed))
    }
}

/// Which events of the batch each destination takes.
fn subscribed(snapshot: &Snapshot, events: &[UnprocessedRow]) -> Result<BTreeMap<i64, Vec<usize>>, Failure> {
    let mut wanted: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        let source: Slug = event.source.parse().map_err(|error| Failure::stored("source.slug", error))?;
        let takes = |destination: &&Arc<Destination>| destination.row.settings.takes(&source, &event.r#type);
        for destination in snapshot.destinations.values().filter(takes) {
            wanted.entry(destination.row.id).or_default().push(index);
        }
    }
    Ok(wanted)
}
