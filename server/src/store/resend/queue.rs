//! How resends of many are worked off: what matched waits in `resend_item`, leaves it in the transaction that asks for
//! its attempt, and is counted when that has ended.

use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::store::delivery::matches::MatchedDelivery;
use crate::store::placeholders::{Placeholders, filled, size_for};

/// Rows of one insert.
const ROWS: usize = 256;

/// Whether there is anything to do at all.
///
/// # Errors
/// The database does not answer.
pub async fn is_any(db: &Db) -> sqlx::Result<bool> {
    let sql = "select exists (select 1 from resend where state = 'running') \
               or exists (select 1 from resend_attempt) or exists (select 1 from resend_item)";
    crate::read!(db, on => sqlx::query_scalar(sql).fetch_one(on).await)
}

/// Keeps a batch of what matched. False: it is no longer this collector's.
///
/// # Errors
/// The database does not answer.
pub async fn add(
    tx: &mut Tx,
    id: i64,
    members: &[MatchedDelivery],
    token: &str,
    lease_until: Timestamp,
) -> sqlx::Result<bool> {
    let sql = "update resend set matching = matching + $3, lease_until = $4 \
               where id = $1 and lease_token = $2 and state = 'running' and not collected";
    let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
    let ours = crate::within!(tx, on => sqlx::query(sql)
        .bind(id)
        .bind(token)
        .bind(count)
        .bind(lease_until.micros())
        .execute(on).await.map(|done| done.rows_affected()))?;
    if ours == 0 {
        return Ok(false);
    }
    for rows in members.chunks(ROWS) {
        let sql = format!(
            "insert into resend_item (resend_id, destination_id, delivery_id) values {} on conflict do nothing",
            Placeholders::within(tx).rows(size_for(rows.len()), 3)
        );
        crate::within!(tx, on => {
            let query = filled(rows).fold(sqlx::query(AssertSqlSafe(sql)), |query, row| {
                query.bind(id).bind(row.destination_id).bind(row.id)
            });
            query.execute(on).await.map(drop)
        })?;
    }
    let mut counts = std::collections::BTreeMap::new();
    members.iter().for_each(|member| *counts.entry(member.destination_id).or_insert(0_i64) += 1);
    let sql = "insert into resend_lane (resend_id, destination_id, matching, waiting) values ($1, $2, $3, $3) \
               on conflict (resend_id, destination_id) do update \
               set matching = resend_lane.matching + excluded.matching, \
               waiting = resend_lane.waiting + excluded.waiting";
    for (destination, count) in counts {
        crate::within!(tx, on => sqlx::query(sql).bind(id).bind(destination).bind(count).execute(on).await.map(drop))?;
    }
    Ok(true)
}

/// All of it is there: it may begin, whoever works it off.
///
/// # Errors
/// The database does not answer.
pub async fn collected(db: &Db, id: i64, token: &str) -> sqlx::Result<()> {
    let sql = "update resend set collected = true, lease_until = null, lease_token = null \
               where id = $1 and lease_token = $2 and state = 'running'";
    crate::write!(db, on => sqlx::query(sql).bind(id).bind(token).execute(on).await.map(drop))
}

/// Takes over one whose collector was cut off. Its number and filter.
///
/// # Errors
/// The database does not answer.
pub async fn claim_run(
    db: &Db,
    token: &str,
    now: Timestamp,
    lease_until: Timestamp,
) -> sqlx::Result<Option<(i64, String)>> {
    let sql = "update resend set lease_token = $1, lease_until = $3 where id = (select id from resend \
               where state = 'running' and not collected and (lease_until is null or lease_until <= $2) \
               order by id limit 1) and not collected and (lease_until is null or lease_until <= $2) \
               returning id, filter";
    crate::write!(db, on => sqlx::query_as(sql)
        .bind(token)
        .bind(now.micros())
        .bind(lease_until.micros())
        .fetch_optional(on).await)
}

/// Forgets some of what waits of one that is cancelled, or that is collected anew. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn remove_waiting(tx: &mut Tx, id: i64, limit: i64) -> sqlx::Result<u64> {
    let sql = "delete from resend_item where resend_id = $1 and (destination_id, delivery_id) in \
               (select destination_id, delivery_id from resend_item where resend_id = $1 limit $2)";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(limit).execute(on).await.map(|done| done.rows_affected()))
}

