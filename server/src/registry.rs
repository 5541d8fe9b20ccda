//! Sources and destinations with their opened secrets, held in memory: the receiver and the deliverer ask here and
//! not the database. Whoever changes one of them calls `reload`; a process that another one's change must reach
//! reloads by itself every second (`keep_fresh`).

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use app::error::{AppError, FieldError, Rule};
use app::types::{Mode, Provider, SignatureOrder, Slug};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::secret::{SecretValue, TimedSecret};
use crate::domain::signature::{Policy, Scheme};
use crate::error::Failure;
use crate::provider::api::ApiCredentials;
use crate::provider::envelope::Reader;
use crate::provider::settings::Settings;
use crate::store::destination::DestinationRow;
use crate::store::secret::HolderId;
use crate::store::{destination, secret, source};
use crate::vault::Vault;

/// A source, ready to verify.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its row.
    pub id: i64,
    /// Its name.
    pub slug: Slug,
    /// Who sends.
    pub provider: Provider,
    /// Whether it carries real money.
    pub mode: Mode,
    /// Seconds that the sender's clock may be off; none: no window.
    pub tolerance_s: Option<i64>,
    /// How its provider signs; none: that is not known, and everything is refused.
    pub policy: Option<Policy>,
    /// How the envelope of its events is read.
    pub reader: Reader,
    /// The URL at which its provider knows it, where that is signed.
    pub url: Option<String>,
    /// The scheme, if its senders make a secret for each endpoint.
    pub one_each: Option<Scheme>,
    /// Those that have not ended; ask `domain::secret::active` which count.
    pub secrets: Vec<TimedSecret>,
    /// Where to reconcile.
    pub api: Option<ApiCredentials>,
}

/// A destination, ready to sign and post.
#[derive(Debug, Clone)]
pub struct Destination {
    /// As it is stored.
    pub row: DestinationRow,
    /// Those that have not ended; ask `domain::secret::active` which sign.
    pub secrets: Vec<TimedSecret>,
}

impl Destination {
    /// Whether its deliveries are held.
    pub const fn is_paused(&self) -> bool {
        self.row.paused_at.is_some()
    }

    /// The values to sign with, in the order in which it is signed. `active`: newest first.
    pub fn signing<'a>(&self, active: &[&'a TimedSecret]) -> Vec<&'a SecretValue> {
        let mut values: Vec<_> = active.iter().map(|secret| &secret.value).collect();
        if self.row.settings.signature_order == SignatureOrder::OldestFirst {
            values.reverse();
        }
        values
    }
}

/// What was there at the last reload.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// By name.
    pub sources: HashMap<Slug, Arc<Source>>,
    /// By row.
    pub destinations: HashMap<i64, Arc<Destination>>,
}

impl Snapshot {
    /// The source of that row.
    pub fn source_by_id(&self, id: i64) -> Option<&Arc<Source>> {
        self.sources.values().find(|source| source.id == id)
    }

    /// The destination of that name.
    pub fn destination(&self, slug: &Slug) -> Option<&Arc<Destination>> {
        self.destinations.values().find(|destination| destination.row.slug == *slug)
    }
}

/// The holder of the newest snapshot.
#[derive(Debug)]
pub struct Registry {
    db: Db,
    vault: Arc<Vault>,
    clock: SharedClock,
    snapshot: RwLock<Arc<Snapshot>>,
    reloading: tokio::sync::Mutex<()>,
}

impl Registry {
    /// With nothing in it yet.
    pub fn new(db: Db, vault: Arc<Vault>, clock: SharedClock) -> Self {
        Self { db, vault, clock, snapshot: RwLock::default(), reloading: tokio::sync::Mutex::default() }
    }

    /// Loads the first snapshot.
    ///
    /// # Errors
    /// The database does not answer, or a secret does not open: the key file is not the right one.
    pub async fn load(db: Db, vault: Arc<Vault>, clock: SharedClock) -> Result<Arc<Self>, Failure> {
        let registry = Self::new(db, vault, clock);
        registry.reload().await?;
        Ok(Arc::new(registry))
    }

    /// What is there now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The source of that name.
    pub fn source(&self, slug: &Slug) -> Option<Arc<Source>> {
        self.snapshot().sources.get(slug).cloned()
    }

    /// The other sources that have this secret now, by name.
    pub fn sources_sharing(&self, slug: &Slug, value: &SecretValue) -> Vec<Arc<Source>> {
        let snapshot = self.snapshot();
        let has = |source: &&Arc<Source>| {
            source.slug != *slug && source.secrets.iter().any(|secret| secret.value == *value)
        };
        let mut others: Vec<_> = snapshot.sources.values().filter(has).cloned().collect();
        others.sort_by(|a, b| a.slug.cmp(&b.slug));
        others
    }

