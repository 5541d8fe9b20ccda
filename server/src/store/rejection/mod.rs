//! Rows of `rejection`: what was refused, so that it can be examined and, once the secret is mended, taken in.

pub mod count;

use app::rejections::{RejectionFilter, RejectionSummary};
use app::types::{Cursor, EventNumber, NotKept, Page, PageRequest, ReverifyStatus, Slug, Timestamp};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::signature::{Policy, Reason};
use crate::error::Failure;
use crate::store::list_planner::filter::{Filter, fetch};
use crate::store::placeholders::{Placeholders, filled, size_for};

/// A refused arrival.
#[derive(Debug, Clone)]
pub struct NewRejection {
    /// By which source.
    pub source_id: i64,
    /// When.
    pub received_at: Timestamp,
    /// Why.
    pub reason: Reason,
    /// When it claims to have been signed, in Unix seconds.
    pub signed_at: Option<i64>,
    /// From which address.
    pub remote_address: Option<String>,
    /// Path and query of the request.
    pub target: String,
    /// Its headers: a JSON list of pairs, each character of a value one byte of it.
    pub headers: String,
    /// The bytes, as many as are kept.
    pub body: Bytes,
    /// How many there were.
    pub body_size: i64,
}

impl NewRejection {
    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.body.len() + self.headers.len() + self.target.len()
    }
}

/// Keeps them.
///
/// # Errors
/// The database does not answer.
pub async fn insert(tx: &mut Tx, rows: &[NewRejection]) -> sqlx::Result<()> {
    match tx {
        Tx::Sqlite(tx) => {
            for (sql, chunk) in sqlite::REJECTIONS.chunks(rows) {
                let mut query = sqlx::query(sql);
                for row in chunk {
                    query = query
                        .bind(row.source_id)
                        .bind(row.received_at.micros())
                        .bind(row.reason.as_str())
                        .bind(row.signed_at)
                        .bind(&row.remote_address)
                        .bind(size(row))
                        .bind(row.body_size)
                        .bind(&row.target)
                        .bind(&row.headers)
                        .bind(&row.body[..]);
                }
                query.execute(&mut **tx).await?;
            }
        }
        Tx::Postgres(tx) => {
            let sql = "insert into rejection (source_id, received_at, reason, signed_at, remote_address, size, \
                       body_size, target, headers, body) \
                       select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], \
                       $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::bytea[])";
            macro_rules! column {
                ($row:ident => $value:expr) => {
                    rows.iter().map(|$row| $value).collect::<Vec<_>>()
                };
            }
            sqlx::query(sql)
                .bind(column!(row => row.source_id))
                .bind(column!(row => row.received_at.micros()))
                .bind(column!(row => row.reason.as_str()))
                .bind(column!(row => row.signed_at))
                .bind(column!(row => row.remote_address.as_deref()))
                .bind(column!(row => size(row)))
                .bind(column!(row => row.body_size))
                .bind(column!(row => row.target.as_str()))
                .bind(column!(row => row.headers.as_str()))
                .bind(column!(row => &row.body[..]))
                .execute(&mut **tx)
                .await?;
        }
    }
    Ok(())
}

fn size(row: &NewRejection) -> i64 {
    i64::try_from(row.size()).unwrap_or(i64::MAX)
}

mod sqlite {
    use crate::store::rows::ValuesStatement;

    pub(in crate::store) static REJECTIONS: ValuesStatement = ValuesStatement::new(
        "insert into rejection (source_id, received_at, reason, signed_at, remote_address, size, body_size, target, \
         headers, body) select * from ",
        10,
        " where column1 is not null",
    );
}

