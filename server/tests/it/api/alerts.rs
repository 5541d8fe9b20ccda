use app::alerts::Facts;
use app::types::{AttemptError, Role, Timestamp};
use reqwest::Method;
use serde_json::json;
use server::store::alert;

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

    async fn an_alert_speaks_the_readers_language_on_the_page_and_english_in_the_api(test: TestDb) {
        let app = TestApp::start(test).await;
        let live = json!({"slug": "shop", "provider": "paymos", "mode": "live", "secret": SECRET});
        app.post("/sources", live).await.expect(201);
        let body = r#"{"event_id":"evt_1","event_type":"invoice.paid","data":{"invoice_id":"inv_1","is_test":true}}"#;
        app.webhook("shop", SECRET, body).await.expect(200);
        let since = Timestamp::from_unix(1_796_036_400);
        let failing = Facts::DestinationFailing { since, last: since, status: Some(503), error: Some(AttemptError::Status) };
        let mut tx = app.test.db.begin_write().await.unwrap();
        alert::open(&mut tx, "erp", &failing, app.test.clock_now()).await.unwrap();
        tx.commit().await.unwrap();

        let english = [
            "Event evt_1 is marked as a test, but shop is a live source. It is stored, but not delivered until someone \
             releases it.",
            "Every attempt since 2026-11-30T11:00:00Z has failed, the last one at 2026-11-30T11:00:00Z. The last \
             answer was 503. Tell whoever runs it. While it is paused, deliveries keep their attempts.",
        ];
        let alerts = app.every("/alerts", "").await;
        let mut told: Vec<_> = alerts.iter().map(|alert| alert["detail"].as_str().unwrap()).collect();
        told.sort_unstable();
        assert_eq!(told, english);
        let held = alerts.iter().find(|alert| alert["kind"] == "mode_mismatch").unwrap();
        assert_eq!(held["facts"], json!({"kind": "mode_mismatch", "event_id": "evt_1", "is_test": true}));

        let ana = app.session(Role::Support).await;
        let page = app.said("en", &ana, "/alerts").await;
        for said in [
            english[0],
            "Every attempt since 11:00:00 has failed, the last one at 11:00:00. The last answer was 503. Tell",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let page = app.said("es", &ana, "/alerts").await;
        for said in [
            "El evento evt_1 está marcado como prueba, pero shop es un origen de producción. Está guardado, pero no se \
             entrega hasta que alguien lo libere.",
            "Todos los intentos desde 11:00:00 han fallado, el último a las 11:00:00. La última respuesta fue 503. Avise",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        app.stop().await;
    }
}
