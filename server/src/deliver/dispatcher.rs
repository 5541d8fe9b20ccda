//! Claims due deliveries, starts their attempts, and records the outcomes.
//!
//! One transaction writes the outcomes that have arrived and claims what is due next.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use rand::RngCore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::attempt::{AttemptContext, AttemptJob, build_unsent_attempt};
use super::destination_queue::{DestinationQueue, DestinationQueues, Limits};
use super::outcome::{OutcomeBuffer, WriteResult};
use super::report::{AttemptReport, Claim, ClaimKind, Outcome};
use crate::db::Tx;
use crate::db::refusal::is_refusal;
use crate::error::Failure;
use crate::registry::Destination;
use crate::store::attempt::{self, ManualRow, PayloadRow};
use crate::store::delivery::claim::{self, ClaimRequest, ClaimedRow};
use crate::store::secret::usage::Uses;

/// Deliveries that are claimed at the same time, of all destinations together.
const MAX_CLAIMED: usize = 1024;
/// Destinations of one claiming statement.
const DESTINATIONS_PER_STATEMENT: usize = 32;
/// Manual attempts at the same time.
const MAX_MANUAL: usize = 64;
/// How long the uses of secrets are added up before they are written.
const USES_INTERVAL: Duration = Duration::from_secs(1);

/// Claims deliveries and records outcomes.
#[derive(Debug)]
pub struct Dispatcher {
    context: Arc<AttemptContext>,
    queues: Arc<DestinationQueues<AttemptJob>>,
    sender: UnboundedSender<AttemptReport>,
    receiver: UnboundedReceiver<AttemptReport>,
    /// Outcomes that are not committed yet.
    outcomes: OutcomeBuffer,
    /// Started attempts that have not reported.
    outstanding: usize,
    manual: usize,
    completed: usize,
    batch: usize,
    uses: Uses,
    uses_written: Instant,
}

/// What one batch claimed.
#[derive(Debug, Default)]
struct Claimed {
    scheduled: Vec<ClaimedRow>,
    manual: Vec<ManualRow>,
}

impl Dispatcher {
    /// A dispatcher that has claimed nothing.
    pub fn new(context: Arc<AttemptContext>, queues: Arc<DestinationQueues<AttemptJob>>) -> Self {
        let (sender, receiver) = unbounded_channel();
        Self {
            context,
            queues,
            sender,
            receiver,
            outcomes: OutcomeBuffer::new(),
            outstanding: 0,
            manual: 0,
            completed: 0,
            batch: 0,
            uses: Uses::default(),
            uses_written: Instant::now(),
        }
    }

    /// How many attempts were completed.
    pub const fn completed(&self) -> usize {
        self.completed
    }

    /// Whether no attempt runs and no outcome waits.
    pub const fn is_idle(&self) -> bool {
        self.outstanding == 0 && self.outcomes.is_empty()
    }

    /// Whether an attempt runs or waits for its worker.
    pub const fn has_running_attempts(&self) -> bool {
        self.outstanding > 0
    }

    /// Waits for a report and records it.
    pub async fn receive_outcomes(&mut self) {
        if let Some(report) = self.receiver.recv().await {
            self.record_outcome(report);
        }
    }

    fn record_outcome(&mut self, report: AttemptReport) {
        self.outstanding = self.outstanding.saturating_sub(1);
        if matches!(report.claim.kind, ClaimKind::Manual { .. }) {
            self.manual = self.manual.saturating_sub(1);
        }
        if let Outcome::Completed(made) = &report.outcome {
            self.completed += 1;
            for id in &made.signed_with {
                self.uses.count(id, made.record.ending.started_at);
            }
        }
        self.outcomes.push(report);
    }

    /// Writes the outcomes, claims what is due when `claims`, and starts it. Returns how many were claimed.
    ///
    /// # Errors
    /// The database does not answer. The outcomes stay for the next batch.
    pub async fn run_batch(&mut self, claims: bool) -> Result<usize, Failure> {
        while !self.outcomes.is_full()
            && let Ok(report) = self.receiver.try_recv()
        {
            self.record_outcome(report);
        }
        self.batch = self.batch.wrapping_add(1);
        let token: Arc<str> = new_token().into();
        let wants = if claims { self.allocate_capacity() } else { Vec::new() };
        let context = Arc::clone(&self.context);
        self.outcomes.retry_rejected(&context).await;
        let mut tx = context.db.begin_write().await?;
        let written = match self.outcomes.write(&mut tx, &context).await {
            Ok(written) => written,
            Err(error) if is_refusal(&error) => {
                drop(tx);
                self.outcomes.write_in_halves(&context).await?;
                tx = context.db.begin_write().await?;
                WriteResult::default()
            }
            Err(error) => return Err(error),
        };
        let claimed =
            if claims { self.claim_due(&mut tx, &wants, &token).await? } else { Claimed::default() };
        tx.commit().await?;
        self.outcomes.confirm_written(written);
        let total = claimed.scheduled.len() + claimed.manual.len();
        if total > 0 {
            self.start_attempts(claimed, &token).await?;
        }
        if self.uses_written.elapsed() > USES_INTERVAL {
            self.write_uses().await;
        }
        Ok(total)
    }

