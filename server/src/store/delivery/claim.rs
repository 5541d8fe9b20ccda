//! What is due: claimed with a lease, and looked at.
//!
//! Only what is pending has a `next_attempt_at`, so that the time alone says what is due. The statements do not name
//! the state: on PostgreSQL with statistics older than a sudden backlog the planner would read all that is pending by
//! the index of states, and sort it for every claim.

use app::types::{AttemptError, DeliveryState, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::delivery::Delivery;
use crate::error::Failure;

/// How long a lease outlasts its attempt's time limit.
pub(in crate::store) const LEASE_MARGIN: i64 = 20 * 1_000_000;

/// How many deliveries to a destination are wanted.
#[derive(Debug, Clone, Copy)]
pub struct ClaimRequest {
    /// The destination.
    pub destination_id: i64,
    /// How many at most.
    pub room: i64,
    /// Whether a retry comes before a first attempt: it matters where there is room for an odd number.
    pub retries_first: bool,
}

impl ClaimRequest {
    /// What is added to the places of retries, which are even as those of first attempts are.
    const fn retries_at(&self) -> i64 {
        if self.retries_first { -1 } else { 1 }
    }
}

/// A delivery that is ours to attempt until its lease ends.
#[derive(Debug, Clone)]
pub struct ClaimedRow {
    /// Its number.
    pub id: i64,
    /// Of this event.
    pub event_id: i64,
    /// To this destination.
    pub destination_id: i64,
    /// Until when it is ours.
    pub lease_until: Timestamp,
    /// Somebody had it before and wrote nothing down: what they sent may be sent again.
    pub may_repeat: bool,
    /// How it stands.
    pub delivery: Delivery,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    event_id: i64,
    destination_id: i64,
    lease_until: i64,
    may_repeat: bool,
    attempts: i64,
    max_attempts: i64,
    first_attempt_at: Option<i64>,
    next_attempt_at: Option<i64>,
    last_status: Option<i64>,
    last_error: Option<String>,
}

impl TryFrom<Raw> for ClaimedRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let counted = |what, number| u32::try_from(number).map_err(|error| Failure::stored(what, error));
        let last_error = raw.last_error.map(|error| error.parse::<AttemptError>()).transpose();
        Ok(Self {
            id: raw.id,
            event_id: raw.event_id,
            destination_id: raw.destination_id,
            lease_until: Timestamp::from_micros(raw.lease_until),
            may_repeat: raw.may_repeat,
            delivery: Delivery {
                state: DeliveryState::Pending,
                attempts: counted("delivery.attempts", raw.attempts)?,
                max_attempts: counted("delivery.max_attempts", raw.max_attempts)?,
                first_attempt_at: raw.first_attempt_at.map(Timestamp::from_micros),
                next_attempt_at: raw.next_attempt_at.map(Timestamp::from_micros),
                delivered_at: None,
                last_status: raw.last_status.and_then(|status| u16::try_from(status).ok()),
                last_error: last_error.map_err(|error| Failure::stored("delivery.last_error", error))?,
            },
        })
    }
}

/// Claims what is due, of each destination at most so many, in one statement: first attempts and retries in turns, each
/// in the order in which they are due, so that neither starves the other. What a process claimed and did not finish is
/// due again when its lease ends.
///
/// # Errors
/// The database does not answer.
pub async fn claim(
    tx: &mut Tx,
    wants: &[ClaimRequest],
    token: &str,
    now: Timestamp,
) -> Result<Vec<ClaimedRow>, Failure> {
    let rows: Vec<Raw> = match tx {
        Tx::Sqlite(tx) => {
            let sql = sqlite(wants.len());
            let query = sqlx::query_as(AssertSqlSafe(sql)).bind(now.micros()).bind(token).bind(LEASE_MARGIN);
            let query = wants.iter().fold(query, |query, want| {
                query.bind(want.destination_id).bind(want.room).bind(want.retries_at())
            });
            query.fetch_all(&mut **tx).await?
        }
        Tx::Postgres(tx) => {
            sqlx::query_as(POSTGRES)
                .bind(now.micros())
                .bind(token)
                .bind(LEASE_MARGIN)
                .bind(wants.iter().map(|want| want.destination_id).collect::<Vec<_>>())
                .bind(wants.iter().map(|want| want.room).collect::<Vec<_>>())
                .bind(wants.iter().map(ClaimRequest::retries_at).collect::<Vec<_>>())
                .fetch_all(&mut **tx)
                .await?
        }
    };
    let mut rows = rows.into_iter().map(ClaimedRow::try_from).collect::<Result<Vec<_>, _>>()?;
    rows.sort_unstable_by_key(|row| (row.delivery.next_attempt_at, row.id));
    Ok(rows)
}

/// What a claim returns.
macro_rules! returning {
    () => {
        " returning delivery.id, delivery.event_id, delivery.destination_id, delivery.lease_until, delivery.may_repeat, delivery.attempts, \
          delivery.max_attempts, delivery.first_attempt_at, delivery.next_attempt_at, delivery.last_status, \
          delivery.last_error"
    };
}

