//! Runs the process: opens the database, builds the router, starts the workers, and ends all of them in order.

mod router;
mod startup;
mod workers;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::SharedClock;
use crate::config::Config;
use crate::db::Db;
use crate::notify::Notifiers;
use crate::receive::Receiver;
use crate::reconcile::Reconciler;
use crate::registry::Registry;
use crate::resend::Resender;
use crate::sandbox::Sandbox;
use crate::telemetry;
use crate::vault::Vault;

pub(crate) use startup::explain_key_error;

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
    let vault = startup::read_vault(&config)?;
    let _alone = startup::lock(&config)?;
    let db = startup::open_db(&config).await?;
    let vault = Arc::new(match vault {
        Some(vault) => vault,
        None => startup::create_vault(&config, &db).await?,
    });
    let registry = Registry::new(db.clone(), Arc::clone(&vault), Arc::clone(&clock));
    let migrated = db.is_migrated().await.unwrap_or(false);
    if migrated {
        registry.reload().await.map_err(|failure| explain_key_error(failure, &config.key_file))?;
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
    let sandbox = router::sandbox(&parts, &reconciler)?;
    let mut router = router::router(&parts, receiver.clone(), reconciler.clone(), metrics);
    if let Some(sandbox) = &sandbox {
        router = router.nest("/sandbox", sandbox.router());
    }
    let workers = Workers { reconciler, sandbox, migrated };
    let address = listener.local_addr()?;
    tracing::info!(%address, public_url = parts.config.public_base(), version = env!("CARGO_PKG_VERSION"),
        database = %parts.config.database_url, "listening on http://{address}");
    tasks.spawn(workers::run(parts.clone(), workers, tasks.clone()));
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