    /// Reads the health of destinations that other processes have written.
    pub async fn refresh(&mut self) {
        match crate::store::destination::health::all(&self.context.db).await {
            Ok(all) => self.outcomes.refresh(&all),
            Err(error) => tracing::warn!(%error, "how destinations answer could not be read"),
        }
    }

    /// How many of each destination may be claimed now. Each has its share of all that may be held, whatever the others
    /// hold; what is left of the whole goes round, and another one is first the next time.
    fn allocate_capacity(&self) -> Vec<(Arc<Destination>, usize)> {
        let now = self.context.clock.now();
        let snapshot = self.context.registry.snapshot();
        let share = (MAX_CLAIMED / snapshot.destinations.len().max(1)).max(1);
        let mut all_held = 0;
        let mut wants = Vec::new();
        for destination in snapshot.destinations.values() {
            let queue = self.queues.get(destination.row.id);
            let held = queue.claimed();
            all_held += held;
            let room = if destination.is_paused() { 0 } else { queue.capacity(limits(destination), now) };
            if room > 0 {
                wants.push((Arc::clone(destination), room, share.saturating_sub(held)));
            }
        }
        wants.sort_unstable_by_key(|(destination, ..)| destination.row.id);
        let first = self.batch % wants.len().max(1);
        wants.rotate_left(first);
        let mut free = MAX_CLAIMED.saturating_sub(all_held);
        let granted = wants.into_iter().map(|(destination, room, own)| {
            let granted = room.min(own.max(free));
            free = free.saturating_sub(granted);
            (destination, granted)
        });
        granted.filter(|(_, room)| *room > 0).collect()
    }

    async fn claim_due(
        &self,
        tx: &mut Tx,
        wants: &[(Arc<Destination>, usize)],
        token: &str,
    ) -> Result<Claimed, Failure> {
        let AttemptContext { db, clock, .. } = &*self.context;
        let now = clock.now();
        let mut claimed = Claimed::default();
        let want = |(to, room): &(Arc<Destination>, usize)| ClaimRequest {
            destination_id: to.row.id,
            room: *room as i64,
            retries_first: self.queues.get(to.row.id).retries_first(),
        };
        let mut wants: Vec<_> = wants.iter().map(want).collect();
        if wants.len() > DESTINATIONS_PER_STATEMENT {
            let due: HashSet<_> = claim::destinations_with_due(tx, now).await?.into_iter().collect();
            wants.retain(|want| due.contains(&want.destination_id));
        }
        for some in wants.chunks(DESTINATIONS_PER_STATEMENT) {
            claimed.scheduled.extend(claim::claim(tx, some, token, now).await?);
        }
        let free = MAX_MANUAL.saturating_sub(self.manual);
        if free > 0 {
            claimed.manual = attempt::claim_manual(tx, db, free as i64, token, now).await?;
        }
        Ok(claimed)
    }

    async fn start_attempts(&mut self, claimed: Claimed, token: &Arc<str>) -> Result<(), Failure> {
        let events: BTreeSet<_> = claimed
            .scheduled
            .iter()
            .map(|row| row.event_id)
            .chain(claimed.manual.iter().map(|row| row.event_id))
            .collect();
        let events: Vec<_> = events.into_iter().collect();
        let payloads = match attempt::payloads(&self.context.db, &events).await {
            Ok(rows) => rows.into_iter().map(|row| (row.id, Arc::new(row))).collect(),
            Err(error) => {
                self.release_unstarted(&claimed, token);
                return Err(error.into());
            }
        };
        if self.has_unknown_destination(&claimed) {
            let reloaded = self.context.registry.reload().await;
            let _ =
                reloaded.inspect_err(|error| tracing::warn!(%error, "destinations could not be read again"));
        }
        self.start_scheduled(claimed.scheduled, &payloads, token);
        self.start_manual(claimed.manual, &payloads, token);
        Ok(())
    }

    /// Whether a resend goes to a destination that this process has not heard of: made by another one just now, or
    /// deleted.
    fn has_unknown_destination(&self, claimed: &Claimed) -> bool {
        let snapshot = self.context.registry.snapshot();
        claimed.manual.iter().any(|row| !snapshot.destinations.contains_key(&row.destination_id))
    }

