//! Watches how many arrivals of each source are refused. Any number of processes may: they see the same counts.

use std::collections::BTreeMap;
use std::time::Duration;

use app::alerts::Facts;
use app::types::{AlertKind, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::rejection_spike::{Level, USUAL_MIN, WINDOW_MIN, level};
use crate::error::Failure;
use crate::store::{alert, rejection, source};

/// How often it looks.
const EVERY: Duration = Duration::from_secs(5);

/// Looks from time to time until told to stop.
pub async fn watch(db: Db, clock: SharedClock, shutdown: CancellationToken) {
    while tokio::time::timeout(EVERY, shutdown.cancelled()).await.is_err() {
        if let Err(error) = check_spikes(&db, clock.now()).await {
            tracing::warn!(%error, "rejections could not be counted; trying again");
        }
    }
}

/// Opens an alert for each source that refuses many more than usual, and resolves those that are over.
///
/// # Errors
/// The database does not answer.
pub async fn check_spikes(db: &Db, now: Timestamp) -> Result<(), Failure> {
    let end = rejection::count::minute(now) + 1;
    let window = count_by_hour(db, end - WINDOW_MIN, end).await?;
    let going_on = alert::list_open_subjects(db, AlertKind::RejectionJump).await?;
    if window.is_empty() && going_on.is_empty() {
        return Ok(());
    }
    let week = count_by_hour(db, end - WINDOW_MIN - USUAL_MIN, end - WINDOW_MIN).await?;
    let count = |sums: &BTreeMap<i64, i64>, id: i64| sums.get(&id).copied().unwrap_or_default();
    let sources: BTreeMap<String, i64> =
        source::all(db).await?.into_iter().map(|row| (row.slug.to_string(), row.id)).collect();
    for (slug, id) in &sources {
        let (now_many, before) = (count(&window, *id), count(&week, *id));
        if level(now_many, before) == Level::High && !going_on.contains(slug) {
            let usual = before * WINDOW_MIN / USUAL_MIN;
            let facts = Facts::RejectionJump { count: now_many, minutes: WINDOW_MIN, usual };
            let mut tx = db.begin_write().await?;
            alert::open(&mut tx, slug, &facts, now).await?;
            tx.commit().await?;
        }
    }
    for slug in going_on {
        // A source that was deleted refuses nothing any more.
        let level =
            sources.get(&slug).map_or(Level::Usual, |id| level(count(&window, *id), count(&week, *id)));
        if level == Level::Usual {
            let mut tx = db.begin_write().await?;
            alert::resolve(&mut tx, AlertKind::RejectionJump, &slug, now).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

async fn count_by_hour(db: &Db, from: i64, to: i64) -> sqlx::Result<BTreeMap<i64, i64>> {
    Ok(rejection::count::count_by_hour(db, from, to).await?.into_iter().collect())
}
