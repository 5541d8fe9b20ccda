//! Bodies that cannot be read.

use app::types::Role;
use serde_json::json;

use super::one_delivery;
use crate::fixture::Sink;
use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

async fn post(app: &TestApp, content_type: &str, body: &[u8]) -> Answer {
    let request = app
        .http
        .post(format!("{}/api/v1/sources", app.base))
        .bearer_auth(app.token(Role::Admin))
        .header("content-type", content_type)
        .body(body.to_vec());
    Answer::of(request.send().await.unwrap()).await
}

on_both! {
    async fn a_body_that_is_not_json_is_told_as_such(test: TestDb) {
        let app = TestApp::start(test).await;
        for body in [&b"{"[..], b"nonsense", b"[]", b"7", b"\"x\"", b"null", b"\xff\xfe", b"{\"slug\":\"a\"} x"] {
            let answer = post(&app, "application/json", body).await;
            assert_eq!(answer.problem(400), "malformed_json", "{}", String::from_utf8_lossy(body));
        }
        let deep = "[".repeat(30_000);
        assert_eq!(post(&app, "application/json", deep.as_bytes()).await.problem(400), "malformed_json");
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            assert_eq!(post(&app, kind, b"{}").await.problem(415), "unsupported_media_type", "{kind}");
        }
        assert_eq!(post(&app, "Application/JSON; charset=utf-8", b"{}").await.problem(400), "invalid_input");
        let large = format!("{{\"slug\":\"{}\"}}", "x".repeat(70_000));
        assert_eq!(post(&app, "application/json", large.as_bytes()).await.problem(413), "body_too_large");
        app.stop().await;
    }

    async fn characters_that_no_keyboard_writes_are_refused_and_hurt_nothing(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        let delivery = one_delivery(&app, &sink, "delivered").await;
        for list in ["deliveries?type", "deliveries?resource", "deliveries?event_id", "deliveries?source", "deliveries?cursor",
            "events?q", "events?type", "events?resource", "events?event_id", "rejections?source", "audit?actor", "audit?subject",
            "differences?source", "alerts?kind", "resends?state", "reconciliations?source"] {
            let answer = app.get(&format!("/{list}=a%00b")).await;
            assert_eq!(answer.problem(400), "invalid_input", "{list}");
        }
        for text in ["a\u{0}b", "a\u{1b}b"] {
            let resend = format!("/deliveries/{}/resend", delivery["id"]);
            assert_eq!(app.post(&resend, json!({"reason": text})).await.problem(400), "invalid_input");
            assert_eq!(app.post("/differences/1/acknowledge", json!({"note": text})).await.problem(400), "invalid_input");
            let of = json!({"filter": {"resource": text}, "reason": "x", "dry_run": true});
            assert_eq!(app.post("/resends", of).await.problem(400), "invalid_input");
            let rotation = json!({"overlap_s": 60, "reason": text});
            assert_eq!(app.post("/destinations/erp/secrets", rotation).await.problem(400), "invalid_input");
        }
        let lines = format!("/deliveries/{}/resend", delivery["id"]);
        app.post(&lines, json!({"reason": "two\nlines"})).await.expect(202);

        let ana = app.session(Role::Admin).await;
        let id = delivery["id"].to_string();
        for (path, fields) in [
            ("/rpc/deliveries/resend", vec![("id", id.as_str()), ("reason", "a\0b")]),
            ("/rpc/events/release", vec![("id", "1"), ("reason", "a\0b")]),
            ("/rpc/secrets/rotate-destination", vec![("slug", "erp"), ("overlap_s", "60"), ("reason", "a\0b")]),
            ("/rpc/deliveries/deliver", vec![("event", "1"), ("destination", "erp"), ("reason", "a\0b")]),
            ("/rpc/reconciliation/acknowledge", vec![("id", "1"), ("note", "a\0b")]),
        ] {
            let answer = app.rpc(&ana, path, &fields).await;
            assert!((400..500).contains(&answer.status.as_u16()), "{path}: {} {}", answer.status, answer.text());
        }
        for page in ["/deliveries?resource", "/deliveries?type", "/deliveries?event_id", "/deliveries?destination", "/events?q",
            "/events?type", "/events?resource", "/events?event_id", "/rejections?source", "/audit?actor", "/audit?subject",
            "/alerts?kind", "/resends?state", "/reconciliation?resource", "/sources?edit", "/destinations?edit", "/search?q"] {
            let answer = app.open(&ana, &format!("{page}=a%00b")).await;
            assert!(answer.status.as_u16() < 400, "{page}: {}", answer.status);
        }
        app.stop().await;
    }
}
