//! Rotating secrets. A new one begins to count when it is written; the others end after the overlap. Nothing has to
//! run for that: what counts is decided by the times, at the moment of use.

use std::collections::HashMap;
use std::sync::Arc;

use app::context::Viewer;
use app::error::{AppError, FieldError, Rule};
use app::secrets::{Holder, Keyring, NewSecret, Secret, SecretList, Secrets, SecretsPage};
use app::types::{Slug, Timestamp};
use async_trait::async_trait;
use serde_json::json;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::directory::Directory;
use crate::domain::audit::{Entry, action};
use crate::domain::secret::{self as domain, SecretValue};
use crate::error::Failure;
use crate::store::secret::{self, HolderId, SecretRow};
use crate::store::{audit, destination, source};
use crate::vault::Vault;

/// Bytes of a pasted secret at most.
const LONGEST: usize = 512;
/// Seconds that an overlap lasts at most: a week.
const LONGEST_OVERLAP_S: i64 = 604_800;

/// Secrets of sources and destinations.
#[derive(Debug, Clone)]
pub struct SecretsBackend {
    db: Db,
    clock: SharedClock,
    vault: Arc<Vault>,
    directory: Arc<Directory>,
}

impl SecretsBackend {
    /// Over this database, sealed by this vault.
    pub fn new(db: Db, clock: SharedClock, vault: Arc<Vault>, directory: Arc<Directory>) -> Self {
        Self { db, clock, vault, directory }
    }

    /// Writes the new one beside the old ones, which end after the overlap; an end is never made later.
    async fn rotate(&self, viewer: &Viewer, whose: Whose<'_>, new: New<'_>) -> Result<SecretList, Failure> {
        let mut tx = self.db.begin_write().await?;
        let holder =
            secret::lock_holder(&mut tx, whose.holder, whose.slug).await?.ok_or(AppError::NotFound)?;
        // After the lock, which may have waited: so the times follow the order of the rotations.
        let now = self.clock.now();
        if new.pasted {
            self.refuse_repeated(&secret::active_within(&mut tx, holder, now).await?, new.value)?;
        }
        let row = self.seal(holder, new.value, &viewer.name, now)?;
        secret::end_all(&mut tx, holder, now.plus_seconds(new.overlap_s)).await?;
        secret::insert(&mut tx, &row).await?;
        let rows = secret::active_within(&mut tx, holder, now).await?;
        let told = json!({"secret": row.id, "fingerprint": row.fingerprint, "overlap_s": new.overlap_s});
        let rotated = Entry::by(viewer, action::SECRET_ROTATED, whose.subject(), now).with(told.clone());
        audit::record(&mut tx, &rotated).await?;
        if !new.pasted {
            let shown = Entry::by(viewer, action::SECRET_SHOWN, whose.subject(), now).with(told);
            audit::record(&mut tx, &shown).await?;
        }
        tx.commit().await?;
        let list = list(rows);
        tracing::info!(holder = ?whose.holder, slug = %whose.slug, secret = row.id, new.overlap_s, "rotated");
        self.tell().await;
        Ok(list)
    }

    /// What is committed is done, and a new secret must not be lost on its way to the one who asked.
    async fn tell(&self) {
        if let Err(error) = self.directory.reload().await {
            tracing::error!(%error, "a change of secrets is stored, but not in use yet");
        }
    }

    fn refuse_repeated(&self, active: &[SecretRow], value: &SecretValue) -> Result<(), Failure> {
        let fingerprint = value.fingerprint();
        for row in active.iter().filter(|row| row.fingerprint == fingerprint) {
            if self.vault.open(&row.sealed, &secret::owner(&row.id))? == *value {
                return Err(AppError::field("secret", Rule::Repeated).into());
            }
        }
        Ok(())
    }

    fn seal(
        &self,
        holder: HolderId,
        value: &SecretValue,
        actor: &str,
        now: Timestamp,
    ) -> Result<SecretRow, Failure> {
        let id = domain::new_id();
        Ok(SecretRow {
            sealed: self.vault.seal(value, &secret::owner(&id))?,
            id,
            holder,
            fingerprint: value.fingerprint(),
            created_by: actor.to_owned(),
            created_at: now,
            expires_at: None,
            last_used_at: None,
            matches: 0,
        })
    }

    async fn end_one(&self, viewer: &Viewer, whose: Whose<'_>, id: &str) -> Result<(), Failure> {
        let mut tx = self.db.begin_write().await?;
        let holder =
            secret::lock_holder(&mut tx, whose.holder, whose.slug).await?.ok_or(AppError::NotFound)?;
        let now = self.clock.now();
        let active = secret::active_within(&mut tx, holder, now).await?;
        let row = active.iter().find(|row| row.id == id).ok_or(AppError::NotFound)?;
        if active.len() == 1 {
            return Err(AppError::OnlyActiveSecret.into());
        }
        secret::end(&mut tx, id, now).await?;
        let told = json!({"secret": id, "fingerprint": row.fingerprint, "matches": row.matches,
            "last_used_at": row.last_used_at, "ended": row.expires_at});
        let entry = Entry::by(viewer, action::SECRET_RETIRED, whose.subject(), now).with(told);
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        tracing::info!(holder = ?whose.holder, slug = %whose.slug, secret = id, "retired");
        self.tell().await;
        Ok(())
    }

