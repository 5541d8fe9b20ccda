//! Sources: made, changed and taken out of use.

use std::sync::Arc;

use app::context::Viewer;
use app::error::AppError;
use app::types::{Mode, Provider, Slug};
use serde_json::{Value, json};

use crate::clock::SharedClock;
use crate::db::{Db, unique};
use crate::domain::audit::{Entry, action};
use crate::domain::secret::{SecretValue, new_id};
use crate::domain::secret_lint::lint;
use crate::error::Failure;
use crate::provider::settings::{Problem, Settings};
use crate::registry::Registry;
use crate::store::audit;
use crate::store::secret::{self, HolderId, SecretRow};
use crate::store::source::{self, ApiRow, SourceRow};
use crate::vault::Vault;

/// What a source is made of.
#[derive(Debug, Clone)]
pub struct NewSource {
    /// Its name.
    pub slug: Slug,
    /// Who sends.
    pub provider: Provider,
    /// Whether it carries real money.
    pub mode: Mode,
    /// What the provider signs with.
    pub secret: SecretValue,
    /// Seconds that the sender's clock may be off; none: no window.
    pub tolerance_s: Option<i64>,
    /// How its provider signs, as `provider::settings` accepts it.
    pub settings: Option<serde_json::Value>,
    /// Where to reconcile.
    pub api: Option<NewApi>,
}

/// Credentials of a provider's API.
#[derive(Debug, Clone)]
pub struct NewApi {
    /// Such as `https://api.paymos.io`.
    pub base_url: String,
    /// The public half.
    pub key: String,
    /// The secret half.
    pub secret: SecretValue,
}

/// What is to change; none: stays.
#[derive(Debug, Clone, Default)]
pub struct SourceChange {
    /// Whether it carries real money.
    pub mode: Option<Mode>,
    /// Seconds that the sender's clock may be off.
    pub tolerance_s: Option<Option<i64>>,
    /// How its provider signs.
    pub settings: Option<Option<serde_json::Value>>,
    /// Where to reconcile.
    pub api: Option<Option<NewApi>>,
}

impl SourceChange {
    /// Whether nothing is to change.
    pub const fn is_empty(&self) -> bool {
        self.mode.is_none() && self.tolerance_s.is_none() && self.settings.is_none() && self.api.is_none()
    }

    /// What changes, for the audit: without secrets.
    fn audit_value(&self) -> Value {
        let mut told = serde_json::Map::new();
        let mut tell = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                told.insert(name.to_owned(), value);
            }
        };
        tell("mode", self.mode.map(|mode| json!(mode)));
        tell("tolerance_s", self.tolerance_s.map(|seconds| json!(seconds)));
        tell("settings", self.settings.as_ref().map(|settings| json!(settings)));
        let api = self.api.as_ref().map(|api| api.as_ref().map(|api| (&api.base_url, &api.key)));
        tell(
            "api",
            api.map(|api| json!(api.map(|(base_url, key)| json!({"base_url": base_url, "key": key})))),
        );
        Value::Object(told)
    }
}

/// Makes, changes and removes sources.
#[derive(Debug, Clone)]
pub struct Sources {
    db: Db,
    vault: Arc<Vault>,
    clock: SharedClock,
    registry: Arc<Registry>,
}

impl Sources {
    /// Over this database.
    pub fn new(db: Db, vault: Arc<Vault>, clock: SharedClock, registry: Arc<Registry>) -> Self {
        Self { db, vault, clock, registry }
    }

