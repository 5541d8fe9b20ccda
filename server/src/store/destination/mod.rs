//! Rows of `destination`.

pub mod health;
pub mod lifecycle;

use app::types::{Slug, Timestamp};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::destination::DestinationSettings;
use crate::error::Failure;

/// A destination.
#[derive(Debug, Clone)]
pub struct DestinationRow {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub slug: Slug,
    /// What it is set to.
    pub settings: DestinationSettings,
    /// Since when it is paused.
    pub paused_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    slug: String,
    url: String,
    format: String,
    sources: String,
    events: String,
    ladder: String,
    timeout_ms: i64,
    max_in_flight: i64,
    rate_per_s: Option<f64>,
    jitter_percent: i64,
    signature_order: String,
    paused_at: Option<i64>,
    created_at: i64,
}

impl TryFrom<Raw> for DestinationRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let list =
            |what, text: &str| serde_json::from_str(text).map_err(|error| Failure::stored(what, error));
        let settings = DestinationSettings {
            url: raw.url,
            format: raw.format.parse().map_err(|error| Failure::stored("destination.format", error))?,
            sources: list("destination.sources", &raw.sources)?,
            events: list("destination.events", &raw.events)?,
            ladder: raw.ladder.parse().map_err(|error| Failure::stored("destination.ladder", error))?,
            timeout_ms: raw.timeout_ms,
            max_in_flight: raw.max_in_flight,
            rate_per_s: raw.rate_per_s,
            jitter_percent: raw.jitter_percent,
            signature_order: raw
                .signature_order
                .parse()
                .map_err(|error| Failure::stored("destination.signature_order", error))?,
        };
        Ok(Self {
            id: raw.id,
            slug: raw.slug.parse().map_err(|error| Failure::stored("destination.slug", error))?,
            settings,
            paused_at: raw.paused_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(raw.created_at),
        })
    }
}

/// The columns of a row.
const COLUMNS: &str = "id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, rate_per_s, \
                       jitter_percent, signature_order, paused_at, created_at";

/// Binds what can change of a row, in the order of both statements that write it.
macro_rules! bind_changeable {
    ($query:expr, $row:expr) => {{
        let DestinationRow { settings, paused_at, .. } = $row;
        $query
            .bind(&settings.url)
            .bind(settings.format.as_str())
            .bind(json!(settings.sources).to_string())
            .bind(json!(settings.events).to_string())
            .bind(settings.ladder.to_string())
            .bind(settings.timeout_ms)
            .bind(settings.max_in_flight)
            .bind(settings.rate_per_s)
            .bind(settings.jitter_percent)
            .bind(settings.signature_order.as_str())
            .bind(paused_at.map(Timestamp::micros))
    }};
}

/// All that are not deleted, oldest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn all(db: &Db) -> Result<Vec<DestinationRow>, Failure> {
    let sql = format!("select {COLUMNS} from destination where deleted_at is null order by id");
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).fetch_all(on).await)?;
    rows.into_iter().map(DestinationRow::try_from).collect()
}

/// The numbers of all that ever had this name: a deleted one keeps its deliveries.
///
/// # Errors
/// The database does not answer.
pub async fn numbers(db: &Db, slug: &Slug) -> Result<Vec<i64>, Failure> {
    let sql = "select id from destination where slug = $1 order by id";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql).bind(slug.as_str()).fetch_all(on).await)?)
}

/// One that is not deleted.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn find(db: &Db, slug: &Slug) -> Result<Option<DestinationRow>, Failure> {
    let sql = format!("select {COLUMNS} from destination where slug = $1 and deleted_at is null");
    let row: Option<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(slug.as_str())
        .fetch_optional(on).await)?;
    row.map(DestinationRow::try_from).transpose()
}

/// The same, locked for a change.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn lock(tx: &mut Tx, db: &Db, slug: &Slug) -> Result<Option<DestinationRow>, Failure> {
    let sql = format!(
        "select {COLUMNS} from destination where slug = $1 and deleted_at is null{}",
        db.for_update()
    );
    let row: Option<Raw> = crate::within!(tx, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(slug.as_str())
        .fetch_optional(on).await)?;
    row.map(DestinationRow::try_from).transpose()
}

/// Adds one and returns its number; the row's own is not looked at.
///
/// # Errors
/// The name is taken, or the database does not answer.
pub async fn insert(tx: &mut Tx, row: &DestinationRow) -> sqlx::Result<i64> {
    let sql = "insert into destination (url, format, sources, events, ladder, timeout_ms, max_in_flight, rate_per_s, \
               jitter_percent, signature_order, paused_at, slug, created_at) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id";
    crate::within!(tx, on => bind_changeable!(sqlx::query_scalar(sql), row)
        .bind(row.slug.as_str())
        .bind(row.created_at.micros())
        .fetch_one(on).await)
}

/// Writes what of it can change.
///
/// # Errors
/// The database does not answer.
pub async fn save(tx: &mut Tx, row: &DestinationRow) -> sqlx::Result<()> {
    let sql = "update destination set url = $1, format = $2, sources = $3, events = $4, ladder = $5, timeout_ms = $6, \
               max_in_flight = $7, rate_per_s = $8, jitter_percent = $9, signature_order = $10, paused_at = $11 \
               where id = $12";
    crate::within!(tx, on => bind_changeable!(sqlx::query(sql), row).bind(row.id).execute(on).await.map(drop))
}

/// Takes it out of use: its deliveries stay, and its name is free.
///
/// # Errors
/// The database does not answer.
pub async fn delete(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<()> {
    let sql = "update destination set deleted_at = $2 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await.map(drop))
}
