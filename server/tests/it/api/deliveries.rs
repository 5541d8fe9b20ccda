use app::types::Role;
use reqwest::Method;
use serde_json::{Value, json};

use super::{add_destination, add_source, one_delivery, secret_of, webhook};
use crate::fixture::{Reply, Sink};
use crate::on_both;
use crate::support::test_app::TestApp;

fn members(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

on_both! {
    async fn a_delivery_has_its_attempts_and_its_ladder(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(503));
        let row = one_delivery(&app, &sink, "pending").await;
        for member in ["id", "event_id", "type", "resource_id", "source", "destination", "state", "attempts",
            "max_attempts", "next_attempt_at", "last_status", "last_error", "received_at", "delivered_at"]
        {
            assert!(members(&row).contains(&member), "{member}");
        }
        assert_eq!((&row["event_id"], &row["type"]), (&json!("evt_1"), &json!("invoice.paid")));
        assert_eq!((&row["last_status"], &row["last_error"]), (&json!(503), &json!("status")));
        assert_eq!(row["next_attempt_at"], "2026-11-30T12:01:00Z");

        let full = app.get(&format!("/deliveries/{}", row["id"])).await.expect(200);
        for member in members(&row) {
            assert_eq!(full[member], row[member], "{member}");
        }
        let log = full["attempt_log"].as_array().unwrap();
        assert_eq!(log.len(), 1);
        for member in ["n", "trigger", "actor", "reason", "started_at", "duration_ms", "status", "error",
            "request_headers", "response_headers", "response_body", "response_truncated"]
        {
            assert!(members(&log[0]).contains(&member), "{member}");
        }
        assert_eq!((&log[0]["n"], &log[0]["trigger"], &log[0]["status"]), (&json!(1), &json!("scheduled"), &json!(503)));
        assert_eq!(log[0]["may_repeat"], false);
        let text = log[0]["request_headers"].to_string();
        assert!(text.to_lowercase().contains("x-webhook-signature") && !text.contains("whsec_"), "{text}");
        assert_eq!(
            full["rungs"],
            json!([
                {"n": 1, "due_at": "2026-11-30T12:00:00Z", "done": true},
                {"n": 2, "due_at": "2026-11-30T12:01:00Z", "done": false},
                {"n": 3, "due_at": "2026-11-30T12:03:00Z", "done": false},
            ])
        );
        for path in ["/deliveries/999999", "/deliveries/x", "/deliveries/99999999999999999999"] {
            assert_eq!(app.get(path).await.problem(404), "not_found");
        }
        app.stop().await;
    }

    async fn a_resend_runs_at_once_beside_the_ladder(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(503));
        let row = one_delivery(&app, &sink, "pending").await;
        let path = format!("/deliveries/{}/resend", row["id"]);
        let reason = json!({"reason": "  the shop asked for it  "});
        app.call(Role::Support, Method::POST, &path, Some(reason.clone())).await.expect(202);
        app.until("the resend is over", async || {
            let full = app.get(&format!("/deliveries/{}", row["id"])).await.expect(200);
            full["attempt_log"].as_array().unwrap().iter().filter(|attempt| attempt["status"] == 503).count() == 2
        })
        .await;
        let full = app.get(&format!("/deliveries/{}", row["id"])).await.expect(200);
        let manual = &full["attempt_log"][1];
        assert_eq!((&manual["n"], &manual["trigger"]), (&Value::Null, &json!("manual")));
        assert_eq!((&manual["actor"], &manual["reason"]), (&json!("token:support"), &json!("the shop asked for it")));
        for member in ["state", "attempts", "next_attempt_at"] {
            assert_eq!(full[member], row[member], "a failed resend leaves {member} as it was");
        }

        sink.reply(Reply::Status(204));
        app.call(Role::Support, Method::POST, &path, Some(reason)).await.expect(202);
        app.until("it is delivered", async || app.every("/deliveries", "state=delivered").await.len() == 1).await;
        app.stop().await;
    }

    async fn a_resend_needs_a_reason(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        let row = one_delivery(&app, &sink, "delivered").await;
        let path = format!("/deliveries/{}/resend", row["id"]);
        for (body, code) in [
            (json!({}), "required"),
            (json!({"reason": " "}), "malformed"),
            (json!({"reason": "x".repeat(501)}), "malformed"),
            (json!({"reason": 1}), "malformed"),
        ] {
            assert_eq!(app.post(&path, body).await.refused(), [("reason".to_owned(), code.to_owned())]);
        }
        let unknown = app.post(&path, json!({"reason": "x", "now": true})).await.refused();
        assert_eq!(unknown, [("now".to_owned(), "unknown".to_owned())]);
        assert_eq!(app.post("/deliveries/999999/resend", json!({"reason": "x"})).await.problem(404), "not_found");
        app.post(&path, json!({"reason": "é".repeat(500)})).await.expect(202);
        app.stop().await;
    }

    async fn pages_show_every_row_once_and_each_filter_narrows(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        add_source(&app, "pos").await;
        for slug in ["erp", "crm"] {
            add_destination(&app, slug, "http://127.0.0.1:9/", &["1m"]).await;
            app.post(&format!("/destinations/{slug}/pause"), json!({})).await.expect(200);
        }
        for n in 0..12 {
            let (source, kind) = (["shop", "pos"][n % 2], ["invoice.paid", "invoice.expired", "withdrawal.completed"][n % 3]);
            let body = webhook(&format!("evt_{n}"), kind, &format!("inv_{}", n / 2));
            app.webhook(source, &secret_of(source), &body).await.expect(200);
            app.test.clock.advance(1);
        }
        app.until("all is processed", async || app.every("/deliveries", "limit=200").await.len() == 24).await;
        for list in ["/deliveries", "/events"] {
            let all = app.every(list, "limit=200").await;
            for limit in [1, 5, 24] {
                assert_eq!(app.every(list, &format!("limit={limit}")).await, all);
            }
            let mut ids: Vec<_> = all.iter().map(|row| row["id"].as_i64().unwrap()).collect();
            assert!(all.windows(2).all(|w| w[0]["received_at"].as_str() >= w[1]["received_at"].as_str()));
            ids.dedup();
            assert_eq!(ids.len(), all.len());
        }
        for (query, deliveries, events) in [
            ("state=held", 24, None),
            ("state=pending,held", 24, None),
            ("state=failed", 0, None),
            ("destination=erp", 12, None),
            ("overdue=true", 0, None),
            ("overdue=false", 24, None),
            ("source=shop", 12, Some(6)),
            ("source=nowhere", 0, Some(0)),
            ("type=invoice.paid", 8, Some(4)),
            ("type=invoice.*", 16, Some(8)),
            ("resource=inv_3", 4, Some(2)),
            ("event_id=evt_7", 2, Some(1)),
            ("from=2026-11-30T12:00:06Z", 12, Some(6)),
            ("to=2026-11-30T12:00:06Z", 12, Some(6)),
            ("from=2026-11-30T12:00:02Z&to=2026-11-30T12:00:05Z&source=pos", 2, Some(1)),
        ] {
            assert_eq!(app.every("/deliveries", query).await.len(), deliveries, "{query}");
            if let Some(events) = events {
                assert_eq!(app.every("/events", query).await.len(), events, "{query}");
            }
        }
        assert_eq!(app.every("/events", "q=evt_1").await.len(), 3);
        app.stop().await;
    }

    async fn a_query_that_is_not_known_or_not_read_is_named(test: TestDb) {
        let app = TestApp::start(test).await;
        for (query, field, code) in [
            ("colour=red", "colour", "unknown"),
            ("limit=0", "limit", "malformed"),
            ("limit=201", "limit", "malformed"),
            ("limit=x", "limit", "malformed"),
            ("limit=1&limit=2", "limit", "repeated"),
            ("cursor=x", "cursor", "malformed"),
            ("source=Shop", "source", "malformed"),
            ("from=yesterday", "from", "malformed"),
            ("type=", "type", "malformed"),
            ("state=done", "state", "malformed"),
            ("overdue=maybe", "overdue", "malformed"),
        ] {
            let refused = app.get(&format!("/deliveries?{query}")).await.refused();
            assert_eq!(refused, [(field.to_owned(), code.to_owned())], "{query}");
        }
        for path in ["/sources", "/destinations", "/events", "/reconciliations", "/differences", "/alerts", "/events/1",
            "/deliveries/1", "/sources/a", "/sources/a/secrets", "/events/1/body", "/reconciliations/1"]
        {
            assert_eq!(app.get(&format!("{path}?colour=red")).await.refused()[0].0, "colour", "{path}");
        }
        app.stop().await;
    }
}