/// Deletes the oldest of a source, until it has no more than so many and so many bytes.
///
/// # Errors
/// The database does not answer.
pub async fn trim(tx: &mut Tx, source_id: i64, most: i64, most_bytes: i64) -> sqlx::Result<()> {
    let sql = "delete from rejection where source_id = $1 and id <= ( \
               select max(id) from ( \
               select id, row_number() over (order by id desc) as place, sum(size) over (order by id desc) as total \
               from rejection where source_id = $1) as newest \
               where place > $2 or total > $3)";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(source_id)
        .bind(most)
        .bind(most_bytes)
        .execute(on).await.map(drop))
}

/// Deletes those that came before.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, before: Timestamp) -> sqlx::Result<()> {
    let sql = "delete from rejection where received_at < $1";
    crate::write!(db, on => sqlx::query(sql).bind(before.micros()).execute(on).await.map(drop))
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    source: String,
    received_at: i64,
    reason: String,
    signed_at: Option<i64>,
    remote_address: Option<String>,
    body_size: i64,
    status: String,
    event_id: Option<i64>,
    verified_by: Option<String>,
    verified_at: Option<i64>,
}

impl TryFrom<Raw> for RejectionSummary {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let received_at = Timestamp::from_micros(raw.received_at);
        Ok(Self {
            id: raw.id,
            source: raw.source.parse().map_err(|error| Failure::stored("source.slug", error))?,
            received_at,
            reason: raw.reason.parse().map_err(|error| Failure::stored("rejection.reason", error))?,
            skew_s: raw.signed_at.map(|at| at.saturating_sub(received_at.unix())),
            remote_address: raw.remote_address,
            body_size: raw.body_size,
            status: raw.status.parse().map_err(|error| Failure::stored("rejection.status", error))?,
            event: raw.event_id,
            verified_by: raw.verified_by,
            verified_at: raw.verified_at.map(Timestamp::from_micros),
        })
    }
}

/// One page of those that match, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(
    db: &Db,
    filter: &RejectionFilter,
    page: PageRequest,
) -> Result<Page<RejectionSummary>, Failure> {
    let mut select = Filter::default();
    select.raw(
        "select id, (select slug from source where source.id = rejection.source_id) as source, received_at, reason, \
         signed_at, remote_address, body_size, status, event_id, verified_by, verified_at from rejection",
    );
    if let Some(slug) = &filter.source {
        select.and_one_of("source_id", crate::store::source::numbers(db, slug).await?);
    }
    if let Some(reason) = filter.reason {
        select.and("reason = {}", [reason.as_str().into()]);
    }
    if let Some(from) = filter.from {
        select.and("received_at >= {}", [from.micros().into()]);
    }
    if let Some(to) = filter.to {
        select.and("received_at < {}", [to.micros().into()]);
    }
    if let Some(cursor) = page.cursor {
        select.and("(received_at, id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
    }
    select.raw(" order by received_at desc, id desc limit ");
    select.value(page.limit.get() + 1);
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(RejectionSummary::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.received_at, id: row.id }))
}

