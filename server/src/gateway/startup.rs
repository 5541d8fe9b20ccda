//! Opens what the process needs before it serves: the lock of the SQLite file, the database and the key file.

use std::path::Path;

use anyhow::Context;

use crate::config::{Config, ConfigError};
use crate::db::{Db, Lock, LockError};
use crate::error::Failure;
use crate::store::sealed_value;
use crate::vault::{Vault, VaultError, key_file};

/// SQLite has one process; the lock lasts as long as what this returns.
pub(super) fn lock(config: &Config) -> anyhow::Result<Option<Lock>> {
    let Some(path) = config.database_url.sqlite_path() else { return Ok(None) };
    let url = &config.database_url;
    Lock::take(path).map(Some).map_err(|error| match error {
        LockError::Taken(_) => {
            let accepted =
                "a SQLite file that no other acuse serve uses; any number of them may share postgres://…";
            ConfigError::new("ACUSE_DATABASE_URL", &url.to_string(), error.to_string(), accepted).into()
        }
        LockError::File(..) => anyhow::Error::from(error).context(format!("ACUSE_DATABASE_URL={url}")),
    })
}

pub(super) async fn open_db(config: &Config) -> anyhow::Result<Db> {
    let db = Db::open(config.database_url.expose())
        .await
        .with_context(|| format!("ACUSE_DATABASE_URL={}", config.database_url))?;
    if config.migrate {
        db.migrate().await.with_context(|| format!("ACUSE_DATABASE_URL={}", config.database_url))?;
    }
    Ok(db)
}

/// The key file's keys; none where SQLite has no key file yet.
pub(super) fn read_vault(config: &Config) -> Result<Option<Vault>, ConfigError> {
    if config.database_url.is_sqlite() && !config.key_file.exists() {
        return Ok(None);
    }
    Vault::read(&config.key_file).map(Some).map_err(|error| key_error(&config.key_file, &error))
}

/// Creates a key file, but not where it would stand in the place of one that is lost.
pub(super) async fn create_vault(config: &Config, db: &Db) -> anyhow::Result<Vault> {
    if db.is_migrated().await.unwrap_or(false)
        && let Some(key) = sealed_value::any_key(db).await?
    {
        let lost = VaultError::UnknownKey(key);
        return Err(key_error(&config.key_file, &lost).into());
    }
    let error = |error| key_error(&config.key_file, &error);
    key_file::create(&config.key_file).map_err(error)?;
    Ok(Vault::read(&config.key_file).map_err(error)?)
}

fn key_error(path: &Path, error: &VaultError) -> ConfigError {
    ConfigError::new(
        "ACUSE_KEY_FILE",
        &path.display().to_string(),
        format!("is of no use: {error}"),
        "the key file that the secrets in the database are sealed with; SQLite makes one at the first start, \
         PostgreSQL needs one that every process shares",
    )
}

/// Secrets that do not open mean another key file than the one that they were sealed with.
pub(crate) fn explain_key_error(failure: Failure, key_file: &Path) -> anyhow::Error {
    match failure {
        Failure::Vault(error) => key_error(key_file, &error).into(),
        other => other.into(),
    }
}
