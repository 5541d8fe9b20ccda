//! What the sandbox keeps: the simulated provider's records and its settings. Its tables are made by the sandbox
//! itself and not by a migration: nothing of it exists without the flag.

use crate::db::Db;

/// A record of the simulated provider.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Record {
    /// `invoice`, `withdrawal`, `refund` or `deposit`.
    pub kind: String,
    /// Its id on the wire.
    pub id: String,
    /// Unix seconds.
    pub created_at: i64,
    /// Its status on the wire.
    pub status: String,
    /// The merchant's order.
    pub order_ref: String,
    /// The merchant's project.
    pub project_id: String,
    /// The whole of it, as JSON.
    pub body: String,
}

/// Which records. What is none does not filter.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    /// Any of these; empty: all.
    pub statuses: Vec<String>,
    /// Of this order.
    pub order_ref: Option<String>,
    /// Of this project.
    pub project_id: Option<String>,
    /// Created at or after, Unix seconds.
    pub created_from: Option<i64>,
    /// Created at or before, Unix seconds.
    pub created_to: Option<i64>,
    /// Older than this one: its creation and id.
    pub after: Option<(i64, String)>,
}

/// Makes the tables, unless they are there.
///
/// # Errors
/// The database does not answer.
pub async fn create_tables(db: &Db) -> sqlx::Result<()> {
    let statements = [
        "create table if not exists sandbox_record (kind text not null, id text not null, created_at bigint not null, \
         status text not null, order_ref text not null, project_id text not null, body text not null, \
         primary key (kind, id))",
        "create index if not exists sandbox_record_created on sandbox_record (kind, created_at, id)",
        "create index if not exists sandbox_record_order on sandbox_record (kind, order_ref)",
        "create table if not exists sandbox_setting (name text primary key not null, value text not null)",
        "create table if not exists sandbox_shop_event (desk text not null, event_id text not null, \
         resource_id text not null, type text not null, deliveries bigint not null, first_at bigint not null, \
         primary key (desk, event_id))",
        "create index if not exists sandbox_shop_event_resource on sandbox_shop_event (resource_id)",
        "create table if not exists sandbox_shop_order (resource_id text primary key not null, \
         event_id text not null, order_ref text, amount text, currency text, booked bigint not null, \
         booked_at bigint not null)",
    ];
    for sql in statements {
        crate::write!(db, on => sqlx::query(sql).execute(on).await.map(drop))?;
    }
    Ok(())
}

/// Writes records, over what was there.
///
/// # Errors
/// The database does not answer.
pub async fn save(db: &Db, records: &[Record]) -> sqlx::Result<()> {
    let sql = "insert into sandbox_record (kind, id, created_at, status, order_ref, project_id, body) \
               values ($1, $2, $3, $4, $5, $6, $7) \
               on conflict (kind, id) do update set status = excluded.status, body = excluded.body";
    let mut tx = db.begin_write().await?;
    for record in records {
        crate::within!(&mut tx, on => sqlx::query(sql)
            .bind(&record.kind)
            .bind(&record.id)
            .bind(record.created_at)
            .bind(&record.status)
            .bind(&record.order_ref)
            .bind(&record.project_id)
            .bind(&record.body)
            .execute(on).await.map(drop))?;
    }
    tx.commit().await
}

/// One record's JSON.
///
/// # Errors
/// The database does not answer.
pub async fn get(db: &Db, kind: &str, id: &str) -> sqlx::Result<Option<String>> {
    let sql = "select body from sandbox_record where kind = $1 and id = $2";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(kind).bind(id).fetch_optional(on).await)
}

/// Records of a kind, newest first.
///
/// # Errors
/// The database does not answer.
pub async fn list(db: &Db, kind: &str, filter: &RecordFilter, limit: i64) -> sqlx::Result<Vec<Record>> {
    let statuses = filter.statuses.join(",");
    let (after_at, after_id) = filter.after.clone().unwrap_or((i64::MAX, String::new()));
    let sql = "select kind, id, created_at, status, order_ref, project_id, body from sandbox_record \
               where kind = $1 \
               and ($2 = '' or ',' || $2 || ',' like '%,' || status || ',%') \
               and (cast($3 as text) is null or order_ref = $3) \
               and (cast($4 as text) is null or project_id = $4) \
               and created_at between $5 and $6 \
               and (created_at, id) < ($7, $8) \
               order by created_at desc, id desc limit $9";
    crate::read!(db, on => sqlx::query_as(sql)
        .bind(kind)
        .bind(&statuses)
        .bind(&filter.order_ref)
        .bind(&filter.project_id)
        .bind(filter.created_from.unwrap_or(i64::MIN))
        .bind(filter.created_to.unwrap_or(i64::MAX))
        .bind(after_at)
        .bind(&after_id)
        .bind(limit)
        .fetch_all(on).await)
}

/// Removes records that were created before, and what the shop remembers of that time.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, before_unix: i64) -> sqlx::Result<()> {
    for sql in [
        "delete from sandbox_record where created_at < $1",
        "delete from sandbox_shop_event where first_at < $1",
        "delete from sandbox_shop_order where booked_at < $1",
    ] {
        crate::write!(db, on => sqlx::query(sql).bind(before_unix).execute(on).await.map(drop))?;
    }
    Ok(())
}

/// How many records of a kind there are.
///
/// # Errors
/// The database does not answer.
pub async fn count(db: &Db, kind: &str) -> sqlx::Result<i64> {
    let sql = "select count(*) from sandbox_record where kind = $1";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(kind).fetch_one(on).await)
}

/// A setting; secret ones are sealed by the caller.
///
/// # Errors
/// The database does not answer.
pub async fn setting(db: &Db, name: &str) -> sqlx::Result<Option<String>> {
    let sql = "select value from sandbox_setting where name = $1";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(name).fetch_optional(on).await)
}

/// Keeps a setting.
///
/// # Errors
/// The database does not answer.
pub async fn set_setting(db: &Db, name: &str, value: &str) -> sqlx::Result<()> {
    let sql = "insert into sandbox_setting (name, value) values ($1, $2) \
               on conflict (name) do update set value = excluded.value";
    crate::write!(db, on => sqlx::query(sql).bind(name).bind(value).execute(on).await.map(drop))
}
