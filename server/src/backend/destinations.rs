//! Destinations: made, changed, paused and taken out of use.

use std::collections::HashMap;
use std::sync::Arc;

use app::context::Viewer;
use app::destinations::{self as wire, Change, DestinationForm, Destinations as Interface, DestinationsPage};
use app::error::{AppError, Rule};
use app::secrets::NewSecret;
use app::types::{Slug, Timestamp};
use serde_json::json;

use super::destination_form;
use super::destination_settings::{DestinationChange, NewDestination};
use super::sources::name_taken;
use crate::clock::SharedClock;
use crate::db::{Db, Tx};
use crate::destination_lifecycle::DestinationLifecycle;
use crate::domain::audit::{Entry, action};
use crate::domain::destination::DestinationSettings;
use crate::domain::secret::{SecretValue, new_id};
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::Registry;
use crate::request_coalescing::{ChangeCount, InFlight};
use crate::store::destination::lifecycle::{self, DestinationStatusRow};
use crate::store::destination::{self, DestinationRow};
use crate::store::secret::{self, HolderId, SecretRow};
use crate::store::{audit, source};
use crate::vault::Vault;

/// Makes, changes, pauses and removes destinations.
#[derive(Debug, Clone)]
pub struct Destinations {
    db: Db,
    vault: Arc<Vault>,
    clock: SharedClock,
    registry: Arc<Registry>,
    notifiers: Notifiers,
    gate: DestinationLifecycle,
    acts: ChangeCount,
    shown: Arc<InFlight<(), DestinationsPage>>,
}

impl Destinations {
    /// Over this database.
    pub fn new(
        db: Db,
        vault: Arc<Vault>,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        acts: ChangeCount,
    ) -> Self {
        let gate = DestinationLifecycle::new(db.clone(), Arc::clone(&clock), notifiers.clone());
        Self { db, vault, clock, registry, notifiers, gate, acts, shown: Arc::default() }
    }

