//! Rows of `alert`.

use app::alerts::{Alert, AlertFilter, Facts};
use app::text::Lang;
use app::types::{AlertKind, Cursor, Page, PageRequest, Timestamp};
use sqlx::AssertSqlSafe;

use super::list_planner::filter::{Filter, fetch};
use super::placeholders::{Placeholders, filled, size_for};
use crate::db::{Db, Tx};
use crate::error::Failure;

/// Opens one. As long as one of this kind about this subject is not resolved it stays the only one, acknowledged or
/// not, and takes over the facts.
///
/// # Errors
/// The database does not answer.
pub async fn open(tx: &mut Tx, subject: &str, facts: &Facts, now: Timestamp) -> sqlx::Result<()> {
    let sql = "insert into alert (kind, subject, facts, opened_at, state) values ($1, $2, $3, $4, 'open') \
               on conflict (kind, subject) where state <> 'resolved' do update set facts = excluded.facts";
    let written = serde_json::to_string(facts).map_err(|error| sqlx::Error::Encode(error.into()))?;
    crate::within!(tx, on => sqlx::query(sql)
        .bind(facts.kind().as_str())
        .bind(subject)
        .bind(&written)
        .bind(now.micros())
        .execute(on).await.map(drop))
}

/// Locks the one of this kind about this subject that goes on, if there is one, until the transaction ends.
///
/// # Errors
/// The database does not answer.
pub async fn lock(tx: &mut Tx, kind: AlertKind, subject: &str) -> sqlx::Result<()> {
    let sql = "update alert set kind = kind where kind = $1 and subject = $2 and state <> 'resolved'";
    crate::within!(tx, on => sqlx::query(sql).bind(kind.as_str()).bind(subject).execute(on).await.map(drop))
}

/// Resolves the one of this kind about this subject, if there is one. Tells whether there was.
///
/// # Errors
/// The database does not answer.
pub async fn resolve(tx: &mut Tx, kind: AlertKind, subject: &str, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update alert set state = 'resolved', resolved_at = $3 \
               where kind = $1 and subject = $2 and state <> 'resolved'";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(kind.as_str())
        .bind(subject)
        .bind(now.micros())
        .execute(on).await.map(|done| done.rows_affected() > 0))
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    kind: String,
    subject: String,
    facts: String,
    opened_at: i64,
    state: String,
    acknowledged_by: Option<String>,
    acknowledged_at: Option<i64>,
    resolved_at: Option<i64>,
}

impl TryFrom<Raw> for Alert {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let facts: Facts =
            serde_json::from_str(&raw.facts).map_err(|error| Failure::stored("alert.facts", error))?;
        Ok(Self {
            id: raw.id,
            kind: raw.kind.parse().map_err(|error| Failure::stored("alert.kind", error))?,
            detail: facts.describe(&raw.subject, Lang::En.texts()),
            subject: raw.subject,
            facts,
            opened_at: Timestamp::from_micros(raw.opened_at),
            state: raw.state.parse().map_err(|error| Failure::stored("alert.state", error))?,
            acknowledged_by: raw.acknowledged_by,
            acknowledged_at: raw.acknowledged_at.map(Timestamp::from_micros),
            resolved_at: raw.resolved_at.map(Timestamp::from_micros),
        })
    }
}

/// One page of those that match, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(db: &Db, filter: &AlertFilter, page: PageRequest) -> Result<Page<Alert>, Failure> {
    let mut select = Filter::default();
    select.raw(
        "select id, kind, subject, facts, opened_at, state, acknowledged_by, acknowledged_at, resolved_at from alert",
    );
    if let Some(state) = filter.state {
        select.and("state = {}", [state.as_str().into()]);
    }
    if let Some(kind) = filter.kind {
        select.and("kind = {}", [kind.as_str().into()]);
    }
    if let Some(cursor) = page.cursor {
        select.and("(opened_at, id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
    }
    select.raw(" order by opened_at desc, id desc limit ");
    select.value(page.limit.get() + 1);
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(Alert::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.opened_at, id: row.id }))
}

/// These alerts, in the order of the list.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn rows(db: &Db, ids: &[i64]) -> Result<Vec<Alert>, Failure> {
    let sql = format!(
        "select id, kind, subject, facts, opened_at, state, acknowledged_by, acknowledged_at, resolved_at \
         from alert where id in ({}) order by opened_at desc, id desc",
        Placeholders::on(db).list(size_for(ids.len()))
    );
    let rows: Vec<Raw> = crate::read!(db, on => {
        filled(ids).fold(sqlx::query_as(AssertSqlSafe(sql)), |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(Alert::try_from).collect()
}

/// How many are open.
///
/// # Errors
/// The database does not answer.
pub async fn count_open(db: &Db) -> sqlx::Result<i64> {
    // Twice, for the index over those that are not resolved to be seen.
    let sql = "select count(*) from alert where state <> 'resolved' and state = 'open'";
    crate::read!(db, on => sqlx::query_scalar(sql).fetch_one(on).await)
}

/// What those of a kind are about that go on.
///
/// # Errors
/// The database does not answer.
pub async fn list_open_subjects(db: &Db, kind: AlertKind) -> sqlx::Result<Vec<String>> {
    let sql = "select subject from alert where kind = $1 and state <> 'resolved'";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(kind.as_str()).fetch_all(on).await)
}

/// One.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn find(db: &Db, id: i64) -> Result<Option<Alert>, Failure> {
    Ok(rows(db, &[id]).await?.pop())
}

/// Marks one as looked at, when it is open. Tells whether it was.
///
/// # Errors
/// The database does not answer.
pub async fn acknowledge(tx: &mut Tx, id: i64, actor: &str, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update alert set state = 'acknowledged', acknowledged_by = $2, acknowledged_at = $3 \
               where id = $1 and state = 'open'";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(id)
        .bind(actor)
        .bind(now.micros())
        .execute(on).await.map(|done| done.rows_affected() > 0))
}
