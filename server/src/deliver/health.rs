//! Tracks which destinations fail every attempt, and opens and resolves their alerts: one for each destination, never
//! one for each attempt.

use std::collections::{BTreeMap, HashMap};

use app::alerts::Facts;
use app::types::{AlertKind, Timestamp};

use super::report::{AttemptReport, CompletedAttempt, Outcome};
use crate::db::Tx;
use crate::domain::delivery::Ending;
use crate::registry::Destination;
use crate::store::{alert, destination};

/// A destination that fails everything for so many seconds is worth an alert.
const FAILING_SECONDS: i64 = 15 * 60;

/// What this process knows of the destinations; it may be behind what another one wrote, until the next `refresh`.
#[derive(Debug, Default)]
pub struct Health {
    known: HashMap<i64, KnownHealth>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownHealth {
    failing_since: Option<Timestamp>,
    alert_opened: bool,
}

/// Changes of known health, to be applied after the commit.
#[derive(Debug, Default)]
pub struct HealthChange(Vec<(i64, KnownHealth)>);

/// The attempts of one transaction at one destination.
struct AttemptSummary<'a> {
    destination: &'a Destination,
    succeeded: bool,
    first_failure: Option<Timestamp>,
    last_failure: Option<(Timestamp, &'a CompletedAttempt)>,
}

impl Health {
    /// Replaces what is known by what the database holds.
    pub fn refresh(&mut self, all: &HashMap<i64, Option<Timestamp>>) {
        let alert_opened = |id: &i64, since| {
            self.known.get(id).is_some_and(|known| known.failing_since == since && known.alert_opened)
        };
        self.known = all
            .iter()
            .map(|(id, since)| {
                (*id, KnownHealth { failing_since: *since, alert_opened: alert_opened(id, *since) })
            })
            .collect();
    }

    /// Applies the changes of a committed transaction.
    pub fn apply(&mut self, changes: HealthChange) {
        self.known.extend(changes.0);
    }

    /// Records the attempts, and opens and resolves alerts. Writes only what changes.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn record_attempts(
        &self,
        tx: &mut Tx,
        reports: &[AttemptReport],
        now: Timestamp,
    ) -> sqlx::Result<HealthChange> {
        let mut changes = Vec::new();
        for (id, summary) in summarize_attempts(reports) {
            let known = self.known.get(&id).copied();
            let after = match summary.first_failure {
                _ if summary.succeeded => Self::record_recovery(tx, &summary, known, now).await?,
                Some(first) => self.record_failures(tx, &summary, known, first, now).await?,
                None => continue,
            };
            if known != Some(after) {
                changes.push((id, after));
            }
        }
        Ok(HealthChange(changes))
    }

    async fn record_recovery(
        tx: &mut Tx,
        summary: &AttemptSummary<'_>,
        known: Option<KnownHealth>,
        now: Timestamp,
    ) -> sqlx::Result<KnownHealth> {
        if known.is_none_or(|known| known.failing_since.is_some())
            && destination::health::recovers(tx, summary.destination.row.id).await?
            && alert::resolve(tx, AlertKind::DestinationFailing, summary.destination.row.slug.as_str(), now)
                .await?
        {
            tracing::info!(destination = %summary.destination.row.slug, "a destination takes deliveries again");
        }
        Ok(KnownHealth { failing_since: None, alert_opened: false })
    }

    async fn record_failures(
        &self,
        tx: &mut Tx,
        summary: &AttemptSummary<'_>,
        known: Option<KnownHealth>,
        first: Timestamp,
        now: Timestamp,
    ) -> sqlx::Result<KnownHealth> {
        let since = match known.and_then(|known| known.failing_since) {
            Some(since) => since,
            None => destination::health::fails(tx, summary.destination.row.id, first).await?,
        };
        let mut alert_opened = known.is_some_and(|known| known.alert_opened);
        if let Some((last, made)) = summary.last_failure
            && !alert_opened
            && last.seconds_since(since) >= FAILING_SECONDS
        {
            let ending = &made.record.ending;
            let (status, error) = (ending.status, ending.error);
            let facts = Facts::DestinationFailing { since, last, status, error };
            alert::open(tx, summary.destination.row.slug.as_str(), &facts, now).await?;
            alert_opened = true;
        }
        Ok(KnownHealth { failing_since: Some(since), alert_opened })
    }
}

fn summarize_attempts(reports: &[AttemptReport]) -> BTreeMap<i64, AttemptSummary<'_>> {
    let mut all = BTreeMap::new();
    for report in reports {
        let Outcome::Completed(made) = &report.outcome else { continue };
        let Some(destination) = &made.destination else { continue };
        let summary = all.entry(destination.row.id).or_insert_with(|| AttemptSummary {
            destination,
            succeeded: false,
            first_failure: None,
            last_failure: None,
        });
        let at = made.record.ending.started_at;
        if made.record.ending.error.is_none() {
            summary.succeeded = true;
            continue;
        }
        summary.first_failure = Some(summary.first_failure.map_or(at, |first| first.min(at)));
        if summary.last_failure.is_none_or(|(last, _)| last <= at) {
            summary.last_failure = Some((at, &**made));
        }
    }
    all
}

/// Opens an alert for deliveries that failed after their last attempt: one for each destination.
///
/// # Errors
/// The database does not answer.
pub async fn open_failed_alert(tx: &mut Tx, failed: &[&AttemptReport], now: Timestamp) -> sqlx::Result<()> {
    let mut by_destination: BTreeMap<i64, (&Destination, &AttemptReport, &CompletedAttempt)> =
        BTreeMap::new();
    for report in failed {
        let Outcome::Completed(made) = &report.outcome else { continue };
        let Some(destination) = &made.destination else { continue };
        by_destination.insert(destination.row.id, (destination, report, made));
    }
    for (destination, report, made) in by_destination.values() {
        let Ending { status, error, .. } = made.record.ending;
        let facts = Facts::DeliveryFailed { delivery: report.claim.delivery_id, status, error };
        alert::open(tx, destination.row.slug.as_str(), &facts, now).await?;
    }
    Ok(())
}
