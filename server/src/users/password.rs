//! Passwords: argon2id with its default parameters. Each takes some 20 MB and a core for a moment, so few are
//! computed at a time, and on threads that may block.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::error::Failure;

/// So many at a time.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Of no password: what is computed for an unknown user, so that they take the same time.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| compute("nobody's password").ok());

/// Hashes a password for keeping.
///
/// # Errors
/// There is not enough memory.
pub async fn hash(password: &str) -> Result<String, Failure> {
    let password = Zeroizing::new(password.to_owned());
    blocking(move || compute(&password)).await?
}

/// Whether the password is that of the hash; without a hash it takes as long and is not.
///
/// # Errors
/// The stored hash is not of the form.
pub async fn verify(password: &str, hash: Option<String>) -> Result<bool, Failure> {
    let password = Zeroizing::new(password.to_owned());
    blocking(move || {
        let known = hash.is_some();
        let hash = hash.or_else(|| NOBODY.clone()).unwrap_or_default();
        let hash = PasswordHash::new(&hash).map_err(|error| Failure::stored("user.password_hash", error))?;
        let same = Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
        Ok(same && known)
    })
    .await?
}

fn compute(password: &str) -> Result<String, Failure> {
    Argon2::default()
        .hash_password(password.as_bytes(), &SaltString::generate(&mut OsRng))
        .map(|hash| hash.to_string())
        .map_err(|error| Failure::other("password", error))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let _turn = TURNS.acquire().await.map_err(|error| Failure::other("password", error))?;
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::other("password", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_itself_verifies() {
        let hash = hash("correct horse battery").await.unwrap();
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(verify("correct horse battery", Some(hash.clone())).await.unwrap());
        assert!(!verify("correct horse batterY", Some(hash)).await.unwrap());
        assert!(!verify("nobody's password", None).await.unwrap());
        assert!(verify("x", Some("not a hash".to_owned())).await.is_err());
    }
}
