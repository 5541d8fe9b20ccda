//! Rows of `attempt`: those by hand wait in it, and every one is kept in it.

pub mod result;

use app::types::{AttemptError, Timestamp};
use bytes::Bytes;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::delivery::Ending;
use crate::error::Failure;
use crate::store::delivery::claim::LEASE_MARGIN;
use crate::store::placeholders::{Placeholders, filled, size_for};

/// What is kept of an attempt that is over.
#[derive(Debug, Clone)]
pub struct Record {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub duration_ms: i64,
    /// Where the time went, as JSON.
    pub latency: Option<String>,
    /// Where it went.
    pub url: Option<String>,
    /// More of the error.
    pub detail: Option<String>,
    /// Name and value pairs, as JSON.
    pub request_headers: String,
    /// Name and value pairs, as JSON; none without an answer.
    pub response_headers: Option<String>,
    /// What came back, capped.
    pub response_body: Option<Vec<u8>>,
    /// More came back than is kept.
    pub response_truncated: bool,
}

/// A scheduled attempt that is over.
#[derive(Debug, Clone, Copy)]
pub struct ScheduledRow<'a> {
    /// Of this delivery.
    pub delivery_id: i64,
    /// Which rung.
    pub n: u32,
    /// When it was due.
    pub queued_at: Timestamp,
    /// Whether somebody may have made it before.
    pub may_repeat: bool,
    /// What is kept of it.
    pub record: &'a Record,
}

/// A manual attempt that is ours to make until its lease ends.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ManualRow {
    /// Its number.
    pub id: i64,
    /// Of this delivery.
    pub delivery_id: i64,
    /// Of this event.
    pub event_id: i64,
    /// To this destination.
    pub destination_id: i64,
}

/// A manual attempt that is over.
#[derive(Debug, Clone, Copy)]
pub struct ManualEnd<'a> {
    /// Its number.
    pub id: i64,
    /// The lease that it was made under.
    pub token: &'a str,
    /// What is kept of it.
    pub record: &'a Record,
}

