use app::types::Role;
use reqwest::Method;
use serde_json::json;

use super::{SECRET, add_source, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn a_source_is_made_read_changed_and_deleted(test: TestDb) {
        let app = TestApp::start(test).await;
        let body = json!({"slug": "shop", "provider": "paymos", "mode": "live", "secret": SECRET, "tolerance_s": 300,
            "hmac": null, "api": {"base_url": "https://api.paymos.io/", "key": "pk_test_1", "secret": "sk_test_1"}});
        let made = app.post("/sources", body.clone()).await;
        assert_eq!(made.header("location"), "/api/v1/sources/shop");
        let source = made.expect(201);
        assert_eq!(
            source,
            json!({"slug": "shop", "receive_url": format!("{}/webhooks/shop", app.base), "provider": "paymos",
                "mode": "live", "tolerance_s": 300, "hmac": null, "standard_webhooks": null,
                "api": {"base_url": "https://api.paymos.io", "key": "pk_test_1"}, "created_at": "2026-11-30T12:00:00Z"})
        );
        assert_eq!(app.get("/sources/shop").await.expect(200), source);
        assert_eq!(app.get("/sources").await.expect(200), json!({"items": [source], "next_cursor": null}));
        assert_eq!(app.post("/sources", body).await.problem(409), "already_exists");

        let changed = app.patch("/sources/shop", json!({"mode": "test"})).await.expect(200);
        assert_eq!((&changed["mode"], &changed["tolerance_s"]), (&json!("test"), &json!(300)));
        assert_eq!(changed["api"]["key"], "pk_test_1");
        let changed = app.patch("/sources/shop", json!({"tolerance_s": null, "api": null})).await.expect(200);
        assert_eq!((&changed["tolerance_s"], &changed["api"]), (&json!(null), &json!(null)));
        assert_eq!(app.get("/sources/shop").await.expect(200), changed);

        app.delete("/sources/shop").await.expect(204);
        for answer in [app.get("/sources/shop").await, app.delete("/sources/shop").await] {
            assert_eq!(answer.problem(404), "not_found");
        }
        assert_eq!(app.patch("/sources/shop", json!({})).await.problem(404), "not_found");
        add_source(&app, "shop").await;
        app.stop().await;
    }

    async fn a_source_receives_from_when_it_is_made_until_it_is_deleted(test: TestDb) {
        let app = TestApp::start(test).await;
        let body = webhook("evt_1", "invoice.paid", "inv_1");
        app.webhook("shop", SECRET, &body).await.problem(404);
        add_source(&app, "shop").await;
        assert_eq!(app.webhook("shop", SECRET, &body).await.expect(200)["status"], "stored");
        app.delete("/sources/shop").await.expect(204);
        app.webhook("shop", SECRET, &body).await.problem(404);
        // The name is free, and what the old one received is still there.
        add_source(&app, "shop").await;
        let again = app.webhook("shop", SECRET, &body).await.expect(200);
        assert_eq!(again["status"], "stored");
        assert_eq!(app.every("/events", "source=shop").await.len(), 2);
        app.stop().await;
    }

    async fn what_a_source_is_made_of_is_checked(test: TestDb) {
        let app = TestApp::start(test).await;
        let good = json!({"slug": "shop", "provider": "paymos", "mode": "test", "secret": SECRET});
        for (field, value, code) in [
            ("slug", json!("Shop"), "malformed"),
            ("slug", json!(""), "malformed"),
            ("slug", json!("x".repeat(65)), "malformed"),
            ("slug", json!(7), "malformed"),
            ("provider", json!("paypal"), "malformed"),
            ("mode", json!("prod"), "malformed"),
            ("secret", json!("  "), "required"),
            ("secret", json!(" whsec_test_secret"), "white_space"),
            ("secret", json!("whsec_test_secret\n"), "white_space"),
            ("tolerance_s", json!(-1), "out_of_range"),
            ("tolerance_s", json!("300"), "malformed"),
            ("tolerance_s", json!(1.5), "malformed"),
            ("hmac", json!({}), "malformed"),
            ("standard_webhooks", json!({"key": "raw"}), "malformed"),
            ("api", json!("x"), "malformed"),
            ("colour", json!("red"), "unknown"),
        ] {
            let mut body = good.clone();
            body[field] = value;
            let answer = app.post("/sources", body.clone()).await;
            assert_eq!(answer.refused(), [(field.to_owned(), code.to_owned())], "{body}");
            let message = answer.json()["errors"][0]["message"].as_str().unwrap().to_owned();
            assert!(message.contains("accepted: "), "{message}");
            assert!(!message.contains("whsec_test_secret"), "{message}");
        }
        let api = json!({"base_url": "https://a:b@x", "key": "", "extra": 1});
        let refused = app.patch("/sources/none", json!({"api": api, "secret": "x"})).await.refused();
        let fields: Vec<_> = refused.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, ["api.base_url", "api.key", "api.secret", "api.extra", "secret"]);
        let missing = app.call(Role::Admin, Method::POST, "/sources", None).await.refused();
        assert_eq!(missing.iter().map(|(_, code)| code.as_str()).collect::<Vec<_>>(), ["required"; 4]);
        assert_eq!(app.get("/sources").await.expect(200)["items"], json!([]));
        app.stop().await;
    }
}