const POSTGRES: &str = concat!(
    "with due as materialized ( \
       select found.id, timeout_ms from unnest($4::bigint[], $5::bigint[], $6::bigint[]) \
         as want (destination_id, room, retries_at) \
       join destination on destination.id = want.destination_id \
       cross join lateral ( \
         select id from ( \
           (select id, 2 * row_number() over (order by next_attempt_at, id) as place from ( \
             select id, next_attempt_at from delivery \
             where delivery.destination_id = want.destination_id and attempts = 0 and next_attempt_at <= $1 \
             and (lease_until is null or lease_until <= $1) \
             order by next_attempt_at, id limit want.room for update skip locked) as first) \
           union all \
           (select id, 2 * row_number() over (order by next_attempt_at, id) + want.retries_at as place from ( \
             select id, next_attempt_at from delivery \
             where delivery.destination_id = want.destination_id and attempts > 0 and next_attempt_at <= $1 \
             and (lease_until is null or lease_until <= $1) \
             order by next_attempt_at, id limit want.room for update skip locked) as again) \
         ) as either order by place limit want.room) as found) \
     update delivery set lease_token = $2, lease_until = $1 + $3 + due.timeout_ms * 1000, \
       may_repeat = delivery.may_repeat or delivery.lease_token is not null \
     from due where delivery.id = due.id",
    returning!()
);

/// Without arrays and lateral joins, a part of the statement for each destination.
fn sqlite(wants: usize) -> String {
    let due = |attempts: &str, to: usize| {
        format!(
            "select id, next_attempt_at from delivery where destination_id = ${to} and attempts {attempts} \
             and next_attempt_at <= $1 and (lease_until is null or lease_until <= $1) \
             order by next_attempt_at, id limit ${}",
            to + 1
        )
    };
    let parts = (0..wants).map(|index| {
        let to = 4 + 3 * index;
        format!(
            "select id from (select id, place from ( \
               select id, 2 * row_number() over (order by next_attempt_at, id) as place from ({}) \
               union all \
               select id, 2 * row_number() over (order by next_attempt_at, id) + ${} as place from ({})) \
             order by place limit ${})",
            due("= 0", to),
            to + 2,
            due("> 0", to),
            to + 1
        )
    });
    format!(
        "with due as ({}) update delivery set lease_token = $2, may_repeat = may_repeat or lease_token is not null, \
         lease_until = $1 + $3 + (select timeout_ms * 1000 from destination \
         where destination.id = delivery.destination_id) where id in (select id from due){}",
        parts.collect::<Vec<_>>().join(" union all "),
        returning!()
    )
}

/// What is due at a destination and nobody has claimed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct DueRow {
    /// The destination.
    pub id: i64,
    /// Its name.
    pub slug: String,
    /// How many, counted up to 10 000.
    pub due: i64,
    /// Since when the oldest one is.
    pub oldest: Option<i64>,
}

/// What waits at each destination that is neither paused nor deleted.
///
/// # Errors
/// The database does not answer.
pub async fn due(db: &Db, now: Timestamp) -> sqlx::Result<Vec<DueRow>> {
    let unclaimed = "next_attempt_at <= $1 and (lease_until is null or lease_until <= $1)";
    let sql = format!(
        "select id, slug, \
           (select count(*) from (select 1 from delivery where destination_id = destination.id and attempts = 0 \
             and {unclaimed} limit 10000) as first) + \
           (select count(*) from (select 1 from delivery where destination_id = destination.id and attempts > 0 \
             and {unclaimed} limit 10000) as again) as due, \
           (select min(next_attempt_at) from (select next_attempt_at from ( \
               select next_attempt_at from delivery where destination_id = destination.id and attempts = 0 \
               and {unclaimed} order by next_attempt_at limit 1) as first \
             union all select next_attempt_at from ( \
               select next_attempt_at from delivery where destination_id = destination.id and attempts > 0 \
               and {unclaimed} order by next_attempt_at limit 1) as again) as earliest) as oldest \
         from destination where deleted_at is null and paused_at is null order by id"
    );
    crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(now.micros()).fetch_all(on).await)
}

/// Which destinations have something to claim.
///
/// # Errors
/// The database does not answer.
pub async fn destinations_with_due(tx: &mut Tx, now: Timestamp) -> sqlx::Result<Vec<i64>> {
    let sql = "select id from destination where deleted_at is null and paused_at is null and ( \
                 exists (select 1 from delivery where destination_id = destination.id and attempts = 0 \
                   and next_attempt_at <= $1 and (lease_until is null or lease_until <= $1)) \
                 or exists (select 1 from delivery where destination_id = destination.id and attempts > 0 \
                   and next_attempt_at <= $1 and (lease_until is null or lease_until <= $1)))";
    crate::within!(tx, on => sqlx::query_scalar(sql).bind(now.micros()).fetch_all(on).await)
}
