//! What happened to a payment, told in the provider's order of time, whatever order it arrived in.

use app::types::Role;
use serde_json::json;

use crate::fixture::Sink;
use crate::on_both;
use crate::support::noon;
use crate::support::test_app::TestApp;

fn secret(source: &str) -> String {
    format!("whsec_the_secret_of_the_source_{source}")
}

/// A webhook about an invoice that happened so many seconds before noon.
async fn told(app: &TestApp, source: &str, id: &str, status: &str, invoice: &str, before: i64) {
    let body = json!({
        "event_id": id, "event_type": format!("invoice.{status}"), "version": 1,
        "occurred_at": noon().unix() - before, "data": {"invoice_id": invoice, "status": status},
    });
    app.webhook(source, &secret(source), &body.to_string()).await.expect(200);
}

async fn app_with_sources(test: crate::support::TestDb, sources: &[&str]) -> TestApp {
    let app = TestApp::start(test).await;
    for slug in sources {
        let source = json!({"slug": slug, "provider": "paymos", "mode": "live", "secret": secret(slug),
            "tolerance_s": 300, "hmac": null, "api": null});
        app.post("/sources", source).await.expect(201);
    }
    app
}

async fn number(app: &TestApp, event_id: &str) -> i64 {
    app.every("/events", &format!("event_id={event_id}")).await[0]["id"].as_i64().unwrap()
}

on_both! {
    async fn updated_before_created_is_told_in_the_providers_order_and_marked(test: TestDb) {
        let app = app_with_sources(test, &["shop", "other"]).await;
        told(&app, "shop", "evt_paid", "paid", "inv_1", 10).await;
        told(&app, "shop", "evt_confirming", "confirming", "inv_1", 60).await;
        told(&app, "shop", "evt_over", "paid_over", "inv_1", 5).await;
        told(&app, "shop", "evt_stranger", "paid", "inv_2", 90).await;
        told(&app, "other", "evt_namesake", "paid", "inv_1", 90).await;
        let id = number(&app, "evt_paid").await;
        let event = app.get(&format!("/events/{id}")).await.expect(200);
        let story: Vec<_> = event["story"].as_array().unwrap().iter().map(|event| {
            let text = |name: &str| event[name].as_str().unwrap().to_owned();
            (text("event_id"), text("status"), event["out_of_order"].as_bool().unwrap())
        }).collect();
        let wanted = [("evt_confirming", "confirming", true), ("evt_paid", "paid", false), ("evt_over", "paid_over", false)];
        assert_eq!(story, wanted.map(|(id, status, late)| (id.to_owned(), status.to_owned(), late)));

        let ana = app.session(Role::Viewer).await;
        let said = app.said("en", &ana, &format!("/events/{id}")).await;
        let places: Vec<_> =
            ["evt_confirming", "evt_over"].iter().map(|id| said.rfind(id).expect("it is a part of the story")).collect();
        assert!(places.is_sorted(), "{said}");
        assert_eq!(said.matches("Out of orderArrived").count(), 1, "{said}");
        assert!(!said.contains("evt_stranger") && !said.contains("evt_namesake"), "{said}");
        // A story of one event is told by its facts.
        let alone = number(&app, "evt_stranger").await;
        assert_eq!(app.get(&format!("/events/{alone}")).await.expect(200)["story"].as_array().unwrap().len(), 1);
        assert!(!app.said("en", &ana, &format!("/events/{alone}")).await.contains("Payment timeline"));
        app.stop().await;
    }

    async fn a_long_story_is_its_newest_arrivals_and_the_event_itself(test: TestDb) {
        let app = app_with_sources(test, &["shop"]).await;
        for n in 0..60 {
            told(&app, "shop", &format!("evt_{n}"), "confirming", "inv_1", 600 - n).await;
        }
        let first = number(&app, "evt_0").await;
        let event = app.get(&format!("/events/{first}")).await.expect(200);
        let ids: Vec<_> =
            event["story"].as_array().unwrap().iter().map(|event| event["event_id"].as_str().unwrap()).collect();
        assert_eq!((ids.len(), ids[0], ids[1], ids[49]), (50, "evt_0", "evt_11", "evt_59"));
        app.stop().await;
    }

    async fn a_receiver_can_tell_an_update_that_was_overtaken(test: TestDb) {
        let app = app_with_sources(test, &["shop"]).await;
        let sink = Sink::start().await;
        let destination = json!({"slug": "merchant", "url": sink.url, "format": "stripe"});
        app.post("/destinations", destination).await.expect(201);
        told(&app, "shop", "evt_completed", "paid", "inv_1", 10).await;
        told(&app, "shop", "evt_paid", "confirming", "inv_1", 60).await;
        sink.wait_for(2).await;
        let mut got: Vec<_> = sink.got().iter().map(|got| {
            let sequence = got.header("acuse-sequence").parse::<i64>().unwrap();
            (sequence, got.header("acuse-event-id").to_owned(), got.header("acuse-occurred-at").to_owned())
        }).collect();
        got.sort();
        // The later arrival happened earlier: whoever compares the times leaves the newer status as it is.
        let (first, second) = (&got[0], &got[1]);
        assert_eq!((first.1.as_str(), second.1.as_str()), ("evt_completed", "evt_paid"));
        assert_eq!(first.2, noon().plus_seconds(-10).to_string());
        assert_eq!(second.2, noon().plus_seconds(-60).to_string());
        assert_eq!(first.0, number(&app, "evt_completed").await);
        app.stop().await;
    }
}
