//! The REST API under `/api/v1`. A handler reads its input, makes one call, and is done; the pages make the same calls.

mod alerts;
mod audit;
mod auth;
mod deliveries;
mod destinations;
mod differences;
mod docs;
mod document;
mod events;
mod extract;
pub(crate) mod fields;
mod problems;
mod reconciliations;
mod rejections;
mod resends;
mod routes;
mod secrets;
mod sources;

use std::sync::Arc;

use app::context::Backend;
use app::types::Role;
use axum::routing::{any, get};
use axum::{Json, Router};

pub use document::document;
pub use problems::ApiError;
pub use routes::Route;
use routes::Routes;

use crate::backend::destinations::Destinations;
use crate::backend::sources::Sources;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::net::CidrSet;
use crate::request_coalescing::ChangeCount;

/// Everything that the calls need. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    /// Tokens and alerts.
    pub db: Db,
    /// The time.
    pub clock: SharedClock,
    /// What the pages do too.
    pub backend: Backend,
    /// Counts what is done.
    pub acts: ChangeCount,
    /// Sources.
    pub sources: Sources,
    /// Destinations.
    pub destinations: Destinations,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: CidrSet,
    /// Base of receive URLs, without a slash at its end.
    pub base: Arc<str>,
}

/// Serves everything under `/api`.
pub fn router(state: ApiState) -> Router {
    let (v1, table) = routes(state).finish();
    let document = Arc::new(document(&table));
    let v1 = v1
        .route("/openapi.json", get(async move || Json(document.as_ref().clone())))
        .method_not_allowed_fallback(async || ApiError::no_such_method());
    let unknown = any(async || ApiError::no_such_path());
    docs::router()
        .nest("/api/v1", v1)
        .route("/api", unknown.clone())
        .route("/api/", unknown.clone())
        .route("/api/{*path}", unknown)
}

/// The routes that there are, for the comparison with the document.
pub fn table(state: ApiState) -> Vec<Route> {
    routes(state).finish().1
}

fn routes(state: ApiState) -> Routes {
    use Role::{Admin, Support};
    Routes::new(state)
        .get("/sources", sources::list)
        .post("/sources", Admin, sources::create)
        .get("/sources/{slug}", sources::get)
        .patch("/sources/{slug}", Admin, sources::change)
        .delete("/sources/{slug}", Admin, sources::delete)
        .get("/sources/{slug}/secrets", secrets::list_of_source)
        .post("/sources/{slug}/secrets", Support, secrets::rotate_source)
        .delete("/sources/{slug}/secrets/{id}", Support, secrets::retire_of_source)
        .patch("/sources/{slug}/secrets/{id}", Support, secrets::extend_of_source)
        .post("/sources/{slug}/secrets/undo", Support, secrets::undo_of_source)
        .post("/sources/{slug}/reconciliations", Support, reconciliations::start)
        .get("/destinations", destinations::list)
        .post("/destinations", Admin, destinations::create)
        .get("/destinations/{slug}", destinations::get)
        .patch("/destinations/{slug}", Admin, destinations::change)
        .delete("/destinations/{slug}", Admin, destinations::delete)
        .post("/destinations/{slug}/pause", Admin, destinations::pause)
        .post("/destinations/{slug}/resume", Admin, destinations::resume)
        .get("/destinations/{slug}/secrets", secrets::list_of_destination)
        .post("/destinations/{slug}/secrets", Support, secrets::rotate_destination)
        .delete("/destinations/{slug}/secrets/{id}", Support, secrets::retire_of_destination)
        .patch("/destinations/{slug}/secrets/{id}", Support, secrets::extend_of_destination)
        .post("/destinations/{slug}/secrets/undo", Support, secrets::undo_of_destination)
        .post("/destinations/{slug}/secrets/test", Support, secrets::test_of_destination)
        .get("/events", events::list)
        .get("/events/{id}", events::get)
        .get("/events/{id}/body", events::body)
        .post("/events/{id}/release", Support, events::release)
        .post("/events/{id}/deliver", Support, events::deliver)
        .get("/deliveries", deliveries::list)
        .get("/deliveries/{id}", deliveries::get)
        .post("/deliveries/{id}/resend", Support, deliveries::resend)
        .get("/resends", resends::list)
        .post("/resends", Support, resends::start)
        .get("/resends/{id}", resends::get)
        .delete("/resends/{id}", Support, resends::cancel)
        .get("/reconciliations", reconciliations::list)
        .get("/reconciliations/{id}", reconciliations::get)
        .get("/differences", differences::list)
        .post("/differences/{id}/acknowledge", Support, differences::acknowledge)
        .get("/audit", audit::list)
        .get("/audit/verify", audit::verify)
        .get("/rejections", rejections::list)
        .get("/rejections/{id}", rejections::get)
        .post("/rejections/{id}/reverify", Support, rejections::reverify)
        .post("/sources/{slug}/rejections/reverify", Support, rejections::reverify_all)
        .get("/alerts", alerts::list)
        .post("/alerts/{id}/acknowledge", Support, alerts::acknowledge)
}
