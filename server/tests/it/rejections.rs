//! What is refused: kept within bounds, examined, and taken in once the secret is mended.

mod doctor;
mod flood;
mod lint;
mod mode;
mod reverify;
mod spike;
mod verify;

use app::types::Role;
use hmac::{Hmac, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use server::clock::Clock;
use sha2::Sha256;

use crate::fixture::Sink;
use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

const SECRET: &str = "whsec_test_secret";

/// A source of Paymos that allows 300 s.
async fn source(app: &TestApp, slug: &str, secret: &str) {
    let body =
        json!({"slug": slug, "provider": "paymos", "mode": "test", "secret": secret, "tolerance_s": 300});
    app.post("/sources", body).await.expect(201);
}

/// The signature header of Paymos.
fn signed(secret: &str, at: i64, body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("{at}.")).chain_update(body);
    format!("t={at},v1={}", hex::encode(mac.finalize().into_bytes()))
}

async fn post(app: &TestApp, slug: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
    let mut request = app.http.post(format!("{}/webhooks/{slug}", app.base)).body(body.into());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request.send().await.unwrap()).await
}

/// The newest rejection of a source, once there are so many.
async fn newest(app: &TestApp, slug: &str, count: usize) -> Value {
    let mut rows = Vec::new();
    app.until(&format!("{count} rejections of {slug} are kept"), async || {
        rows = app.every("/rejections", &format!("source={slug}")).await;
        rows.len() >= count
    })
    .await;
    rows.swap_remove(0)
}

