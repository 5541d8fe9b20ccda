//! Rows of `resend`: made, read and cancelled by people. How they are worked off is in `resend_queue`.

pub mod queue;

use app::deliveries::DeliveryFilter;
use app::resends::{Resend, ResendLane};
use app::types::{Cursor, Page, PageRequest, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::error::Failure;

/// A resend that begins, as its collector's.
#[derive(Debug, Clone, Copy)]
pub struct ResendCollector<'a> {
    /// Who asked.
    pub actor: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Which deliveries.
    pub filter: &'a DeliveryFilter,
    /// Attempts a second at most.
    pub rate_per_s: Option<f64>,
    /// Who collects what matches.
    pub token: &'a str,
    /// Until when nobody else does.
    pub lease_until: Timestamp,
    /// When.
    pub now: Timestamp,
}

/// Adds one; its number.
///
/// # Errors
/// The database does not answer.
pub async fn insert(tx: &mut Tx, new: ResendCollector<'_>) -> Result<i64, Failure> {
    let sql = "insert into resend (actor, reason, filter, rate_per_s, state, created_at, lease_until, lease_token) \
               values ($1, $2, $3, $4, 'running', $5, $6, $7) returning id";
    let filter =
        serde_json::to_string(new.filter).map_err(|error| Failure::stored("resend.filter", error))?;
    Ok(crate::within!(tx, on => sqlx::query_scalar(sql)
        .bind(new.actor)
        .bind(new.reason)
        .bind(&filter)
        .bind(new.rate_per_s)
        .bind(new.now.micros())
        .bind(new.lease_until.micros())
        .bind(new.token)
        .fetch_one(on).await)?)
}

const COLUMNS: &str = "id, state, actor, reason, filter, rate_per_s, created_at, finished_at, matching, succeeded, \
                       failed";

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    state: String,
    actor: String,
    reason: String,
    filter: String,
    rate_per_s: Option<f64>,
    created_at: i64,
    finished_at: Option<i64>,
    matching: i64,
    succeeded: i64,
    failed: i64,
}

impl TryFrom<Raw> for Resend {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        Ok(Self {
            id: raw.id,
            state: raw.state.parse().map_err(|error| Failure::stored("resend.state", error))?,
            actor: raw.actor,
            reason: raw.reason,
            filter: serde_json::from_str(&raw.filter)
                .map_err(|error| Failure::stored("resend.filter", error))?,
            rate_per_s: raw.rate_per_s,
            created_at: Timestamp::from_micros(raw.created_at),
            finished_at: raw.finished_at.map(Timestamp::from_micros),
            matching: raw.matching,
            done: raw.succeeded + raw.failed,
            succeeded: raw.succeeded,
            failed: raw.failed,
        })
    }
}

/// Resends, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn list(db: &Db, page: PageRequest) -> Result<Page<Resend>, Failure> {
    let after = page.cursor.unwrap_or(Cursor { at: Timestamp::from_micros(i64::MAX), id: i64::MAX });
    let sql = format!(
        "select {COLUMNS} from resend where (created_at, id) < ($1, $2) order by created_at desc, id desc limit $3"
    );
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(after.at.micros())
        .bind(after.id)
        .bind(page.limit.get() + 1)
        .fetch_all(on).await)?;
    let rows = rows.into_iter().map(Resend::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.created_at, id: row.id }))
}

/// One.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn get(db: &Db, id: i64) -> Result<Option<Resend>, Failure> {
    let sql = format!("select {COLUMNS} from resend where id = $1");
    let row: Option<Raw> =
        crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(on).await)?;
    row.map(Resend::try_from).transpose()
}

/// Where its deliveries go, the most first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn lanes(db: &Db, id: i64) -> Result<Vec<ResendLane>, Failure> {
    let sql = "select t.slug, l.matching, l.waiting, t.paused_at > r.created_at and l.waiting > 0 as paused \
               from resend_lane l join resend r on r.id = l.resend_id join destination t on t.id = l.destination_id \
               where l.resend_id = $1 order by l.matching desc, t.slug";
    let rows: Vec<(String, i64, i64, Option<bool>)> =
        crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_all(on).await)?;
    let lane = |(slug, matching, waiting, paused): (String, i64, i64, Option<bool>)| {
        Ok(ResendLane {
            destination: slug.parse().map_err(|error| Failure::stored("destination.slug", error))?,
            matching,
            waiting,
            paused: paused.unwrap_or_default(),
        })
    };
    rows.into_iter().map(lane).collect()
}

/// Cancels one that runs: nothing more of it is asked for, and what is asked for and not begun is taken back. False:
/// it does not run.
///
/// # Errors
/// The database does not answer.
pub async fn cancel(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update resend set state = 'cancelled', finished_at = $2, lease_until = null, lease_token = null \
               where id = $1 and state = 'running'";
    let done = crate::within!(tx, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await
        .map(|done| done.rows_affected()))?;
    if done == 0 {
        return Ok(false);
    }
    let sql = "delete from attempt where id in (select attempt_id from resend_attempt where resend_id = $1) \
               and started_at is null and lease_token is null";
    crate::within!(tx, on => sqlx::query(sql).bind(id).execute(on).await.map(drop))?;
    let sql = "delete from resend_attempt where resend_id = $1 \
               and not exists (select 1 from attempt where attempt.id = resend_attempt.attempt_id)";
    crate::within!(tx, on => sqlx::query(sql).bind(id).execute(on).await.map(drop))?;
    Ok(true)
}
