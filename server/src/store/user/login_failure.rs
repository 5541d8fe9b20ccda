//! Rows of `login_failure`: log-ins that did not succeed, by account and by address.

use app::types::Timestamp;

use crate::db::Db;

/// Writes one down and returns its number.
///
/// # Errors
/// The database does not answer.
pub async fn insert(db: &Db, subject: &str, now: Timestamp) -> sqlx::Result<i64> {
    let sql = "insert into login_failure (subject, failed_at) values ($1, $2) returning id";
    crate::write!(db, on => sqlx::query_scalar(sql).bind(subject).bind(now.micros()).fetch_one(on).await)
}

/// When the latest ones were, newest first, without that one (0: with all).
///
/// # Errors
/// The database does not answer.
pub async fn latest_but(db: &Db, subject: &str, id: i64, limit: i64) -> sqlx::Result<Vec<Timestamp>> {
    let sql = "select failed_at from login_failure where subject = $1 and id <> $2 \
               order by failed_at desc, id desc limit $3";
    let rows: Vec<i64> = crate::read!(db, on => sqlx::query_scalar(sql)
        .bind(subject)
        .bind(id)
        .bind(limit)
        .fetch_all(on).await)?;
    Ok(rows.into_iter().map(Timestamp::from_micros).collect())
}

/// Takes one back.
///
/// # Errors
/// The database does not answer.
pub async fn delete(db: &Db, id: i64) -> sqlx::Result<()> {
    let sql = "delete from login_failure where id = $1";
    crate::write!(db, on => sqlx::query(sql).bind(id).execute(on).await.map(drop))
}

/// Forgets all of one subject.
///
/// # Errors
/// The database does not answer.
pub async fn clear(db: &Db, subject: &str) -> sqlx::Result<()> {
    let sql = "delete from login_failure where subject = $1";
    crate::write!(db, on => sqlx::query(sql).bind(subject).execute(on).await.map(drop))
}

/// Forgets all from before that moment.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, before: Timestamp) -> sqlx::Result<()> {
    let sql = "delete from login_failure where failed_at <= $1";
    crate::write!(db, on => sqlx::query(sql).bind(before.micros()).execute(on).await.map(drop))
}