on_both! {
    async fn what_is_refused_is_kept_as_it_came_and_listed(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        source(&app, "other", "whsec_other_secret").await;
        let now = app.test.clock.now().unix();
        let signature = signed("whsec_wrong", now - 3, b"{}");
        let headers = [
            ("x-webhook-signature", signature.as_str()),
            ("x-note", "caf\u{e9}"),
            ("authorization", "Bearer very-secret"),
        ];
        assert_eq!(post(&app, "shop?a=b", &headers, b"{\"a\":\xff".to_vec()).await.problem(401), "signature_refused");
        post(&app, "other", &[], "").await.expect(401);
        let row = newest(&app, "shop", 1).await;
        assert_eq!(row["source"], "shop");
        assert_eq!(row["reason"], "signature_mismatch");
        assert_eq!(row["received_at"], "2026-11-30T12:00:00Z");
        assert_eq!(row["skew_s"], -3);
        assert_eq!(row["remote_address"], "127.0.0.1");
        assert_eq!(row["status"], "rejected");
        let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
        for member in ["source", "received_at", "reason", "skew_s"] {
            assert_eq!(one[member], row[member], "{member}");
        }
        assert_eq!(one["target"], "/webhooks/shop?a=b");
        let header = |name: &str| {
            let headers = one["headers"].as_array().unwrap();
            headers.iter().find(|pair| pair[0] == name).map(|pair| pair[1].clone())
        };
        assert_eq!(header("x-webhook-signature"), Some(json!(signature)));
        assert_eq!(header("x-note"), Some(json!("café")));
        assert_eq!(header("authorization"), Some(json!("…")));
        assert!(!one["findings"].as_array().unwrap().is_empty());
        newest(&app, "other", 1).await;
        assert_eq!(app.every("/rejections", "").await.len(), 2);
        assert_eq!(app.every("/rejections", "reason=missing_header").await.len(), 1);
        assert_eq!(app.every("/rejections", "from=2026-11-30T12:00:01Z").await.len(), 0);
        assert_eq!(app.every("/rejections", "to=2026-11-30T12:00:01Z&limit=1").await.len(), 2);
        assert_eq!(app.get("/rejections?reason=late").await.refused(), [("reason".into(), "malformed".into())]);
        assert_eq!(app.get("/rejections/999").await.problem(404), "not_found");
        assert_eq!(app.post("/rejections/999/reverify", json!({})).await.problem(404), "not_found");
        let metrics = app.plain(Method::GET, "/metrics").await;
        assert!(String::from_utf8_lossy(&metrics.bytes).contains("acuse_arrivals_total{outcome=\"rejected\"}"));
        app.stop().await;
    }

    async fn a_mended_secret_takes_in_what_was_refused_by_the_clock_of_its_arrival(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        source(&app, "shop", "whsec_pasted_wrongly").await;
        app.post("/destinations", json!({"slug": "erp", "url": sink.url, "format": "paymos"})).await.expect(201);
        let body = r#"{"event_id":"evt_1","event_type":"invoice.paid","data":{"invoice_id":"inv_1","status":"paid"}}"#;
        let signature = signed(SECRET, app.test.clock.now().unix(), body.as_bytes());
        post(&app, "shop", &[("x-webhook-signature", &signature)], body).await.expect(401);
        let path = format!("/rejections/{}/reverify", newest(&app, "shop", 1).await["id"]);
        let again = app.call(Role::Support, Method::POST, &path, None).await.expect(200);
        let message = "None of the current secrets matches its signature. Its page shows which one would.";
        let refused = json!({"status": "rejected", "reason": "signature_mismatch", "not_kept": null, "message": message,
            "event_id": null});
        assert_eq!(again, refused);

        app.post("/sources/shop/secrets", json!({"secret": SECRET})).await.expect(201);
        // A day later: the signature is judged by when it came.
        app.test.clock.advance(86_400);
        assert_eq!(app.call(Role::Viewer, Method::POST, &path, None).await.problem(403), "forbidden");
        let again = app.call(Role::Support, Method::POST, &path, None).await.expect(200);
        let taken = json!({"status": "stored", "reason": null, "not_kept": null, "message": null, "event_id": "evt_1"});
        assert_eq!(again, taken);
        let event = &app.every("/events", "event_id=evt_1").await[0];
        assert_eq!(event["received_at"], "2026-12-01T12:00:00Z", "as if it had just come");
        sink.wait_for(1).await;
        assert_eq!(&sink.got()[0].body[..], body.as_bytes());

        let again = app.post(&path, json!({})).await.expect(200);
        assert_eq!(again["status"], "duplicate", "the event is known now");
        let row = newest(&app, "shop", 1).await;
        assert_eq!((&row["status"], &row["event"]), (&json!("stored"), &event["id"]));
        assert_eq!((&row["verified_by"], &row["verified_at"]), (&json!("token:support"), &json!("2026-12-01T12:00:00Z")));
        let audit = app.call(Role::Admin, Method::GET, "/audit?action=rejection.reverified", None).await.expect(200);
        assert_eq!(audit["items"].as_array().unwrap().len(), 3);
        app.stop().await;
    }

    async fn all_of_a_source_are_verified_again_at_once(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", "whsec_pasted_wrongly").await;
        source(&app, "other", "whsec_pasted_wrongly_too").await;
        let now = app.test.clock.now().unix();
        for n in [1, 2, 2, 3] {
            let body = format!(r#"{{"event_id":"evt_{n}","event_type":"invoice.paid"}}"#);
            let signature = signed(SECRET, now, body.as_bytes());
            post(&app, "shop", &[("x-webhook-signature", &signature)], body).await.expect(401);
        }
        post(&app, "shop", &[], "{}").await.expect(401);
        post(&app, "other", &[], "{}").await.expect(401);
        newest(&app, "shop", 5).await;
        newest(&app, "other", 1).await;
        app.post("/sources/shop/secrets", json!({"secret": SECRET, "overlap_s": 0})).await.expect(201);
        let all = "/sources/shop/rejections/reverify";
        let done = app.call(Role::Support, Method::POST, all, None).await.expect(200);
        let message = "The header with its signature is missing, so no secret can verify it. Find what removes the header, then ask for a resend.";
        let still = json!([{"count": 1, "reason": "missing_header", "not_kept": null, "message": message}]);
        assert_eq!(done, json!({"stored": 3, "duplicate": 1, "rejected": 1, "still": still}));
        assert_eq!(app.every("/events", "").await.len(), 3);
        let done = app.post(all, json!({})).await.expect(200);
        let nothing = json!({"stored": 0, "duplicate": 0, "rejected": 1, "still": still});
        assert_eq!(done, nothing, "those that were taken in are done");
        assert_eq!(app.post("/sources/none/rejections/reverify", json!({})).await.problem(404), "not_found");
        app.stop().await;
    }

    async fn a_source_without_a_secret_refuses_everything(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        let sql = "update secret set expires_at = $1";
        let now = app.test.clock.now();
        server::write!(&app.test.db, on => sqlx::query(sql).bind(now.micros()).execute(on).await.map(drop)).unwrap();
        app.patch("/sources/shop", json!({"tolerance_s": null})).await.expect(200);
        let answer = app.webhook("shop", SECRET, "{\"event_id\":\"evt_1\"}").await;
        assert_eq!((answer.problem(401), answer.json()["reason"].clone()), ("signature_refused".into(), json!("bad_secret")));
        let row = newest(&app, "shop", 1).await;
        let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
        assert_eq!(one["findings"][0]["code"], "no_active_secret");
        app.stop().await;
    }
}
