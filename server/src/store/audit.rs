//! Rows of `audit`: a chain without gaps. `audit_head` knows its end, so that nothing can be cut off from it unseen,
//! and everybody who appends holds it until the end of their transaction: so there is one order.

use app::audit::{AuditFilter, ChainVerification};
use app::types::{Cursor, Page, PageRequest, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::list_planner::filter::{Filter, fetch};
use crate::db::{Db, Tx};
use crate::domain::audit::{Entry, Row, START, hash};
use crate::error::Failure;

/// Rows that are checked with one read.
const STEP: i64 = 1000;

/// Writes down what was done, in the transaction that does it: last, for others wait from here to its end.
///
/// # Errors
/// The database does not answer.
pub async fn record(tx: &mut Tx, entry: &Entry<'_>) -> sqlx::Result<()> {
    let sql = "update audit_head set last = last + 1 where one = 1 returning last, hash";
    let (id, previous): (i64, Vec<u8>) = crate::within!(tx, on => sqlx::query_as(sql).fetch_one(on).await)?;
    let detail = entry.detail.as_ref().map(ToString::to_string);
    let row = Row {
        id,
        at: entry.at.micros(),
        actor: entry.actor,
        from: entry.from,
        action: entry.action,
        subject: &entry.subject,
        reason: entry.reason,
        detail: detail.as_deref(),
    };
    let hash = hash(&previous, row).to_vec();
    let sql = "insert into audit (id, at, actor, address, action, subject, reason, detail, hash) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(row.id)
        .bind(row.at)
        .bind(row.actor)
        .bind(row.from)
        .bind(row.action)
        .bind(row.subject)
        .bind(row.reason)
        .bind(row.detail)
        .bind(&hash)
        .execute(on).await.map(drop))?;
    let sql = "update audit_head set hash = $1 where one = 1";
    crate::within!(tx, on => sqlx::query(sql).bind(&hash).execute(on).await.map(drop))
}

/// The same for what changes nothing else in the database.
///
/// # Errors
/// The database does not answer.
pub async fn record_alone(db: &Db, entry: &Entry<'_>) -> sqlx::Result<()> {
    let mut tx = db.begin_write().await?;
    record(&mut tx, entry).await?;
    tx.commit().await
}

/// What somebody did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AuditEntry {
    /// Its place in the chain, counted from 1.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Who: an e-mail, `token:` and the token's name, or `command line`.
    pub actor: String,
    /// The address that they did it from; null: not over the network.
    pub address: Option<String>,
    /// What, such as `secret.rotated`.
    pub action: String,
    /// To what, such as `source/paymos-live`.
    pub subject: String,
    /// Why, in their words.
    pub reason: Option<String>,
    /// More of it, an object.
    #[schema(value_type = Option<Object>)]
    pub detail: Option<Value>,
    /// SHA-256 of this entry and of the hash of the one before it.
    pub hash: String,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    at: i64,
    actor: String,
    address: Option<String>,
    action: String,
    subject: String,
    reason: Option<String>,
    detail: Option<String>,
    hash: Vec<u8>,
}

impl Raw {
    fn row(&self) -> Row<'_> {
        Row {
            id: self.id,
            at: self.at,
            actor: &self.actor,
            from: self.address.as_deref(),
            action: &self.action,
            subject: &self.subject,
            reason: self.reason.as_deref(),
            detail: self.detail.as_deref(),
        }
    }
}

impl TryFrom<Raw> for AuditEntry {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let detail = raw.detail.as_deref().map(serde_json::from_str).transpose();
        Ok(Self {
            id: raw.id,
            at: Timestamp::from_micros(raw.at),
            actor: raw.actor,
            address: raw.address,
            action: raw.action,
            subject: raw.subject,
            reason: raw.reason,
            detail: detail.map_err(|error| Failure::stored("audit.detail", error))?,
            hash: hex::encode(raw.hash),
        })
    }
}

const COLUMNS: &str = "select id, at, actor, address, action, subject, reason, detail, hash from audit";

/// One page, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(db: &Db, filter: &AuditFilter, page: PageRequest) -> Result<Page<AuditEntry>, Failure> {
    let mut select = Filter::default();
    select.raw(COLUMNS);
    if let Some(actor) = &filter.actor {
        select.and("actor = {}", [actor.as_str().into()]);
    }
    if let Some(action) = &filter.action {
        select.and_named(&["action = {}", "action between {} and {}"], action);
    }
    if let Some(subject) = &filter.subject {
        select.and_named(&["subject = {}", "subject between {} and {}"], subject);
    }
    if let Some(from) = filter.from {
        select.and("at >= {}", [from.micros().into()]);
    }
    if let Some(to) = filter.to {
        select.and("at < {}", [to.micros().into()]);
    }
    if let Some(cursor) = page.cursor {
        select.and("id < {}", [cursor.id.into()]);
    }
    select.raw(" order by id desc limit ");
    select.value(page.limit.get() + 1);
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(AuditEntry::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.at, id: row.id }))
}

/// The newest entry of this action about this subject.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn latest(db: &Db, action: &str, subject: &str) -> Result<Option<AuditEntry>, Failure> {
    let sql = "select id, at, actor, address, action, subject, reason, detail, hash from audit \
               where subject = $1 and action = $2 order by id desc limit 1";
    let row: Option<Raw> =
        crate::read!(db, on => sqlx::query_as(sql).bind(subject).bind(action).fetch_optional(on).await)?;
    row.map(AuditEntry::try_from).transpose()
}

/// Checks every row's hash, that none is missing, and that the last one is the one that was written last.
///
/// # Errors
/// The database does not answer.
pub async fn verify(db: &Db, now: Timestamp) -> Result<ChainVerification, Failure> {
    // In one statement, so that nothing is appended between the two numbers.
    let sql = "select last, hash, (select max(id) from audit) from audit_head where one = 1";
    let head: Option<(i64, Vec<u8>, Option<i64>)> =
        crate::read!(db, on => sqlx::query_as(sql).fetch_optional(on).await)?;
    let (last, end, newest) = head.unwrap_or((0, START.to_vec(), None));
    let told = |entries, broken_at: Option<i64>| ChainVerification {
        valid: broken_at.is_none(),
        entries,
        head: hex::encode(&end),
        broken_at,
        checked_at: now,
    };
    let (mut known, mut previous) = (0, START.to_vec());
    while known < last {
        let sql = "select id, at, actor, address, action, subject, reason, detail, hash from audit \
                   where id > $1 and id <= $2 order by id limit $3";
        let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(sql)
            .bind(known).bind(last).bind(STEP).fetch_all(on).await)?;
        if rows.is_empty() {
            return Ok(told(known, Some(known + 1)));
        }
        for row in rows {
            if row.id != known + 1 || hash(&previous, row.row())[..] != row.hash[..] {
                return Ok(told(known, Some(known + 1)));
            }
            (known, previous) = (row.id, row.hash);
        }
    }
    if previous != end {
        return Ok(told(known, Some(known.max(1))));
    }
    // A row beyond the end did not come through `record`.
    Ok(told(known, newest.filter(|newest| *newest > last)))
}
