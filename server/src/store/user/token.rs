//! Rows of `token`: who may use the API. The value is stored as its SHA-256 only; it has 256 random bits, so there is
//! nothing to guess and nothing to slow down.

use app::types::{Role, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngCore;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::db::{Db, Tx};
use crate::error::Failure;

/// Seconds between two notes of when a token was used.
const FRESHNESS: i64 = 60;

/// What a token lets its bearer do.
#[derive(Debug, Clone)]
pub struct TokenRow {
    /// Its number.
    pub id: i64,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

impl TokenRow {
    /// Whether it is time to note that it is used.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|at| now.seconds_since(at) >= FRESHNESS)
    }
}

/// A new value: `acuse_` and 32 random bytes in base64, URL-safe.
pub fn new_value() -> Zeroizing<String> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    rand::rng().fill_bytes(&mut *bytes);
    Zeroizing::new(format!("acuse_{}", URL_SAFE_NO_PAD.encode(*bytes)))
}

/// How a value is stored.
pub fn hash(value: &str) -> String {
    hex::encode(Sha256::digest(value.as_bytes()))
}

/// Adds a token.
///
/// # Errors
/// The database does not answer.
pub async fn insert(tx: &mut Tx, name: &str, role: Role, value: &str, now: Timestamp) -> sqlx::Result<()> {
    let sql = "insert into token (name, role, hash, created_at) values ($1, $2, $3, $4)";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(name)
        .bind(role.as_str())
        .bind(hash(value))
        .bind(now.micros())
        .execute(on).await.map(drop))
}

/// The token of that value.
///
/// # Errors
/// The database does not answer.
pub async fn find(db: &Db, value: &str) -> Result<Option<TokenRow>, Failure> {
    let sql = "select id, name, role, last_used_at from token where hash = $1";
    let row: Option<(i64, String, String, Option<i64>)> =
        crate::read!(db, on => sqlx::query_as(sql).bind(hash(value)).fetch_optional(on).await)?;
    row.map(|(id, name, role, last_used_at)| {
        Ok(TokenRow {
            id,
            name,
            role: role.parse().map_err(|error| Failure::stored("token.role", error))?,
            last_used_at: last_used_at.map(Timestamp::from_micros),
        })
    })
    .transpose()
}

/// Notes that it is used now, unless that was noted within the minute.
///
/// # Errors
/// The database does not answer.
pub async fn touch(db: &Db, id: i64, now: Timestamp) -> Result<(), Failure> {
    let sql =
        "update token set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)";
    crate::write!(db, on => sqlx::query(sql).bind(id).bind(now.micros()).bind(now.plus_seconds(-FRESHNESS).micros()).execute(on).await.map(drop))?;
    Ok(())
}
