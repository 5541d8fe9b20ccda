//! What is deleted because it is old.

use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use super::placeholders::{Placeholders, filled, size_for};
use crate::db::{Db, Tx};

/// Where the oldest event that is kept may begin: its time and number.
pub type Position = (i64, i64);

/// Events received before `before` and after `from` that are over: processed, and no delivery of them on its ladder or
/// held. Oldest first.
///
/// # Errors
/// The database does not answer.
pub async fn over(db: &Db, before: Timestamp, from: Position, limit: i64) -> sqlx::Result<Vec<Position>> {
    let sql = "select received_at, id from event \
               where received_at < $1 and (received_at, id) > ($2, $3) and processed_at is not null \
               and not exists (select 1 from delivery \
               where delivery.event_id = event.id and state in ('pending', 'held')) \
               order by received_at, id limit $4";
    crate::read!(db, on => sqlx::query_as(sql)
        .bind(before.micros())
        .bind(from.0)
        .bind(from.1)
        .bind(limit)
        .fetch_all(on)
        .await)
}

/// Deletes events with all that belongs to them: body, arrivals, deliveries, attempts. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn delete_events(tx: &mut Tx, ids: &[i64]) -> sqlx::Result<u64> {
    let places = Placeholders::within(tx).list(size_for(ids.len()));
    let sql = format!(
        "delete from event where id in ({places}) and not exists (select 1 from delivery \
         where delivery.event_id = event.id and state in ('pending', 'held')) returning id"
    );
    let deleted: Vec<i64> = crate::within!(tx, on => {
        let query = sqlx::query_scalar(AssertSqlSafe(sql));
        filled(ids).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    if !deleted.is_empty() {
        let places = Placeholders::within(tx).list(size_for(deleted.len()));
        if let Tx::Postgres(tx) = tx {
            // In the order of their numbers, as whoever writes down their attempts does.
            let sql = "select from delivery where event_id = any($1) order by id for update";
            sqlx::query(sql).bind(&deleted).execute(&mut **tx).await?;
        }
        for table in ["event_body", "delivery"] {
            let sql = format!("delete from {table} where event_id in ({places})");
            crate::within!(tx, on => {
                let query = sqlx::query(AssertSqlSafe(sql));
                filled(&deleted).fold(query, |query, id| query.bind(*id)).execute(on).await.map(drop)
            })?;
        }
    }
    Ok(deleted.len() as u64)
}

/// Deletes sessions that have ended.
///
/// # Errors
/// The database does not answer.
pub async fn delete_sessions(db: &Db, now: Timestamp) -> sqlx::Result<()> {
    let sql = "delete from session where expires_at <= $1";
    crate::write!(db, on => sqlx::query(sql).bind(now.micros()).execute(on).await.map(drop))
}