/// Begins to count anew, when nothing waits any more.
///
/// # Errors
/// The database does not answer.
pub async fn requeue_claimed(tx: &mut Tx, id: i64) -> sqlx::Result<()> {
    for sql in
        ["delete from resend_lane where resend_id = $1", "update resend set matching = 0 where id = $1"]
    {
        crate::within!(tx, on => sqlx::query(sql).bind(id).execute(on).await.map(drop))?;
    }
    Ok(())
}

/// Those that were cancelled and have rows that wait.
///
/// # Errors
/// The database does not answer.
pub async fn cancelled(db: &Db) -> sqlx::Result<Option<i64>> {
    let sql = "select r.id from resend r where r.state = 'cancelled' \
               and exists (select 1 from resend_item i where i.resend_id = r.id) limit 1";
    crate::read!(db, on => sqlx::query_scalar(sql).fetch_optional(on).await)
}

/// An attempt that is over: its number, its resend, and whether the destination took it.
pub type FinishedAttempt = (i64, i64, bool);

/// Attempts that are over and not counted yet. One that is gone was pruned with its event: it counts as failed.
///
/// # Errors
/// The database does not answer.
pub async fn list_finished(db: &Db) -> sqlx::Result<Vec<FinishedAttempt>> {
    let sql = "select r.attempt_id, r.resend_id, a.id is not null and a.error is null \
               from resend_attempt r left join attempt a on a.id = r.attempt_id \
               where a.id is null or a.started_at is not null order by r.attempt_id limit 256";
    crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)
}

/// Counts attempts that are over, each once however many processes see it.
///
/// # Errors
/// The database does not answer.
pub async fn count(tx: &mut Tx, ended: &[FinishedAttempt]) -> sqlx::Result<()> {
    if ended.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "delete from resend_attempt where attempt_id in ({}) returning attempt_id",
        Placeholders::within(tx).list(size_for(ended.len()))
    );
    let ours: Vec<i64> = crate::within!(tx, on => {
        let query = sqlx::query_scalar(AssertSqlSafe(sql));
        filled(ended).fold(query, |query, (attempt, ..)| query.bind(*attempt)).fetch_all(on).await
    })?;
    let mut counts = std::collections::BTreeMap::new();
    for (_, resend, succeeded) in ended.iter().filter(|(attempt, ..)| ours.contains(attempt)) {
        let (good, bad) = counts.entry(*resend).or_insert((0_i64, 0_i64));
        *(if *succeeded { good } else { bad }) += 1;
    }
    for (resend, (good, bad)) in counts {
        add_counts(tx, resend, good, bad).await?;
    }
    Ok(())
}

async fn add_counts(tx: &mut Tx, resend: i64, good: i64, bad: i64) -> sqlx::Result<()> {
    let sql = "update resend set succeeded = succeeded + $2, failed = failed + $3 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(resend).bind(good).bind(bad).execute(on).await.map(drop))
}

/// What waits of one resend for one destination.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct RunRow {
    /// The resend.
    pub resend_id: i64,
    /// The destination.
    pub destination_id: i64,
    /// How many wait.
    pub waiting: i64,
    /// What the destination takes at the same time.
    pub max_in_flight: i64,
    /// What it takes a second.
    pub rate_per_s: Option<f64>,
    /// Attempts a second of the resend.
    pub pace: Option<f64>,
}

/// What this process may ask for next, oldest first. A destination that was paused since waits.
///
/// # Errors
/// The database does not answer.
pub async fn claim_runs(db: &Db, token: &str, limit: i64) -> sqlx::Result<Vec<RunRow>> {
    let sql = "select l.resend_id, l.destination_id, l.waiting, t.max_in_flight, t.rate_per_s, r.rate_per_s as pace \
               from resend_lane l join resend r on r.id = l.resend_id join destination t on t.id = l.destination_id \
               where l.waiting > 0 and r.state = 'running' and r.collected and r.lease_token = $1 \
               and (t.paused_at is null or t.paused_at <= r.created_at) \
               order by l.resend_id, l.destination_id limit $2";
    crate::read!(db, on => sqlx::query_as(sql).bind(token).bind(limit).fetch_all(on).await)
}

/// How many attempts of resends are asked for and not over, by destination.
///
/// # Errors
/// The database does not answer.
pub async fn outstanding(db: &Db) -> sqlx::Result<Vec<(i64, i64)>> {
    let sql = "select destination_id, count(*) from resend_attempt group by destination_id";
    crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)
}

/// Takes the resends that nobody works off, and keeps those that are ours.
///
/// # Errors
/// The database does not answer.
pub async fn lease(tx: &mut Tx, token: &str, now: Timestamp, until: Timestamp) -> sqlx::Result<()> {
    let sql = "update resend set lease_token = $1, lease_until = $3 where state = 'running' and collected \
               and (lease_token is null or lease_token = $1 or lease_until <= $2)";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(token)
        .bind(now.micros())
        .bind(until.micros())
        .execute(on).await.map(drop))
}

