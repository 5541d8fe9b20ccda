//! Rows of `alert`.

use app::types::{AlertKind, AlertState, Cursor, Page, PageRequest, Timestamp};

use super::conditions::{Conditions, fetch};
use crate::db::{Db, Tx};
use crate::error::Failure;

/// Opens one. As long as one of this kind about this subject is not resolved it stays the only one, acknowledged or
/// not, and takes over the detail.
///
/// # Errors
/// The database does not answer.
pub async fn open(
    tx: &mut Tx,
    kind: AlertKind,
    subject: &str,
    detail: &str,
    now: Timestamp,
) -> sqlx::Result<()> {
    let sql = "insert into alert (kind, subject, detail, opened_at, state) values ($1, $2, $3, $4, 'open') \
               on conflict (kind, subject) where state <> 'resolved' do update set detail = excluded.detail";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(kind.as_str())
        .bind(subject)
        .bind(detail)
        .bind(now.micros())
        .execute(on).await.map(drop))
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

/// One, as it is stored.
#[derive(Debug, Clone)]
pub struct AlertRow {
    /// Its number.
    pub id: i64,
    /// What kind of thing.
    pub kind: AlertKind,
    /// What it is about, by name.
    pub subject: String,
    /// What happened, in words.
    pub detail: String,
    /// When.
    pub opened_at: Timestamp,
    /// How it stands.
    pub state: AlertState,
    /// Who acknowledged it.
    pub acknowledged_by: Option<String>,
    /// When they did.
    pub acknowledged_at: Option<Timestamp>,
    /// When it was over.
    pub resolved_at: Option<Timestamp>,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    kind: String,
    subject: String,
    detail: String,
    opened_at: i64,
    state: String,
    acknowledged_by: Option<String>,
    acknowledged_at: Option<i64>,
    resolved_at: Option<i64>,
}

impl TryFrom<Raw> for AlertRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        Ok(Self {
            id: raw.id,
            kind: raw.kind.parse().map_err(|error| Failure::stored("alert.kind", error))?,
            subject: raw.subject,
            detail: raw.detail,
            opened_at: Timestamp::from_micros(raw.opened_at),
            state: raw.state.parse().map_err(|error| Failure::stored("alert.state", error))?,
            acknowledged_by: raw.acknowledged_by,
            acknowledged_at: raw.acknowledged_at.map(Timestamp::from_micros),
            resolved_at: raw.resolved_at.map(Timestamp::from_micros),
        })
    }
}

/// One page, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(db: &Db, state: Option<AlertState>, page: PageRequest) -> Result<Page<AlertRow>, Failure> {
    let mut select = Conditions::default();
    select.raw(
        "select id, kind, subject, detail, opened_at, state, acknowledged_by, acknowledged_at, resolved_at from alert",
    );
    if let Some(state) = state {
        select.and("state = {}", [state.as_str().into()]);
    }
    if let Some(cursor) = page.cursor {
        select.and("(opened_at, id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
    }
    select.raw(" order by opened_at desc, id desc limit ");
    select.value(page.limit.get() + 1);
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(AlertRow::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.opened_at, id: row.id }))
}

/// One.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn find(db: &Db, id: i64) -> Result<Option<AlertRow>, Failure> {
    let sql = "select id, kind, subject, detail, opened_at, state, acknowledged_by, acknowledged_at, \
               resolved_at from alert where id = $1";
    let row: Option<Raw> = crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)?;
    row.map(AlertRow::try_from).transpose()
}

/// Marks one as looked at, when it is open.
///
/// # Errors
/// The database does not answer.
pub async fn acknowledge(db: &Db, id: i64, actor: &str, now: Timestamp) -> Result<(), Failure> {
    let sql = "update alert set state = 'acknowledged', acknowledged_by = $2, acknowledged_at = $3 \
               where id = $1 and state = 'open'";
    crate::write!(db, on => sqlx::query(sql)
        .bind(id)
        .bind(actor)
        .bind(now.micros())
        .execute(on).await.map(drop))?;
    Ok(())
}
