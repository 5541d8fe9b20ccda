//! Where claims go out and reports come in: one transaction writes what came back and claims what is due next.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use rand::RngCore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Shared;
use super::attempt_job::{AttemptContext, AttemptJob, AttemptReport, Claim, ClaimKind, Outcome, unsent};
use super::destination_queue::{DestinationQueue, Limits};
use super::outcome_buffer::{OutcomeBuffer, WriteResult};
use crate::db::Tx;
use crate::db::refusal::is_refusal;
use crate::error::Failure;
use crate::registry::Destination;
use crate::store::attempt::{self, ManualRow, PayloadRow};
use crate::store::delivery::claim::{self, ClaimRequest, ClaimedRow};
use crate::store::secret::usage::Uses;

/// Deliveries that are claimed at the same time, of all destinations together.
const MAX_HELD: usize = 1024;
/// Destinations of one claiming statement.
const LANES: usize = 32;
/// Manual attempts at the same time.
const MAX_MANUAL: usize = 64;
/// How long the uses of secrets are added up before they are written.
const USES: Duration = Duration::from_secs(1);

/// The one who claims and writes down.
#[derive(Debug)]
pub struct Dispatcher {
    shared: Arc<Shared>,
    sender: UnboundedSender<AttemptReport>,
    receiver: UnboundedReceiver<AttemptReport>,
    /// Came back and is not written yet.
    papers: OutcomeBuffer,
    /// Claimed and not back.
    outstanding: usize,
    manual: usize,
    made: usize,
    turn: usize,
    uses: Uses,
    uses_written: Instant,
}

/// What one turn claimed.
#[derive(Debug, Default)]
struct Claimed {
    scheduled: Vec<ClaimedRow>,
    manual: Vec<ManualRow>,
}

impl Dispatcher {
    /// One with nothing on it.
    pub fn new(shared: Arc<Shared>) -> Self {
        let (sender, receiver) = unbounded_channel();
        Self {
            shared,
            sender,
            receiver,
            papers: OutcomeBuffer::new(),
            outstanding: 0,
            manual: 0,
            made: 0,
            turn: 0,
            uses: Uses::default(),
            uses_written: Instant::now(),
        }
    }

    /// How many attempts came back.
    pub const fn made(&self) -> usize {
        self.made
    }

    /// Whether nothing is out, and nothing unwritten.
    pub const fn is_clear(&self) -> bool {
        self.outstanding == 0 && self.papers.is_empty()
    }

    /// Whether something is out.
    pub const fn is_out(&self) -> bool {
        self.outstanding > 0
    }

    /// Waits for a report.
    pub async fn hear(&mut self) {
        if let Some(report) = self.receiver.recv().await {
            self.keep(report);
        }
    }

    fn keep(&mut self, report: AttemptReport) {
        self.outstanding = self.outstanding.saturating_sub(1);
        if matches!(report.claim.kind, ClaimKind::Manual { .. }) {
            self.manual = self.manual.saturating_sub(1);
        }
        if let Outcome::Made(made) = &report.verdict {
            self.made += 1;
            for id in &made.signed_with {
                self.uses.count(id, made.record.ending.started_at);
            }
        }
        self.papers.put(report);
    }

    /// Writes what came back, claims what is due when `claims`, and sets it to work. Returns how many were claimed.
    ///
    /// # Errors
    /// The database does not answer. What came back is kept for the next turn.
    pub async fn turn(&mut self, claims: bool) -> Result<usize, Failure> {
        while !self.papers.is_full()
            && let Ok(report) = self.receiver.try_recv()
        {
            self.keep(report);
        }
        self.turn = self.turn.wrapping_add(1);
        let token: Arc<str> = new_token().into();
        let wants = if claims { self.wants() } else { Vec::new() };
        let tools = &self.shared.tools;
        self.papers.try_again(tools).await;
        let mut tx = tools.db.begin_write().await?;
        let written = match self.papers.write(&mut tx, tools).await {
            Ok(written) => written,
            Err(error) if is_refusal(&error) => {
                drop(tx);
                self.papers.write_in_parts(tools).await?;
                tx = tools.db.begin_write().await?;
                WriteResult::default()
            }
            Err(error) => return Err(error),
        };
        let claimed = if claims { self.claim(&mut tx, &wants, &token).await? } else { Claimed::default() };
        tx.commit().await?;
        self.papers.forget(written);
        let total = claimed.scheduled.len() + claimed.manual.len();
        if total > 0 {
            self.send_out(claimed, &token).await?;
        }
        if self.uses_written.elapsed() > USES {
            self.write_uses().await;
        }
        Ok(total)
    }

