//! The REST API, over HTTP.

mod alerts;
mod callers;
mod deliveries;
mod destinations;
mod document;
mod events;
mod health;
mod input;
mod probes;
mod reconciliations;
mod secrets;
mod siblings;
mod sources;

use serde_json::{Value, json};

use crate::fixture::Sink;
use crate::support::test_app::TestApp;

pub const SECRET: &str = "whsec_test_secret";

/// The secret of a source: [`SECRET`] of `shop`, for no two sources have the same.
pub fn secret_of(slug: &str) -> String {
    if slug == "shop" { SECRET.to_owned() } else { format!("{SECRET}_of_{slug}") }
}

/// A source of Paymos without a clock window.
pub async fn add_source(app: &TestApp, slug: &str) -> Value {
    let body = json!({"slug": slug, "provider": "paymos", "mode": "test", "secret": secret_of(slug)});
    app.post("/sources", body).await.expect(201)
}

/// A destination with this ladder.
pub async fn add_destination(app: &TestApp, slug: &str, url: &str, ladder: &[&str]) -> Value {
    let body = json!({"slug": slug, "url": url, "format": "paymos", "ladder": ladder});
    app.post("/destinations", body).await.expect(201)
}

/// The body of a webhook of Paymos.
pub fn webhook(id: &str, kind: &str, resource: &str) -> String {
    let status = kind.rsplit('.').next().unwrap();
    json!({"event_id": id, "event_type": kind, "version": 1, "occurred_at": 1_700_000_000,
           "data": {"invoice_id": resource, "status": status}})
    .to_string()
}

/// A source, a destination that answers as the sink does, and one delivery in this state.
pub async fn one_delivery(app: &TestApp, sink: &Sink, state: &str) -> Value {
    add_source(app, "shop").await;
    add_destination(app, "erp", &sink.url, &["1m", "2m"]).await;
    let body = webhook("evt_1", "invoice.paid", "inv_1");
    app.webhook("shop", SECRET, &body).await.expect(200);
    let mut found = Value::Null;
    app.until(&format!("one delivery is {state}"), async || {
        let page = app.get("/deliveries").await.expect(200);
        found = page["items"][0].clone();
        let attempted = state != "pending" || found["attempts"].as_i64() == Some(1);
        found["state"] == state && attempted
    })
    .await;
    found
}
