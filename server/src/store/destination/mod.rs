//! Rows of `destination`.

pub mod health;
pub mod lifecycle;

use app::types::{Format, SignatureOrder, Slug, Timestamp};

use crate::db::{Db, Tx};
use crate::domain::ladder::Ladder;
use crate::error::Failure;

/// A destination's settings, as they are stored.
#[derive(Debug, Clone)]
pub struct DestinationRow {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub slug: Slug,
    /// Where deliveries are posted.
    pub url: String,
    /// The headers that it reads.
    pub format: Format,
    /// Sources that it takes: slugs, or `*`.
    pub sources: Vec<String>,
    /// Types that it takes: names, `invoice.*`, or `*`.
    pub events: Vec<String>,
    /// When attempts are made.
    pub ladder: Ladder,
    /// How long an attempt may take.
    pub timeout_ms: i64,
    /// Attempts at the same time.
    pub max_in_flight: i64,
    /// Attempts a second; none: as fast as it answers.
    pub rate_per_s: Option<f64>,
    /// By how much of a gap the attempt after it may be late on purpose.
    pub jitter_percent: i64,
    /// In which order it is signed with several secrets.
    pub signature_order: SignatureOrder,
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
        Ok(Self {
            id: raw.id,
            slug: raw.slug.parse().map_err(|error| Failure::stored("destination.slug", error))?,
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
            paused_at: raw.paused_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(raw.created_at),
        })
    }
}

/// All that are not deleted, oldest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn all(db: &Db) -> Result<Vec<DestinationRow>, Failure> {
    let sql = "select id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, rate_per_s, \
               jitter_percent, signature_order, paused_at, created_at \
               from destination where deleted_at is null order by id";
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)?;
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
    let sql = "select id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, rate_per_s, \
               jitter_percent, signature_order, paused_at, created_at \
               from destination where slug = $1 and deleted_at is null";
    let row: Option<Raw> =
        crate::read!(db, on => sqlx::query_as(sql).bind(slug.as_str()).fetch_optional(on).await)?;
    row.map(DestinationRow::try_from).transpose()
}

/// The same, locked for a change.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn lock(tx: &mut Tx, db: &Db, slug: &Slug) -> Result<Option<DestinationRow>, Failure> {
    let sql = format!(
        "select id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, rate_per_s, \
         jitter_percent, signature_order, paused_at, created_at \
         from destination where slug = $1 and deleted_at is null{}",
        db.for_update()
    );
    let row: Option<Raw> = crate::within!(tx, on => sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(slug.as_str())
        .fetch_optional(on).await)?;
    row.map(DestinationRow::try_from).transpose()
}

/// Adds one and returns its number; the row's own is not looked at.
///
/// # Errors
/// The name is taken, or the database does not answer.
pub async fn insert(tx: &mut Tx, row: &DestinationRow) -> Result<i64, Failure> {
    let sql = "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, \
               rate_per_s, jitter_percent, signature_order, paused_at, created_at) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id";
    let (sources, events) =
        (list("destination.sources", &row.sources)?, list("destination.events", &row.events)?);
    Ok(crate::within!(tx, on => sqlx::query_scalar(sql)
        .bind(row.slug.as_str())
        .bind(&row.url)
        .bind(row.format.as_str())
        .bind(&sources)
        .bind(&events)
        .bind(row.ladder.to_string())
        .bind(row.timeout_ms)
        .bind(row.max_in_flight)
        .bind(row.rate_per_s)
        .bind(row.jitter_percent)
        .bind(row.signature_order.as_str())
        .bind(row.paused_at.map(Timestamp::micros))
        .bind(row.created_at.micros())
        .fetch_one(on).await)?)
}

/// Writes what of it can change.
///
/// # Errors
/// The database does not answer.
pub async fn save(tx: &mut Tx, row: &DestinationRow) -> Result<(), Failure> {
    let sql = "update destination set url = $2, format = $3, sources = $4, events = $5, ladder = $6, timeout_ms = $7, \
               max_in_flight = $8, rate_per_s = $9, jitter_percent = $10, signature_order = $11, paused_at = $12 \
               where id = $1";
    let (sources, events) =
        (list("destination.sources", &row.sources)?, list("destination.events", &row.events)?);
    crate::within!(tx, on => sqlx::query(sql)
        .bind(row.id)
        .bind(&row.url)
        .bind(row.format.as_str())
        .bind(&sources)
        .bind(&events)
        .bind(row.ladder.to_string())
        .bind(row.timeout_ms)
        .bind(row.max_in_flight)
        .bind(row.rate_per_s)
        .bind(row.jitter_percent)
        .bind(row.signature_order.as_str())
        .bind(row.paused_at.map(Timestamp::micros))
        .execute(on).await.map(drop))?;
    Ok(())
}

/// Takes it out of use: its deliveries stay, and its name is free.
///
/// # Errors
/// The database does not answer.
pub async fn delete(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<()> {
    let sql = "update destination set deleted_at = $2 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await.map(drop))
}

fn list(what: &'static str, names: &[String]) -> Result<String, Failure> {
    serde_json::to_string(names).map_err(|error| Failure::stored(what, error))
}
