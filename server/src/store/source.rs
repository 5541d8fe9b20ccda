//! Rows of `source`.

use app::types::{Mode, Provider, Slug, Timestamp};

use crate::db::Db;
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
    /// Settings of the `hmac` provider, as JSON.
    pub hmac: Option<String>,
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
    hmac: Option<String>,
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
            hmac: raw.hmac,
            api,
            created_at: Timestamp::from_micros(raw.created_at),
        })
    }
}

/// All that are not deleted, oldest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn all(db: &Db) -> Result<Vec<SourceRow>, Failure> {
    let sql = "select id, slug, provider, mode, tolerance_s, hmac, api_base_url, api_key, api_secret_sealed, \
               api_secret_key_id, created_at \
               from source where deleted_at is null order by id";
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)?;
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