    /// The names of the other sources that have a secret of this one, by that secret.
    pub fn shared(&self, slug: &Slug) -> HashMap<String, Vec<Slug>> {
        let secrets = self.source(slug);
        let secrets = secrets.iter().flat_map(|source| &source.secrets);
        let names =
            |value| self.sources_sharing(slug, value).iter().map(|other| other.slug.clone()).collect();
        secrets.map(|secret| (secret.id.clone(), names(&secret.value))).collect()
    }

    /// Refuses a secret that another source of the same scheme has, where senders make one for each endpoint: one of the
    /// two was pasted by mistake. Others may let several endpoints have one; of those, `shared` tells.
    ///
    /// # Errors
    /// `Invalid`: another source has it.
    pub fn refuse_of_another(
        &self,
        slug: &Slug,
        one_each: Option<Scheme>,
        value: &SecretValue,
    ) -> Result<(), AppError> {
        let Some(scheme) = one_each else { return Ok(()) };
        let others = self.sources_sharing(slug, value);
        match others.iter().find(|other| other.one_each == Some(scheme)) {
            Some(other) => {
                let error = FieldError::new("secret", Rule::OfAnotherSource);
                Err(AppError::Invalid(vec![FieldError { source: Some(other.slug.clone()), ..error }]))
            }
            None => Ok(()),
        }
    }

    /// The names of all sources, in order.
    pub fn source_names(&self) -> Vec<Slug> {
        let mut names: Vec<_> = self.snapshot().sources.keys().cloned().collect();
        names.sort();
        names
    }

    /// The names of all destinations, in order.
    pub fn destination_names(&self) -> Vec<Slug> {
        let mut names: Vec<_> = self.snapshot().destinations.values().map(|it| it.row.slug.clone()).collect();
        names.sort();
        names
    }

    /// Reads everything again; call it after a change has been committed.
    ///
    /// # Errors
    /// As `load`; the old snapshot stays.
    pub async fn reload(&self) -> Result<(), Failure> {
        let _one_at_a_time = self.reloading.lock().await;
        let mut secrets: HashMap<HolderId, Vec<TimedSecret>> = HashMap::new();
        for row in secret::unexpired(&self.db, self.clock.now()).await? {
            let value = self.vault.open(&row.sealed, &secret::owner(&row.id))?;
            let timed =
                TimedSecret { id: row.id, value, created_at: row.created_at, expires_at: row.expires_at };
            secrets.entry(row.holder).or_default().push(timed);
        }
        let mut snapshot = Snapshot::default();
        for row in source::all(&self.db).await? {
            let settings = prepared(&row);
            let api = row.api.map(|api| self.open_api(&row.slug, api)).transpose()?;
            let source = Source {
                id: row.id,
                slug: row.slug.clone(),
                provider: row.provider,
                mode: row.mode,
                tolerance_s: row.tolerance_s,
                policy: settings.as_ref().map(|settings| settings.policy.clone()),
                reader: settings.as_ref().map_or_else(|| Reader::of(row.provider), |it| it.reader.clone()),
                one_each: settings.as_ref().and_then(|settings| settings.one_each),
                url: settings.and_then(|settings| settings.url),
                secrets: secrets.remove(&HolderId::Source(row.id)).unwrap_or_default(),
                api,
            };
            snapshot.sources.insert(row.slug, Arc::new(source));
        }
        for row in destination::all(&self.db).await? {
            let secrets = secrets.remove(&HolderId::Destination(row.id)).unwrap_or_default();
            snapshot.destinations.insert(row.id, Arc::new(Destination { row, secrets }));
        }
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
        Ok(())
    }

    fn open_api(&self, slug: &Slug, row: source::ApiRow) -> Result<ApiCredentials, Failure> {
        let secret = self.vault.open(&row.secret, &source::api_owner(slug))?;
        Ok(ApiCredentials { base_url: row.base_url, key: row.key, secret })
    }
}

/// None: the row's settings are not ones that this version accepts. Such a source refuses everything.
fn prepared(row: &source::SourceRow) -> Option<Settings> {
    let given = row.settings.as_deref().map(serde_json::from_str).transpose();
    let read = given.map(|given: Option<serde_json::Value>| Settings::read(row.provider, given.as_ref()));
    match read {
        Ok(Ok(settings)) => Some(settings),
        Ok(Err(problems)) => {
            tracing::error!(source = %row.slug, ?problems, "the settings of a source are not accepted");
            None
        }
        Err(error) => {
            tracing::error!(source = %row.slug, %error, "the settings of a source are no JSON");
            None
        }
    }
}
