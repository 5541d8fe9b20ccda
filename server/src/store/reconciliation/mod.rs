//! Rows of `reconciliation`, and what a run looks up.

pub mod difference;

use std::collections::{BTreeMap, HashMap};

use app::reconciliation::Reconciliation;
use app::types::{Cursor, DeliveryState, DifferenceKind, Limit, Page, PageRequest, Slug, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::difference::{NewestEvent, UndeliveredDelivery};
use crate::error::Failure;
use crate::store::placeholders;

/// A run that is about to begin.
#[derive(Debug, Clone)]
pub struct NewRun<'a> {
    /// Of this source.
    pub source_id: i64,
    /// The night that it is of; none: by hand.
    pub night: Option<&'a str>,
    /// Who asked for it.
    pub actor: &'a str,
    /// Made at the provider at or after.
    pub from: Timestamp,
    /// Made at the provider before.
    pub to: Timestamp,
    /// Whether it takes in what is missing.
    pub backfill: bool,
}

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Rows that the provider listed.
    pub fetched: i64,
    /// Of them, compared.
    pub compared: i64,
    /// Events that were taken in.
    pub backfilled: i64,
    /// Differences, by kind.
    pub seen: BTreeMap<DifferenceKind, i64>,
}

/// Begins a run. None: one of this source runs already, or this night had its run.
///
/// # Errors
/// The database does not answer.
pub async fn begin(tx: &mut Tx, run: &NewRun<'_>, now: Timestamp) -> sqlx::Result<Option<i64>> {
    let sql = "insert into reconciliation (source_id, trigger_kind, night, actor, window_from, window_to, backfill, \
               state, started_at, heartbeat_at) \
               values ($1, $2, $3, $4, $5, $6, $7, 'running', $8, $8) on conflict do nothing returning id";
    crate::within!(tx, on => sqlx::query_scalar(sql)
        .bind(run.source_id)
        .bind(if run.night.is_some() { "nightly" } else { "manual" })
        .bind(run.night)
        .bind(run.actor)
        .bind(run.from.micros())
        .bind(run.to.micros())
        .bind(run.backfill)
        .bind(now.micros())
        .fetch_optional(on).await)
}

/// Writes down how far a run is. False: somebody has ended it, because it gave no sign of life.
///
/// # Errors
/// The database does not answer.
pub async fn progress(tx: &mut Tx, id: i64, progress: &Progress, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update reconciliation set heartbeat_at = $2, fetched = $3, compared = $4, seen_missing = $5, \
               seen_status = $6, seen_undelivered = $7, backfilled = $8 where id = $1 and state = 'running'";
    let seen = |kind| progress.seen.get(&kind).copied().unwrap_or(0);
    let rows = crate::within!(tx, on => sqlx::query(sql)
        .bind(id)
        .bind(now.micros())
        .bind(progress.fetched)
        .bind(progress.compared)
        .bind(seen(DifferenceKind::Missing))
        .bind(seen(DifferenceKind::Status))
        .bind(seen(DifferenceKind::Undelivered))
        .bind(progress.backfilled)
        .execute(on).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// A sign of life. False: somebody has ended the run.
///
/// # Errors
/// The database does not answer.
pub async fn heartbeat(db: &Db, id: i64, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update reconciliation set heartbeat_at = $2 where id = $1 and state = 'running'";
    let rows = crate::write!(db, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Ends a run; with an error it has failed, and gives its night back, so that it is made again.
///
/// # Errors
/// The database does not answer.
pub async fn finish(db: &Db, id: i64, error: Option<&str>, now: Timestamp) -> sqlx::Result<()> {
    let sql = "update reconciliation set state = $2, error = $3, finished_at = $4, \
               night = case when $2 = 'failed' then null else night end where id = $1 and state = 'running'";
    crate::write!(db, on => sqlx::query(sql)
        .bind(id)
        .bind(if error.is_some() { "failed" } else { "done" })
        .bind(error)
        .bind(now.micros())
        .execute(on).await.map(drop))
}

/// Ends the runs whose last sign of life is older than `before`. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn end_stale(db: &Db, before: Timestamp, error: &str, now: Timestamp) -> sqlx::Result<u64> {
    let sql = "update reconciliation set state = 'failed', night = null, finished_at = $1, error = $2 \
               where state = 'running' and heartbeat_at < $3";
    crate::write!(db, on => sqlx::query(sql).bind(now.micros()).bind(error).bind(before.micros()).execute(on).await
        .map(|done| done.rows_affected()))
}

/// Sources with credentials that were there when the night began, had no run of it yet, and none since `failed_since`
/// that failed.
///
/// # Errors
/// The database does not answer.
pub async fn sources_due(
    db: &Db,
    night: &str,
    begins: Timestamp,
    failed_since: Timestamp,
) -> sqlx::Result<Vec<i64>> {
    let sql = "select id from source where deleted_at is null and api_key is not null and created_at <= $1 \
               and not exists (select 1 from reconciliation r where r.source_id = source.id and (r.night = $2 \
                 or (r.trigger_kind = 'nightly' and r.state = 'failed' and r.started_at > $3))) \
               order by id";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(begins.micros()).bind(night).bind(failed_since.micros())
        .fetch_all(on).await)
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    source: String,
    trigger_kind: String,
    actor: String,
    window_from: i64,
    window_to: i64,
    state: String,
    started_at: i64,
    finished_at: Option<i64>,
    fetched: i64,
    compared: i64,
    backfill: bool,
    backfilled: i64,
    seen_missing: i64,
    seen_status: i64,
    seen_undelivered: i64,
    error: Option<String>,
}

impl TryFrom<Raw> for Reconciliation {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let seen = [
            (DifferenceKind::Missing, raw.seen_missing),
            (DifferenceKind::Status, raw.seen_status),
            (DifferenceKind::Undelivered, raw.seen_undelivered),
        ];
        Ok(Self {
            id: raw.id,
            source: raw.source.parse().map_err(|error| Failure::stored("source.slug", error))?,
            trigger: raw.trigger_kind,
            actor: raw.actor,
            from: Timestamp::from_micros(raw.window_from),
            to: Timestamp::from_micros(raw.window_to),
            state: raw.state.parse().map_err(|error| Failure::stored("reconciliation.state", error))?,
            started_at: Timestamp::from_micros(raw.started_at),
            finished_at: raw.finished_at.map(Timestamp::from_micros),
            fetched: raw.fetched,
            compared: raw.compared,
            backfill: raw.backfill,
            backfilled: raw.backfilled,
            differences: seen.into_iter().collect(),
            error: raw.error,
        })
    }
}

const COLUMNS: &str = "r.id, s.slug as source, r.trigger_kind, r.actor, r.window_from, r.window_to, r.state, \
                       r.started_at, r.finished_at, r.fetched, r.compared, r.backfill, r.backfilled, \
                       r.seen_missing, r.seen_status, r.seen_undelivered, r.error";

/// Runs, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn list(
    db: &Db,
    source: Option<&Slug>,
    page: PageRequest,
) -> Result<Page<Reconciliation>, Failure> {
    let after = page.cursor.unwrap_or(Cursor { at: Timestamp::from_micros(i64::MAX), id: i64::MAX });
    let sql = format!(
        "select {COLUMNS} from reconciliation r join source s on s.id = r.source_id \
         where (cast($1 as text) is null or s.slug = $1) and (r.started_at, r.id) < ($2, $3) \
         order by r.started_at desc, r.id desc limit $4"
    );
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(source.map(Slug::as_str))
        .bind(after.at.micros())
        .bind(after.id)
        .bind(page.limit.get() + 1)
        .fetch_all(on).await)?;
    let runs = rows.into_iter().map(Reconciliation::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(runs, page.limit, |run| Cursor { at: run.started_at, id: run.id }))
}