    fn release_unstarted(&mut self, claimed: &Claimed, token: &Arc<str>) {
        for row in &claimed.scheduled {
            self.outcomes
                .push(AttemptReport { claim: scheduled_claim(row, token), outcome: Outcome::Released });
        }
    }

    fn start_scheduled(
        &mut self,
        rows: Vec<ClaimedRow>,
        payloads: &HashMap<i64, Arc<PayloadRow>>,
        token: &Arc<str>,
    ) {
        let mut by_destination: HashMap<i64, Vec<AttemptJob>> = HashMap::new();
        for row in rows {
            let claim = scheduled_claim(&row, token);
            let Some(payload) = payloads.get(&row.event_id) else {
                self.outcomes.push(self.report_missing_event(claim, row.destination_id));
                continue;
            };
            let job = AttemptJob {
                claim,
                destination_id: row.destination_id,
                payload: Arc::clone(payload),
                report_sender: self.sender.clone(),
            };
            by_destination.entry(row.destination_id).or_default().push(job);
        }
        let snapshot = self.context.registry.snapshot();
        for (id, jobs) in by_destination {
            self.outstanding += jobs.len();
            let limits = snapshot.destinations.get(&id).map_or(Limits::LEAST, |to| limits(to));
            let queue = self.queues.get(id);
            for _ in 0..queue.push(jobs, limits) {
                tokio::spawn(run_worker(Arc::clone(&self.context), Arc::clone(&queue)));
            }
        }
    }

    /// The report for an event that retention deleted after the claim.
    fn report_missing_event(&self, claim: Claim, destination_id: i64) -> AttemptReport {
        let AttemptContext { clock, registry, .. } = &*self.context;
        let destination = registry.snapshot().destinations.get(&destination_id).cloned();
        let made = build_unsent_attempt(
            clock.now(),
            destination,
            "the event is not there any more: nothing was sent",
        );
        AttemptReport { claim, outcome: Outcome::Completed(Box::new(made)) }
    }

    fn start_manual(
        &mut self,
        rows: Vec<ManualRow>,
        payloads: &HashMap<i64, Arc<PayloadRow>>,
        token: &Arc<str>,
    ) {
        let snapshot = self.context.registry.snapshot();
        for row in rows {
            let Some(payload) = payloads.get(&row.event_id) else { continue };
            let kind = ClaimKind::Manual { attempt_id: row.id };
            let job = AttemptJob {
                claim: Claim {
                    delivery_id: row.delivery_id,
                    kind,
                    token: Arc::clone(token),
                    may_repeat: false,
                },
                destination_id: row.destination_id,
                payload: Arc::clone(payload),
                report_sender: self.sender.clone(),
            };
            self.outstanding += 1;
            self.manual += 1;
            if let Some(to) = snapshot.destinations.get(&row.destination_id) {
                self.queues.get(row.destination_id).charge_rate(1, limits(to));
            }
            let context = Arc::clone(&self.context);
            tokio::spawn(async move { run_attempt(&context, job).await });
        }
    }

    /// Gives back the claims whose attempts have not started.
    pub fn release_claims(&mut self) {
        for job in self.queues.drain() {
            let _ = job.report_sender.send(AttemptReport { claim: job.claim, outcome: Outcome::Released });
        }
    }

    /// Writes how often each secret signed.
    pub async fn write_uses(&mut self) {
        self.uses_written = Instant::now();
        self.uses.flush(&self.context.db).await;
    }
}

fn limits(destination: &Destination) -> Limits {
    let max_in_flight = usize::try_from(destination.row.settings.max_in_flight).unwrap_or(1);
    Limits { max_in_flight, rate_per_s: destination.row.settings.rate_per_s }
}

fn scheduled_claim(row: &ClaimedRow, token: &Arc<str>) -> Claim {
    let kind = ClaimKind::Scheduled { was: row.delivery.clone(), lease_until: row.lease_until };
    Claim { delivery_id: row.id, kind, token: Arc::clone(token), may_repeat: row.may_repeat }
}

/// Makes the attempts of a queue until it is empty.
async fn run_worker(context: Arc<AttemptContext>, queue: Arc<DestinationQueue<AttemptJob>>) {
    while let Some(job) = queue.pop() {
        let begun = Instant::now();
        run_attempt(&context, job).await;
        queue.record_duration(begun.elapsed());
    }
}

async fn run_attempt(context: &AttemptContext, job: AttemptJob) {
    let attempt = std::panic::AssertUnwindSafe(job.run(context)).catch_unwind();
    let outcome = attempt.await.unwrap_or_else(|_| {
        tracing::error!(delivery.id = job.claim.delivery_id, "an attempt panicked");
        Outcome::Abandoned
    });
    let _ = job.report_sender.send(AttemptReport { claim: job.claim, outcome });
}

fn new_token() -> String {
    let mut bytes = [0_u8; 8];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}
