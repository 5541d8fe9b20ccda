//! Rotating secrets. A new one begins to count when it is written; the others end after the overlap. Nothing has to
//! run for that: what counts is decided by the times, at the moment of use.

use std::collections::HashMap;
use std::sync::Arc;

use app::comment::written;
use app::context::Viewer;
use app::error::{AppError, FieldError, Rule};
use app::secrets::{Extension, Holder, Keyring, NewSecret, SecretList, Secrets, SecretsPage, TestResult};
use app::text::Lang;
use app::types::{Slug, Timestamp};
use async_trait::async_trait;
use serde_json::{Value, json};

use super::keyrings;
use super::prober::Prober;
use crate::clock::SharedClock;
use crate::db::{Db, Tx};
use crate::deliver::Network;
use crate::domain::audit::{Entry, action};
use crate::domain::secret::{self as domain, MOST_ACTIVE, SecretValue};
use crate::domain::secret_lint::lint;
use crate::error::Failure;
use crate::registry::{Registry, Source};
use crate::request_coalescing::{ChangeCount, InFlight};
use crate::store::audit;
use crate::store::secret::{self, HolderId, SecretRow};
use crate::vault::Vault;

/// Seconds that an overlap lasts at most: a week.
const LONGEST_OVERLAP_S: i64 = 604_800;

/// Secrets of sources and destinations.
#[derive(Debug, Clone)]
pub struct SecretsBackend {
    db: Db,
    clock: SharedClock,
    vault: Arc<Vault>,
    registry: Arc<Registry>,
    prober: Prober,
    acts: ChangeCount,
    shown: Arc<InFlight<Lang, Vec<Keyring>>>,
}

impl SecretsBackend {
    /// Over this database, sealed by this vault. Destinations are tested over this network.
    pub fn new(
        db: Db,
        clock: SharedClock,
        vault: Arc<Vault>,
        registry: Arc<Registry>,
        network: Network,
        acts: ChangeCount,
    ) -> Self {
        let prober = Prober::new(db.clone(), clock.clone(), registry.clone(), network);
        Self { db, clock, vault, registry, prober, acts, shown: Arc::default() }
    }

    /// Writes the new one beside the old ones. The one that it replaces ends after the overlap; those that were replaced
    /// before keep the ends that they have.
    async fn rotate(
        &self,
        viewer: &Viewer,
        whose: SecretOwner<'_>,
        new: NewSecretRow<'_>,
    ) -> Result<SecretList, Failure> {
        let LockedHolder { mut tx, holder, now, active } = self.lock(whose).await?;
        // Without an overlap the new one takes the place of another.
        if active.len() + usize::from(new.overlap_s > 0) > MOST_ACTIVE {
            return Err(AppError::TooManySecrets.into());
        }
        if new.pasted {
            self.refuse_repeated(&active, new.value)?;
        }
        let row = self.seal(holder, new.value, &viewer.name, now)?;
        secret::insert(&mut tx, &row).await?;
        secret::end_current(&mut tx, holder, &row.id, now.plus_seconds(new.overlap_s)).await?;
        let rows = secret::active_within(&mut tx, holder, now).await?;
        let beside: Vec<_> = rows.iter().filter(|other| other.id != row.id).map(audit_value).collect();
        let detail = json!({"secret": row.id, "fingerprint": row.fingerprint, "overlap_s": new.overlap_s,
            "beside": beside});
        let rotated = Entry::by(viewer, action::SECRET_ROTATED, whose.subject(), now).with(detail);
        audit::record(&mut tx, &rotated.with_reason(new.reason)).await?;
        if !new.pasted {
            let detail = json!({"secret": row.id, "fingerprint": row.fingerprint});
            let shown = Entry::by(viewer, action::SECRET_SHOWN, whose.subject(), now).with(detail);
            audit::record(&mut tx, &shown).await?;
        }
        tx.commit().await?;
        tracing::info!(holder = ?whose.holder, slug = %whose.slug, secret = row.id, new.overlap_s, "rotated");
        self.notify_changes().await;
        Ok(self.list_of(whose, rows))
    }

    /// The source of that name; looks once more for one that another process may have made.
    async fn source(&self, slug: &Slug) -> Result<Arc<Source>, Failure> {
        if let Some(source) = self.registry.source(slug) {
            return Ok(source);
        }
        self.registry.reload().await?;
        Ok(self.registry.source(slug).ok_or(AppError::NotFound)?)
    }

