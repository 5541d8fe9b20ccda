//! Deliveries that follow their destination: held when it is paused, let out when it is resumed, cancelled when it is
//! deleted. In batches, each a transaction of its own that looks first how the destination stands.

use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};

/// Rows of one transaction.
pub const BATCH: i64 = 1000;

/// Moves a batch of the deliveries of a destination to where they belong as it stands now: it stays so until the end
/// of the transaction. The oldest first. Returns how many; none: all are there.
///
/// # Errors
/// The database does not answer.
pub async fn shift(tx: &mut Tx, db: &Db, destination: i64, now: Timestamp) -> sqlx::Result<u64> {
    let sql = format!(
        "select paused_at is not null, deleted_at is not null from destination where id = $1{}",
        db.for_update()
    );
    let stands: Option<(bool, bool)> = crate::within!(tx, on => sqlx::query_as(AssertSqlSafe(sql)).bind(destination).fetch_optional(on).await)?;
    let (to, from, next) = match stands {
        None => return Ok(0),
        Some((_, true)) => ("cancelled", &["pending", "held"][..], None),
        Some((true, false)) => ("held", &["pending"][..], None),
        Some((false, false)) => ("pending", &["held"][..], Some(now.micros())),
    };
    for state in from {
        let moved = move_batch(tx, db, destination, state, to, next).await?;
        if moved > 0 {
            return Ok(moved);
        }
    }
    Ok(0)
}

async fn move_batch(
    tx: &mut Tx,
    db: &Db,
    destination: i64,
    from: &str,
    to: &str,
    next: Option<i64>,
) -> sqlx::Result<u64> {
    // Chosen by an index, locked in the order of their numbers as everybody does.
    let sql = format!(
        "update delivery set state = $3, next_attempt_at = $4 where id in \
         (select id from delivery where state = $2 and id in \
         (select id from delivery where destination_id = $1 and state = $2 order by received_at, id limit $5) \
         order by id{})",
        db.for_update()
    );
    crate::within!(tx, on => sqlx::query(AssertSqlSafe(sql))
        .bind(destination)
        .bind(from)
        .bind(to)
        .bind(next)
        .bind(BATCH)
        .execute(on).await.map(|done| done.rows_affected()))
}

/// Destinations with deliveries that are not where they belong: somebody was cut off while moving them.
///
/// # Errors
/// The database does not answer.
pub async fn find_unfinished(db: &Db) -> sqlx::Result<Vec<i64>> {
    let sql = "select d.id from destination d where \
               (d.deleted_at is null and d.paused_at is null and exists (select 1 from delivery x \
               where x.destination_id = d.id and x.state = 'held')) \
               or ((d.deleted_at is not null or d.paused_at is not null) and exists (select 1 from delivery x \
               where x.destination_id = d.id and x.state = 'pending')) \
               or (d.deleted_at is not null and exists (select 1 from delivery x \
               where x.destination_id = d.id and x.state = 'held'))";
    crate::read!(db, on => sqlx::query_scalar(sql).fetch_all(on).await)
}

/// How a destination stands: what waits for it, and what it did last.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DestinationStatusRow {
    /// Its name.
    pub slug: String,
    /// Deliveries on their ladder, up to 10 000.
    pub pending: i64,
    /// Those held, up to 10 000.
    pub held: i64,
    /// Those that used up their ladder, up to 10 000.
    pub failed: i64,
    /// When the first of those that were never attempted is due.
    pub first_due: Option<i64>,
    /// The same of the others.
    pub again_due: Option<i64>,
    /// When the newest event arrived that it took.
    pub last_delivered: Option<i64>,
    /// Since when every attempt has failed.
    pub failing_since: Option<i64>,
}

/// How every destination stands.
///
/// # Errors
/// The database does not answer.
pub async fn list_status(db: &Db) -> sqlx::Result<Vec<DestinationStatusRow>> {
    let counted = |state: &str| {
        format!(
            "(select count(*) from (select 1 from delivery x where x.destination_id = d.id and x.state = '{state}' \
             limit 10000) counted) as {state}"
        )
    };
    let sql = format!(
        "select d.slug, {}, {}, {}, \
         (select min(x.next_attempt_at) from delivery x where x.destination_id = d.id \
         and x.next_attempt_at is not null and x.attempts = 0) as first_due, \
         (select min(x.next_attempt_at) from delivery x where x.destination_id = d.id \
         and x.next_attempt_at is not null and x.attempts > 0) as again_due, \
         (select max(x.received_at) from delivery x where x.destination_id = d.id and x.state = 'delivered') \
         as last_delivered, \
         (select h.failing_since from destination_health h where h.destination_id = d.id) as failing_since \
         from destination d where d.deleted_at is null",
        counted("pending"),
        counted("held"),
        counted("failed"),
    );
    crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).fetch_all(on).await)
}