/// These rejections, in the order of the list.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn rows(db: &Db, ids: &[i64]) -> Result<Vec<RejectionSummary>, Failure> {
    let sql = format!(
        "select id, (select slug from source where source.id = rejection.source_id) as source, received_at, reason, \
         signed_at, remote_address, body_size, status, event_id, verified_by, verified_at from rejection \
         where id in ({}) order by received_at desc, id desc",
        Placeholders::on(db).list(size_for(ids.len()))
    );
    let rows: Vec<Raw> = crate::read!(db, on => {
        filled(ids).fold(sqlx::query_as(AssertSqlSafe(sql)), |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(RejectionSummary::try_from).collect()
}

/// One in full.
#[derive(Debug, Clone)]
pub struct StoredRejection {
    /// As in the list.
    pub summary: RejectionSummary,
    /// Path and query of the request.
    pub target: String,
    /// Its headers, each character of a value one byte of it.
    pub headers: Vec<(String, String)>,
    /// The bytes, as many as are kept.
    pub body: Vec<u8>,
}

/// What stands in place of a header's value that opens something.
pub const LEFT_OUT: &str = "…";

impl StoredRejection {
    /// Whether the value of this header was left out.
    pub fn is_left_out(&self, name: &str) -> bool {
        self.headers.iter().any(|(kept, value)| kept == name && value == LEFT_OUT)
    }

    /// What is missing of it to be verified again by a source that signs so.
    pub fn not_kept(&self, policy: Option<&Policy>) -> Option<NotKept> {
        let token = policy.and_then(Policy::token_header);
        match token.is_some_and(|name| self.is_left_out(name.as_str())) {
            true => Some(NotKept::Token),
            false => (!self.is_whole()).then_some(NotKept::Body),
        }
    }

    /// The headers as they arrived: each character of a value is one byte. A header whose value was left out is present
    /// with the mark that stands for it.
    pub fn header_map(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let bytes: Option<Vec<u8>> = match value == LEFT_OUT {
                true => Some(LEFT_OUT.as_bytes().to_vec()),
                false => value.chars().map(|letter| u8::try_from(letter).ok()).collect(),
            };
            let (Ok(name), Some(bytes)) = (HeaderName::from_bytes(name.as_bytes()), bytes) else { continue };
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                headers.append(name, value);
            }
        }
        headers
    }

    /// Whether all bytes of the body are kept.
    pub fn is_whole(&self) -> bool {
        i64::try_from(self.body.len()) == Ok(self.summary.body_size)
    }
}

#[derive(sqlx::FromRow)]
struct RawStored {
    #[sqlx(flatten)]
    summary: Raw,
    target: String,
    headers: String,
    body: Vec<u8>,
}

/// One; none: it is not there, or not any more.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn find(db: &Db, id: i64) -> Result<Option<StoredRejection>, Failure> {
    let sql = "select id, (select slug from source where source.id = rejection.source_id) as source, received_at, \
               reason, signed_at, remote_address, body_size, status, event_id, verified_by, verified_at, target, \
               headers, body from rejection where id = $1";
    let raw: Option<RawStored> =
        crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)?;
    raw.map(|raw| {
        let headers = serde_json::from_str(&raw.headers)
            .map_err(|error| Failure::stored("rejection.headers", error))?;
        Ok(StoredRejection { summary: raw.summary.try_into()?, target: raw.target, headers, body: raw.body })
    })
    .transpose()
}

/// The numbers of those of a source that wait, oldest first, after that number.
///
/// # Errors
/// The database does not answer.
pub async fn waiting(db: &Db, source: &Slug, after: i64, limit: i64) -> sqlx::Result<Vec<i64>> {
    let sql = "select r.id from source s join rejection r on r.source_id = s.id \
               where s.slug = $1 and s.deleted_at is null and r.status = 'rejected' and r.id > $2 \
               order by r.id limit $3";
    crate::read!(db, on => sqlx::query_scalar(sql)
        .bind(source.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(on).await)
}

/// How many of a source wait.
///
/// # Errors
/// The database does not answer.
pub async fn count_waiting(db: &Db, source: &Slug) -> sqlx::Result<i64> {
    let sql = "select count(*) from source s join rejection r on r.source_id = s.id \
               where s.slug = $1 and s.deleted_at is null and r.status = 'rejected'";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(source.as_str()).fetch_one(on).await)
}

/// Notes that it was taken in after all. The first time stands.
///
/// # Errors
/// The database does not answer.
pub async fn mark_stored(
    db: &Db,
    id: i64,
    status: ReverifyStatus,
    event: Option<EventNumber>,
    actor: &str,
    now: Timestamp,
) -> sqlx::Result<()> {
    let sql = "update rejection set status = $2, event_id = $3, verified_by = $4, verified_at = $5 \
               where id = $1 and status = 'rejected'";
    crate::write!(db, on => sqlx::query(sql)
        .bind(id)
        .bind(status.as_str())
        .bind(event)
        .bind(actor)
        .bind(now.micros())
        .execute(on).await.map(drop))
}
