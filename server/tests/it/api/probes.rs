//! The test of what a destination's server makes of signatures, against servers that really verify them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use hmac::{Hmac, Mac};
use serde_json::json;
use sha2::Sha256;

use super::{SECRET, add_source, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

/// What a server looks at of several signatures.
#[derive(Debug, Clone, Copy)]
enum Reads {
    All,
    First,
    Last,
    /// It does not verify.
    None,
}

/// A server that reads Paymos' headers.
struct Verifier {
    reads: Reads,
    has: Vec<String>,
}

type Verifiers = Arc<Mutex<HashMap<String, Verifier>>>;

async fn hook(
    State(verifiers): State<Verifiers>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let header = headers["x-webhook-signature"].to_str().unwrap();
    let parts: Vec<_> = header.split(',').map(|part| part.split_once('=').unwrap()).collect();
    let time = parts.iter().find(|(label, _)| *label == "t").unwrap().1;
    let signatures: Vec<_> = parts.iter().filter(|(label, _)| *label == "v1").map(|(_, hex)| *hex).collect();
    let verifiers = verifiers.lock().unwrap();
    let Verifier { reads, has } = &verifiers[&name];
    let read = match reads {
        Reads::All => &signatures[..],
        Reads::First => &signatures[..1],
        Reads::Last => &signatures[signatures.len() - 1..],
        Reads::None => return StatusCode::OK,
    };
    let is_right = has.iter().any(|secret| {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{time}.").as_bytes());
        mac.update(&body);
        read.contains(&hex::encode(mac.finalize().into_bytes()).as_str())
    });
    if is_right { StatusCode::OK } else { StatusCode::UNAUTHORIZED }
}

async fn serve(verifiers: Verifiers) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/{name}", post(hook)).with_state(verifiers);
    tokio::spawn(async move { axum::serve(listener, router).await });
    base
}

/// The order of signatures, what the server reads of them, the secrets that it has; and what the test finds.
const CASES: &[(&str, Reads, &[&str], &str)] = &[
    ("newest_first", Reads::All, &["new", "old"], "ready"),
    ("newest_first", Reads::All, &["new"], "ready"),
    ("newest_first", Reads::All, &["old"], "old_only"),
    ("newest_first", Reads::All, &[], "takes_none"),
    ("newest_first", Reads::First, &["new"], "ready"),
    ("newest_first", Reads::First, &["old"], "old_and_no_list"),
    ("newest_first", Reads::Last, &["new"], "new_but_no_list"),
    ("newest_first", Reads::Last, &["old"], "old_only"),
    ("oldest_first", Reads::All, &["new"], "ready"),
    ("oldest_first", Reads::First, &["new"], "new_but_no_list"),
    ("oldest_first", Reads::First, &["old"], "old_only"),
    ("oldest_first", Reads::Last, &["new"], "ready"),
    ("oldest_first", Reads::Last, &["old"], "old_and_no_list"),
    ("newest_first", Reads::None, &[], "not_verified"),
];

on_both! {
    async fn the_test_finds_what_the_server_reads_and_deliveries_bear_it_out(test: TestDb) {
        let app = TestApp::start(test).await;
        let verifiers = Verifiers::default();
        let base = serve(Arc::clone(&verifiers)).await;
        add_source(&app, "shop").await;
        let name = |n: usize| format!("case-{n}");
        for (n, (order, reads, has, _)) in CASES.iter().enumerate() {
            let body = json!({"slug": name(n), "url": format!("{base}/{}", name(n)), "format": "paymos",
                "ladder": ["1m"], "signature_order": order});
            let old = app.post("/destinations", body).await.expect(201)["secret"].clone();
            app.test.clock.advance(1);
            let new = app.post(&format!("/destinations/{}/secrets", name(n)), json!({})).await.expect(201)["secret"].clone();
            let value = |which: &&str| if *which == "new" { &new } else { &old }.as_str().unwrap().to_owned();
            let verifier = Verifier { reads: *reads, has: has.iter().map(value).collect() };
            verifiers.lock().unwrap().insert(name(n), verifier);
        }
        for (n, case) in CASES.iter().enumerate() {
            let tested = app.post(&format!("/destinations/{}/secrets/test", name(n)), json!({})).await.expect(200);
            assert_eq!(tested["finding"], case.3, "{case:?}: {tested}");
            assert_eq!(tested["wrong"]["status"], if matches!(case.1, Reads::None) { 200 } else { 401 });
        }

        // What is delivered during the rotation goes as the test has said.
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        let mut states = BTreeMap::new();
        app.until("each delivery was tried", async || {
            let rows = app.every("/deliveries", "").await;
            let text = |row: &serde_json::Value, member: &str| row[member].as_str().unwrap().to_owned();
            states = rows.iter().map(|row| (text(row, "destination"), text(row, "state"))).collect();
            rows.len() == CASES.len() && rows.iter().all(|row| row["attempts"] == 1)
        }).await;
        for (n, case) in CASES.iter().enumerate() {
            let arrives = matches!(case.3, "ready" | "old_only" | "not_verified");
            assert_eq!(states[&name(n)], if arrives { "delivered" } else { "pending" }, "{case:?}");
        }

        // Of a server that is ready the old secret may go, and it goes on as before.
        let list = app.get("/destinations/case-1/secrets").await.expect(200);
        let old = list["secrets"][1]["id"].as_str().unwrap();
        app.delete(&format!("/destinations/case-1/secrets/{old}")).await.expect(204);
        let tested = app.post("/destinations/case-1/secrets/test", json!({})).await.expect(200);
        assert_eq!((&tested["finding"], &tested["old"]), (&json!("ready"), &json!(null)));
        app.stop().await;
    }
}
