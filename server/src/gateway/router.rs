//! Builds the router from the parts: receiver, health, assets, API, pages and, where it is on, the sandbox.

use std::sync::Arc;

use app::context::Backend;
use axum::Router;
use axum::middleware::from_fn;
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::catch_panic::CatchPanicLayer;

use super::Parts;
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
use crate::config::Config;
use crate::deliver::Network;
use crate::http;
use crate::http::api::ApiState;
use crate::http::site::Site;
use crate::receive::{self, Receiver};
use crate::reconcile::Reconciler;
use crate::request_coalescing::ChangeCount;
use crate::sandbox::{self, Sandbox};

/// The receiver, the API and health stand beside the pages and their layers: no session, no cookie, no redirect.
pub(super) fn router(
    parts: &Parts,
    receiver: Receiver,
    reconciler: Reconciler,
    metrics: PrometheusHandle,
) -> Router {
    let Parts { config, db, vault, clock, registry, notifiers, .. } = parts.clone();
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
    let backend = backend(parts, &sources, &destinations, receiver.clone(), reconciler, &acts);
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
        session_cache: Arc::default(),
        public_url: config.public_url.clone(),
        trusted_proxies: config.trusted_proxies.clone(),
        assets: http::assets::urls(),
    };
    let observed = http::compression::compress(http::api::router(api).merge(http::pages::router(site)))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(http::request_metrics::measure));
    Router::new()
        .merge(receive::router_behind(receiver, config.max_body, config.trusted_proxies.clone()))
        .merge(http::health::router(db, metrics))
        .merge(http::assets::router())
        .merge(observed)
}

/// What the pages and the API read and change.
fn backend(
    parts: &Parts,
    sources: &Sources,
    destinations: &Destinations,
    receiver: Receiver,
    reconciler: Reconciler,
    acts: &ChangeCount,
) -> Backend {
    let Parts { config, db, vault, clock, registry, notifiers, resender, .. } = parts.clone();
    Backend {
        destinations: Arc::new(destinations.clone()),
        sources: Arc::new(SourcePages::new(
            db.clone(),
            clock.clone(),
            sources.clone(),
            config.public_base().into(),
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
            receiver,
            acts.clone(),
        )),
        alerts: Arc::new(AlertsBackend::new(db.clone(), clock.clone(), acts.clone())),
    }
}

pub(super) fn sandbox(parts: &Parts, reconciler: &Reconciler) -> anyhow::Result<Option<Sandbox>> {
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
pub(super) fn network(config: &Config) -> Network {
    let allowed = match config.sandbox {
        // The shop and the provider of the sandbox are in this process.
        true => config.allow_nets.clone().with_host(sandbox::address(config.listen)),
        false => config.allow_nets.clone(),
    };
    Network { root_certificates: config.root_certificates.clone(), ..Network::new(allowed) }
}
