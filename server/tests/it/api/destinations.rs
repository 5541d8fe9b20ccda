use serde_json::{Value, json};

use super::{SECRET, add_destination, add_source, one_delivery, webhook};
use crate::fixture::{Reply, Sink};
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn a_destination_is_made_read_changed_and_deleted(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        let body = json!({"slug": "erp", "url": "https://erp.example/hook", "format": "stripe", "sources": ["shop"],
            "events": ["invoice.*", "withdrawal.completed"], "ladder": ["90s", "2h"], "timeout_ms": 5000,
            "max_in_flight": 2, "rate_per_s": 0.5, "jitter_percent": 20,
            "signature_order": "newest_first"});
        let made = app.post("/destinations", body.clone()).await;
        assert_eq!((made.header("location"), made.header("cache-control")), ("/api/v1/destinations/erp", "no-store"));
        let mut destination = made.expect(201);
        let secret = destination.as_object_mut().unwrap().remove("secret").unwrap();
        assert!(secret.as_str().unwrap().starts_with("whsec_"));
        let mut expected = body.clone();
        expected["max_attempts"] = json!(3);
        expected["paused_at"] = Value::Null;
        expected["created_at"] = json!("2026-11-30T12:00:00Z");
        assert_eq!(destination, expected);
        assert_eq!(app.get("/destinations/erp").await.expect(200), destination);
        assert_eq!(app.get("/destinations").await.expect(200), json!({"items": [destination], "next_cursor": null}));
        assert_eq!(app.post("/destinations", body).await.problem(409), "already_exists");

        let change = json!({"url": "http://erp.example/", "format": "paddle", "sources": ["*"], "events": ["*"],
            "ladder": null, "timeout_ms": 1, "max_in_flight": 1000, "rate_per_s": null, "jitter_percent": 0,
            "signature_order": "oldest_first"});
        let changed = app.patch("/destinations/erp", change.clone()).await.expect(200);
        for (field, value) in change.as_object().unwrap() {
            if field != "ladder" {
                assert_eq!(&changed[field], value, "{field}");
            }
        }
        assert_eq!(changed["max_attempts"], 11);
        assert_eq!(app.patch("/destinations/erp", json!({})).await.expect(200), changed);

        app.delete("/destinations/erp").await.expect(204);
        assert_eq!(app.get("/destinations/erp").await.problem(404), "not_found");
        assert_eq!(app.post("/destinations/erp/pause", json!({})).await.problem(404), "not_found");
        add_destination(&app, "erp", "https://erp.example/hook", &[]).await;
        app.stop().await;
    }

    async fn the_defaults_are_those_of_the_contract(test: TestDb) {
        let app = TestApp::start(test).await;
        let body = json!({"slug": "erp", "url": "https://erp.example/hook", "format": "paymos"});
        let made = app.post("/destinations", body).await.expect(201);
        assert_eq!((&made["sources"], &made["events"]), (&json!(["*"]), &json!(["*"])));
        assert_eq!(made["ladder"], json!(["1m", "2m", "4m", "8m", "16m", "32m", "1h", "2h", "4h", "8h"]));
        assert_eq!((&made["timeout_ms"], &made["max_in_flight"]), (&json!(10_000), &json!(16)));
        assert_eq!((&made["rate_per_s"], &made["max_attempts"]), (&Value::Null, &json!(11)));
        assert_eq!(made["jitter_percent"], 0);
        app.stop().await;
    }

    async fn what_a_destination_is_made_of_is_checked(test: TestDb) {
        let app = TestApp::start(test).await;
        let good = json!({"slug": "erp", "url": "https://erp.example", "format": "paymos"});
        for (field, value, code) in [
            ("slug", json!("ERP"), "malformed"),
            ("url", json!("ftp://erp.example"), "malformed"),
            ("url", json!("https://ana:hunter2@erp.example"), "malformed"),
            ("url", json!("erp.example"), "malformed"),
            ("format", json!("svix"), "malformed"),
            ("sources", json!([]), "malformed"),
            ("sources", json!(["Shop"]), "malformed"),
            ("sources", json!(["*", "nowhere"]), "unknown_source"),
            ("sources", json!("*"), "malformed"),
            ("events", json!(["*.paid"]), "malformed"),
            ("events", json!([""]), "malformed"),
            ("ladder", json!(["1w"]), "malformed"),
            ("ladder", json!([60]), "malformed"),
            ("ladder", json!(vec!["1m"; 31]), "malformed"),
            ("timeout_ms", json!(0), "out_of_range"),
            ("timeout_ms", json!(60_001), "out_of_range"),
            ("max_in_flight", json!(0), "out_of_range"),
            ("rate_per_s", json!(0), "out_of_range"),
            ("jitter_percent", json!(101), "out_of_range"),
            ("jitter_percent", json!(-1), "out_of_range"),
            ("signature_order", json!("first"), "malformed"),
            ("rate_per_s", json!("fast"), "malformed"),
            ("secret", json!("whsec_mine"), "unknown"),
        ] {
            let mut body = good.clone();
            body[field] = value;
            let answer = app.post("/destinations", body.clone()).await;
            assert_eq!(answer.refused(), [(field.to_owned(), code.to_owned())], "{body}");
            let text = String::from_utf8(answer.bytes.clone()).unwrap();
            assert!(text.contains("accepted: ") && !text.contains("hunter2"), "{text}");
        }
        assert_eq!(app.patch("/destinations/erp", json!({"slug": "other"})).await.refused()[0].0, "slug");
        app.stop().await;
    }

    async fn a_paused_destination_holds_and_a_resumed_one_delivers(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_source(&app, "shop").await;
        add_destination(&app, "erp", &sink.url, &["1m"]).await;
        let paused = app.post("/destinations/erp/pause", json!({})).await.expect(200);
        assert_eq!(paused["paused_at"], "2026-11-30T12:00:00Z");
        app.test.clock.advance(60);
        let again = app.post("/destinations/erp/pause", json!({})).await.expect(200);
        assert_eq!(again["paused_at"], paused["paused_at"], "a second pause changes nothing");

        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.until("the delivery is held", async || app.every("/deliveries", "state=held").await.len() == 1).await;
        assert_eq!(sink.got().len(), 0);
        let held = &app.every("/deliveries", "").await[0];
        assert_eq!((&held["next_attempt_at"], &held["attempts"]), (&Value::Null, &json!(0)));

        let resumed = app.post("/destinations/erp/resume", json!({})).await.expect(200);
        assert_eq!(resumed["paused_at"], Value::Null);
        app.until("it is delivered", async || app.every("/deliveries", "state=delivered").await.len() == 1).await;
        assert_eq!(sink.got().len(), 1);
        app.stop().await;
    }

    async fn pausing_keeps_the_rungs_that_were_made(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(500));
        let delivery = one_delivery(&app, &sink, "pending").await;
        app.post("/destinations/erp/pause", json!({})).await.expect(200);
        let held = app.get(&format!("/deliveries/{}", delivery["id"])).await.expect(200);
        assert_eq!((&held["state"], &held["attempts"]), (&json!("held"), &json!(1)));
        assert_eq!(held["next_attempt_at"], Value::Null);
        app.post("/destinations/erp/resume", json!({})).await.expect(200);
        app.until("the second rung is made", async || {
            app.every("/deliveries", "").await[0]["attempts"] == json!(2)
        })
        .await;
        app.stop().await;
    }

    async fn deleting_cancels_what_was_not_taken(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(500));
        let delivery = one_delivery(&app, &sink, "pending").await;
        app.delete("/destinations/erp").await.expect(204);
        let left = app.get(&format!("/deliveries/{}", delivery["id"])).await.expect(200);
        assert_eq!((&left["state"], &left["destination"]), (&json!("cancelled"), &json!("erp")));
        assert_eq!(left["next_attempt_at"], Value::Null);
        assert_eq!(app.every("/deliveries", "destination=erp").await.len(), 1);
        app.webhook("shop", SECRET, &webhook("evt_2", "invoice.paid", "inv_1")).await.expect(200);
        app.until("the second event is processed", async || {
            app.every("/events", "event_id=evt_2").await[0]["processed_at"].is_string()
        })
        .await;
        assert_eq!(app.every("/deliveries", "").await.len(), 1);
        app.stop().await;
    }
}