    /// All, oldest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn list(&self) -> Result<Vec<SourceRow>, Failure> {
        source::all(&self.db).await
    }

    /// One.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn get(&self, slug: &Slug) -> Result<SourceRow, Failure> {
        Ok(source::find(&self.db, slug).await?.ok_or(AppError::NotFound)?)
    }

    /// Makes one with its first secret. It receives as soon as this returns. Also the names of other sources that have
    /// the same secret.
    ///
    /// # Errors
    /// `AlreadyExists`, `Invalid`: the secret is certainly wrong, or the database does not answer.
    pub async fn create(&self, viewer: &Viewer, new: NewSource) -> Result<(SourceRow, Vec<Slug>), Failure> {
        let settings = Settings::read(new.provider, new.settings.as_ref()).ok();
        let policy = settings.as_ref().map(|settings| &settings.policy);
        if let Some(rule) = lint(new.secret.expose(), new.provider, policy) {
            return Err(AppError::field("secret", rule).into());
        }
        let one_each = settings.as_ref().and_then(|settings| settings.one_each);
        self.registry.refuse_of_another(&new.slug, one_each, &new.secret)?;
        let now = self.clock.now();
        let mut row = SourceRow {
            id: 0,
            api: self.seal_api(&new.slug, new.api)?,
            slug: new.slug,
            provider: new.provider,
            mode: new.mode,
            tolerance_s: new.tolerance_s,
            settings: new.settings.map(|settings| settings.to_string()),
            created_at: now,
        };
        let id = new_id();
        let sealed = self.vault.seal(&new.secret, &secret::owner(&id))?;
        let mut tx = self.db.begin_write().await?;
        row.id = source::insert(&mut tx, &row).await.map_err(|error| name_taken(error, "source"))?;
        let first = SecretRow {
            id,
            holder: HolderId::Source(row.id),
            sealed,
            fingerprint: new.secret.fingerprint(),
            created_by: viewer.name.clone(),
            created_at: now,
            expires_at: None,
            last_used_at: None,
            matches: 0,
        };
        secret::insert(&mut tx, &first).await?;
        let subject = format!("source/{}", row.slug);
        let detail = json!({"provider": row.provider, "mode": row.mode, "tolerance_s": row.tolerance_s,
            "api": row.api.as_ref().map(|api| &api.base_url)});
        let entry = Entry::by(viewer, action::SOURCE_CREATED, &*subject, now).with(detail);
        audit::record(&mut tx, &entry).await?;
        let detail = json!({"secret": first.id, "fingerprint": first.fingerprint});
        audit::record(&mut tx, &Entry::by(viewer, action::SECRET_MADE, subject, now).with(detail)).await?;
        tx.commit().await?;
        self.registry.reload().await?;
        let shared_with = self.registry.shared(&row.slug).into_values().flatten().collect();
        Ok((row, shared_with))
    }

    /// Changes one.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn change(
        &self,
        viewer: &Viewer,
        slug: &Slug,
        change: SourceChange,
    ) -> Result<SourceRow, Failure> {
        let detail = change.audit_value();
        let api = change.api.map(|api| self.seal_api(slug, api)).transpose()?;
        let mut tx = self.db.begin_write().await?;
        let mut row = source::lock(&mut tx, &self.db, slug).await?.ok_or(AppError::NotFound)?;
        row.mode = change.mode.unwrap_or(row.mode);
        row.tolerance_s = change.tolerance_s.unwrap_or(row.tolerance_s);
        if let Some(settings) = change.settings {
            row.settings = settings.map(|settings| settings.to_string());
        }
        row.api = api.unwrap_or(row.api);
        source::save(&mut tx, &row).await?;
        let now = self.clock.now();
        let entry = Entry::by(viewer, action::SOURCE_CHANGED, format!("source/{slug}"), now).with(detail);
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        self.registry.reload().await?;
        Ok(row)
    }

    /// Takes one out of use. Its events and their deliveries stay.
    ///
    /// # Errors
    /// `NotFound`, or the database does not answer.
    pub async fn delete(&self, viewer: &Viewer, slug: &Slug) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        let row = source::lock(&mut tx, &self.db, slug).await?.ok_or(AppError::NotFound)?;
        source::delete(&mut tx, row.id, now).await?;
        secret::end_all(&mut tx, HolderId::Source(row.id), now).await?;
        let entry = Entry::by(viewer, action::SOURCE_DELETED, format!("source/{slug}"), now);
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        self.registry.reload().await
    }

    fn seal_api(&self, slug: &Slug, api: Option<NewApi>) -> Result<Option<ApiRow>, Failure> {
        api.map(|api| {
            let secret = self.vault.seal(&api.secret, &source::api_owner(slug))?;
            Ok(ApiRow { base_url: api.base_url, key: api.key, secret })
        })
        .transpose()
    }
}

/// Where a source of that name receives.
pub fn receive_url(base: &str, slug: &Slug) -> String {
    format!("{base}/webhooks/{slug}")
}

/// The settings of a source as they are kept, when they are accepted. The URL is written down where it is signed, since
/// the provider goes on using it when ours changes.
///
/// # Errors
/// It names all that is not accepted.
pub fn check_settings(
    provider: Provider,
    mut settings: Option<Value>,
    receive_url: Option<&str>,
) -> Result<Option<Value>, Vec<Problem>> {
    if let (Some(Value::Object(members)), Some(url)) = (&mut settings, receive_url)
        && Settings::needs_url(members)
    {
        members.insert("url".to_owned(), url.into());
    }
    Settings::read(provider, settings.as_ref()).map(|_| settings)
}

/// A name that is taken is told as such.
pub(super) fn name_taken(error: impl Into<Failure>, table: &str) -> Failure {
    match error.into() {
        Failure::Database(error) if unique::is_violation_of(&error, table) => AppError::AlreadyExists.into(),
        other => other,
    }
}
