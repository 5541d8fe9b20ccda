//! `acuse serve`.

use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::clock::SystemClock;
use crate::config::ServeArgs;
use crate::gateway;

pub(super) async fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let mut config = args.config()?;
    let shutdown = CancellationToken::new();
    stop_on_signals(shutdown.clone())?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("ACUSE_LISTEN={} cannot be listened on", config.listen))?;
    config.listen = listener.local_addr()?;
    if let Some(url) = args.public_url_at(config.listen)? {
        config.public_url = url;
    }
    gateway::run(config, listener, Arc::new(SystemClock), shutdown).await
}

/// The first SIGTERM or SIGINT asks for an orderly end; a second one ends at once.
fn stop_on_signals(shutdown: CancellationToken) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        for count in 0.. {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if count > 0 {
                std::process::exit(1);
            }
            tracing::info!("stopping: no new requests are taken");
            shutdown.cancel();
        }
    });
    Ok(())
}