    /// What is committed is done, and a new secret must not be lost on its way to the one who asked.
    async fn notify_changes(&self) {
        if let Err(error) = self.registry.reload().await {
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

    async fn lock(&self, whose: SecretOwner<'_>) -> Result<LockedHolder, Failure> {
        let mut tx = self.db.begin_write().await?;
        let holder =
            secret::lock_holder(&mut tx, whose.holder, whose.slug).await?.ok_or(AppError::NotFound)?;
        // After the lock, which may have waited: so the times follow the order of the changes.
        let now = self.clock.now();
        let active = secret::active_within(&mut tx, holder, now).await?;
        Ok(LockedHolder { tx, holder, now, active })
    }

    /// Writes down what was done, makes it durable, and tells what counts now.
    async fn finish(
        &self,
        whose: SecretOwner<'_>,
        mut locked: LockedHolder,
        entry: Entry<'_>,
    ) -> Result<SecretList, Failure> {
        let rows = secret::active_within(&mut locked.tx, locked.holder, locked.now).await?;
        audit::record(&mut locked.tx, &entry).await?;
        locked.tx.commit().await?;
        tracing::info!(action = entry.action, subject = entry.subject, "secrets changed");
        self.notify_changes().await;
        Ok(self.list_of(whose, rows))
    }

    fn list_of(&self, whose: SecretOwner<'_>, rows: Vec<SecretRow>) -> SecretList {
        let mut shared = match whose.holder {
            Holder::Source => self.registry.shared(whose.slug),
            Holder::Destination => HashMap::new(),
        };
        let shown = |row: SecretRow| {
            let shared_with = shared.remove(&row.id).unwrap_or_default();
            keyrings::shown(row, shared_with)
        };
        SecretList { secrets: rows.into_iter().map(shown).collect() }
    }

    async fn end_one(
        &self,
        viewer: &Viewer,
        whose: SecretOwner<'_>,
        id: &str,
        reason: &str,
    ) -> Result<SecretList, Failure> {
        let mut locked = self.lock(whose).await?;
        let row = locked.find(id)?.clone();
        let rest = || locked.active.iter().filter(|other| other.id != id);
        let newest = rest().next().ok_or(AppError::OnlyActiveSecret)?;
        let successor = (row.has_no_end() && !rest().any(SecretRow::has_no_end)).then(|| newest.id.clone());
        secret::set_end(&mut locked.tx, id, Some(locked.now)).await?;
        let mut detail = audit_value(&row);
        if let Some(successor) = successor {
            secret::set_end(&mut locked.tx, &successor, None).await?;
            detail["goes_on"] = successor.into();
        }
        let entry = Entry::by(viewer, action::SECRET_RETIRED, whose.subject(), locked.now).with(detail);
        self.finish(whose, locked, entry.with_reason(reason)).await
    }

    async fn undo_rotation_of(
        &self,
        viewer: &Viewer,
        whose: SecretOwner<'_>,
        reason: &str,
    ) -> Result<SecretList, Failure> {
        let mut locked = self.lock(whose).await?;
        let newest =
            locked.active.iter().find(|row| row.has_no_end()).ok_or(AppError::NothingToUndo)?.clone();
        let before = secret::replaced_by(&mut locked.tx, &newest.id).await?;
        let before = locked.active.iter().find(|row| Some(&row.id) == before.as_ref());
        let before = before.ok_or(AppError::NothingToUndo)?.id.clone();
        secret::set_end(&mut locked.tx, &newest.id, Some(locked.now)).await?;
        secret::set_end(&mut locked.tx, &before, None).await?;
        let mut detail = audit_value(&newest);
        detail["goes_on"] = before.into();
        let entry = Entry::by(viewer, action::SECRET_UNDONE, whose.subject(), locked.now).with(detail);
        self.finish(whose, locked, entry.with_reason(reason)).await
    }

    async fn extend_expiry(
        &self,
        viewer: &Viewer,
        whose: SecretOwner<'_>,
        id: &str,
        extension: Extension,
        reason: &str,
    ) -> Result<SecretList, Failure> {
        let mut locked = self.lock(whose).await?;
        let row = locked.find(id)?.clone();
        let before = row.expires_at.ok_or(AppError::NoEnd)?;
        let (field, end) = match extension {
            Extension::By(seconds) => ("extend_s", before.plus_seconds(seconds.clamp(0, LONGEST_OVERLAP_S))),
            Extension::Until(end) => ("expires_at", end),
        };
        if end <= before || end > locked.now.plus_seconds(LONGEST_OVERLAP_S) {
            return Err(AppError::field(field, Rule::OutOfRange).into());
        }
        secret::set_end(&mut locked.tx, id, Some(end)).await?;
        let mut detail = audit_value(&row);
        detail["until"] = json!(end);
        let entry = Entry::by(viewer, action::SECRET_EXTENDED, whose.subject(), locked.now).with(detail);
        self.finish(whose, locked, entry.with_reason(reason)).await
    }
}

/// Whose secret.
#[derive(Clone, Copy)]
struct SecretOwner<'a> {
    holder: Holder,
    slug: &'a Slug,
}

impl SecretOwner<'_> {
    /// As the audit names it.
    fn subject(self) -> String {
        match self.holder {
            Holder::Source => format!("source/{}", self.slug),
            Holder::Destination => format!("destination/{}", self.slug),
        }
    }
}

