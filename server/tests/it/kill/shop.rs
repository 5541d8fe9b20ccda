//! A merchant's shop that does it right: verifies, dedupes by event id, books by order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;

#[derive(Clone, Default)]
pub struct Shop {
    pub url: String,
    book: Arc<Mutex<Book>>,
}

#[derive(Default)]
struct Book {
    secret: String,
    seen: BTreeSet<String>,
    booked: BTreeMap<String, u32>,
}

impl Shop {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let shop = Self { url, book: Arc::default() };
        let router = Router::new().route("/orders", post(take)).with_state(shop.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        shop
    }

    pub fn trust(&self, secret: &str) {
        self.book.lock().unwrap().secret = secret.to_owned();
    }

    /// Orders, and how often each was booked.
    pub fn bookings(&self) -> BTreeMap<String, u32> {
        self.book.lock().unwrap().booked.clone()
    }

    pub async fn wait_for(&self, ids: &BTreeSet<String>, at_most: Duration) {
        let until = Instant::now() + at_most;
        loop {
            let missing: Vec<_> = ids.difference(&self.book.lock().unwrap().seen).cloned().collect();
            if missing.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "acknowledged and never delivered: {missing:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

async fn take(State(shop): State<Shop>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut book = shop.book.lock().unwrap();
    let header = headers.get("x-webhook-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Some(time) = header.split(',').find_map(|part| part.strip_prefix("t=")) else {
        return StatusCode::UNAUTHORIZED;
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(book.secret.as_bytes()).unwrap();
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(&body);
    let wanted = format!("v1={}", hex::encode(mac.finalize().into_bytes()));
    if !header.split(',').any(|part| part == wanted) {
        return StatusCode::UNAUTHORIZED;
    }
    let event: Value = serde_json::from_slice(&body).unwrap();
    let id = event["event_id"].as_str().unwrap().to_owned();
    assert_eq!(headers["x-webhook-id"], id.as_str());
    if book.seen.insert(id) {
        let order = event["data"]["invoice_id"].as_str().unwrap().to_owned();
        *book.booked.entry(order).or_default() += 1;
    }
    StatusCode::OK
}
