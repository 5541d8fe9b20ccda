use app::types::Role;
use reqwest::Method;
use serde_json::json;

use super::{SECRET, add_source, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn other_bytes_under_a_known_id_raise_an_alert_that_is_acknowledged_once(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_2")).await.expect(200);
        let alerts = app.every("/alerts", "").await;
        assert_eq!(alerts.len(), 1, "{alerts:?}");
        for member in ["kind", "opened_at", "subject", "detail"] {
            assert!(alerts[0][member].is_string(), "{member}");
        }
        assert_eq!(app.every("/alerts", "state=open").await, alerts);
        let path = format!("/alerts/{}/acknowledge", alerts[0]["id"]);
        let seen = app.call(Role::Support, Method::POST, &path, None).await.expect(200);
        assert_eq!((&seen["state"], &seen["acknowledged_by"]), (&json!("acknowledged"), &json!("token:support")));
        app.test.clock.advance(60);
        assert_eq!(app.post(&path, json!({})).await.expect(200), seen, "the second time changes nothing");
        assert_eq!(app.every("/alerts", "state=open").await.len(), 0);
        assert_eq!(app.post("/alerts/999/acknowledge", json!({})).await.problem(404), "not_found");
        app.stop().await;
    }
}
