//! Starts the background workers, and watches what other processes change.

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{POLL, Parts, Workers};
use crate::db::{Db, checkpoint};
use crate::deliver::Deliverer;
use crate::destination_lifecycle::DestinationLifecycle;
use crate::ledger::Ledger;
use crate::{receive, retention};

/// Starts the workers, as soon as there are tables.
pub(super) async fn run(parts: Parts, workers: Workers, tasks: TaskTracker) {
    let Workers { reconciler, sandbox, migrated } = workers;
    if !migrated && !wait_for_tables(&parts).await {
        return;
    }
    let Parts { config: _, db, vault: _, clock, registry, notifiers, resender, shutdown } = parts.clone();
    // Before the reconciler asks its provider.
    if let Some(sandbox) = sandbox {
        match sandbox.start().await {
            Ok(()) => drop(tasks.spawn(sandbox.run_traffic())),
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
    let network = super::router::network(&parts.config);
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