/// A holder that nobody else changes until the transaction ends.
struct LockedHolder {
    tx: Tx,
    holder: HolderId,
    now: Timestamp,
    active: Vec<SecretRow>,
}

impl LockedHolder {
    fn find(&self, id: &str) -> Result<&SecretRow, AppError> {
        self.active.iter().find(|row| row.id == id).ok_or(AppError::NotFound)
    }
}

/// A secret as the audit tells of it.
fn audit_value(row: &SecretRow) -> Value {
    json!({"secret": row.id, "fingerprint": row.fingerprint, "ends": row.expires_at, "matches": row.matches,
        "last_used_at": row.last_used_at})
}

/// A secret that is about to be written.
#[derive(Clone, Copy)]
struct NewSecretRow<'a> {
    value: &'a SecretValue,
    pasted: bool,
    overlap_s: i64,
    reason: &'a str,
}

#[async_trait]
impl Secrets for SecretsBackend {
    async fn page(&self, lang: Lang) -> Result<SecretsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let read = keyrings::read(&self.db, &self.registry, lang, look.at);
        let keyrings = self.shown.get(lang, look, read).await?;
        Ok(SecretsPage { keyrings, made: None, now: look.at })
    }

    async fn list(&self, holder: Holder, slug: &Slug) -> Result<SecretList, AppError> {
        let found = secret::find_holder(&self.db, holder, slug).await.map_err(Failure::from)?;
        let found = found.ok_or(AppError::NotFound)?;
        let rows = secret::active(&self.db, found, self.clock.now()).await?;
        Ok(self.list_of(SecretOwner { holder, slug }, rows))
    }

    async fn rotate_source(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        secret: &str,
        overlap_s: i64,
        reason: &str,
    ) -> Result<SecretList, AppError> {
        let source = self.source(slug).await?;
        let rule = lint(secret, source.provider, source.policy.as_ref()).map(|rule| ("secret", rule));
        refuse(rule.into_iter().chain(check_overlap(overlap_s)).chain(check_reason(reason)))?;
        let value = SecretValue::new(secret);
        self.registry.refuse_of_another(slug, source.one_each, &value)?;
        let whose = SecretOwner { holder: Holder::Source, slug };
        Ok(self
            .rotate(viewer, whose, NewSecretRow { value: &value, pasted: true, overlap_s, reason })
            .await?)
    }

    async fn rotate_destination(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        overlap_s: i64,
        reason: &str,
    ) -> Result<(SecretList, NewSecret), AppError> {
        refuse(check_overlap(overlap_s).into_iter().chain(check_reason(reason)))?;
        let value = SecretValue::generate();
        let whose = SecretOwner { holder: Holder::Destination, slug };
        let list = self
            .rotate(viewer, whose, NewSecretRow { value: &value, pasted: false, overlap_s, reason })
            .await?;
        Ok((list, NewSecret { destination: slug.clone(), secret: value.expose().to_owned() }))
    }

    async fn retire(
        &self,
        viewer: &Viewer,
        holder: Holder,
        slug: &Slug,
        id: &str,
        reason: &str,
    ) -> Result<(), AppError> {
        refuse(check_reason(reason).into_iter())?;
        self.end_one(viewer, SecretOwner { holder, slug }, id, reason).await?;
        Ok(())
    }

    async fn extend(
        &self,
        viewer: &Viewer,
        holder: Holder,
        slug: &Slug,
        id: &str,
        extension: Extension,
        reason: &str,
    ) -> Result<SecretList, AppError> {
        refuse(check_reason(reason).into_iter())?;
        Ok(self.extend_expiry(viewer, SecretOwner { holder, slug }, id, extension, reason).await?)
    }

    async fn undo(
        &self,
        viewer: &Viewer,
        holder: Holder,
        slug: &Slug,
        reason: &str,
    ) -> Result<SecretList, AppError> {
        refuse(check_reason(reason).into_iter())?;
        Ok(self.undo_rotation_of(viewer, SecretOwner { holder, slug }, reason).await?)
    }

    async fn test(&self, viewer: &Viewer, slug: &Slug) -> Result<TestResult, AppError> {
        Ok(self.prober.test(viewer, slug).await?)
    }
}

fn check_overlap(overlap_s: i64) -> Option<(&'static str, Rule)> {
    (!(0..=LONGEST_OVERLAP_S).contains(&overlap_s)).then_some(("overlap_s", Rule::OutOfRange))
}

fn check_reason(reason: &str) -> Option<(&'static str, Rule)> {
    written(reason).err().filter(|rule| *rule != Rule::Required).map(|rule| ("reason", rule))
}

fn refuse(broken: impl Iterator<Item = (&'static str, Rule)>) -> Result<(), AppError> {
    let broken: Vec<_> = broken.map(|(field, rule)| FieldError::new(field, rule)).collect();
    if broken.is_empty() { Ok(()) } else { Err(AppError::Invalid(broken)) }
}
