//! Tokens for the API.

use app::context::Viewer;
use app::types::{Role, Timestamp};
use serde_json::json;

use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::store::{audit, user};

/// Adds a token of that value; `by` whom is written down.
///
/// # Errors
/// The database does not answer.
pub async fn add(
    db: &Db,
    name: &str,
    role: Role,
    value: &str,
    by: &Viewer,
    now: Timestamp,
) -> sqlx::Result<()> {
    let mut tx = db.begin_write().await?;
    user::token::insert(&mut tx, name, role, value, now).await?;
    let entry =
        Entry::by(by, action::TOKEN_CREATED, format!("token/{name}"), now).with(json!({"role": role}));
    audit::record(&mut tx, &entry).await?;
    tx.commit().await
}
