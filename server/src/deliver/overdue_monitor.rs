//! Counts due deliveries for the metrics, and opens an alert when they are not attempted in time.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use app::alerts::Facts;
use app::types::{AlertKind, Timestamp};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::store::delivery::claim::DueRow;
use crate::store::{alert, delivery, destination};

/// What is due for so many seconds and was not claimed is worth an alert: claiming takes milliseconds.
const OVERDUE_SECONDS: i64 = 60;

/// Watches what is due.
#[derive(Debug, Default)]
pub struct OverdueMonitor {
    /// Names that have gauges, so that those of one that is gone do not stand still.
    gauged: Mutex<HashSet<String>>,
}

impl OverdueMonitor {
    /// Updates the metrics and the alerts once.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn check(&self, db: &Db, clock: &SharedClock) -> sqlx::Result<()> {
        let now = clock.now();
        let due = delivery::claim::due(db, now).await?;
        self.update_gauges(&due, now);
        let alerted = destination::health::alerts(db, AlertKind::DeliveryOverdue).await?;
        let late: Vec<_> = due.iter().filter_map(|row| late(row, now)).collect();
        let over: Vec<_> =
            alerted.iter().filter(|(slug, _)| late.iter().all(|(late, _)| *late != slug)).collect();
        let settled = destination::health::alerts(db, AlertKind::DeliveryFailed).await?;
        let settled: Vec<_> = settled.into_iter().filter(|(_, still)| !still).collect();
        if late.is_empty() && over.is_empty() && settled.is_empty() {
            return Ok(());
        }
        let mut tx = db.begin_write().await?;
        for (slug, facts) in &late {
            alert::open(&mut tx, slug, facts, now).await?;
        }
        for (slug, _) in over {
            alert::resolve(&mut tx, AlertKind::DeliveryOverdue, slug, now).await?;
        }
        for (slug, _) in &settled {
            alert::resolve(&mut tx, AlertKind::DeliveryFailed, slug, now).await?;
        }
        tx.commit().await
    }

    fn update_gauges(&self, due: &[DueRow], now: Timestamp) {
        let age = |row: &DueRow| row.oldest.map_or(0, |oldest| (now.micros() - oldest).max(0)) as f64 / 1e6;
        metrics::gauge!("acuse_deliveries_due").set(due.iter().map(|row| row.due).sum::<i64>() as f64);
        metrics::gauge!("acuse_oldest_due_seconds").set(due.iter().map(age).fold(0.0, f64::max));
        let of = |slug: &str, count: f64, age: f64| {
            metrics::gauge!("acuse_destination_due", "destination" => slug.to_owned()).set(count);
            metrics::gauge!("acuse_destination_oldest_due_seconds", "destination" => slug.to_owned())
                .set(age);
        };
        due.iter().for_each(|row| of(&row.slug, row.due as f64, age(row)));
        let now: HashSet<_> = due.iter().map(|row| row.slug.clone()).collect();
        let mut gauged = self.gauged.lock().unwrap_or_else(PoisonError::into_inner);
        gauged.difference(&now).for_each(|slug| of(slug, 0.0, 0.0));
        *gauged = now;
    }
}

fn late(row: &DueRow, now: Timestamp) -> Option<(&str, Facts)> {
    let oldest = Timestamp::from_micros(row.oldest?);
    let facts = Facts::DeliveryOverdue { count: row.due, oldest };
    (now.seconds_since(oldest) > OVERDUE_SECONDS).then_some((row.slug.as_str(), facts))
}
