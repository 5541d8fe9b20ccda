//! An event that contradicts its source's mode waits for a person.

use super::*;

fn body(id: &str, is_test: bool) -> String {
    json!({"event_id": id, "event_type": "invoice.paid",
           "data": {"invoice_id": "inv_1", "status": "paid", "is_test": is_test}})
    .to_string()
}

async fn wait_until_processed(app: &TestApp, id: &str) {
    app.until("it is processed", async || {
        let rows = app.every("/events", &format!("event_id={id}")).await;
        !rows[0]["processed_at"].is_null()
    })
    .await;
}

on_both! {
    async fn a_test_event_at_a_live_source_goes_nowhere_until_it_is_released(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        let live = json!({"slug": "shop", "provider": "paymos", "mode": "live", "secret": SECRET});
        app.post("/sources", live).await.expect(201);
        app.post("/destinations", json!({"slug": "erp", "url": sink.url, "format": "paymos"})).await.expect(201);
        for (id, is_test) in [("evt_1", true), ("evt_2", true), ("evt_3", false)] {
            let answer = app.webhook("shop", SECRET, &body(id, is_test)).await.expect(200);
            assert_eq!(answer, json!({"status": "stored", "event_id": id}));
        }
        assert_eq!(app.webhook("shop", SECRET, &body("evt_1", true)).await.expect(200)["status"], "duplicate");
        wait_until_processed(&app, "evt_3").await;
        let held = app.every("/events", "held=true").await;
        assert_eq!(held.iter().map(|event| event["event_id"].clone()).collect::<Vec<_>>(), ["evt_2", "evt_1"]);
        assert_eq!(app.every("/deliveries", "").await.len(), 1, "that of the third one alone");

        let alerts = app.every("/alerts", "kind=mode_mismatch").await;
        assert_eq!(alerts.len(), 1, "{alerts:?}");
        assert_eq!((&alerts[0]["subject"], &alerts[0]["state"]), (&json!("shop"), &json!("open")));
        assert_eq!(
            alerts[0]["detail"],
            "Event evt_2 is marked as a test, but shop is a live source. It is stored, but not delivered until someone \
             releases it."
        );

        let path = format!("/events/{}", held[1]["id"]);
        assert_eq!(app.get(&path).await.expect(200)["held"], true);
        let release = format!("{path}/release");
        let reason = json!({"reason": "a test of the live endpoint"});
        let by = |role| app.call(role, Method::POST, &release, Some(reason.clone()));
        assert_eq!(by(Role::Viewer).await.problem(403), "forbidden");
        assert_eq!(app.post(&release, json!({})).await.refused(), [("reason".into(), "required".into())]);
        let released = by(Role::Support).await.expect(200);
        assert_eq!((&released["held"], &released["released_by"]), (&json!(false), &json!("token:support")));
        assert_eq!(released["released_at"], "2026-11-30T12:00:00Z");
        sink.wait_for(2).await;
        assert_eq!(app.every("/alerts", "kind=mode_mismatch").await[0]["state"], "open", "one waits still");

        assert_eq!(by(Role::Support).await.expect(200)["released_by"], "token:support", "again changes nothing");
        app.post(&format!("/events/{}/release", held[0]["id"]), reason.clone()).await.expect(200);
        assert_eq!(app.every("/alerts", "kind=mode_mismatch").await[0]["state"], "resolved");
        assert_eq!(app.post("/events/999/release", reason).await.problem(404), "not_found");
        let audit = app.call(Role::Admin, Method::GET, "/audit?action=event.released", None).await.expect(200);
        let reasons: Vec<_> = audit["items"].as_array().unwrap().iter().map(|row| row["reason"].clone()).collect();
        assert_eq!(reasons, ["a test of the live endpoint", "a test of the live endpoint"]);
        app.stop().await;
    }

    async fn nothing_goes_around_the_release(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        let live = json!({"slug": "shop", "provider": "paymos", "mode": "live", "secret": SECRET, "tolerance_s": 300});
        app.post("/sources", live).await.expect(201);
        app.post("/destinations", json!({"slug": "erp", "url": sink.url, "format": "paymos"})).await.expect(201);
        app.webhook("shop", SECRET, &body("evt_1", true)).await.expect(200);
        let held = app.every("/events", "held=true").await.swap_remove(0);
        let path = format!("/events/{}", held["id"]);

        // By hand, to a destination of one's choice.
        let to = json!({"destination": "erp", "reason": "the shop waits"});
        let refused = app.post(&format!("{path}/deliver"), to.clone()).await;
        assert_eq!(refused.problem(409), "event_held");
        assert_eq!(
            refused.json()["title"],
            "The event waits because it contradicts the mode of its source: release it first"
        );
        assert_eq!(app.post("/events/999/deliver", to.clone()).await.problem(404), "not_found");
        // With many others, by what lets held deliveries out, and once more from what was refused.
        let many = json!({"filter": {"source": "shop"}, "reason": "all of it", "dry_run": true});
        assert_eq!(app.post("/resends", many).await.expect(200)["matching"], 0);
        app.post("/destinations/erp/pause", json!({})).await.expect(200);
        app.post("/destinations/erp/resume", json!({})).await.expect(200);
        app.patch("/sources/shop", json!({"mode": "test"})).await.expect(200);
        app.patch("/sources/shop", json!({"mode": "live"})).await.expect(200);
        let late = body("evt_2", true);
        let signature = signed("whsec_of_tomorrow", app.test.clock.now().unix(), late.as_bytes());
        post(&app, "shop", &[("x-webhook-signature", &signature)], late).await.expect(401);
        let rejection = newest(&app, "shop", 1).await;
        app.post("/sources/shop/secrets", json!({"secret": "whsec_of_tomorrow"})).await.expect(201);
        let again = app.post(&format!("/rejections/{}/reverify", rejection["id"]), json!({})).await.expect(200);
        assert_eq!(again["status"], "stored");
        app.webhook("shop", SECRET, &body("evt_3", false)).await.expect(200);
        wait_until_processed(&app, "evt_3").await;
        sink.wait_for(1).await;
        assert_eq!(app.every("/deliveries", "").await.len(), 1, "that of the third one alone");
        assert_eq!(app.every("/events", "held=true").await.len(), 2, "the one that was verified again waits as well");

        app.post(&format!("{path}/release"), json!({"reason": "it is good"})).await.expect(200);
        app.post(&format!("{path}/deliver"), to).await.expect(202);
        sink.wait_for(2).await;
        app.stop().await;
    }

    async fn real_money_at_a_test_source_waits_and_what_does_not_tell_goes_on(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        app.webhook("shop", SECRET, &body("evt_1", false)).await.expect(200);
        app.webhook("shop", SECRET, &body("evt_2", true)).await.expect(200);
        app.webhook("shop", SECRET, r#"{"event_id":"evt_3","event_type":"invoice.paid"}"#).await.expect(200);
        wait_until_processed(&app, "evt_3").await;
        let held = app.every("/events", "held=true&source=shop").await;
        assert_eq!(held.iter().map(|event| event["event_id"].clone()).collect::<Vec<_>>(), ["evt_1"]);
        let detail = &app.every("/alerts", "").await[0]["detail"];
        assert!(detail.as_str().unwrap().contains("is marked as live, but shop is a test source"));
        app.stop().await;
    }
}
