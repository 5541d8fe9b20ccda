//! The people who log in: adding them, and their passwords.

pub mod password;
pub mod throttle;
pub mod tokens;

use app::context::Viewer;
use app::types::{Role, Timestamp};
use serde_json::json;

use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::store::{audit, user};

/// Letters that a password has at least.
pub const SHORTEST_PASSWORD: usize = 12;
/// Bytes that a password has at most: more only costs time.
pub const LONGEST_PASSWORD: usize = 1024;

/// Why a user was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// Not an e-mail address.
    #[error("{0:?} is not an e-mail address; accepted: NAME@HOST")]
    Email(String),
    /// Too short, or much too long.
    #[error(
        "the password is not accepted; it needs at least {SHORTEST_PASSWORD} characters, \
         {LONGEST_PASSWORD} bytes at most"
    )]
    Password,
    /// There is one already; they stay as they were.
    #[error("there is a user {0:?} already")]
    Exists(String),
    /// Something went wrong inside.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// Adds a user; `by` whom is written down.
///
/// # Errors
/// The e-mail or the password breaks a rule, or the e-mail is taken.
pub async fn add(
    db: &Db,
    email: &str,
    password: &str,
    role: Role,
    by: &Viewer,
    now: Timestamp,
) -> Result<(), AddError> {
    let email = normal_email(email).ok_or_else(|| AddError::Email(email.chars().take(80).collect()))?;
    if password.chars().count() < SHORTEST_PASSWORD || password.len() > LONGEST_PASSWORD {
        return Err(AddError::Password);
    }
    let hash = password::hash(password).await?;
    let mut tx = db.begin_write().await.map_err(Failure::from)?;
    if !user::insert(&mut tx, &email, &hash, role, now).await.map_err(Failure::from)? {
        return Err(AddError::Exists(email));
    }
    let entry = Entry::by(by, action::USER_ADDED, format!("user/{email}"), now).with(json!({"role": role}));
    audit::record(&mut tx, &entry).await.map_err(Failure::from)?;
    Ok(tx.commit().await.map_err(Failure::from)?)
}

/// The address in lower case, when it looks like one.
pub fn normal_email(text: &str) -> Option<String> {
    let text = text.trim();
    let (name, host) = text.rsplit_once('@')?;
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c == '@' || c.is_whitespace() || c.is_control())
    };
    (text.len() <= 254 && plain(name) && plain(host)).then(|| text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::normal_email;

    #[test]
    fn an_address_has_a_name_and_a_host() {
        for (given, kept) in [("Ana@Shop.Example", "ana@shop.example"), (" a@b ", "a@b")] {
            assert_eq!(normal_email(given).as_deref(), Some(kept));
        }
        for bad in ["", "ana", "@shop", "ana@", "a b@shop", "ana@sh op", "a@b@c", "a\n@b", &"a@b".repeat(99)]
        {
            assert_eq!(normal_email(bad), None, "{bad:?}");
        }
    }
}