    /// All, oldest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn list(&self) -> Result<Vec<DestinationRow>, Failure> {
        destination::all(&self.db).await
    }

    /// One.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn get(&self, slug: &Slug) -> Result<DestinationRow, Failure> {
        Ok(destination::find(&self.db, slug).await?.ok_or(AppError::NotFound)?)
    }

    /// Of these names, those that are no source.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn unknown_sources(&self, names: &[String]) -> Result<Vec<String>, Failure> {
        let known = source::all(&self.db).await?;
        let is_known = |name: &String| name == "*" || known.iter().any(|row| row.slug.as_str() == name);
        Ok(names.iter().filter(|name| !is_known(name)).cloned().collect())
    }

    /// Makes one with its first secret, which is shown this once. It takes the events that are processed from now on.
    ///
    /// # Errors
    /// `AlreadyExists`, or the database does not answer.
    pub async fn create(
        &self,
        viewer: &Viewer,
        new: NewDestination,
    ) -> Result<(DestinationRow, SecretValue), Failure> {
        let now = self.clock.now();
        let mut row = DestinationRow {
            id: 0,
            slug: new.slug,
            settings: new.settings,
            paused_at: None,
            created_at: now,
        };
        let (id, value) = (new_id(), SecretValue::generate());
        let sealed = self.vault.seal(&value, &secret::owner(&id))?;
        let mut tx = self.db.begin_write().await?;
        row.id =
            destination::insert(&mut tx, &row).await.map_err(|error| name_taken(error, "destination"))?;
        let first = SecretRow {
            id,
            holder: HolderId::Destination(row.id),
            sealed,
            fingerprint: value.fingerprint(),
            created_by: viewer.name.clone(),
            created_at: now,
            expires_at: None,
            last_used_at: None,
            matches: 0,
        };
        secret::insert(&mut tx, &first).await?;
        let subject = format!("destination/{}", row.slug);
        let DestinationSettings { url, format, sources, events, .. } = &row.settings;
        let detail = json!({"url": url, "format": format, "sources": sources, "events": events});
        let entry = Entry::by(viewer, action::DESTINATION_CREATED, &*subject, now).with(detail);
        audit::record(&mut tx, &entry).await?;
        let detail = json!({"secret": first.id, "fingerprint": first.fingerprint});
        let made = Entry::by(viewer, action::SECRET_MADE, &*subject, now).with(detail.clone());
        audit::record(&mut tx, &made).await?;
        let shown = Entry::by(viewer, action::SECRET_SHOWN, subject, now).with(detail);
        audit::record(&mut tx, &shown).await?;
        tx.commit().await?;
        self.registry.reload().await?;
        Ok((row, value))
    }

    /// Changes one. Deliveries that are under way go on by the new settings.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn change(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        change: DestinationChange,
    ) -> Result<DestinationRow, Failure> {
        let detail = change.audit_value();
        let (mut tx, mut row) = self.lock(slug).await?;
        change.apply_to(&mut row.settings);
        destination::save(&mut tx, &row).await?;
        let subject = format!("destination/{slug}");
        let now = self.clock.now();
        let entry = Entry::by(viewer, action::DESTINATION_CHANGED, subject, now).with(detail);
        audit::record(&mut tx, &entry).await?;
        self.finish(tx).await?;
        Ok(row)
    }

    /// Holds its deliveries from now on; no rung is used up. Nothing changes when it is paused already.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn pause(&self, viewer: &Viewer, slug: &Slug) -> Result<DestinationRow, Failure> {
        self.set_paused(viewer, slug, Some(self.clock.now())).await
    }

    /// Lets them out again, at the pace of the destination.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn resume(&self, viewer: &Viewer, slug: &Slug) -> Result<DestinationRow, Failure> {
        self.set_paused(viewer, slug, None).await
    }

    async fn set_paused(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        at: Option<Timestamp>,
    ) -> Result<DestinationRow, Failure> {
        let (mut tx, mut row) = self.lock(slug).await?;
        if row.paused_at.is_some() == at.is_some() {
            return Ok(row);
        }
        row.paused_at = at;
        destination::save(&mut tx, &row).await?;
        lifecycle::shift(&mut tx, &self.db, row.id, self.clock.now()).await?;
        let done = if at.is_some() { action::DESTINATION_PAUSED } else { action::DESTINATION_RESUMED };
        let entry = Entry::by(viewer, done, format!("destination/{slug}"), self.clock.now());
        audit::record(&mut tx, &entry).await?;
        self.finish(tx).await?;
        self.gate.follow(row.id).await?;
        Ok(row)
    }

    /// Takes one out of use and cancels what it has not taken. Its deliveries stay to be read.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn delete(&self, viewer: &Viewer, slug: &Slug) -> Result<(), Failure> {
        let now = self.clock.now();
        let (mut tx, row) = self.lock(slug).await?;
        destination::delete(&mut tx, row.id, now).await?;
        secret::end_all(&mut tx, HolderId::Destination(row.id), now).await?;
        lifecycle::shift(&mut tx, &self.db, row.id, now).await?;
        let entry = Entry::by(viewer, action::DESTINATION_DELETED, format!("destination/{slug}"), now);
        audit::record(&mut tx, &entry).await?;
        self.finish(tx).await?;
        self.gate.follow(row.id).await
    }

    /// How each of them stands.
    async fn list_status(&self, now: Timestamp) -> Result<DestinationsPage, Failure> {
        let rows = lifecycle::list_status(&self.db).await?;
        let mut standing: HashMap<_, _> = rows.into_iter().map(|row| (row.slug.clone(), row)).collect();
        let moment = |at: Option<i64>| at.map(Timestamp::from_micros);
        let shown = |row: DestinationRow| {
            let stands = standing.remove(row.slug.as_str());
            let count = |of: fn(&DestinationStatusRow) -> i64| stands.as_ref().map(of).unwrap_or_default();
            let due = |of: fn(&DestinationStatusRow) -> Option<i64>| stands.as_ref().and_then(of);
            let settings = row.settings;
            wire::DestinationRow {
                url: settings.url,
                format: settings.format,
                signature_order: settings.signature_order,
                sources: settings.sources,
                events: settings.events,
                ladder: settings.ladder.gaps(),
                timeout_ms: settings.timeout_ms,
                max_in_flight: settings.max_in_flight,
                rate_per_s: settings.rate_per_s,
                paused_at: row.paused_at,
                pending: count(|row| row.pending),
                held: count(|row| row.held),
                failed: count(|row| row.failed),
                oldest_due: moment(
                    [due(|row| row.first_due), due(|row| row.again_due)].into_iter().flatten().min(),
                ),
                last_delivered: moment(due(|row| row.last_delivered)),
                failing_since: moment(due(|row| row.failing_since)),
                slug: row.slug,
            }
        };
        let mut destinations: Vec<_> = self.list().await?.into_iter().map(shown).collect();
        destinations.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(DestinationsPage { destinations, now })
    }

    async fn lock(&self, slug: &Slug) -> Result<(Tx, DestinationRow), Failure> {
        let mut tx = self.db.begin_write().await?;
        let row = destination::lock(&mut tx, &self.db, slug).await?.ok_or(AppError::NotFound)?;
        Ok((tx, row))
    }

    async fn finish(&self, tx: Tx) -> Result<(), Failure> {
        tx.commit().await?;
        self.registry.reload().await?;
        self.notifiers.deliverer.notify();
        Ok(())
    }
}

#[async_trait::async_trait]
impl Interface for Destinations {
    async fn page(&self) -> Result<DestinationsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let page = self.shown.get((), look, self.list_status(look.at)).await?;
        Ok(DestinationsPage { now: look.at, ..page })
    }

    async fn apply(&self, viewer: &Viewer, slug: &Slug, change: Change) -> Result<(), AppError> {
        match change {
            Change::Pause => self.pause(viewer, slug).await.map(drop)?,
            Change::Resume => self.resume(viewer, slug).await.map(drop)?,
            Change::Delete => self.delete(viewer, slug).await?,
        }
        Ok(())
    }

    async fn create(&self, viewer: &Viewer, form: DestinationForm) -> Result<NewSecret, AppError> {
        let new = destination_form::new(&form)?;
        if !self.unknown_sources(&new.settings.sources).await?.is_empty() {
            return Err(AppError::field("sources", Rule::Malformed));
        }
        let (row, secret) = Self::create(self, viewer, new).await?;
        Ok(NewSecret { destination: row.slug, secret: secret.expose().to_owned() })
    }

    async fn edit(&self, viewer: &Viewer, form: DestinationForm) -> Result<(), AppError> {
        let slug = form.slug.trim().parse().map_err(|_| AppError::NotFound)?;
        let change = destination_form::change(&form)?;
        let unknown = self.unknown_sources(change.sources.as_deref().unwrap_or_default()).await?;
        if !unknown.is_empty() {
            return Err(AppError::field("sources", Rule::Malformed));
        }
        self.change(viewer, &slug, change).await?;
        Ok(())
    }
}