    /// Takes over what other processes know of the destinations.
    pub async fn refresh(&mut self) {
        match crate::store::destination::health::all(&self.shared.tools.db).await {
            Ok(all) => self.papers.refresh(&all),
            Err(error) => tracing::warn!(%error, "how destinations answer could not be read"),
        }
    }

    /// How many of each destination may be claimed now. Each has its share of all that may be held, whatever the others
    /// hold; what is left of the whole goes round, and another one is first the next time.
    fn wants(&self) -> Vec<(Arc<Destination>, usize)> {
        let now = self.shared.tools.clock.now();
        let snapshot = self.shared.tools.registry.snapshot();
        let share = (MAX_HELD / snapshot.destinations.len().max(1)).max(1);
        let mut all_held = 0;
        let mut wants = Vec::new();
        for destination in snapshot.destinations.values() {
            let lane = self.shared.lane(destination.id);
            let held = lane.held();
            all_held += held;
            let room = if destination.paused { 0 } else { lane.room(limits(destination), now) };
            if room > 0 {
                wants.push((Arc::clone(destination), room, share.saturating_sub(held)));
            }
        }
        wants.sort_unstable_by_key(|(destination, ..)| destination.id);
        let first = self.turn % wants.len().max(1);
        wants.rotate_left(first);
        let mut free = MAX_HELD.saturating_sub(all_held);
        let granted = wants.into_iter().map(|(destination, room, own)| {
            let granted = room.min(own.max(free));
            free = free.saturating_sub(granted);
            (destination, granted)
        });
        granted.filter(|(_, room)| *room > 0).collect()
    }

    async fn claim(
        &self,
        tx: &mut Tx,
        wants: &[(Arc<Destination>, usize)],
        token: &str,
    ) -> Result<Claimed, Failure> {
        let AttemptContext { db, clock, .. } = &self.shared.tools;
        let now = clock.now();
        let mut claimed = Claimed::default();
        let want = |(to, room): &(Arc<Destination>, usize)| ClaimRequest {
            destination_id: to.id,
            room: *room as i64,
            retries_first: self.shared.lane(to.id).retries_first(),
        };
        let mut wants: Vec<_> = wants.iter().map(want).collect();
        if wants.len() > LANES {
            let due: HashSet<_> = claim::destinations_with_due(tx, now).await?.into_iter().collect();
            wants.retain(|want| due.contains(&want.destination_id));
        }
        for some in wants.chunks(LANES) {
            claimed.scheduled.extend(claim::claim(tx, some, token, now).await?);
        }
        let free = MAX_MANUAL.saturating_sub(self.manual);
        if free > 0 {
            claimed.manual = attempt::claim_manual(tx, db, free as i64, token, now).await?;
        }
        Ok(claimed)
    }

    async fn send_out(&mut self, claimed: Claimed, token: &Arc<str>) -> Result<(), Failure> {
        let events: BTreeSet<_> = claimed
            .scheduled
            .iter()
            .map(|row| row.event_id)
            .chain(claimed.manual.iter().map(|row| row.event_id))
            .collect();
        let events: Vec<_> = events.into_iter().collect();
        let payloads = match attempt::payloads(&self.shared.tools.db, &events).await {
            Ok(rows) => rows.into_iter().map(|row| (row.id, Arc::new(row))).collect(),
            Err(error) => {
                self.take_back(&claimed, token);
                return Err(error.into());
            }
        };
        if self.is_stale(&claimed) {
            let reloaded = self.shared.tools.registry.reload().await;
            let _ =
                reloaded.inspect_err(|error| tracing::warn!(%error, "destinations could not be read again"));
        }
        self.send_scheduled(claimed.scheduled, &payloads, token);
        self.send_manual(claimed.manual, &payloads, token);
        Ok(())
    }

    /// Whether a resend goes to a destination that this process has not heard of: made by another one just now, or
    /// deleted.
    fn is_stale(&self, claimed: &Claimed) -> bool {
        let snapshot = self.shared.tools.registry.snapshot();
        claimed.manual.iter().any(|row| !snapshot.destinations.contains_key(&row.destination_id))
    }

