//! Rows of `rejection_count`: how many arrivals of a source were refused in each minute.

use app::types::Timestamp;

use crate::db::{Db, Tx};

/// The minute of a moment.
pub const fn minute(at: Timestamp) -> i64 {
    at.unix().div_euclid(60)
}

/// Adds some to a minute of a source.
///
/// # Errors
/// The database does not answer.
pub async fn add(tx: &mut Tx, source_id: i64, minute: i64, rejected: i64) -> sqlx::Result<()> {
    let sql = "insert into rejection_count (minute, source_id, rejected) values ($1, $2, $3) \
               on conflict (minute, source_id) do update set rejected = rejection_count.rejected + excluded.rejected";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(minute)
        .bind(source_id)
        .bind(rejected)
        .execute(on).await.map(drop))
}

/// How many of each source, from a minute up to another, exclusive.
///
/// # Errors
/// The database does not answer.
pub async fn count_by_hour(db: &Db, from: i64, to: i64) -> sqlx::Result<Vec<(i64, i64)>> {
    let sql = "select source_id, cast(sum(rejected) as bigint) from rejection_count \
               where minute >= $1 and minute < $2 group by source_id order by source_id";
    crate::read!(db, on => sqlx::query_as(sql).bind(from).bind(to).fetch_all(on).await)
}

/// Forgets the minutes before.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, before: i64) -> sqlx::Result<()> {
    let sql = "delete from rejection_count where minute < $1";
    crate::write!(db, on => sqlx::query(sql).bind(before).execute(on).await.map(drop))
}
