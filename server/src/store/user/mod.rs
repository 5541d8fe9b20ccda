//! Rows of `user`: the people who log in.

pub mod login_failure;
pub mod session;
pub mod token;

use app::types::{Role, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::error::Failure;
use crate::store::placeholders::{Placeholders, filled, size_for};

/// A user, as they are stored.
#[derive(Clone)]
pub struct UserRow {
    /// Their number.
    pub id: i64,
    /// In lower case.
    pub email: String,
    /// Of argon2id, with its parameters and salt.
    pub password_hash: String,
    /// What they may do.
    pub role: Role,
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    email: String,
    password_hash: String,
    role: String,
}

impl TryFrom<Raw> for UserRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let role = raw.role.parse().map_err(|error| Failure::stored("user.role", error))?;
        Ok(Self { id: raw.id, email: raw.email, password_hash: raw.password_hash, role })
    }
}

/// The one with that e-mail, in lower case.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn by_email(db: &Db, email: &str) -> Result<Option<UserRow>, Failure> {
    let sql = "select id, email, password_hash, role from \"user\" where email = $1";
    let row: Option<Raw> = crate::read!(db, on => sqlx::query_as(sql).bind(email).fetch_optional(on).await)?;
    row.map(UserRow::try_from).transpose()
}

/// The one with that number.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<UserRow>, Failure> {
    let sql = "select id, email, password_hash, role from \"user\" where id = $1";
    let row: Option<Raw> = crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)?;
    row.map(UserRow::try_from).transpose()
}

/// Those with these numbers.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn by_ids(db: &Db, ids: &[i64]) -> Result<Vec<UserRow>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select id, email, password_hash, role from \"user\" where id in ({})",
        Placeholders::on(db).list(size_for(ids.len()))
    );
    let rows: Vec<Raw> = crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql));
        filled(ids).fold(query, |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(UserRow::try_from).collect()
}

/// Adds one. False: the e-mail is taken.
///
/// # Errors
/// The database does not answer.
pub async fn insert(
    tx: &mut Tx,
    email: &str,
    password_hash: &str,
    role: Role,
    now: Timestamp,
) -> sqlx::Result<bool> {
    let sql = "insert into \"user\" (email, password_hash, role, created_at) values ($1, $2, $3, $4) \
               on conflict do nothing";
    let done = crate::within!(tx, on => sqlx::query(sql)
        .bind(email)
        .bind(password_hash)
        .bind(role.as_str())
        .bind(now.micros())
        .execute(on).await.map(|done| done.rows_affected()))?;
    Ok(done == 1)
}

/// Notes that they logged in.
///
/// # Errors
/// The database does not answer.
pub async fn logged_in(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<()> {
    let sql = "update \"user\" set last_login_at = $2 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(now.micros()).execute(on).await.map(drop))
}