/// Asks for a manual attempt; the deliverer makes it at once. False: there is no such delivery.
///
/// # Errors
/// The database does not answer.
pub async fn enqueue_manual(
    tx: &mut Tx,
    delivery_id: i64,
    actor: &str,
    reason: &str,
    now: Timestamp,
) -> Result<bool, Failure> {
    let sql = "insert into attempt (delivery_id, trigger_kind, actor, reason, queued_at) \
               select id, 'manual', $2, $3, $4 from delivery where id = $1";
    let done = crate::within!(tx, on => sqlx::query(sql)
        .bind(delivery_id)
        .bind(actor)
        .bind(reason)
        .bind(now.micros())
        .execute(on)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(done == 1)
}

/// Claims manual attempts that wait, oldest first.
///
/// # Errors
/// The database does not answer.
pub async fn claim_manual(
    tx: &mut Tx,
    db: &Db,
    limit: i64,
    token: &str,
    now: Timestamp,
) -> sqlx::Result<Vec<ManualRow>> {
    let sql = format!(
        "with waiting as (select id from attempt \
         where trigger_kind = 'manual' and started_at is null and (lease_until is null or lease_until <= $1) \
         order by id limit $4{}) \
         update attempt set lease_token = $2, may_repeat = may_repeat or lease_token is not null, \
         lease_until = $1 + $3 + (select timeout_ms * 1000 from delivery join destination on destination.id = destination_id \
         where delivery.id = attempt.delivery_id) \
         where id in (select id from waiting) \
         returning id, delivery_id, \
         (select event_id from delivery where delivery.id = attempt.delivery_id) as event_id, \
         (select destination_id from delivery where delivery.id = attempt.delivery_id) as destination_id",
        db.skip_locked()
    );
    let mut rows: Vec<ManualRow> = crate::within!(tx, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(now.micros())
        .bind(token)
        .bind(LEASE_MARGIN)
        .bind(limit)
        .fetch_all(on)
        .await)?;
    rows.sort_unstable_by_key(|row| row.id);
    Ok(rows)
}

/// Binds what is kept of an attempt, in the order of [`RECORDED`].
macro_rules! bind_record {
    ($query:expr, $record:expr) => {{
        let Record { ending, .. } = $record;
        $query
            .bind(ending.started_at.micros())
            .bind($record.duration_ms)
            .bind(&$record.latency)
            .bind(&$record.url)
            .bind(ending.status.map(i64::from))
            .bind(ending.error.map(AttemptError::as_str))
            .bind(&$record.detail)
            .bind(&$record.request_headers)
            .bind(&$record.response_headers)
            .bind(&$record.response_body)
            .bind($record.response_truncated)
    }};
}

/// The columns of what is kept of an attempt.
const RECORDED: &str = "started_at, duration_ms, latency, url, status, error, detail, request_headers, \
                        response_headers, response_body, response_truncated";

/// Keeps scheduled attempts. One whose rung there is already is left out.
///
/// # Errors
/// The database does not answer.
pub async fn insert_scheduled(tx: &mut Tx, rows: &[ScheduledRow<'_>]) -> sqlx::Result<()> {
    let sql = format!(
        "insert into attempt (delivery_id, n, trigger_kind, queued_at, may_repeat, {RECORDED}) \
         values {} on conflict do nothing",
        Placeholders::within(tx).rows(size_for(rows.len()), 16)
    );
    crate::within!(tx, on => {
        let query = filled(rows).fold(sqlx::query(AssertSqlSafe(sql)), |query, row| {
            let query = query
                .bind(row.delivery_id)
                .bind(i64::from(row.n))
                .bind("scheduled")
                .bind(row.queued_at.micros())
                .bind(row.may_repeat);
            bind_record!(query, row.record)
        });
        query.execute(on).await.map(drop)
    })
}

/// Fills in manual attempts, each only if its lease is still ours. Returns the numbers of those that it was.
///
/// # Errors
/// The database does not answer.
pub async fn finish_manual(tx: &mut Tx, rows: &[ManualEnd<'_>]) -> sqlx::Result<Vec<i64>> {
    let set: Vec<_> = RECORDED.split(", ").map(|name| format!("{name} = ended.{name}")).collect();
    let sql = format!(
        "with ended (id, token, {RECORDED}) as (values {}) \
         update attempt set {}, lease_until = null, lease_token = null \
         from ended where attempt.id = ended.id and attempt.lease_token = ended.token \
         returning attempt.id",
        Placeholders::within(tx).rows(size_for(rows.len()), 13),
        set.join(", ")
    );
    crate::within!(tx, on => {
        let query = filled(rows).fold(sqlx::query_scalar(AssertSqlSafe(sql)), |query, row| {
            bind_record!(query.bind(row.id).bind(row.token), row.record)
        });
        query.fetch_all(on).await
    })
}

/// Bytes of a body that are read before it is its turn; a larger one is read when its attempt starts.
const AT_HAND: i64 = 64 * 1024;

/// What of an event is delivered.
#[derive(Debug, Clone)]
pub struct PayloadRow {
    /// Our number of the event.
    pub id: i64,
    /// The provider's id of it.
    pub event_id: String,
    /// The name of its source.
    pub source: String,
    /// When it happened, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// As received.
    pub content_type: Option<String>,
    /// As received.
    pub content_encoding: Option<String>,
    /// As received; none: ask `body` for it.
    pub body: Option<Bytes>,
}

#[derive(sqlx::FromRow)]
struct RawPayload {
    id: i64,
    event_id: String,
    source: String,
    occurred_at: Option<i64>,
    content_type: Option<String>,
    content_encoding: Option<String>,
    body: Option<Vec<u8>>,
}

/// Reads what is delivered of these events.
///
/// # Errors
/// The database does not answer.
pub async fn payloads(db: &Db, events: &[i64]) -> sqlx::Result<Vec<PayloadRow>> {
    let mut marks = Placeholders::on(db);
    let sql = format!(
        "select event.id, event.event_id, source.slug as source, event.occurred_at, event.content_type, \
         event.content_encoding, event_body.body \
         from event join source on source.id = event.source_id \
         left join event_body on event_body.event_id = event.id and event.body_size <= {} \
         where event.id in ({})",
        marks.one(),
        marks.list(size_for(events.len()))
    );
    let rows: Vec<RawPayload> = crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(AT_HAND);
        filled(events).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    let payload = |raw: RawPayload| PayloadRow {
        id: raw.id,
        event_id: raw.event_id,
        source: raw.source,
        occurred_at: raw.occurred_at.map(Timestamp::from_micros),
        content_type: raw.content_type,
        content_encoding: raw.content_encoding,
        body: raw.body.map(Bytes::from),
    };
    Ok(rows.into_iter().map(payload).collect())
}

/// Reads the body of one event.
///
/// # Errors
/// The database does not answer, or there is none.
pub async fn body(db: &Db, event: i64) -> sqlx::Result<Vec<u8>> {
    let sql = "select body from event_body where event_id = $1";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(event).fetch_one(on).await)
}
