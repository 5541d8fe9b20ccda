//! What the sandbox keeps: the simulated provider's records. Its tables are made by the sandbox
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

/// What the shop reads of a delivery that it has verified.
#[derive(Debug, Clone)]
pub struct ShopEvent {
    /// The provider's id of it.
    pub event_id: String,
    /// What happened.
    pub r#type: String,
    /// What it happened to.
    pub resource_id: String,
    /// The merchant's order.
    pub order_ref: Option<String>,
    /// What was paid.
    pub amount: Option<String>,
    /// Of the amount.
    pub currency: Option<String>,
}

/// An order that the shop has booked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
pub struct ShopOrder {
    /// The resource that was paid.
    pub resource_id: String,
    /// The event that told so first.
    pub event_id: String,
    /// The merchant's order.
    pub order_ref: Option<String>,
    /// What was paid.
    pub amount: Option<String>,
    /// Of the amount.
    pub currency: Option<String>,
    /// How often it was booked: more than once is a fault of who delivers or of the shop.
    pub booked: i64,
    /// How often the shop was told of the event.
    pub deliveries: i64,
    /// Unix seconds.
    pub booked_at: i64,
}

/// What became of a delivery at the shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderOutcome {
    /// An event that the shop knew already.
    Repeat,
    /// A new one that pays for nothing.
    Noted,
    /// A new one: the order is booked.
    Booked,
}

/// Takes a delivery: notes the event once, and books the order when it is new and `pays`.
///
/// # Errors
/// The database does not answer.
pub async fn record_shop_delivery(
    db: &Db,
    desk: &str,
    event: &ShopEvent,
    pays: bool,
    now_unix: i64,
) -> sqlx::Result<OrderOutcome> {
    let note = "insert into sandbox_shop_event (desk, event_id, resource_id, type, deliveries, first_at) \
                values ($1, $2, $3, $4, 1, $5) on conflict (desk, event_id) do update set \
                deliveries = sandbox_shop_event.deliveries + 1 returning deliveries";
    let book = "insert into sandbox_shop_order (resource_id, event_id, order_ref, amount, currency, booked, booked_at) \
                values ($1, $2, $3, $4, $5, 1, $6) on conflict (resource_id) do update set \
                booked = sandbox_shop_order.booked + 1";
    let mut tx = db.begin_write().await?;
    let deliveries: i64 = crate::within!(&mut tx, on => sqlx::query_scalar(note)
        .bind(desk)
        .bind(&event.event_id)
        .bind(&event.resource_id)
        .bind(&event.r#type)
        .bind(now_unix)
        .fetch_one(on).await)?;
    let taken = match (deliveries, pays) {
        (1, true) => OrderOutcome::Booked,
        (1, false) => OrderOutcome::Noted,
        _ => OrderOutcome::Repeat,
    };
    if taken == OrderOutcome::Booked {
        crate::within!(&mut tx, on => sqlx::query(book)
            .bind(&event.resource_id)
            .bind(&event.event_id)
            .bind(&event.order_ref)
            .bind(&event.amount)
            .bind(&event.currency)
            .bind(now_unix)
            .execute(on).await.map(drop))?;
    }
    tx.commit().await?;
    Ok(taken)
}

/// The orders that the shop booked last, newest first.
///
/// # Errors
/// The database does not answer.
pub async fn shop_orders(db: &Db, desk: &str, limit: i64) -> sqlx::Result<Vec<ShopOrder>> {
    let sql = "select o.resource_id, o.event_id, o.order_ref, o.amount, o.currency, o.booked, e.deliveries, o.booked_at \
               from sandbox_shop_order o join sandbox_shop_event e on e.desk = $1 and e.event_id = o.event_id \
               order by o.booked_at desc, o.resource_id limit $2";
    crate::read!(db, on => sqlx::query_as(sql).bind(desk).bind(limit).fetch_all(on).await)
}

/// How many orders there are, how often they were booked, how many events the shop knows, and how often it was told
/// of them.
///
/// # Errors
/// The database does not answer.
pub async fn shop_totals(db: &Db, desk: &str) -> sqlx::Result<(i64, i64, i64, i64)> {
    let sql = "select (select count(*) from sandbox_shop_order), \
               (select cast(coalesce(sum(booked), 0) as bigint) from sandbox_shop_order), \
               (select count(*) from sandbox_shop_event where desk = $1), \
               (select cast(coalesce(sum(deliveries), 0) as bigint) from sandbox_shop_event where desk = $1)";
    crate::read!(db, on => sqlx::query_as(sql).bind(desk).fetch_one(on).await)
}
