//! A new master key while everything runs: it is put into the key file first, where running servers find it within a
//! second, and then everything that is sealed under another one is sealed again.

use std::path::Path;
use std::time::Duration;

use app::context::Viewer;
use serde_json::json;

use crate::clock::Clock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::store::{audit, sealed_value};
use crate::vault::{Vault, key_file};

/// Values of one transaction.
const BATCH: usize = 200;
/// After this long every running server seals under the new key.
const TAKEN_UP: Duration = Duration::from_millis(2500);

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotationResult {
    /// The new key.
    pub key: String,
    /// Values that are sealed under it now.
    pub sealed: usize,
    /// Older keys that were taken out of the file.
    pub dropped: usize,
}

/// Seals everything again under a new key; `drop_old` takes the older ones out of the file at the end. What was done
/// when it is cut off stays good: both keys open, and another run finishes it.
///
/// # Errors
/// Something does not open under the keys of the file, and nothing was changed; or the file or the database cannot be
/// written.
pub async fn rotate(
    db: &Db,
    key_file: &Path,
    clock: &dyn Clock,
    by: &Viewer,
    drop_old: bool,
) -> Result<RotationResult, Failure> {
    let vault = Vault::read(key_file)?;
    for place in sealed_value::not_under(db, "").await? {
        vault.open(&place.sealed, &place.owner)?;
    }
    let key = key_file::add_key(key_file)?;
    vault.refresh()?;
    let mut count = seal_again(db, &vault, &key).await?;
    // A server that has not looked yet may have sealed something under the old one.
    tokio::time::sleep(TAKEN_UP).await;
    count += seal_again(db, &vault, &key).await?;
    let dropped = if drop_old { key_file::keep_only(key_file, &key)? } else { 0 };
    let detail = json!({"key": key, "sealed": count, "dropped": dropped});
    let entry = Entry::by(by, action::KEYS_ROTATED, "keys", clock.now()).with(detail);
    audit::record_alone(db, &entry).await?;
    Ok(RotationResult { key, sealed: count, dropped })
}

async fn seal_again(db: &Db, vault: &Vault, key: &str) -> Result<usize, Failure> {
    let places = sealed_value::not_under(db, key).await?;
    for batch in places.chunks(BATCH) {
        let mut new = Vec::with_capacity(batch.len());
        for place in batch {
            new.push(vault.seal(&vault.open(&place.sealed, &place.owner)?, &place.owner)?);
        }
        let mut tx = db.begin_write().await?;
        for (place, new) in batch.iter().zip(&new) {
            sealed_value::replace(&mut tx, place, new).await?;
        }
        tx.commit().await?;
    }
    Ok(places.len())
}