/// Asks for the next attempts of a lane, and takes what they are for from what waits. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn ask(
    tx: &mut Tx,
    (resend, destination): (i64, i64),
    count: i64,
    token: &str,
    now: Timestamp,
) -> sqlx::Result<usize> {
    // Whoever cancels waits for us, or we find it cancelled.
    let sql = "update resend set lease_token = lease_token where id = $1 and state = 'running' and lease_token = $2 \
               returning actor, reason";
    let ours: Option<(String, String)> =
        crate::within!(tx, on => sqlx::query_as(sql).bind(resend).bind(token).fetch_optional(on).await)?;
    let Some((actor, reason)) = ours else { return Ok(0) };
    let sql = "delete from resend_item where resend_id = $1 and destination_id = $2 and delivery_id in \
               (select delivery_id from resend_item where resend_id = $1 and destination_id = $2 \
               order by delivery_id limit $3) returning delivery_id";
    let mut ids: Vec<i64> = crate::within!(tx, on => sqlx::query_scalar(sql)
        .bind(resend)
        .bind(destination)
        .bind(count)
        .fetch_all(on).await)?;
    ids.sort_unstable();
    let mut asked = 0;
    for ids in ids.chunks(ROWS) {
        asked += insert_attempts(tx, (resend, destination), ids, (&actor, &reason), now).await?;
    }
    let taken = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let sql = "update resend_lane set waiting = waiting - $3 where resend_id = $1 and destination_id = $2";
    crate::within!(tx, on => sqlx::query(sql).bind(resend).bind(destination).bind(taken).execute(on).await.map(drop))?;
    // Pruned since: there is nothing to attempt.
    let gone = i64::try_from(ids.len() - asked).unwrap_or_default();
    if gone > 0 {
        add_counts(tx, resend, 0, gone).await?;
    }
    Ok(ids.len())
}

async fn insert_attempts(
    tx: &mut Tx,
    (resend, destination): (i64, i64),
    deliveries: &[i64],
    (actor, reason): (&str, &str),
    now: Timestamp,
) -> sqlx::Result<usize> {
    let mut marks = Placeholders::within(tx);
    let sql = format!(
        "insert into attempt (delivery_id, trigger_kind, actor, reason, queued_at) \
         select id, 'manual', {}, {}, {} from delivery where id in ({}) order by id returning id",
        marks.one(),
        marks.one(),
        marks.one(),
        marks.list(size_for(deliveries.len()))
    );
    let attempts: Vec<i64> = crate::within!(tx, on => {
        let query = sqlx::query_scalar(AssertSqlSafe(sql)).bind(actor).bind(reason).bind(now.micros());
        filled(deliveries).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    if attempts.is_empty() {
        return Ok(0);
    }
    let sql = format!(
        "insert into resend_attempt (attempt_id, resend_id, destination_id) values {} on conflict do nothing",
        Placeholders::within(tx).rows(size_for(attempts.len()), 3)
    );
    crate::within!(tx, on => {
        let query = filled(&attempts).fold(sqlx::query(AssertSqlSafe(sql)), |query, attempt| {
            query.bind(*attempt).bind(resend).bind(destination)
        });
        query.execute(on).await.map(drop)
    })?;
    Ok(attempts.len())
}

/// Ends those of which nothing waits and nothing runs. Returns how many.
///
/// # Errors
/// The database does not answer.
pub async fn finish(tx: &mut Tx, now: Timestamp) -> sqlx::Result<u64> {
    let sql = "update resend set state = 'done', finished_at = $1, lease_until = null, lease_token = null \
               where state = 'running' and collected \
               and not exists (select 1 from resend_lane l where l.resend_id = resend.id and l.waiting > 0) \
               and not exists (select 1 from resend_attempt r where r.resend_id = resend.id)";
    crate::within!(tx, on => sqlx::query(sql).bind(now.micros()).execute(on).await.map(|done| done.rows_affected()))
}

/// Ends every lease at once: right on SQLite at start, where no other process can be at work.
///
/// # Errors
/// The database does not answer.
pub async fn end_leases(db: &Db) -> sqlx::Result<()> {
    let sql = "update resend set lease_until = null, lease_token = null where lease_token is not null";
    crate::write!(db, on => sqlx::query(sql).execute(on).await.map(drop))
}
