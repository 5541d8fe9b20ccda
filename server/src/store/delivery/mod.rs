//! Rows of `delivery` that move: settled, held, released, cancelled.

pub mod claim;
pub mod detail;
pub mod list;
pub mod matches;

use app::types::{AttemptError, DeliveryState, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::delivery::Delivery;
use crate::error::Failure;
use crate::store::placeholders::{Placeholders, filled, size_for};

/// A delivery, locked for a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedRow {
    /// Its number.
    pub id: i64,
    /// Until when somebody attempts it, and who.
    pub lease: Option<(i64, String)>,
    /// How it stands.
    pub delivery: Delivery,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    state: String,
    attempts: i64,
    max_attempts: i64,
    first_attempt_at: Option<i64>,
    next_attempt_at: Option<i64>,
    delivered_at: Option<i64>,
    last_status: Option<i64>,
    last_error: Option<String>,
    lease_until: Option<i64>,
    lease_token: Option<String>,
}

impl TryFrom<Raw> for LockedRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let wrong = |what| move |error: app::types::UnknownValue| Failure::stored(what, error);
        let counted = |what, number| u32::try_from(number).map_err(|error| Failure::stored(what, error));
        let last_error = raw.last_error.map(|error| error.parse::<AttemptError>()).transpose();
        Ok(Self {
            id: raw.id,
            lease: raw.lease_until.zip(raw.lease_token),
            delivery: Delivery {
                state: raw.state.parse::<DeliveryState>().map_err(wrong("delivery.state"))?,
                attempts: counted("delivery.attempts", raw.attempts)?,
                max_attempts: counted("delivery.max_attempts", raw.max_attempts)?,
                first_attempt_at: raw.first_attempt_at.map(Timestamp::from_micros),
                next_attempt_at: raw.next_attempt_at.map(Timestamp::from_micros),
                delivered_at: raw.delivered_at.map(Timestamp::from_micros),
                last_status: raw.last_status.and_then(|status| u16::try_from(status).ok()),
                last_error: last_error.map_err(wrong("delivery.last_error"))?,
            },
        })
    }
}

/// Reads and locks deliveries, in the order of their numbers so that two who lock the same ones never wait for each
/// other.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn lock(tx: &mut Tx, db: &Db, ids: &[i64]) -> Result<Vec<LockedRow>, Failure> {
    let sql = format!(
        "select id, state, attempts, max_attempts, first_attempt_at, next_attempt_at, delivered_at, last_status, \
         last_error, lease_until, lease_token \
         from delivery where id in ({}) order by id{}",
        Placeholders::within(tx).list(size_for(ids.len())),
        db.for_update()
    );
    let rows: Vec<Raw> = crate::within!(tx, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql));
        filled(ids).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(LockedRow::try_from).collect()
}

/// Locks deliveries, as `lock` does, where more than one statement follows.
///
/// # Errors
/// The database does not answer.
pub async fn reserve(tx: &mut Tx, ids: &[i64]) -> sqlx::Result<()> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    let sql = "select from delivery where id = any($1) order by id for no key update";
    sqlx::query(sql).bind(ids).execute(&mut **tx).await.map(drop)
}

/// Writes how locked deliveries stand now, each only if it still stands as it was read. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn apply_moves(tx: &mut Tx, moves: &[(LockedRow, LockedRow)]) -> sqlx::Result<u64> {
    let sql = format!(
        "with moved (id, was_state, was_attempts, state, attempts, first_attempt_at, next_attempt_at, delivered_at, \
         last_status, last_error, lease_until, lease_token) as (values {}) \
         update delivery set state = moved.state, attempts = moved.attempts, \
         first_attempt_at = moved.first_attempt_at, next_attempt_at = moved.next_attempt_at, \
         delivered_at = moved.delivered_at, last_status = moved.last_status, last_error = moved.last_error, \
         lease_until = moved.lease_until, lease_token = moved.lease_token, \
         may_repeat = delivery.may_repeat and moved.lease_token is not null \
         from moved \
         where delivery.id = moved.id and delivery.state = moved.was_state \
         and delivery.attempts = moved.was_attempts",
        Placeholders::within(tx).rows(size_for(moves.len()), 12)
    );
    crate::within!(tx, on => {
        let query = filled(moves).fold(sqlx::query(AssertSqlSafe(sql)), |query, (was, now)| {
            let lease = now.lease.as_ref();
            query
                .bind(was.id)
                .bind(was.delivery.state.as_str())
                .bind(i64::from(was.delivery.attempts))
                .bind(now.delivery.state.as_str())
                .bind(i64::from(now.delivery.attempts))
                .bind(now.delivery.first_attempt_at.map(Timestamp::micros))
                .bind(now.delivery.next_attempt_at.map(Timestamp::micros))
                .bind(now.delivery.delivered_at.map(Timestamp::micros))
                .bind(now.delivery.last_status.map(i64::from))
                .bind(now.delivery.last_error.map(AttemptError::as_str))
                .bind(lease.map(|(until, _)| *until))
                .bind(lease.map(|(_, token)| token.as_str()))
        });
        query.execute(on).await.map(|done| done.rows_affected())
    })
}

/// Gives claims back that were not used.
///
/// # Errors
/// The database does not answer.
pub async fn return_claims(tx: &mut Tx, claims: &[(i64, String)]) -> sqlx::Result<()> {
    let sql = format!(
        "update delivery set lease_until = null, lease_token = null where (id, lease_token) in (values {})",
        Placeholders::within(tx).rows(size_for(claims.len()), 2)
    );
    crate::within!(tx, on => {
        let query = sqlx::query(AssertSqlSafe(sql));
        filled(claims).fold(query, |query, (id, token)| query.bind(*id).bind(token)).execute(on).await.map(drop)
    })
}

/// Ends every lease at once: right on SQLite at start, where no other process can be at work. What was sent under one may
/// be sent again.
///
/// # Errors
/// The database does not answer.
pub async fn end_leases(tx: &mut Tx) -> sqlx::Result<()> {
    let deliveries = "update delivery set lease_until = null, lease_token = null, may_repeat = true \
                      where state in ('pending', 'held') and lease_token is not null";
    let attempts = "update attempt set lease_until = null, lease_token = null, may_repeat = true \
                    where trigger_kind = 'manual' and started_at is null and lease_token is not null";
    for sql in [deliveries, attempts] {
        crate::within!(tx, on => sqlx::query(sql).execute(on).await.map(drop))?;
    }
    Ok(())
}
