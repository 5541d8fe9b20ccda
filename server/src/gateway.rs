//! The one place that knows every part: opens the database, builds the router, starts the workers, and ends it all in
//! order.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::context::Backend;
use axum::Router;
use axum::middleware::from_fn;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;

use crate::backend::alerts::AlertsBackend;
use crate::backend::audit::AuditBackend;
use crate::backend::deliveries::DeliveriesBackend;
use crate::backend::destinations::Destinations;
use crate::backend::events::EventsBackend;
use crate::backend::reconciliation::Reconciliations;
use crate::backend::rejections::RejectionsBackend;
use crate::backend::resends::ResendsBackend;
use crate::backend::secrets::SecretsBackend;
use crate::backend::source_pages::SourcePages;
use crate::backend::sources::Sources;
use crate::clock::SharedClock;
use crate::config::{Config, ConfigError};
use crate::db::{Db, Lock, LockError, checkpoint};
use crate::deliver::{Deliverer, Network};
use crate::destination_lifecycle::DestinationLifecycle;
use crate::error::Failure;
use crate::http::api::ApiState;
use crate::http::site::Site;
use crate::ledger::Ledger;
use crate::notify::Notifiers;
use crate::receive::{self, Receiver};
use crate::reconcile::Reconciler;
use crate::registry::Registry;
use crate::request_coalescing::ChangeCount;
use crate::resend::Resender;
use crate::sandbox::{self, Sandbox};
use crate::store::sealed_value;
use crate::vault::{Vault, VaultError};
use crate::{http, retention, telemetry};

/// How long an orderly end may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often other processes' changes are looked for, and missing tables.
const POLL: Duration = Duration::from_secs(1);

/// What the parts are made of.
#[derive(Clone)]
struct Parts {
    config: Arc<Config>,
    db: Db,
    vault: Arc<Vault>,
    clock: SharedClock,
    registry: Arc<Registry>,
    notifiers: Notifiers,
    resender: Resender,
    shutdown: CancellationToken,
}

/// What begins to work when there are tables.
struct Workers {
    reconciler: Reconciler,
    sandbox: Option<Sandbox>,
    migrated: bool,
}

