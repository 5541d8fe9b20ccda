//! The ledger step's statements: events that are not processed, and the deliveries made of them.

use app::types::Timestamp;
use sqlx::{AssertSqlSafe, Postgres, Transaction};

use super::placeholders::{Placeholders, filled, size_for};
use super::rows::ValuesStatement;
use crate::db::{Db, Tx};
use crate::domain::delivery::Delivery;

/// An event that waits.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct UnprocessedRow {
    /// Its number.
    pub id: i64,
    /// The row of its source.
    pub source_id: i64,
    /// The name of its source, also of a deleted one.
    pub source: String,
    /// The provider's name of it.
    pub r#type: String,
    /// What the money happened to.
    pub resource_id: Option<String>,
    /// When it arrived.
    pub received_at: i64,
}

/// A delivery that is about to be made.
#[derive(Debug, Clone)]
pub struct NewDelivery<'a> {
    /// Of this event.
    pub event: &'a UnprocessedRow,
    /// To this destination.
    pub destination_id: i64,
    /// How it begins.
    pub delivery: Delivery,
}

/// Locks events that nobody else is processing, oldest first. Those that wait for a person are passed over.
///
/// # Errors
/// The database does not answer.
pub async fn lock_unprocessed(tx: &mut Tx, db: &Db, limit: i64) -> sqlx::Result<Vec<UnprocessedRow>> {
    let sql = format!(
        "select id, source_id, (select slug from source where source.id = event.source_id) as source, type, resource_id, \
         received_at \
         from event where processed_at is null and not held order by id limit $1{}",
        db.skip_locked()
    );
    crate::within!(tx, on => sqlx::query_as(AssertSqlSafe(sql)).bind(limit).fetch_all(on).await)
}

/// The number of the newest destination: a higher one than is known means that another process has made one.
///
/// # Errors
/// The database does not answer.
pub async fn newest_destination_id(tx: &mut Tx) -> sqlx::Result<Option<i64>> {
    let sql = "select max(id) from destination where deleted_at is null";
    crate::within!(tx, on => sqlx::query_scalar(sql).fetch_one(on).await)
}

/// Which of the destinations there still are, and whether they are paused. They stay so until the transaction ends:
/// who pauses, resumes or deletes one at this moment waits, and then sees the deliveries made here.
///
/// # Errors
/// The database does not answer.
pub async fn lock_destinations(tx: &mut Tx, db: &Db, ids: &[i64]) -> sqlx::Result<Vec<(i64, bool)>> {
    let sql = format!(
        "select id, paused_at is not null from destination where deleted_at is null and id in ({}) order by id{}",
        Placeholders::within(tx).list(size_for(ids.len())),
        db.for_share()
    );
    crate::within!(tx, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql));
        filled(ids).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })
}

