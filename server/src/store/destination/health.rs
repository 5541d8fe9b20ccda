//! Rows of `destination_health`: since when every attempt at a destination has failed.

use std::collections::HashMap;

use app::types::{AlertKind, Timestamp};

use crate::db::{Db, Tx};

/// Notes that attempts fail since then, unless they did already. Returns since when.
///
/// # Errors
/// The database does not answer.
pub async fn fails(tx: &mut Tx, destination_id: i64, since: Timestamp) -> sqlx::Result<Timestamp> {
    let sql = "insert into destination_health (destination_id, failing_since) values ($1, $2) \
               on conflict (destination_id) do update \
               set failing_since = coalesce(destination_health.failing_since, excluded.failing_since) \
               returning failing_since";
    let since: i64 = crate::within!(tx, on => sqlx::query_scalar(sql)
        .bind(destination_id)
        .bind(since.micros())
        .fetch_one(on).await)?;
    Ok(Timestamp::from_micros(since))
}

/// Notes that an attempt did not fail. Tells whether they did before.
///
/// # Errors
/// The database does not answer.
pub async fn recovers(tx: &mut Tx, destination_id: i64) -> sqlx::Result<bool> {
    let sql = "update destination_health set failing_since = null \
               where destination_id = $1 and failing_since is not null";
    let done = crate::within!(tx, on => sqlx::query(sql).bind(destination_id).execute(on).await.map(|done| done.rows_affected()))?;
    Ok(done > 0)
}

/// Since when each destination fails; null for those that do not. One that was never attempted is not there.
///
/// # Errors
/// The database does not answer.
pub async fn all(db: &Db) -> sqlx::Result<HashMap<i64, Option<Timestamp>>> {
    let sql = "select destination_id, failing_since from destination_health";
    let rows: Vec<(i64, Option<i64>)> = crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)?;
    Ok(rows.into_iter().map(|(id, since)| (id, since.map(Timestamp::from_micros))).collect())
}

/// Alerts of this kind that are not resolved, by subject; and whether there still is a destination of that name with a
/// delivery that has failed.
///
/// # Errors
/// The database does not answer.
pub async fn alerts(db: &Db, kind: AlertKind) -> sqlx::Result<Vec<(String, bool)>> {
    let sql = "select subject, exists (select 1 from destination join delivery on destination_id = destination.id \
               where slug = subject and deleted_at is null and delivery.state = 'failed') \
               from alert where kind = $1 and state <> 'resolved' order by subject";
    crate::read!(db, on => sqlx::query_as(sql).bind(kind.as_str()).fetch_all(on).await)
}