/// Runs everything until `shutdown` is cancelled.
///
/// # Errors
/// It cannot start; a `ConfigError` when a setting is to blame.
pub async fn run(
    config: Config,
    listener: TcpListener,
    clock: SharedClock,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    // First of all: what is counted before there is a recorder is lost.
    let metrics = telemetry::metrics()?;
    let vault = read_vault(&config)?;
    let _alone = lock(&config)?;
    let db = open_db(&config).await?;
    let vault = Arc::new(match vault {
        Some(vault) => vault,
        None => make_vault(&config, &db).await?,
    });
    let registry = Registry::new(db.clone(), Arc::clone(&vault), Arc::clone(&clock));
    let migrated = db.is_migrated().await.unwrap_or(false);
    if migrated {
        registry.reload().await.map_err(|failure| blame_key(failure, &config.key_file))?;
    }
    let notifiers = Notifiers::default();
    let parts = Parts {
        config: Arc::new(config),
        resender: Resender::new(db.clone(), Arc::clone(&clock), notifiers.clone()),
        db,
        vault,
        clock,
        registry: Arc::new(registry),
        notifiers,
        shutdown,
    };
    let tasks = TaskTracker::new();
    let receiver = Receiver::start(
        parts.db.clone(),
        Arc::clone(&parts.clock),
        Arc::clone(&parts.registry),
        parts.notifiers.clone(),
        parts.shutdown.clone(),
    );
    let reconciler = Reconciler::new(
        parts.db.clone(),
        Arc::clone(&parts.clock),
        Arc::clone(&parts.registry),
        receiver.clone(),
    );
    let sandbox = sandbox(&parts, &reconciler)?;
    let mut router = router(&parts, receiver.clone(), reconciler.clone(), metrics);
    if let Some(sandbox) = &sandbox {
        router = router.nest("/sandbox", sandbox.router());
    }
    let workers = Workers { reconciler, sandbox, migrated };
    let address = listener.local_addr()?;
    tracing::info!(%address, public_url = parts.config.public_base(), version = env!("CARGO_PKG_VERSION"),
        database = %parts.config.database_url, "listening on http://{address}");
    tasks.spawn(work(parts.clone(), workers, tasks.clone()));
    tasks.close();
    let end = async {
        serve(listener, router, &parts.shutdown).await?;
        tokio::join!(receiver.finish(), tasks.wait());
        anyhow::Ok(())
    };
    let too_late = async {
        parts.shutdown.cancelled().await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        ended = end => ended?,
        () = too_late => tracing::warn!("some work did not end in time; it is done again at the next start"),
    }
    if tokio::time::timeout(POLL, parts.db.close()).await.is_err() {
        tracing::warn!("the database was still in use");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Answers requests until the end is asked for, and then those that are under way.
async fn serve(listener: TcpListener, router: Router, shutdown: &CancellationToken) -> anyhow::Result<()> {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let stop = shutdown.clone().cancelled_owned();
    axum::serve(listener, service).with_graceful_shutdown(stop).await.context("the server stopped")
}

/// The receiver, the API and health stand beside the pages and their layers: no session, no cookie, no redirect.
fn router(parts: &Parts, receiver: Receiver, reconciler: Reconciler, metrics: PrometheusHandle) -> Router {
    let Parts { config, db, vault, clock, registry, notifiers, resender, shutdown: _ } = parts.clone();
    let acts = ChangeCount::default();
    let base: Arc<str> = config.public_base().into();
    let sources = Sources::new(db.clone(), vault.clone(), clock.clone(), registry.clone());
    let destinations = Destinations::new(
        db.clone(),
        vault.clone(),
        clock.clone(),
        registry.clone(),
        notifiers.clone(),
        acts.clone(),
    );
    let backend = Backend {
        destinations: Arc::new(destinations.clone()),
        sources: Arc::new(SourcePages::new(
            db.clone(),
            clock.clone(),
            sources.clone(),
            base.clone(),
            acts.clone(),
        )),
        deliveries: Arc::new(DeliveriesBackend::new(
            db.clone(),
            clock.clone(),
            registry.clone(),
            notifiers.clone(),
            acts.clone(),
        )),
        events: Arc::new(EventsBackend::new(
            db.clone(),
            clock.clone(),
            registry.clone(),
            notifiers.clone(),
            acts.clone(),
        )),
        resends: Arc::new(ResendsBackend::new(db.clone(), clock.clone(), resender, acts.clone())),
        audit: Arc::new(AuditBackend::new(db.clone(), clock.clone(), acts.clone())),
        secrets: Arc::new(SecretsBackend::new(
            db.clone(),
            clock.clone(),
            vault.clone(),
            registry.clone(),
            network(&config),
            acts.clone(),
        )),
        reconciliations: Arc::new(Reconciliations::new(
            db.clone(),
            clock.clone(),
            registry.clone(),
            reconciler,
            acts.clone(),
        )),
        rejections: Arc::new(RejectionsBackend::new(
            db.clone(),
            clock.clone(),
            vault.clone(),
            registry.clone(),
            receiver.clone(),
            acts.clone(),
        )),
        alerts: Arc::new(AlertsBackend::new(db.clone(), clock.clone(), acts.clone())),
    };
    let api = ApiState {
        db: db.clone(),
        clock: clock.clone(),
        backend: backend.clone(),
        acts: acts.clone(),
        sources,
        destinations,
        trusted_proxies: config.trusted_proxies.clone(),
        base,
    };
    let site = Site {
        db: db.clone(),
        clock,
        vault,
        backend,
        acts,
        lookers: Arc::default(),
        public_url: config.public_url.clone(),
        trusted_proxies: config.trusted_proxies.clone(),
        assets: http::assets::urls(),
    };
    let observed = http::compression::around(http::api::router(api).merge(http::pages::router(site)))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(http::request_metrics::measure));
    Router::new()
        .merge(receive::router_behind(receiver, config.max_body, config.trusted_proxies.clone()))
        .merge(http::health::router(db, metrics))
        .merge(http::assets::router())
        .merge(observed)
}

fn sandbox(parts: &Parts, reconciler: &Reconciler) -> anyhow::Result<Option<Sandbox>> {
    if !parts.config.sandbox {
        return Ok(None);
    }
    let parts = sandbox::Parts {
        db: parts.db.clone(),
        vault: parts.vault.clone(),
        clock: parts.clock.clone(),
        registry: parts.registry.clone(),
        notifiers: parts.notifiers.clone(),
        reconciler: reconciler.clone(),
        base: sandbox::base_url(parts.config.listen),
        shutdown: parts.shutdown.clone(),
    };
    Sandbox::new(parts).map(Some)
}

/// What destinations may be reached over.
fn network(config: &Config) -> Network {
    let allowed = match config.sandbox {
        // The shop and the provider of the sandbox are in this process.
        true => config.allow_nets.clone().with_host(sandbox::address(config.listen)),
        false => config.allow_nets.clone(),
    };
    Network { root_certificates: config.root_certificates.clone(), ..Network::new(allowed) }
}

/// Starts the workers, as soon as there are tables.
async fn work(parts: Parts, workers: Workers, tasks: TaskTracker) {
    let Workers { reconciler, sandbox, migrated } = workers;
    if !migrated && !wait_for_tables(&parts).await {
        return;
    }
    let Parts { config: _, db, vault: _, clock, registry, notifiers, resender, shutdown } = parts.clone();
    // Before the reconciler asks its provider.
    if let Some(sandbox) = sandbox {
        match sandbox.start().await {
            Ok(()) => drop(tasks.spawn(sandbox.make_traffic())),
            Err(error) => tracing::error!(error = format!("{error:#}"), "the sandbox could not start"),
        }
    }
    let ledger = Ledger::new(db.clone(), clock.clone(), registry.clone(), notifiers.clone());
    tasks.spawn(checkpoint::run(db.clone(), shutdown.clone()));
    tasks.spawn(ledger.run(shutdown.clone()));
    tasks.spawn(reconciler.run(shutdown.clone()));
    tasks.spawn(receive::rejection_spike::watch(db.clone(), clock.clone(), shutdown.clone()));
    tasks.spawn(resender.run(shutdown.clone()));
    tasks
        .spawn(DestinationLifecycle::new(db.clone(), clock.clone(), notifiers.clone()).run(shutdown.clone()));
    let network = network(&parts.config);
    tasks
        .spawn(Deliverer::new(db.clone(), clock.clone(), registry, notifiers, network).run(shutdown.clone()));
    let retention = parts.config.retention_days;
    tasks.spawn(retention::run(db, clock, retention, shutdown));
    tasks.spawn(watch_keys(parts.clone()));
    if matches!(parts.db, Db::Postgres(_)) {
        tasks.spawn(keep_fresh(parts));
    }
}

/// With `--no-migrate`, somebody else makes the tables, perhaps later.
async fn wait_for_tables(parts: &Parts) -> bool {
    tracing::warn!("the tables are not up to date and --no-migrate is set: waiting for `acuse migrate`");
    while pause(&parts.shutdown).await {
        if parts.db.is_migrated().await.unwrap_or(false) && parts.registry.reload().await.is_ok() {
            tracing::info!("the tables are up to date");
            return true;
        }
    }
    false
}

/// Several processes may share a database: what one of them changes reaches the others within a second.
async fn keep_fresh(parts: Parts) {
    while pause(&parts.shutdown).await {
        if let Err(error) = parts.registry.reload().await {
            tracing::warn!(%error, "sources and destinations could not be read again; the old ones stay");
        }
    }
}

/// A new master key counts without a restart.
async fn watch_keys(parts: Parts) {
    let mut is_told = false;
    while pause(&parts.shutdown).await {
        match parts.vault.refresh() {
            Ok(true) => tracing::info!(keys = ?parts.vault, "the key file has changed: its keys count now"),
            Ok(false) => is_told = false,
            Err(error) if is_told => tracing::debug!(%error, "the key file could not be read again"),
            Err(error) => {
                is_told = true;
                tracing::error!(%error, "the key file could not be read again; the keys that were read stay");
            }
        }
    }
}

/// Waits for the next look; false when the end is asked for.
async fn pause(shutdown: &CancellationToken) -> bool {
    tokio::time::timeout(POLL, shutdown.cancelled()).await.is_err()
}

/// SQLite has one process; the lock lasts as long as what this returns.
fn lock(config: &Config) -> anyhow::Result<Option<Lock>> {
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

async fn open_db(config: &Config) -> anyhow::Result<Db> {
    let db = Db::open(config.database_url.expose())
        .await
        .with_context(|| format!("ACUSE_DATABASE_URL={}", config.database_url))?;
    if config.migrate {
        db.migrate().await.with_context(|| format!("ACUSE_DATABASE_URL={}", config.database_url))?;
    }
    Ok(db)
}

/// The key file's keys; none where SQLite has no key file yet.
fn read_vault(config: &Config) -> Result<Option<Vault>, ConfigError> {
    if config.database_url.is_sqlite() && !config.key_file.exists() {
        return Ok(None);
    }
    Vault::read(&config.key_file).map(Some).map_err(|error| key_error(&config.key_file, &error))
}

/// Makes a key file, but not where it would stand in the place of one that is lost.
async fn make_vault(config: &Config, db: &Db) -> anyhow::Result<Vault> {
    if db.is_migrated().await.unwrap_or(false)
        && let Some(key) = sealed_value::any_key(db).await?
    {
        let lost = VaultError::UnknownKey(key);
        return Err(key_error(&config.key_file, &lost).into());
    }
    let error = |error| key_error(&config.key_file, &error);
    Vault::make_file(&config.key_file).map_err(error)?;
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
pub(crate) fn blame_key(failure: Failure, key_file: &Path) -> anyhow::Error {
    match failure {
        Failure::Vault(error) => key_error(key_file, &error).into(),
        other => other.into(),
    }
}