    fn take_back(&mut self, claimed: &Claimed, token: &Arc<str>) {
        for row in &claimed.scheduled {
            self.papers.put(AttemptReport { claim: scheduled_claim(row, token), verdict: Outcome::Unused });
        }
    }

    fn send_scheduled(
        &mut self,
        rows: Vec<ClaimedRow>,
        payloads: &HashMap<i64, Arc<PayloadRow>>,
        token: &Arc<str>,
    ) {
        let mut by_destination: HashMap<i64, Vec<AttemptJob>> = HashMap::new();
        for row in rows {
            let claim = scheduled_claim(&row, token);
            let Some(payload) = payloads.get(&row.event_id) else {
                self.papers.put(self.without_event(claim, row.destination_id));
                continue;
            };
            let job = AttemptJob {
                claim,
                destination_id: row.destination_id,
                payload: Arc::clone(payload),
                reports: self.sender.clone(),
            };
            by_destination.entry(row.destination_id).or_default().push(job);
        }
        let snapshot = self.shared.tools.registry.snapshot();
        for (id, jobs) in by_destination {
            self.outstanding += jobs.len();
            let limits = snapshot.destinations.get(&id).map_or(Limits::LEAST, |to| limits(to));
            let lane = self.shared.lane(id);
            for _ in 0..lane.put(jobs, limits) {
                tokio::spawn(work(Arc::clone(&self.shared), Arc::clone(&lane)));
            }
        }
    }

    /// Pruned while it was claimed. Its delivery has gone too, or fails before people's eyes.
    fn without_event(&self, claim: Claim, destination_id: i64) -> AttemptReport {
        let AttemptContext { clock, registry, .. } = &self.shared.tools;
        let destination = registry.snapshot().destinations.get(&destination_id).cloned();
        let made = unsent(clock.now(), destination, "the event is not there any more: nothing was sent");
        AttemptReport { claim, verdict: Outcome::Made(Box::new(made)) }
    }

    fn send_manual(
        &mut self,
        rows: Vec<ManualRow>,
        payloads: &HashMap<i64, Arc<PayloadRow>>,
        token: &Arc<str>,
    ) {
        let snapshot = self.shared.tools.registry.snapshot();
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
                reports: self.sender.clone(),
            };
            self.outstanding += 1;
            self.manual += 1;
            if let Some(to) = snapshot.destinations.get(&row.destination_id) {
                self.shared.lane(row.destination_id).beside(1, limits(to));
            }
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move { run(&shared.tools, job).await });
        }
    }

    /// Gives back what has not started.
    pub fn withdraw(&mut self) {
        for job in self.shared.lanes().iter().flat_map(|lane| lane.clear()) {
            let _ = job.reports.send(AttemptReport { claim: job.claim, verdict: Outcome::Unused });
        }
    }

    /// Writes how often secrets signed.
    pub async fn write_uses(&mut self) {
        self.uses_written = Instant::now();
        self.uses.flush(&self.shared.tools.db).await;
    }
}

fn limits(destination: &Destination) -> Limits {
    let max_in_flight = usize::try_from(destination.max_in_flight).unwrap_or(1);
    Limits { max_in_flight, rate_per_s: destination.rate_per_s }
}

fn scheduled_claim(row: &ClaimedRow, token: &Arc<str>) -> Claim {
    let kind = ClaimKind::Scheduled { was: row.delivery.clone(), lease_until: row.lease_until };
    Claim { delivery_id: row.id, kind, token: Arc::clone(token), may_repeat: row.may_repeat }
}

/// Works off a lane until it is empty.
async fn work(shared: Arc<Shared>, lane: Arc<DestinationQueue<AttemptJob>>) {
    while let Some(job) = lane.take() {
        let begun = Instant::now();
        run(&shared.tools, job).await;
        lane.note(begun.elapsed());
    }
}

async fn run(tools: &AttemptContext, job: AttemptJob) {
    let attempt = std::panic::AssertUnwindSafe(job.run(tools)).catch_unwind();
    let verdict = attempt.await.unwrap_or_else(|_| {
        tracing::error!(delivery.id = job.claim.delivery_id, "an attempt panicked");
        Outcome::Lost
    });
    let _ = job.reports.send(AttemptReport { claim: job.claim, verdict });
}

fn new_token() -> String {
    let mut bytes = [0_u8; 8];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}