    async fn keyrings(&self, now: Timestamp) -> Result<Vec<Keyring>, Failure> {
        let mut secrets: HashMap<HolderId, Vec<Secret>> = HashMap::new();
        for row in secret::unexpired(&self.db, now).await?.into_iter().filter(|row| row.created_at <= now) {
            secrets.entry(row.holder).or_default().push(shown(row));
        }
        let mut keyrings = Vec::new();
        for row in source::all(&self.db).await? {
            let secrets = secrets.remove(&HolderId::Source(row.id)).unwrap_or_default();
            let scheme = row.provider.to_string();
            keyrings.push(Keyring { holder: Holder::Source, slug: row.slug, scheme, secrets });
        }
        for row in destination::all(&self.db).await? {
            let secrets = secrets.remove(&HolderId::Destination(row.id)).unwrap_or_default();
            let scheme = row.format.to_string();
            keyrings.push(Keyring { holder: Holder::Destination, slug: row.slug, scheme, secrets });
        }
        // A stable sort: what is not in a rotation keeps its place.
        keyrings.sort_by_key(|keyring| keyring.secrets.len() < 2);
        Ok(keyrings)
    }
}

/// Whose secret.
#[derive(Clone, Copy)]
struct Whose<'a> {
    holder: Holder,
    slug: &'a Slug,
}

impl Whose<'_> {
    /// As the audit names it.
    fn subject(self) -> String {
        match self.holder {
            Holder::Source => format!("source/{}", self.slug),
            Holder::Destination => format!("destination/{}", self.slug),
        }
    }
}

/// A secret that is about to be written.
#[derive(Clone, Copy)]
struct New<'a> {
    value: &'a SecretValue,
    pasted: bool,
    overlap_s: i64,
}

#[async_trait]
impl Secrets for SecretsBackend {
    async fn page(&self) -> Result<SecretsPage, AppError> {
        let now = self.clock.now();
        Ok(SecretsPage { keyrings: self.keyrings(now).await?, made: None, now })
    }

    async fn list(&self, holder: Holder, slug: &Slug) -> Result<SecretList, AppError> {
        let found = secret::find_holder(&self.db, holder, slug).await.map_err(Failure::from)?;
        let found = found.ok_or(AppError::NotFound)?;
        Ok(list(secret::active(&self.db, found, self.clock.now()).await?))
    }

    async fn rotate_source(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        secret: &str,
        overlap_s: i64,
    ) -> Result<SecretList, AppError> {
        let rules = check(secret).map(|rule| ("secret", rule));
        refuse(rules.into_iter().chain(check_overlap(overlap_s)))?;
        let value = SecretValue::new(secret);
        let whose = Whose { holder: Holder::Source, slug };
        Ok(self.rotate(viewer, whose, New { value: &value, pasted: true, overlap_s }).await?)
    }

    async fn rotate_destination(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        overlap_s: i64,
    ) -> Result<(SecretList, NewSecret), AppError> {
        refuse(check_overlap(overlap_s).into_iter())?;
        let value = SecretValue::generate();
        let whose = Whose { holder: Holder::Destination, slug };
        let list = self.rotate(viewer, whose, New { value: &value, pasted: false, overlap_s }).await?;
        Ok((list, NewSecret { destination: slug.clone(), secret: value.expose().to_owned() }))
    }

    async fn retire(&self, viewer: &Viewer, holder: Holder, slug: &Slug, id: &str) -> Result<(), AppError> {
        Ok(self.end_one(viewer, Whose { holder, slug }, id).await?)
    }
}

/// What is certainly wrong with a pasted secret.
pub fn check(secret: &str) -> Option<Rule> {
    if secret.trim().is_empty() {
        Some(Rule::Required)
    } else if secret.trim() != secret {
        Some(Rule::WhiteSpace)
    } else if secret.len() > LONGEST {
        Some(Rule::TooLong)
    } else {
        None
    }
}

fn check_overlap(overlap_s: i64) -> Option<(&'static str, Rule)> {
    (!(0..=LONGEST_OVERLAP_S).contains(&overlap_s)).then_some(("overlap_s", Rule::OutOfRange))
}

fn refuse(broken: impl Iterator<Item = (&'static str, Rule)>) -> Result<(), AppError> {
    let broken: Vec<_> = broken.map(|(field, rule)| FieldError { field: field.to_owned(), rule }).collect();
    if broken.is_empty() { Ok(()) } else { Err(AppError::Invalid(broken)) }
}

fn list(rows: Vec<SecretRow>) -> SecretList {
    SecretList { secrets: rows.into_iter().map(shown).collect() }
}

fn shown(row: SecretRow) -> Secret {
    Secret {
        id: row.id,
        fingerprint: row.fingerprint,
        created_by: row.created_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_at: row.last_used_at,
        matches: row.matches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_error_that_is_certain_is_named() {
        for (secret, rule) in [
            ("", Some(Rule::Required)),
            (" \n", Some(Rule::Required)),
            ("whsec_a ", Some(Rule::WhiteSpace)),
            ("\twhsec_a", Some(Rule::WhiteSpace)),
            ("whsec_a\n", Some(Rule::WhiteSpace)),
            ("\u{a0}whsec_a", Some(Rule::WhiteSpace)),
            (&"x".repeat(513), Some(Rule::TooLong)),
            (&"x".repeat(512), None),
            ("whsec a", None),
            ("x", None),
        ] {
            assert_eq!(check(secret), rule, "{secret:?}");
        }
    }
}
