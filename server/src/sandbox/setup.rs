//! What the sandbox makes at its first start, and finds again at the later ones: an account at the provider, a
//! source, two destinations, a user and a token.

use std::sync::Arc;

use anyhow::Context;
use app::context::Viewer;
use app::error::AppError;
use app::types::{Format, Mode, Provider, Role, SignatureOrder, Slug};

use super::Parts;
use super::provider::{Account, letters};
use super::shop::{CRM, SHOP};
use crate::backend::destination_settings::{DestinationChange, NewDestination};
use crate::backend::destinations::Destinations;
use crate::backend::sources::{NewApi, NewSource, SourceChange, Sources};
use crate::domain::destination::DestinationSettings;
use crate::domain::ladder::Ladder;
use crate::domain::secret::SecretValue;
use crate::error::Failure;
use crate::request_coalescing::ChangeCount;
use crate::sandbox::records as store;
use crate::store::sandbox_setting;
use crate::store::user;
use crate::users::{self, password, tokens};

/// The name of the sandbox's source.
pub const SOURCE: &str = "paymos-sandbox";
const EMAIL: &str = "demo@acuse.example";
const TOKEN: &str = "sandbox";

/// What a newcomer needs.
#[derive(Debug)]
pub struct SandboxAccess {
    /// Where everything is.
    pub base: String,
    /// Of the user.
    pub email: &'static str,
    /// Of the user; none: somebody has changed it.
    pub password: Option<SecretValue>,
    /// For the API.
    pub token: SecretValue,
    /// At the simulated provider.
    pub account: Account,
}

impl SandboxAccess {
    /// Prints it, for people. Nobody may be listening.
    pub fn print(&self) {
        let _ = self.write(&mut std::io::stdout());
    }

    fn write(&self, to: &mut impl std::io::Write) -> std::io::Result<()> {
        let password = self.password.as_ref().map_or("(it has been changed)", SecretValue::expose);
        writeln!(to)?;
        writeln!(to, "  Acuse's sandbox is running. Nothing of it is real.")?;
        writeln!(to)?;
        writeln!(to, "  Dashboard   {}", self.base)?;
        writeln!(to, "  E-mail      {}", self.email)?;
        writeln!(to, "  Password    {password}")?;
        writeln!(to)?;
        writeln!(to, "  API token   {}", self.token.expose())?;
        writeln!(to, "  Paymos API  {}/sandbox/paymos", self.base)?;
        writeln!(to, "  API key     {}", self.account.key)?;
        writeln!(to, "  API secret  {}", self.account.secret.expose())?;
        writeln!(to)?;
        to.flush()
    }
}

/// Makes what is not there yet, and points it to where this process listens.
pub async fn set_up(parts: &Parts) -> anyhow::Result<SandboxAccess> {
    store::create_tables(&parts.db).await?;
    let account = Account {
        key: "pk_test_sandbox".to_owned(),
        secret: load_or_create_secret(parts, "api_secret", || format!("sk_test_{}", letters(32))).await?,
    };
    create_source(parts, &account).await.context("the sandbox's source")?;
    // The shop is patient; the CRM gives up after a few seconds, so that one can see what that looks like.
    create_destination(parts, SHOP, Ladder::default(), &["*"]).await.context("the sandbox's shop")?;
    let short = Ladder::parse(&["1s", "2s", "4s"])?;
    let finals =
        ["invoice.paid", "invoice.paid_over", "invoice.underpaid", "invoice.expired", "invoice.cancelled"];
    create_destination(parts, CRM, short, &finals).await.context("the sandbox's CRM")?;
    let password = create_user(parts).await.context("the sandbox's user")?;
    let token = create_token(parts).await.context("the sandbox's token")?;
    Ok(SandboxAccess { base: parts.base.clone(), email: EMAIL, password, token, account })
}

/// The actor of what the sandbox does by itself.
pub fn viewer() -> Viewer {
    Viewer { name: "sandbox".to_owned(), role: Role::Admin, from: None }
}

