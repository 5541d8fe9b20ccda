use serde_json::{Value, json};

use super::{SECRET, add_source, one_delivery, webhook};
use crate::fixture::Sink;
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn an_event_has_its_arrivals_and_its_deliveries(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        let delivery = one_delivery(&app, &sink, "delivered").await;
        app.test.clock.advance(5);
        let again = app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        assert_eq!(again, json!({"status": "duplicate", "event_id": "evt_1"}));

        let row = app.every("/events", "").await[0].clone();
        for member in ["id", "source", "event_id", "type", "resource_id", "occurred_at", "received_at", "processed_at",
            "arrivals"]
        {
            assert!(row.get(member).is_some(), "{member}");
        }
        assert_eq!((&row["arrivals"], &row["occurred_at"]), (&json!(2), &json!("2023-11-14T22:13:20Z")));

        let full = app.get(&format!("/events/{}", row["id"])).await.expect(200);
        let outcomes: Vec<_> = full["arrivals"].as_array().unwrap().iter().map(|it| it["outcome"].clone()).collect();
        assert_eq!(outcomes, [json!("stored"), json!("duplicate")]);
        assert_eq!(full["deliveries"], json!([delivery]));
        assert_eq!(full["transition"], Value::Null);
        assert_eq!(app.get("/events/999999").await.problem(404), "not_found");
        app.stop().await;
    }

    async fn the_body_comes_back_byte_for_byte(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        let body = "\u{feff}{ \"event_id\" : \"evt_ü\",\r\n\"event_type\":\"invoice.paid\",\"version\":1,\"occurred_at\":1,\"data\":{}}\n";
        app.webhook("shop", SECRET, body).await.expect(200);
        let id = app.every("/events", "").await[0]["id"].clone();
        let answer = app.get(&format!("/events/{id}/body")).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/octet-stream"));
        assert_eq!(answer.bytes, body.as_bytes());
        assert_eq!(app.get("/events/999999/body").await.problem(404), "not_found");
        app.stop().await;
    }
}
