//! Rows of `source`.

pub mod status;

use app::types::{Mode, Provider, Slug, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::error::Failure;
use crate::vault::Sealed;

/// A source's settings, as they are stored.
#[derive(Debug, Clone)]
pub struct SourceRow {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub slug: Slug,
    /// Who sends.
    pub provider: Provider,
    /// Whether it carries real money.
    pub mode: Mode,
    /// Seconds that the sender's clock may be off, either way; none: no window.
    pub tolerance_s: Option<i64>,
    /// How its provider signs and what its events are, where its providers do not all do it alike: JSON.
    pub settings: Option<String>,
    /// Where to reconcile.
    pub api: Option<ApiRow>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Credentials of a provider's API, sealed for `source-api/SLUG`.
#[derive(Debug, Clone)]
pub struct ApiRow {
    /// Such as `https://api.paymos.io`.
    pub base_url: String,
    /// The public half.
    pub key: String,
    /// The secret half.
    pub secret: Sealed,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    slug: String,
    provider: String,
    mode: String,
    tolerance_s: Option<i64>,
    settings: Option<String>,
    api_base_url: Option<String>,
    api_key: Option<String>,
    api_secret_sealed: Option<Vec<u8>>,
    api_secret_key_id: Option<String>,
    created_at: i64,
}

impl TryFrom<Raw> for SourceRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let api = match (raw.api_base_url, raw.api_key, raw.api_secret_sealed, raw.api_secret_key_id) {
            (Some(base_url), Some(key), Some(bytes), Some(key_id)) => {
                Some(ApiRow { base_url, key, secret: Sealed { bytes, key_id } })
            }
            _ => None,
        };
        Ok(Self {
            id: raw.id,
            slug: raw.slug.parse().map_err(|error| Failure::stored("source.slug", error))?,
            provider: raw.provider.parse().map_err(|error| Failure::stored("source.provider", error))?,
            mode: raw.mode.parse().map_err(|error| Failure::stored("source.mode", error))?,
            tolerance_s: raw.tolerance_s,
            settings: raw.settings,
            api,
            created_at: Timestamp::from_micros(raw.created_at),
        })
    }
}

/// The columns of a row.
const COLUMNS: &str = "id, slug, provider, mode, tolerance_s, settings, api_base_url, api_key, api_secret_sealed, \
                       api_secret_key_id, created_at";

/// Binds what can change of a row, in the order of both statements that write it.
macro_rules! bind_changeable {
    ($query:expr, $row:expr) => {{
        let SourceRow { mode, tolerance_s, settings, api, .. } = $row;
        $query
            .bind(mode.as_str())
            .bind(tolerance_s)
            .bind(settings)
            .bind(api.as_ref().map(|api| &api.base_url))
            .bind(api.as_ref().map(|api| &api.key))
            .bind(api.as_ref().map(|api| &api.secret.bytes))
            .bind(api.as_ref().map(|api| &api.secret.key_id))
    }};
}

/// All that are not deleted, oldest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn all(db: &Db) -> Result<Vec<SourceRow>, Failure> {
    let sql = format!("select {COLUMNS} from source where deleted_at is null order by id");
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).fetch_all(on).await)?;
    rows.into_iter().map(SourceRow::try_from).collect()
}

/// What the sealed secret of a source's API credentials is bound to.
pub fn api_owner(slug: &Slug) -> String {
    format!("source-api/{slug}")
}

/// The numbers of all that ever had this name: a deleted one keeps its events.
///
/// # Errors
/// The database does not answer.
pub async fn numbers(db: &Db, slug: &Slug) -> Result<Vec<i64>, Failure> {
    let sql = "select id from source where slug = $1 order by id";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql).bind(slug.as_str()).fetch_all(on).await)?)
}

/// One that is not deleted.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn find(db: &Db, slug: &Slug) -> Result<Option<SourceRow>, Failure> {
    let sql = format!("select {COLUMNS} from source where slug = $1 and deleted_at is null");
    let row: Option<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(slug.as_str())
        .fetch_optional(on).await)?;
    row.map(SourceRow::try_from).transpose()
}

/// The same, locked for a change.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn lock(tx: &mut Tx, db: &Db, slug: &Slug) -> Result<Option<SourceRow>, Failure> {
    let sql =
        format!("select {COLUMNS} from source where slug = $1 and deleted_at is null{}", db.for_update());
    let row: Option<Raw> = crate::within!(tx, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(slug.as_str())
        .fetch_optional(on).await)?;
    row.map(SourceRow::try_from).transpose()
}

/// Adds one and returns its number; the row's own is not looked at.
///
/// # Errors
/// The name is taken, or the database does not answer.
pub async fn insert(tx: &mut Tx, row: &SourceRow) -> sqlx::Result<i64> {
    let sql = "insert into source (mode, tolerance_s, settings, api_base_url, api_key, api_secret_sealed, \
               api_secret_key_id, slug, provider, created_at) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id";
    crate::within!(tx, on => bind_changeable!(sqlx::query_scalar(sql), row)
        .bind(row.slug.as_str())
        .bind(row.provider.as_str())
        .bind(row.created_at.micros())
        .fetch_one(on).await)
}

/// Writes what of it can change.
///
/// # Errors
/// The database does not answer.
pub async fn save(tx: &mut Tx, row: &SourceRow) -> sqlx::Result<()> {
    let sql = "update source set mode = $1, tolerance_s = $2, settings = $3, api_base_url = $4, api_key = $5, \
               api_secret_sealed = $6, api_secret_key_id = $7 where id = $8";
    crate::within!(tx, on => bind_changeable!(sqlx::query(sql), row).bind(row.id).execute(on).await.map(drop))
}

/// Takes it out of use: its events stay, and its name is free.
///
/// # Errors
/// The database does not answer.
pub async fn delete(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<()> {
    let sql = "update source set deleted_at = $2 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await.map(drop))
}