async fn create_source(parts: &Parts, account: &Account) -> anyhow::Result<()> {
    let slug: Slug = SOURCE.parse()?;
    let sources = Sources::new(
        parts.db.clone(),
        Arc::clone(&parts.vault),
        Arc::clone(&parts.clock),
        Arc::clone(&parts.registry),
    );
    let base_url = format!("{}/sandbox/paymos", parts.base);
    let api = NewApi { base_url: base_url.clone(), key: account.key.clone(), secret: account.secret.clone() };
    if let Some(there) = parts.registry.source(&slug) {
        let is_right =
            there.api.as_ref().is_some_and(|api| api.base_url == base_url && api.secret == account.secret);
        if !is_right {
            sources
                .change(&viewer(), &slug, SourceChange { api: Some(Some(api)), ..SourceChange::default() })
                .await?;
        }
        return Ok(());
    }
    let new = NewSource {
        slug,
        provider: Provider::Paymos,
        mode: Mode::Test,
        secret: SecretValue::new(format!("whsec_test_{}", letters(32))),
        tolerance_s: Some(300),
        settings: None,
        api: Some(api),
    };
    ignore_conflict(sources.create(&viewer(), new).await.map(drop))
}

async fn create_destination(
    parts: &Parts,
    desk: &str,
    ladder: Ladder,
    events: &[&str],
) -> anyhow::Result<()> {
    let slug: Slug = desk.parse()?;
    let destinations = Destinations::new(
        parts.db.clone(),
        Arc::clone(&parts.vault),
        Arc::clone(&parts.clock),
        Arc::clone(&parts.registry),
        parts.notifiers.clone(),
        ChangeCount::default(),
    );
    let (at_the_desk, url) = (format!("/sandbox/{desk}"), format!("{}/sandbox/{desk}", parts.base));
    if let Some(there) = parts.registry.snapshot().destination(&slug) {
        // Only one of the sandbox's own, from a start on another port: what somebody else has made stays.
        if there.row.settings.url != url && there.row.settings.url.ends_with(&at_the_desk) {
            destinations
                .change(
                    &viewer(),
                    &slug,
                    DestinationChange { url: Some(url), ..DestinationChange::default() },
                )
                .await?;
        }
        return Ok(());
    }
    let settings = DestinationSettings {
        url,
        format: Format::Paymos,
        sources: vec![SOURCE.to_owned()],
        events: events.iter().map(|name| (*name).to_owned()).collect(),
        ladder,
        timeout_ms: 10_000,
        max_in_flight: 16,
        rate_per_s: None,
        jitter_percent: 0,
        signature_order: SignatureOrder::NewestFirst,
    };
    let new = NewDestination { slug, settings };
    ignore_conflict(destinations.create(&viewer(), new).await.map(drop))
}

async fn create_user(parts: &Parts) -> anyhow::Result<Option<SecretValue>> {
    let kept = load_or_create_secret(parts, "password", || letters(16)).await?;
    let there = user::by_email(&parts.db, EMAIL).await?;
    let is_right = match there {
        Some(there) => password::verify(kept.expose(), Some(there.password_hash)).await?,
        None => {
            let added =
                users::add(&parts.db, EMAIL, kept.expose(), Role::Admin, &viewer(), parts.clock.now()).await;
            added.map(|()| true)?
        }
    };
    Ok(is_right.then_some(kept))
}

async fn create_token(parts: &Parts) -> anyhow::Result<SecretValue> {
    let kept = load_or_create_secret(parts, "token", || user::token::new_value().to_string()).await?;
    if user::token::find(&parts.db, kept.expose()).await?.is_none() {
        tokens::add(&parts.db, TOKEN, Role::Admin, kept.expose(), &viewer(), parts.clock.now()).await?;
    }
    Ok(kept)
}

/// A secret of the sandbox: made once, sealed in the database like every other one, so that it can be printed again.
async fn load_or_create_secret(
    parts: &Parts,
    name: &str,
    make: impl FnOnce() -> String,
) -> anyhow::Result<SecretValue> {
    let owner = sandbox_setting::owner(name);
    let stored =
        sandbox_setting::setting(&parts.db, name).await?.and_then(|text| sandbox_setting::read_sealed(&text));
    if let Some(sealed) = stored
        && let Ok(value) = parts.vault.open(&sealed, &owner)
    {
        return Ok(value);
    }
    let value = SecretValue::new(make());
    let sealed = parts.vault.seal(&value, &owner)?;
    let mut tx = parts.db.begin_write().await?;
    sandbox_setting::set_sealed(&mut tx, name, &sealed).await?;
    tx.commit().await?;
    Ok(value)
}

/// Another process may have been faster.
fn ignore_conflict(done: Result<(), Failure>) -> anyhow::Result<()> {
    match done {
        Err(Failure::App(AppError::AlreadyExists)) => Ok(()),
        done => Ok(done?),
    }
}
