//! Buffers attempt outcomes until they are committed, many in one transaction.
//!
//! When the database refuses a batch, the buffer writes halves of it, so that one bad report is isolated in the end and
//! holds up no other.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use app::types::Timestamp;

use super::record::record_outcomes;
use crate::db::Tx;
use crate::db::refusal::is_refusal;
use crate::deliver::attempt::AttemptContext;
use crate::deliver::health::{self, Health, HealthChange};
use crate::deliver::report::{AttemptReport, Outcome};
use crate::error::Failure;

/// Reports in one transaction.
const MAX_BATCH: usize = 256;
/// Time between two tries of a report that the database refuses.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Outcomes that are not committed yet.
#[derive(Debug)]
pub struct OutcomeBuffer {
    waiting: Vec<AttemptReport>,
    /// Reports that the database refuses even alone. They leave when they are written or another process holds the lease.
    rejected: Vec<AttemptReport>,
    rejected_at: Instant,
    health: Health,
}

/// What one transaction writes, to be confirmed after its commit.
#[derive(Debug, Default)]
pub struct WriteResult {
    count: usize,
    changes: HealthChange,
}

impl OutcomeBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self {
            waiting: Vec::new(),
            rejected: Vec::new(),
            rejected_at: Instant::now(),
            health: Health::default(),
        }
    }

    /// Adds a report.
    pub fn push(&mut self, report: AttemptReport) {
        self.waiting.push(report);
    }

    /// Whether no report waits. Rejected ones do not count.
    pub const fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the reports fill a transaction.
    pub const fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_BATCH
    }

    /// Replaces the known health of destinations by what the database holds.
    pub fn refresh(&mut self, all: &HashMap<i64, Option<Timestamp>>) {
        self.health.refresh(all);
    }

    /// Writes the waiting reports, up to one transaction of them.
    ///
    /// # Errors
    /// The database does not answer, or refuses something of it.
    pub async fn write(&self, tx: &mut Tx, context: &AttemptContext) -> Result<WriteResult, Failure> {
        let count = self.waiting.len().min(MAX_BATCH);
        self.write_first(tx, context, count).await
    }

    async fn write_first(
        &self,
        tx: &mut Tx,
        context: &AttemptContext,
        count: usize,
    ) -> Result<WriteResult, Failure> {
        let changes = write(tx, context, &self.health, &self.waiting[..count]).await?;
        Ok(WriteResult { count, changes })
    }

    /// Removes what a committed transaction wrote.
    pub fn confirm_written(&mut self, written: WriteResult) {
        self.health.apply(written.changes);
        self.waiting.drain(..written.count).for_each(|report| record_metrics(&report));
    }

    /// Writes halves of a batch that the database refuses as a whole.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn write_in_halves(&mut self, context: &AttemptContext) -> Result<(), Failure> {
        let mut parts = vec![self.waiting.len().min(MAX_BATCH)];
        while let Some(part) = parts.pop() {
            match self.write_part(context, part).await {
                Ok(()) => {}
                Err(error) if !is_refusal(&error) => return Err(error),
                Err(_) if part > 1 => parts.extend([part - part / 2, part / 2]),
                Err(error) => {
                    let report = self.waiting.remove(0);
                    self.isolate_rejected(context, report, &error).await;
                }
            }
        }
        Ok(())
    }

    async fn write_part(&mut self, context: &AttemptContext, count: usize) -> Result<(), Failure> {
        let mut tx = context.db.begin_write().await?;
        let written = self.write_first(&mut tx, context, count).await?;
        tx.commit().await?;
        self.confirm_written(written);
        Ok(())
    }

    /// Writes a refused report without the response, which is the likely cause; keeps it for later if that fails too.
    async fn isolate_rejected(
        &mut self,
        context: &AttemptContext,
        mut report: AttemptReport,
        error: &Failure,
    ) {
        tracing::error!(%error, delivery.id = report.claim.delivery_id, "what came back of an attempt cannot be kept");
        drop_response(&mut report);
        if let Err(error) = self.write_alone(context, &report).await {
            tracing::error!(%error, delivery.id = report.claim.delivery_id, "an attempt cannot be written down");
            self.rejected_at = Instant::now();
            self.rejected.push(report);
        }
    }

    async fn write_alone(&mut self, context: &AttemptContext, report: &AttemptReport) -> Result<(), Failure> {
        let mut tx = context.db.begin_write().await?;
        let changes = write(&mut tx, context, &self.health, std::slice::from_ref(report)).await?;
        tx.commit().await?;
        self.health.apply(changes);
        record_metrics(report);
        Ok(())
    }

    /// Retries each rejected report in its own transaction.
    pub async fn retry_rejected(&mut self, context: &AttemptContext) {
        if self.rejected.is_empty() || self.rejected_at.elapsed() < RETRY_INTERVAL {
            return;
        }
        for report in std::mem::take(&mut self.rejected) {
            if self.write_alone(context, &report).await.is_err() {
                self.rejected.push(report);
            }
        }
        self.rejected_at = Instant::now();
    }
}

async fn write(
    tx: &mut Tx,
    context: &AttemptContext,
    health: &Health,
    reports: &[AttemptReport],
) -> Result<HealthChange, Failure> {
    let failed = record_outcomes(tx, &context.db, reports).await?;
    let failed: Vec<_> = failed.into_iter().filter_map(|place| reports.get(place)).collect();
    health::open_failed_alert(tx, &failed, context.clock.now()).await?;
    Ok(health.record_attempts(tx, reports, context.clock.now()).await?)
}

fn drop_response(report: &mut AttemptReport) {
    let Outcome::Completed(made) = &mut report.outcome else { return };
    let record = &mut made.record;
    record.detail = Some("what came back could not be kept".to_owned());
    record.response_headers = None;
    record.response_body = None;
    record.response_truncated = true;
}

fn record_metrics(report: &AttemptReport) {
    let Outcome::Completed(made) = &report.outcome else { return };
    let outcome = made.record.ending.error.map_or("delivered", app::types::AttemptError::as_str);
    let destination = made.destination.as_ref().map_or("", |to| to.row.slug.as_str()).to_owned();
    metrics::counter!("acuse_attempts_total", "outcome" => outcome, "destination" => destination.clone())
        .increment(1);
    metrics::histogram!("acuse_attempt_seconds", "destination" => destination)
        .record(made.record.duration_ms as f64 / 1000.0);
    let steps = [
        ("dns", made.latency.dns_ms),
        ("connect", made.latency.connect_ms),
        ("tls", made.latency.tls_ms),
        ("first_byte", made.latency.first_byte_ms),
    ];
    for (step, millis) in steps {
        if let Some(millis) = millis {
            metrics::histogram!("acuse_attempt_step_seconds", "step" => step).record(millis as f64 / 1000.0);
        }
    }
}
