//! What the simulated provider can be told: faults, secrets, its clock. JSON only, so that no other site's page can.

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Provider;
use super::account::Problem;
use super::words::Fault;
use crate::domain::secret::SecretValue;
use crate::sandbox::records as store;

/// The routes, below `/sandbox/provider`.
pub fn router(provider: Provider) -> Router {
    Router::new()
        .route("/", get(status))
        .route("/faults", post(add_fault))
        .route("/secrets", post(set_secrets))
        .route("/clock", post(set_clock))
        .with_state(provider)
}

async fn status(State(provider): State<Provider>) -> Result<Json<Value>, Problem> {
    let invoices = store::count(&provider.0.db, super::INVOICE).await?;
    let now = provider.unix_now();
    Ok(Json(json!({ "invoices": invoices, "webhooks": provider.sender().counts(), "server_time": now })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultInput {
    fault: Fault,
    count: usize,
    /// Only webhooks of this one; null: of any.
    resource: Option<String>,
}

async fn add_fault(State(provider): State<Provider>, Json(asked): Json<FaultInput>) -> Json<Value> {
    let count = asked.count.min(1000);
    provider.sender().add_fault(asked.fault, count, asked.resource.as_deref());
    Json(json!({ "fault": asked.fault, "count": count, "resource": asked.resource }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Secrets {
    /// Newest first; null: those that the source has.
    secrets: Option<Vec<String>>,
}

async fn set_secrets(State(provider): State<Provider>, Json(asked): Json<Secrets>) -> Json<Value> {
    let count = asked.secrets.as_ref().map(Vec::len);
    provider.sender().set_secrets(asked.secrets.map(|all| all.into_iter().map(SecretValue::new).collect()));
    Json(json!({ "secrets": count }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetClock {
    ahead_s: i64,
}

async fn set_clock(State(provider): State<Provider>, Json(asked): Json<SetClock>) -> Json<Value> {
    provider.set_skew(asked.ahead_s.clamp(-86_400, 86_400));
    Json(json!({ "server_time": provider.unix_now() }))
}
