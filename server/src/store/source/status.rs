//! How sources stand: what each of them took lately, and what of it waits. Webhooks are counted by the uses of secrets:
//! the events themselves are never counted.

use app::sources::COUNTED;
use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use crate::db::Db;
use crate::store::secret::usage::slot;

/// How a source stands.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct SourceStatus {
    /// Its number.
    pub id: i64,
    /// When it last took a webhook.
    pub last: Option<i64>,
    /// How many it took since the moment that was asked for, to the slot.
    pub taken: i64,
    /// Events that wait for a person, up to [`COUNTED`].
    pub held: i64,
}

/// How every source stands, and what it took since that moment.
///
/// # Errors
/// The database does not answer.
pub async fn list_status(db: &Db, since: Timestamp) -> sqlx::Result<Vec<SourceStatus>> {
    let sql = format!(
        "select s.id, \
         (select max(x.last_used_at) from secret x where x.source_id = s.id) as last, \
         (select cast(coalesce(sum(u.times), 0) as bigint) from secret x join secret_use u on u.secret_id = x.id \
         where x.source_id = s.id and u.slot > $1) as taken, \
         (select count(*) from (select 1 from event e where e.source_id = s.id and e.held limit {COUNTED}) counted) \
         as held \
         from source s where s.deleted_at is null"
    );
    crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(slot(since)).fetch_all(on).await)
}

/// How many events of each source no destination takes, of the newest that arrived since that moment: [`COUNTED`] of
/// all sources.
///
/// # Errors
/// The database does not answer.
pub async fn unrouted(db: &Db, since: Timestamp) -> sqlx::Result<Vec<(i64, i64)>> {
    let sql = format!(
        "select source_id, count(*) from (select e.source_id from event e where e.unrouted and e.received_at >= $1 \
         order by e.received_at desc, e.id desc limit {COUNTED}) newest group by source_id"
    );
    crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(since.micros()).fetch_all(on).await)
}