/// Makes deliveries; those that there are already stay as they are. Returns how many are new.
///
/// # Errors
/// The database does not answer.
pub async fn insert_deliveries(tx: &mut Tx, rows: &[NewDelivery<'_>]) -> sqlx::Result<u64> {
    match tx {
        Tx::Sqlite(tx) => {
            let mut made = 0;
            for (sql, chunk) in DELIVERIES.chunks(rows) {
                let query = chunk.iter().fold(sqlx::query(sql), |query, row| {
                    query
                        .bind(row.event.id)
                        .bind(row.destination_id)
                        .bind(row.event.source_id)
                        .bind(row.event.r#type.as_str())
                        .bind(row.event.resource_id.as_deref())
                        .bind(row.event.received_at)
                        .bind(row.delivery.state.as_str())
                        .bind(i64::from(row.delivery.max_attempts))
                        .bind(row.delivery.next_attempt_at.map(Timestamp::micros))
                });
                made += query.execute(&mut **tx).await?.rows_affected();
            }
            Ok(made)
        }
        Tx::Postgres(tx) => insert_arrays(tx, rows).await,
    }
}

static DELIVERIES: ValuesStatement = ValuesStatement::new(
    "insert into delivery (event_id, destination_id, source_id, type, resource_id, received_at, state, max_attempts, \
     next_attempt_at) select * from ",
    9,
    " where column1 is not null on conflict (event_id, destination_id) do nothing",
);

async fn insert_arrays(
    tx: &mut Transaction<'static, Postgres>,
    rows: &[NewDelivery<'_>],
) -> sqlx::Result<u64> {
    let sql = "insert into delivery (event_id, destination_id, source_id, type, resource_id, received_at, state, \
                 max_attempts, next_attempt_at) \
               select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], \
                 $7::text[], $8::bigint[], $9::bigint[]) \
               on conflict (event_id, destination_id) do nothing";
    macro_rules! column {
        ($row:ident => $value:expr) => {
            rows.iter().map(|$row| $value).collect::<Vec<_>>()
        };
    }
    let done = sqlx::query(sql)
        .bind(column!(row => row.event.id))
        .bind(column!(row => row.destination_id))
        .bind(column!(row => row.event.source_id))
        .bind(column!(row => row.event.r#type.as_str()))
        .bind(column!(row => row.event.resource_id.as_deref()))
        .bind(column!(row => row.event.received_at))
        .bind(column!(row => row.delivery.state.as_str()))
        .bind(column!(row => i64::from(row.delivery.max_attempts)))
        .bind(column!(row => row.delivery.next_attempt_at.map(Timestamp::micros)))
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected())
}

/// Marks events as processed that were not. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn mark_processed(tx: &mut Tx, events: &[UnprocessedRow], now: Timestamp) -> sqlx::Result<u64> {
    match tx {
        Tx::Sqlite(tx) => {
            let mut marked = 0;
            for (sql, chunk) in PROCESSED.chunks(events) {
                let query = sqlx::query(sql).bind(now.micros());
                let query = chunk.iter().fold(query, |query, event| query.bind(event.id));
                marked += query.execute(&mut **tx).await?.rows_affected();
            }
            Ok(marked)
        }
        Tx::Postgres(tx) => {
            let sql = "update event set processed_at = $1 where processed_at is null and id = any($2)";
            let ids: Vec<_> = events.iter().map(|event| event.id).collect();
            let done = sqlx::query(sql).bind(now.micros()).bind(ids).execute(&mut **tx).await?;
            Ok(done.rows_affected())
        }
    }
}

static PROCESSED: ValuesStatement = ValuesStatement::new(
    "update event set processed_at = ? where processed_at is null and id in (select column1 from ",
    1,
    ")",
);

/// Marks events that no destination takes, so that somebody sees them.
///
/// # Errors
/// The database does not answer.
pub async fn mark_unrouted(tx: &mut Tx, events: &[i64]) -> sqlx::Result<()> {
    let sql = format!(
        "update event set unrouted = true where id in ({})",
        Placeholders::within(tx).list(size_for(events.len()))
    );
    crate::within!(tx, on => {
        filled(events).fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(*id)).execute(on).await.map(drop)
    })
}

/// An event that is about to be delivered by hand, locked; and it has a destination from now on. None: it is not there,
/// or waits for a person.
///
/// # Errors
/// The database does not answer.
pub async fn route(tx: &mut Tx, id: i64) -> sqlx::Result<Option<UnprocessedRow>> {
    let sql = "update event set unrouted = false where id = $1 and not held returning id, source_id, \
               (select slug from source where source.id = event.source_id) as source, type, resource_id, received_at";
    crate::within!(tx, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)
}

/// The number of the delivery of an event to a destination.
///
/// # Errors
/// The database does not answer.
pub async fn delivery_of(tx: &mut Tx, event: i64, destination: i64) -> sqlx::Result<Option<i64>> {
    let sql = "select id from delivery where event_id = $1 and destination_id = $2";
    crate::within!(tx, on => sqlx::query_scalar(sql).bind(event).bind(destination).fetch_optional(on).await)
}
