//! Rows of `alert`.

use app::types::{AlertState, Timestamp};

use crate::db::Tx;

/// What somebody should know.
#[derive(Debug, Clone, Copy)]
pub struct NewAlert<'a> {
    /// What kind of thing.
    pub kind: &'a str,
    /// What it is about, by name.
    pub subject: &'a str,
    /// What happened, in words.
    pub detail: &'a str,
    /// When.
    pub opened_at: Timestamp,
}

/// Opens one.
///
/// # Errors
/// The database does not answer.
pub async fn open(tx: &mut Tx, alert: NewAlert<'_>) -> sqlx::Result<()> {
    let sql = "insert into alert (kind, subject, detail, opened_at, state) values ($1, $2, $3, $4, $5)";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(alert.kind)
        .bind(alert.subject)
        .bind(alert.detail)
        .bind(alert.opened_at.micros())
        .bind(AlertState::Open.as_str())
        .execute(on).await.map(drop))
}
