//! `/healthz`, `/readyz` and `/metrics`.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;

use crate::db::Db;

/// How long the database may take to answer before it counts as failing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves the three, without a session or a token.
pub fn router(db: Db, metrics: PrometheusHandle) -> Router {
    Router::new()
        .route("/healthz", get(async || no_store(Json(json!({"status": "ok"})))))
        .route("/readyz", get(ready).with_state(db))
        .route("/metrics", get(render).with_state(metrics))
}

async fn ready(State(db): State<Db>) -> Response {
    let (database, migrations) = check(&db).await;
    let word = |good| if good { "ok" } else { "failing" };
    let checks = json!({"database": word(database), "migrations": word(migrations)});
    let failing = [("database", database), ("migrations", migrations)].into_iter().find(|(_, good)| !good);
    match failing {
        None => no_store(Json(json!({"status": "ready", "checks": checks}))),
        Some((part, _)) => {
            let body = json!({"status": "not_ready", "failing": part, "checks": checks});
            (StatusCode::SERVICE_UNAVAILABLE, no_store(Json(body))).into_response()
        }
    }
}

/// Whether the database answers, and whether its tables are those of this version.
async fn check(db: &Db) -> (bool, bool) {
    let answers = async {
        crate::read!(db, on => sqlx::query_scalar::<_, i64>("select cast(1 as bigint)").fetch_one(on).await)
    };
    if !matches!(tokio::time::timeout(PATIENCE, answers).await, Ok(Ok(_))) {
        return (false, false);
    }
    (true, matches!(tokio::time::timeout(PATIENCE, db.is_migrated()).await, Ok(Ok(true))))
}

async fn render(State(metrics): State<PrometheusHandle>) -> Response {
    let text = metrics.render();
    no_store(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

fn no_store(response: impl IntoResponse) -> Response {
    ([(CACHE_CONTROL, "no-store")], response).into_response()
}