/// One run.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn get(db: &Db, id: i64) -> Result<Option<Reconciliation>, Failure> {
    let sql =
        format!("select {COLUMNS} from reconciliation r join source s on s.id = r.source_id where r.id = $1");
    let row: Option<Raw> =
        crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(on).await)?;
    row.map(Reconciliation::try_from).transpose()
}

/// The newest runs, for the page.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn newest(db: &Db) -> Result<Vec<Reconciliation>, Failure> {
    let limit: Limit = "20".parse().unwrap_or_default();
    Ok(list(db, None, PageRequest { cursor: None, limit }).await?.items)
}

/// The newest events of these resources, each with its resource. Of one resource there is more than one when they
/// happened in the same second.
///
/// # Errors
/// The database does not answer.
pub async fn newest_events(
    db: &Db,
    source_id: i64,
    resources: &[&str],
) -> sqlx::Result<Vec<(String, NewestEvent)>> {
    if resources.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select resource_id, id, type, status from (\
           select resource_id, id, type, status, rank() over (\
             partition by resource_id order by coalesce(occurred_at, received_at) desc) as place \
           from event where source_id = $1 and resource_id in ({})) newest \
         where place = 1",
        placeholders::list(resources.len(), 2)
    );
    let rows: Vec<(String, i64, String, Option<String>)> = crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(source_id);
        resources.iter().fold(query, |query, resource| query.bind(*resource)).fetch_all(on).await
    })?;
    Ok(rows
        .into_iter()
        .map(|(resource, id, r#type, status)| (resource, NewestEvent { id, r#type, status }))
        .collect())
}

/// Those of these events that we have: by the provider's id, our number.
///
/// # Errors
/// The database does not answer.
pub async fn known_events(db: &Db, source_id: i64, ids: &[&str]) -> sqlx::Result<HashMap<String, i64>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "select event_id, id from event where source_id = $1 and event_id in ({})",
        placeholders::list(ids.len(), 2)
    );
    let rows: Vec<(String, i64)> = crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(source_id);
        ids.iter().fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    Ok(rows.into_iter().collect())
}

/// Deliveries of these events that their destinations never took, each with its event. One that waits for its first
/// attempt is no failure yet.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn undelivered(db: &Db, events: &[i64]) -> Result<Vec<(i64, UndeliveredDelivery)>, Failure> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select d.event_id, d.id, d.state, t.slug from delivery d join destination t on t.id = d.destination_id \
         where d.event_id in ({}) \
         and (d.state in ('failed', 'held', 'cancelled') or (d.state = 'pending' and d.attempts > 0))",
        placeholders::list(events.len(), 1)
    );
    let rows: Vec<(i64, i64, String, String)> = crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql));
        events.iter().fold(query, |query, event| query.bind(*event)).fetch_all(on).await
    })?;
    rows.into_iter()
        .map(|(event, id, state, destination)| {
            let state: DeliveryState =
                state.parse().map_err(|error| Failure::stored("delivery.state", error))?;
            Ok((event, UndeliveredDelivery { id, state, destination }))
        })
        .collect()
}

/// The bodies of the events of these resources, each with its resource.
///
/// # Errors
/// The database does not answer.
pub async fn bodies(db: &Db, source_id: i64, resources: &[&str]) -> sqlx::Result<Vec<(String, Vec<u8>)>> {
    if resources.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select e.resource_id, b.body from event e join event_body b on b.event_id = e.id \
         where e.source_id = $1 and e.resource_id in ({}) order by e.id desc limit 1000",
        placeholders::list(resources.len(), 2)
    );
    crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(source_id);
        resources.iter().fold(query, |query, resource| query.bind(*resource)).fetch_all(on).await
    })
}
