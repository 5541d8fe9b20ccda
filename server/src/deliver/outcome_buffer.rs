//! What came back of attempts, until it is written down. All that waits shares a transaction. If the database refuses
//! that, halves of it are tried, so that one bad report is alone in the end and hurts nobody else.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use app::types::Timestamp;

use super::attempt_job::{AttemptContext, AttemptReport, Outcome};
use super::health::{self, Health, HealthChange};
use super::settle::settle;
use crate::db::Tx;
use crate::db::refusal::is_refusal;
use crate::error::Failure;

/// Reports of one transaction.
const REPORTS: usize = 256;
/// How long one that is refused rests before it is tried again.
const REST: Duration = Duration::from_secs(1);

/// Reports that wait.
#[derive(Debug)]
pub struct OutcomeBuffer {
    waiting: Vec<AttemptReport>,
    /// Refused, each alone. They end when they are written, or when somebody else has taken over their lease.
    aside: Vec<AttemptReport>,
    aside_at: Instant,
    health: Health,
}

/// What one transaction wrote, if it is committed.
#[derive(Debug, Default)]
pub struct WriteResult {
    count: usize,
    news: HealthChange,
}

impl OutcomeBuffer {
    /// None.
    pub fn new() -> Self {
        Self { waiting: Vec::new(), aside: Vec::new(), aside_at: Instant::now(), health: Health::default() }
    }

    /// Keeps one.
    pub fn put(&mut self, report: AttemptReport) {
        self.waiting.push(report);
    }

    /// Whether nothing waits, but for what is refused.
    pub const fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether a transaction is full.
    pub const fn is_full(&self) -> bool {
        self.waiting.len() >= REPORTS
    }

    /// Takes over what the database knows of the destinations.
    pub fn refresh(&mut self, all: &HashMap<i64, Option<Timestamp>>) {
        self.health.refresh(all);
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// The database does not answer, or refuses something of it.
    pub async fn write(&self, tx: &mut Tx, tools: &AttemptContext) -> Result<WriteResult, Failure> {
        let count = self.waiting.len().min(REPORTS);
        self.write_first(tx, tools, count).await
    }

    async fn write_first(
        &self,
        tx: &mut Tx,
        tools: &AttemptContext,
        count: usize,
    ) -> Result<WriteResult, Failure> {
        let news = write(tx, tools, &self.health, &self.waiting[..count]).await?;
        Ok(WriteResult { count, news })
    }

    /// After the commit.
    pub fn forget(&mut self, written: WriteResult) {
        self.health.keep(written.news);
        self.waiting.drain(..written.count).for_each(|report| count(&report));
    }

    /// Writes in parts what is refused as a whole.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn write_in_parts(&mut self, tools: &AttemptContext) -> Result<(), Failure> {
        let mut parts = vec![self.waiting.len().min(REPORTS)];
        while let Some(part) = parts.pop() {
            match self.write_part(tools, part).await {
                Ok(()) => {}
                Err(error) if !is_refusal(&error) => return Err(error),
                Err(_) if part > 1 => parts.extend([part - part / 2, part / 2]),
                Err(error) => {
                    let report = self.waiting.remove(0);
                    self.set_aside(tools, report, &error).await;
                }
            }
        }
        Ok(())
    }

    async fn write_part(&mut self, tools: &AttemptContext, count: usize) -> Result<(), Failure> {
        let mut tx = tools.db.begin_write().await?;
        let written = self.write_first(&mut tx, tools, count).await?;
        tx.commit().await?;
        self.forget(written);
        Ok(())
    }

    /// What is refused is most likely what came from outside. Without it, what became of the delivery can be written.
    async fn set_aside(&mut self, tools: &AttemptContext, mut report: AttemptReport, error: &Failure) {
        tracing::error!(%error, delivery.id = report.claim.delivery_id, "what came back of an attempt cannot be kept");
        strip(&mut report);
        if let Err(error) = self.write_alone(tools, &report).await {
            tracing::error!(%error, delivery.id = report.claim.delivery_id, "an attempt cannot be written down");
            self.aside_at = Instant::now();
            self.aside.push(report);
        }
    }

    async fn write_alone(&mut self, tools: &AttemptContext, report: &AttemptReport) -> Result<(), Failure> {
        let mut tx = tools.db.begin_write().await?;
        let news = write(&mut tx, tools, &self.health, std::slice::from_ref(report)).await?;
        tx.commit().await?;
        self.health.keep(news);
        count(report);
        Ok(())
    }

    /// Tries again what was refused, each alone.
    pub async fn try_again(&mut self, tools: &AttemptContext) {
        if self.aside.is_empty() || self.aside_at.elapsed() < REST {
            return;
        }
        for report in std::mem::take(&mut self.aside) {
            if self.write_alone(tools, &report).await.is_err() {
                self.aside.push(report);
            }
        }
        self.aside_at = Instant::now();
    }
}

async fn write(
    tx: &mut Tx,
    tools: &AttemptContext,
    health: &Health,
    reports: &[AttemptReport],
) -> Result<HealthChange, Failure> {
    let failed = settle(tx, &tools.db, reports).await?;
    let failed: Vec<_> = failed.into_iter().filter_map(|place| reports.get(place)).collect();
    health::tell_failed(tx, &failed, tools.clock.now()).await?;
    Ok(health.note(tx, reports, tools.clock.now()).await?)
}

fn strip(report: &mut AttemptReport) {
    let Outcome::Made(made) = &mut report.verdict else { return };
    let record = &mut made.record;
    record.detail = Some("what came back could not be kept".to_owned());
    record.response_headers = None;
    record.response_body = None;
    record.response_truncated = true;
}

fn count(report: &AttemptReport) {
    let Outcome::Made(made) = &report.verdict else { return };
    let outcome = made.record.ending.error.map_or("delivered", app::types::AttemptError::as_str);
    let destination = made.destination.as_ref().map_or("", |to| to.slug.as_str()).to_owned();
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
