//! How destinations answer, and who is told when they stop: one alert for each destination, never one for each attempt.

use std::collections::{BTreeMap, HashMap};

use app::alerts::Facts;
use app::types::{AlertKind, Timestamp};

use super::attempt_job::{AttemptReport, Made, Outcome};
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
    told: bool,
}

/// What is known after a transaction, if that is committed.
#[derive(Debug, Default)]
pub struct HealthChange(Vec<(i64, KnownHealth)>);

/// What the attempts of one transaction say of a destination.
struct AttemptSummary<'a> {
    destination: &'a Destination,
    succeeded: bool,
    first_failure: Option<Timestamp>,
    last_failure: Option<(Timestamp, &'a Made)>,
}

impl Health {
    /// Takes over what the database knows.
    pub fn refresh(&mut self, all: &HashMap<i64, Option<Timestamp>>) {
        let told = |id: &i64, since| {
            self.known.get(id).is_some_and(|known| known.failing_since == since && known.told)
        };
        self.known = all
            .iter()
            .map(|(id, since)| (*id, KnownHealth { failing_since: *since, told: told(id, *since) }))
            .collect();
    }

    /// After a commit.
    pub fn keep(&mut self, news: HealthChange) {
        self.known.extend(news.0);
    }

    /// Notes what the attempts say, and opens and resolves alerts. Only where something changes is anything written.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn note(
        &self,
        tx: &mut Tx,
        reports: &[AttemptReport],
        now: Timestamp,
    ) -> sqlx::Result<HealthChange> {
        let mut news = Vec::new();
        for (id, said) in said(reports) {
            let known = self.known.get(&id).copied();
            let after = match said.first_failure {
                _ if said.succeeded => Self::recovered(tx, &said, known, now).await?,
                Some(first) => self.failed(tx, &said, known, first, now).await?,
                None => continue,
            };
            if known != Some(after) {
                news.push((id, after));
            }
        }
        Ok(HealthChange(news))
    }

    async fn recovered(
        tx: &mut Tx,
        said: &AttemptSummary<'_>,
        known: Option<KnownHealth>,
        now: Timestamp,
    ) -> sqlx::Result<KnownHealth> {
        if known.is_none_or(|known| known.failing_since.is_some())
            && destination::health::recovers(tx, said.destination.id).await?
            && alert::resolve(tx, AlertKind::DestinationFailing, said.destination.slug.as_str(), now).await?
        {
            tracing::info!(destination = %said.destination.slug, "a destination takes deliveries again");
        }
        Ok(KnownHealth { failing_since: None, told: false })
    }

    async fn failed(
        &self,
        tx: &mut Tx,
        said: &AttemptSummary<'_>,
        known: Option<KnownHealth>,
        first: Timestamp,
        now: Timestamp,
    ) -> sqlx::Result<KnownHealth> {
        let since = match known.and_then(|known| known.failing_since) {
            Some(since) => since,
            None => destination::health::fails(tx, said.destination.id, first).await?,
        };
        let mut told = known.is_some_and(|known| known.told);
        if let Some((last, made)) = said.last_failure
            && !told
            && last.seconds_since(since) >= FAILING_SECONDS
        {
            let ending = &made.record.ending;
            let (status, error) = (ending.status, ending.error);
            let facts = Facts::DestinationFailing { since, last, status, error };
            alert::open(tx, said.destination.slug.as_str(), &facts, now).await?;
            told = true;
        }
        Ok(KnownHealth { failing_since: Some(since), told })
    }
}

fn said(reports: &[AttemptReport]) -> BTreeMap<i64, AttemptSummary<'_>> {
    let mut all = BTreeMap::new();
    for report in reports {
        let Outcome::Made(made) = &report.verdict else { continue };
        let Some(destination) = &made.destination else { continue };
        let said = all.entry(destination.id).or_insert_with(|| AttemptSummary {
            destination,
            succeeded: false,
            first_failure: None,
            last_failure: None,
        });
        let at = made.record.ending.started_at;
        if made.record.ending.error.is_none() {
            said.succeeded = true;
            continue;
        }
        said.first_failure = Some(said.first_failure.map_or(at, |first| first.min(at)));
        if said.last_failure.is_none_or(|(last, _)| last <= at) {
            said.last_failure = Some((at, &**made));
        }
    }
    all
}

/// Tells that deliveries have failed for good: once for each destination.
///
/// # Errors
/// The database does not answer.
pub async fn tell_failed(tx: &mut Tx, failed: &[&AttemptReport], now: Timestamp) -> sqlx::Result<()> {
    let mut by_destination: BTreeMap<i64, (&Destination, &AttemptReport, &Made)> = BTreeMap::new();
    for report in failed {
        let Outcome::Made(made) = &report.verdict else { continue };
        let Some(destination) = &made.destination else { continue };
        by_destination.insert(destination.id, (destination, report, made));
    }
    for (destination, report, made) in by_destination.values() {
        let Ending { status, error, .. } = made.record.ending;
        let facts = Facts::DeliveryFailed { delivery: report.claim.delivery_id, status, error };
        alert::open(tx, destination.slug.as_str(), &facts, now).await?;
    }
    Ok(())
}
