//! Group commit: requests put their arrivals into a bounded queue; one task takes whatever waits there, has it written
//! in one transaction, and only then answers each of them.

use std::cell::OnceCell;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram, histogram};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::accept::NonEmpty;
use super::answer::{Outcome, arrivals};
use super::batch::{Expectation, InboxItem};
use super::{Limits, batch};
use crate::db::Db;
use crate::notify::Notifiers;
use crate::registry::Source;
use crate::store::event::NewEvent;
use crate::store::secret::usage::Uses;

/// How often the use of secrets is written.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// The queue's entrance.
#[derive(Debug)]
pub(super) struct Inbox {
    queue: mpsc::Sender<InboxItem>,
    bytes: Arc<AtomicUsize>,
    most_bytes: usize,
}

/// The inbox, and the task that has to run for it; it ends when the inbox is gone and everything is written.
pub(super) fn open(
    limits: Limits,
    db: Db,
    notifiers: Notifiers,
    shutdown: CancellationToken,
) -> (Inbox, impl Future<Output = ()> + Send + 'static) {
    let (sender, queue) = mpsc::channel(limits.queue);
    let bytes = Arc::new(AtomicUsize::new(0));
    let inbox = Inbox { queue: sender, bytes: Arc::clone(&bytes), most_bytes: limits.queue_bytes };
    let writer = Writer {
        limits,
        db,
        notifiers,
        bytes,
        uses: Uses::default(),
        likely: Expectation::New,
        metrics: OnceCell::new(),
    };
    (inbox, writer.run(queue, shutdown))
}

impl Inbox {
    /// Writes them together. None: they are not on disk, or nobody knows.
    pub(super) async fn store(
        &self,
        source: Arc<Source>,
        events: NonEmpty<NewEvent>,
    ) -> Option<NonEmpty<Outcome>> {
        let length = length(&events);
        if self.bytes.fetch_add(length, Ordering::Relaxed) > self.most_bytes {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            return None;
        }
        let (reply, outcome) = oneshot::channel();
        if self.queue.try_send(InboxItem { source, events, reply }).is_err() {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            return None;
        }
        outcome.await.ok()
    }
}

/// Bytes that wait with them; the events of an arrival share its body.
fn length(events: &NonEmpty<NewEvent>) -> usize {
    events.first.body.len()
}

struct Writer {
    limits: Limits,
    db: Db,
    notifiers: Notifiers,
    bytes: Arc<AtomicUsize>,
    uses: Uses,
    likely: Expectation,
    metrics: OnceCell<Metrics>,
}

struct Metrics {
    stored: Counter,
    duplicate: Counter,
    batch_size: Histogram,
    commit_seconds: Histogram,
}

impl Metrics {
    fn new() -> Self {
        Self {
            stored: arrivals("stored"),
            duplicate: arrivals("duplicate"),
            batch_size: histogram!("acuse_inbox_batch_size"),
            commit_seconds: histogram!("acuse_inbox_commit_seconds"),
        }
    }
}

/// A batch, and what became of each of its items.
struct WrittenBatch {
    items: Vec<InboxItem>,
    outcomes: Vec<Option<NonEmpty<Outcome>>>,
    took: Duration,
}

async fn write(db: Db, items: Vec<InboxItem>, likely: Expectation, at_most: Duration) -> WrittenBatch {
    let begun = Instant::now();
    let outcomes = batch::store(&db, &items, likely, at_most).await;
    WrittenBatch { items, outcomes, took: begun.elapsed() }
}

impl Writer {
    async fn run(mut self, mut queue: mpsc::Receiver<InboxItem>, shutdown: CancellationToken) {
        let at_once = match self.db {
            // It has one writer.
            Db::Sqlite(_) => 1,
            // One is prepared and sent while others wait for the disk.
            Db::Postgres(_) => 3,
        };
        let mut items = Vec::new();
        let mut writing = JoinSet::new();
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        flush.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut open, mut ending) = (true, false);
        while open || !writing.is_empty() {
            tokio::select! {
                biased;
                Some(written) = writing.join_next() => match written {
                    Ok(written) => self.answer(written),
                    Err(error) => tracing::error!(%error, "a batch of arrivals was given up"),
                },
                taken = queue.recv_many(&mut items, self.limits.batch), if open && writing.len() < at_once => {
                    open = taken > 0;
                    if open {
                        let items = std::mem::take(&mut items);
                        writing.spawn(write(self.db.clone(), items, self.likely, self.limits.commit));
                    }
                }
                _ = flush.tick(), if !self.uses.is_empty() => self.uses.flush(&self.db).await,
                () = shutdown.cancelled(), if !ending => ending = true,
            }
            if ending {
                self.uses.flush(&self.db).await;
            }
        }
        self.uses.flush(&self.db).await;
    }

    fn answer(&mut self, written: WrittenBatch) {
        let WrittenBatch { items, outcomes, took } = written;
        let size = items.len() as f64;
        let (mut stored, mut duplicate, mut bytes) = (0, 0, 0);
        for (item, outcome) in items.into_iter().zip(outcomes) {
            bytes += length(&item.events);
            // Without an answer the request is told that it is not stored.
            let Some(outcomes) = outcome else { continue };
            for (event, outcome) in item.events.iter().zip(outcomes.iter()) {
                match outcome {
                    Outcome::Stored => stored += 1,
                    Outcome::Duplicate => duplicate += 1,
                }
                if let Some(secret) = &event.secret_id {
                    self.uses.count(secret, event.received_at);
                }
            }
            // The sender may have gone away: what it sent is on disk all the same.
            let _ = item.reply.send(outcomes);
        }
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.likely = if duplicate > stored { Expectation::Known } else { Expectation::New };
        // At the first use: the recorder comes after the receiver.
        let metrics = self.metrics.get_or_init(Metrics::new);
        metrics.stored.increment(stored);
        metrics.duplicate.increment(duplicate);
        metrics.batch_size.record(size);
        metrics.commit_seconds.record(took);
        if stored > 0 {
            self.notifiers.ledger.notify();
        }
    }
}
