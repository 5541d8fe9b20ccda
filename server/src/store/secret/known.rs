//! Secrets of sources, also those that ended: what a signature can be compared with.

use app::types::{Mode, Slug, Timestamp};

use crate::db::Db;
use crate::error::Failure;
use crate::vault::Sealed;

/// Secrets that are compared at most; the newest.
const MOST: i64 = 500;

/// A secret of a source.
#[derive(Debug, Clone)]
pub struct KnownSecret {
    /// `sec_…`.
    pub id: String,
    /// The row of its source.
    pub source_id: i64,
    /// Its source.
    pub source: Slug,
    /// Whether that carries real money.
    pub mode: Mode,
    /// The value, sealed for `secret/ID`.
    pub sealed: Sealed,
    /// A short hash of the value.
    pub fingerprint: String,
    /// From when it counts.
    pub created_at: Timestamp,
    /// Until when.
    pub expires_at: Option<Timestamp>,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: String,
    source_id: i64,
    slug: String,
    mode: String,
    sealed: Vec<u8>,
    key_id: String,
    fingerprint: String,
    created_at: i64,
    expires_at: Option<i64>,
}

/// Those of every source that is not deleted, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn of_sources(db: &Db) -> Result<Vec<KnownSecret>, Failure> {
    let sql = "select k.id, k.source_id, s.slug, s.mode, k.sealed, k.key_id, k.fingerprint, k.created_at, k.expires_at \
               from secret k join source s on s.id = k.source_id where s.deleted_at is null \
               order by k.created_at desc, k.id desc limit $1";
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(sql).bind(MOST).fetch_all(on).await)?;
    let read = |raw: Raw| {
        Ok(KnownSecret {
            id: raw.id,
            source_id: raw.source_id,
            source: raw.slug.parse().map_err(|error| Failure::stored("source.slug", error))?,
            mode: raw.mode.parse().map_err(|error| Failure::stored("source.mode", error))?,
            sealed: Sealed { bytes: raw.sealed, key_id: raw.key_id },
            fingerprint: raw.fingerprint,
            created_at: Timestamp::from_micros(raw.created_at),
            expires_at: raw.expires_at.map(Timestamp::from_micros),
        })
    };
    rows.into_iter().map(read).collect()
}
