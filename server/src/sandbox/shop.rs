//! The simulated merchant: desks that take deliveries, verify them, and do with them what they are told. The desk
//! `shop` books orders, each event once, by its id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::types::{Format, Timestamp};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::secret::active;
use crate::domain::signature::{Scheme, verify};
use crate::registry::Registry;
use crate::sandbox::records::{self as store, OrderOutcome, ShopEvent};

/// The desk that books orders.
pub const SHOP: &str = "shop";
/// Another one of the merchant's systems.
pub const CRM: &str = "crm";
const TOLERANCE: i64 = 300;
/// Longer than anybody waits.
const HANG: Duration = Duration::from_secs(60);
const MOST_ORDERS: i64 = 1000;

/// How a desk answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponseMode {
    /// As it should.
    #[default]
    Ok,
    /// With an error of its own.
    Fail,
    /// Not at all.
    Hang,
    /// That it does not want it.
    Refuse,
}

/// How a desk answers, and until when; then as it should.
#[derive(Debug, Clone, Copy, Default)]
struct ResponsePlan {
    manner: ResponseMode,
    status: Option<u16>,
    until: Option<Timestamp>,
    /// A person or a test said so: the sandbox's own moods leave it alone.
    is_told: bool,
}

/// The simulated merchant. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Shop(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    behaviours: Mutex<HashMap<String, ResponsePlan>>,
    shutdown: CancellationToken,
}

impl Shop {
    /// A merchant whose secrets are those of the destinations that lie at its desks.
    pub fn new(db: Db, clock: SharedClock, registry: Arc<Registry>, shutdown: CancellationToken) -> Self {
        Self(Arc::new(Inner { db, clock, registry, behaviours: Mutex::default(), shutdown }))
    }

    /// Gives a desk a mood, unless somebody has told it how to behave.
    pub fn set_response_mode(&self, desk: &str, manner: ResponseMode, seconds: i64) {
        let mut behaviours = self.0.behaviours.lock().unwrap_or_else(PoisonError::into_inner);
        let behaviour = behaviours.entry(desk.to_owned()).or_default();
        if !behaviour.is_told {
            let until = Some(self.0.clock.now().plus_seconds(seconds));
            *behaviour = ResponsePlan { manner, status: None, until, is_told: false };
        }
    }

    fn manner(&self, desk: &str) -> (ResponseMode, Option<u16>) {
        let mut behaviours = self.0.behaviours.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(behaviour) = behaviours.get_mut(desk) else { return (ResponseMode::Ok, None) };
        if behaviour.until.is_some_and(|until| until <= self.0.clock.now()) {
            *behaviour = ResponsePlan::default();
        }
        (behaviour.manner, behaviour.status)
    }

    /// Whether one of the destinations at this desk has signed it.
    fn is_verified(&self, desk: &str, headers: &HeaderMap, body: &[u8]) -> bool {
        let now = self.0.clock.now();
        let at_the_desk = format!("/sandbox/{desk}");
        let snapshot = self.0.registry.snapshot();
        snapshot.destinations.values().filter(|one| one.row.settings.url.ends_with(&at_the_desk)).any(
            |destination| {
                let secrets: Vec<_> = active(&destination.secrets, now)
                    .into_iter()
                    .map(|secret| secret.value.expose().as_bytes())
                    .collect();
                let scheme = scheme(destination.row.settings.format);
                verify(scheme, &secrets, headers, body, now.unix(), Some(TOLERANCE)).is_ok()
            },
        )
    }
}

const fn scheme(format: Format) -> Scheme {
    match format {
        Format::Paymos => Scheme::Paymos,
        Format::Stripe => Scheme::Stripe,
        Format::Paddle => Scheme::Paddle,
        Format::StandardWebhooks => Scheme::StandardWebhooks,
    }
}

/// The routes, below `/sandbox`.
pub fn router(shop: Shop) -> Router {
    Router::new()
        .route("/{desk}", post(take))
        .route("/{desk}/orders", get(orders))
        .route("/{desk}/behaviour", post(set_response))
        .with_state(shop)
}

