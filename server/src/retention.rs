//! Retention: deletes what is older than it says, in small batches that leave the database free in between. What is
//! still on its ladder or held is kept however old it is.

use std::time::{Duration, Instant};

use app::types::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::store::{rejection, retention, secret, user};

/// How often it looks.
const EVERY: Duration = Duration::from_secs(3600);
/// How long after the start it looks first: a start has other things to do.
const FIRST: Duration = Duration::from_secs(60);
/// Events of a batch at first; batches shrink when they take long, and grow when they do not.
const BATCH: i64 = 100;
const SMALLEST: i64 = 10;
const LARGEST: i64 = 1000;
/// How long a batch should hold the database.
const TARGET: Duration = Duration::from_millis(50);
const DAY_S: i64 = 86_400;

/// Prunes from time to time until told to stop. 0 days keeps every event.
pub async fn run(db: Db, clock: SharedClock, retention_days: u32, shutdown: CancellationToken) {
    let mut wait = FIRST;
    while tokio::time::timeout(wait, shutdown.cancelled()).await.is_err() {
        wait = EVERY;
        match run_once(&db, clock.now(), retention_days, &shutdown).await {
            Ok(0) => {}
            Ok(events) => {
                tracing::info!(events, retention_days, "pruned {events} events with their deliveries")
            }
            Err(error) => tracing::error!(%error, "what is old could not be pruned; trying again in an hour"),
        }
    }
}

/// Prunes what is old now, batch by batch; returns how many events.
///
/// # Errors
/// The database does not answer; what was pruned before stays so.
pub async fn run_once(
    db: &Db,
    now: Timestamp,
    retention_days: u32,
    shutdown: &CancellationToken,
) -> Result<u64, Failure> {
    retention::delete_sessions(db, now).await?;
    user::login_failure::prune(db, now.plus_seconds(-DAY_S)).await?;
    rejection::count::prune(db, rejection::count::minute(now.plus_seconds(-9 * DAY_S))).await?;
    secret::usage::prune(db, now).await?;
    if retention_days == 0 {
        return Ok(0);
    }
    let before = now.plus_seconds(-DAY_S * i64::from(retention_days));
    rejection::prune(db, before).await?;
    let (mut position, mut size, mut total) = ((i64::MIN, i64::MIN), BATCH, 0);
    while !shutdown.is_cancelled() {
        let over = retention::over(db, before, position, size).await?;
        let Some(last) = over.last() else { break };
        position = *last;
        let ids: Vec<_> = over.iter().map(|(_, id)| *id).collect();
        let begun = Instant::now();
        let mut tx = db.begin_write().await?;
        total += retention::delete_events(&mut tx, &ids).await?;
        tx.commit().await?;
        let took = begun.elapsed();
        metrics::counter!("acuse_events_pruned_total").increment(ids.len() as u64);
        size = next_size(size, took);
        // As long a pause: the receiver gets every second turn at least.
        let _ = tokio::time::timeout(took, shutdown.cancelled()).await;
    }
    Ok(total)
}

fn next_size(size: i64, took: Duration) -> i64 {
    let next = if took > TARGET { size / 2 } else { size * 2 };
    next.clamp(SMALLEST, LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_shrink_when_they_take_long_and_grow_when_they_do_not() {
        let [slow, quick] = [Duration::from_secs(1), Duration::from_millis(1)];
        assert_eq!([next_size(100, slow), next_size(10, slow)], [50, 10]);
        assert_eq!([next_size(100, quick), next_size(1000, quick)], [200, 1000]);
    }
}
