//! What came of scheduled attempts, written for those whose lease is still ours: the attempt and where it leaves the
//! delivery, many in one statement.

use std::collections::HashSet;

use app::types::{AttemptError, Timestamp};
use sqlx::{Postgres, Sqlite, Transaction};

use crate::db::Tx;
use crate::domain::delivery::Delivery;
use crate::store::attempt::Record;
use crate::store::rows::ValuesStatement;

/// A scheduled attempt that is over.
#[derive(Debug, Clone)]
pub struct LadderAttempt<'a> {
    /// Of this delivery.
    pub delivery_id: i64,
    /// The lease that it was made under.
    pub token: &'a str,
    /// Whether somebody may have made it before.
    pub may_repeat: bool,
    /// How the delivery stood when it was claimed.
    pub was: &'a Delivery,
    /// How it stands now.
    pub now: Delivery,
    /// What is kept of the attempt.
    pub record: &'a Record,
}

impl LadderAttempt<'_> {
    /// Which rung.
    fn n(&self) -> i64 {
        i64::from(self.was.attempts) + 1
    }

    /// When it was due.
    fn queued_at(&self) -> i64 {
        self.was.next_attempt_at.unwrap_or(self.record.ending.started_at).micros()
    }
}

/// Writes attempts and deliveries of which nothing has changed since they were claimed, each delivery there once, and
/// ends their leases. Returns the deliveries; of the others nothing is written. All are locked first, in the order of
/// their numbers as everybody does.
///
/// # Errors
/// The database does not answer.
pub async fn schedule_next_attempts(tx: &mut Tx, rungs: &[LadderAttempt<'_>]) -> sqlx::Result<HashSet<i64>> {
    if rungs.is_empty() {
        return Ok(HashSet::new());
    }
    match tx {
        Tx::Sqlite(tx) => sqlite(tx, rungs).await,
        Tx::Postgres(tx) => postgres(tx, rungs).await,
    }
}

static MOVES: ValuesStatement = ValuesStatement::new(
    "with moved (id, token, was_attempts, was_due, state, attempts, first_attempt_at, next_attempt_at, delivered_at, \
     last_status, last_error) as ",
    11,
    " update delivery set state = moved.state, attempts = moved.attempts, \
     first_attempt_at = moved.first_attempt_at, next_attempt_at = moved.next_attempt_at, \
     delivered_at = moved.delivered_at, last_status = moved.last_status, last_error = moved.last_error, \
     lease_until = null, lease_token = null, may_repeat = false \
     from moved where delivery.id = moved.id and delivery.lease_token = moved.token \
     and delivery.state = 'pending' and delivery.attempts = moved.was_attempts \
     and delivery.next_attempt_at = moved.was_due \
     returning delivery.id",
);

static ATTEMPTS: ValuesStatement = ValuesStatement::new(
    "insert into attempt (delivery_id, n, trigger_kind, queued_at, started_at, duration_ms, latency, url, status, \
     error, detail, request_headers, response_headers, response_body, response_truncated, may_repeat) \
     select column1, column2, 'scheduled', column3, column4, column5, column6, column7, column8, column9, column10, \
     column11, column12, column13, column14, column15 from ",
    15,
    " where column1 is not null on conflict do nothing",
);

async fn sqlite(
    tx: &mut Transaction<'static, Sqlite>,
    rungs: &[LadderAttempt<'_>],
) -> sqlx::Result<HashSet<i64>> {
    let mut ours = HashSet::with_capacity(rungs.len());
    for (sql, chunk) in MOVES.chunks(rungs) {
        let mut query = sqlx::query_scalar(sql);
        for rung in chunk {
            query = query
                .bind(rung.delivery_id)
                .bind(rung.token)
                .bind(i64::from(rung.was.attempts))
                .bind(rung.was.next_attempt_at.map(Timestamp::micros))
                .bind(rung.now.state.as_str())
                .bind(i64::from(rung.now.attempts))
                .bind(rung.now.first_attempt_at.map(Timestamp::micros))
                .bind(rung.now.next_attempt_at.map(Timestamp::micros))
                .bind(rung.now.delivered_at.map(Timestamp::micros))
                .bind(rung.now.last_status.map(i64::from))
                .bind(rung.now.last_error.map(AttemptError::as_str));
        }
        let ids: Vec<i64> = query.fetch_all(&mut **tx).await?;
        ours.extend(ids);
    }
    let kept: Vec<_> = rungs.iter().filter(|rung| ours.contains(&rung.delivery_id)).collect();
    for (sql, chunk) in ATTEMPTS.chunks(&kept) {
        let mut query = sqlx::query(sql);
        for rung in chunk {
            let Record { ending, .. } = rung.record;
            query = query
                .bind(rung.delivery_id)
                .bind(rung.n())
                .bind(rung.queued_at())
                .bind(ending.started_at.micros())
                .bind(rung.record.duration_ms)
                .bind(rung.record.latency.as_deref())
                .bind(rung.record.url.as_deref())
                .bind(ending.status.map(i64::from))
                .bind(ending.error.map(AttemptError::as_str))
                .bind(rung.record.detail.as_deref())
                .bind(rung.record.request_headers.as_str())
                .bind(rung.record.response_headers.as_deref())
                .bind(rung.record.response_body.as_deref())
                .bind(rung.record.response_truncated)
                .bind(rung.may_repeat);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(ours)
}

const SCHEDULE_NEXT_ATTEMPTS: &str = "with given as materialized ( \
       select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], \
         $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::bigint[], \
         $14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::bigint[], $19::text[], $20::text[], \
         $21::text[], $22::text[], $23::bytea[], $24::boolean[], $25::boolean[]) \
       as given (id, token, was_attempts, was_due, state, attempts, first_attempt_at, next_attempt_at, \
         delivered_at, last_status, last_error, n, queued_at, started_at, duration_ms, latency, url, status, error, \
         detail, request_headers, response_headers, response_body, response_truncated, may_repeat)), \
     locked as materialized ( \
       select id from delivery where id = any($1::bigint[]) order by id for no key update), \
     moved as ( \
       update delivery set state = given.state, attempts = given.attempts, \
         first_attempt_at = given.first_attempt_at, next_attempt_at = given.next_attempt_at, \
         delivered_at = given.delivered_at, last_status = given.last_status, last_error = given.last_error, \
         lease_until = null, lease_token = null, may_repeat = false \
       from given join locked on locked.id = given.id \
       where delivery.id = locked.id and delivery.lease_token = given.token and delivery.state = 'pending' \
       and delivery.attempts = given.was_attempts \
       and delivery.next_attempt_at = given.was_due \
       returning delivery.id), \
     kept as ( \
       insert into attempt (delivery_id, n, trigger_kind, queued_at, started_at, duration_ms, latency, url, status, \
         error, detail, request_headers, response_headers, response_body, response_truncated, may_repeat) \
     select given.id, n, 'scheduled', queued_at, started_at, duration_ms, latency, url, status, error, detail, \
       request_headers, response_headers, response_body, response_truncated, given.may_repeat \
     from given join moved on moved.id = given.id \
     on conflict do nothing) \
     select id from moved";

async fn postgres(
    tx: &mut Transaction<'static, Postgres>,
    rungs: &[LadderAttempt<'_>],
) -> sqlx::Result<HashSet<i64>> {
    macro_rules! column {
        ($rung:ident => $value:expr) => {
            rungs.iter().map(|$rung| $value).collect::<Vec<_>>()
        };
    }
    let ids: Vec<i64> = sqlx::query_scalar(SCHEDULE_NEXT_ATTEMPTS)
        .bind(column!(rung => rung.delivery_id))
        .bind(column!(rung => rung.token))
        .bind(column!(rung => i64::from(rung.was.attempts)))
        .bind(column!(rung => rung.was.next_attempt_at.map(Timestamp::micros)))
        .bind(column!(rung => rung.now.state.as_str()))
        .bind(column!(rung => i64::from(rung.now.attempts)))
        .bind(column!(rung => rung.now.first_attempt_at.map(Timestamp::micros)))
        .bind(column!(rung => rung.now.next_attempt_at.map(Timestamp::micros)))
        .bind(column!(rung => rung.now.delivered_at.map(Timestamp::micros)))
        .bind(column!(rung => rung.now.last_status.map(i64::from)))
        .bind(column!(rung => rung.now.last_error.map(AttemptError::as_str)))
        .bind(column!(rung => rung.n()))
        .bind(column!(rung => rung.queued_at()))
        .bind(column!(rung => rung.record.ending.started_at.micros()))
        .bind(column!(rung => rung.record.duration_ms))
        .bind(column!(rung => rung.record.latency.as_deref()))
        .bind(column!(rung => rung.record.url.as_deref()))
        .bind(column!(rung => rung.record.ending.status.map(i64::from)))
        .bind(column!(rung => rung.record.ending.error.map(AttemptError::as_str)))
        .bind(column!(rung => rung.record.detail.as_deref()))
        .bind(column!(rung => rung.record.request_headers.as_str()))
        .bind(column!(rung => rung.record.response_headers.as_deref()))
        .bind(column!(rung => rung.record.response_body.as_deref()))
        .bind(column!(rung => rung.record.response_truncated))
        .bind(column!(rung => rung.may_repeat))
        .fetch_all(&mut **tx)
        .await?;
    Ok(ids.into_iter().collect())
}