async fn take(
    State(shop): State<Shop>,
    Path(desk): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !is_desk(&desk) {
        return no_desk(&desk);
    }
    let (manner, status) = shop.manner(&desk);
    let answer = |fallback: StatusCode, text: &str| {
        let status = status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(fallback);
        (status, Json(json!({ "status": text }))).into_response()
    };
    match manner {
        ResponseMode::Ok => {}
        ResponseMode::Fail => return answer(StatusCode::SERVICE_UNAVAILABLE, "down for maintenance"),
        ResponseMode::Refuse => return answer(StatusCode::FORBIDDEN, "refused"),
        ResponseMode::Hang => {
            // Nobody waits for it at the end.
            let _ = tokio::time::timeout(HANG, shop.0.shutdown.cancelled()).await;
            return answer(StatusCode::GATEWAY_TIMEOUT, "too late");
        }
    }
    if !shop.is_verified(&desk, &headers, &body) {
        return (StatusCode::UNAUTHORIZED, Json(json!({ "status": "signature not good" }))).into_response();
    }
    let Some(event) = read_event(&body) else {
        return (StatusCode::OK, Json(json!({ "status": "not understood" }))).into_response();
    };
    let pays = desk == SHOP && matches!(event.r#type.as_str(), "invoice.paid" | "invoice.paid_over");
    match store::record_shop_delivery(&shop.0.db, &desk, &event, pays, shop.0.clock.now().unix()).await {
        Ok(taken) => answer(StatusCode::OK, word(taken)),
        Err(error) => {
            tracing::warn!(%error, "the sandbox's shop has no database");
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "no database" }))).into_response()
        }
    }
}

const fn word(taken: OrderOutcome) -> &'static str {
    match taken {
        OrderOutcome::Repeat => "repeat",
        OrderOutcome::Noted => "noted",
        OrderOutcome::Booked => "booked",
    }
}

fn read_event(body: &[u8]) -> Option<ShopEvent> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let data = &body["data"];
    Some(ShopEvent {
        event_id: text(&body["event_id"])?,
        r#type: text(&body["event_type"])?,
        resource_id: text(&data["invoice_id"]).or_else(|| text(&data["withdrawal_id"])).unwrap_or_default(),
        order_ref: text(&data["order"]["external_id"]),
        amount: text(&data["order"]["amount"]),
        currency: text(&data["order"]["currency"]),
    })
}

async fn orders(State(shop): State<Shop>, Path(desk): Path<String>) -> Response {
    if !is_desk(&desk) {
        return no_desk(&desk);
    }
    let read = async {
        let orders = match desk.as_str() {
            SHOP => store::shop_orders(&shop.0.db, &desk, MOST_ORDERS).await?,
            _ => Vec::new(),
        };
        Ok::<_, sqlx::Error>((orders, store::shop_totals(&shop.0.db, &desk).await?))
    };
    match read.await {
        Ok((orders, (count, booked, events, deliveries))) => {
            let totals =
                json!({ "orders": count, "booked": booked, "events": events, "deliveries": deliveries });
            Json(json!({ "orders": orders, "totals": totals })).into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "the sandbox's shop has no database");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResponseInput {
    mode: ResponseMode,
    status: Option<u16>,
    for_s: Option<i64>,
}

async fn set_response(
    State(shop): State<Shop>,
    Path(desk): Path<String>,
    Json(asked): Json<ResponseInput>,
) -> Response {
    if !is_desk(&desk) {
        return no_desk(&desk);
    }
    if asked.status.is_some_and(|status| !(200..=599).contains(&status)) {
        let text = json!({ "status": "status is 200 to 599" });
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(text)).into_response();
    }
    let until = asked.for_s.map(|seconds| shop.0.clock.now().plus_seconds(seconds));
    let behaviour = ResponsePlan { manner: asked.mode, status: asked.status, until, is_told: true };
    shop.0.behaviours.lock().unwrap_or_else(PoisonError::into_inner).insert(desk, behaviour);
    Json(json!({ "mode": asked.mode, "status": asked.status, "until": until })).into_response()
}

fn is_desk(desk: &str) -> bool {
    matches!(desk, SHOP | CRM)
}

fn no_desk(desk: &str) -> Response {
    let desk: String = desk.chars().take(40).collect();
    let text = format!("no desk {desk:?} in the sandbox; there are {SHOP} and {CRM}");
    (StatusCode::NOT_FOUND, Json(json!({ "status": text }))).into_response()
}
