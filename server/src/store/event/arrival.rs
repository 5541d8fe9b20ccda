//! Rows of `arrival`: when known events came again, and with which bytes if they were others.

use app::types::Timestamp;

use crate::db::Tx;

/// A known event that came again.
#[derive(Debug, Clone, Copy)]
pub struct NewArrival<'a> {
    /// The event's number.
    pub event_id: i64,
    /// When.
    pub received_at: Timestamp,
    /// Its bytes, when they are not those of the first arrival.
    pub altered: Option<&'a [u8]>,
}

/// Keeps them.
///
/// # Errors
/// The database does not answer.
pub async fn insert(tx: &mut Tx, arrivals: &[NewArrival<'_>]) -> sqlx::Result<()> {
    match tx {
        Tx::Sqlite(tx) => {
            for (sql, chunk) in sqlite::ARRIVALS.chunks(arrivals) {
                let mut query = sqlx::query(sql);
                for arrival in chunk {
                    query = query
                        .bind(arrival.event_id)
                        .bind(arrival.received_at.micros())
                        .bind(arrival.altered.is_none())
                        .bind(arrival.altered);
                }
                query.execute(&mut **tx).await?;
            }
        }
        Tx::Postgres(tx) => {
            let sql = "insert into arrival (event_id, received_at, same_bytes, body) \
                       select event_id, received_at, body is null, body \
                       from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as given (event_id, received_at, body)";
            sqlx::query(sql)
                .bind(arrivals.iter().map(|arrival| arrival.event_id).collect::<Vec<_>>())
                .bind(arrivals.iter().map(|arrival| arrival.received_at.micros()).collect::<Vec<_>>())
                .bind(arrivals.iter().map(|arrival| arrival.altered).collect::<Vec<_>>())
                .execute(&mut **tx)
                .await?;
        }
    }
    Ok(())
}

mod sqlite {
    use crate::store::rows::ValuesStatement;

    pub(in crate::store) static ARRIVALS: ValuesStatement = ValuesStatement::new(
        "insert into arrival (event_id, received_at, same_bytes, body) select * from ",
        4,
        " where column1 is not null",
    );
}

/// How many arrivals of an event with other bytes are kept.
///
/// # Errors
/// The database does not answer.
pub async fn count_altered(tx: &mut Tx, event_id: i64) -> sqlx::Result<i64> {
    let sql = "select count(*) from arrival where event_id = $1 and not same_bytes";
    crate::within!(tx, on => sqlx::query_scalar(sql).bind(event_id).fetch_one(on).await)
}
