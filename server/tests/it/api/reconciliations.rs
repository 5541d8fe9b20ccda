use serde_json::json;

use super::{SECRET, add_source};
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn a_reconciliation_is_started_and_read(test: TestDb) {
        let app = TestApp::start(test).await;
        // Nobody answers at that address: the run fails, and says so.
        let body = json!({"slug": "shop", "provider": "paymos", "mode": "test", "secret": SECRET,
            "api": {"base_url": "http://127.0.0.1:9", "key": "pk_test", "secret": "sk_test"}});
        app.post("/sources", body).await.expect(201);
        let window = json!({"from": "2026-11-29T00:00:00Z", "to": "2026-11-30T00:00:00Z"});
        let started = app.post("/sources/shop/reconciliations", window).await;
        let id = started.expect(202)["id"].as_i64().unwrap();
        assert_eq!(started.header("location"), format!("/api/v1/reconciliations/{id}"));
        let run = app.get(&format!("/reconciliations/{id}")).await.expect(200);
        for member in ["state", "fetched", "compared", "differences"] {
            assert!(run.get(member).is_some(), "{member}");
        }
        assert_eq!((&run["source"], &run["actor"]), (&json!("shop"), &json!("token:admin")));
        assert!(app.every("/reconciliations", "source=shop").await.iter().any(|run| run["id"] == id));
        assert_eq!(app.every("/reconciliations", "source=none").await.len(), 0);
        assert_eq!(app.get("/reconciliations/999999").await.problem(404), "not_found");
        assert_eq!(app.get("/differences").await.expect(200), json!({"items": [], "next_cursor": null}));
        app.stop().await;
    }

    async fn a_window_and_a_note_are_checked(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        let path = "/sources/shop/reconciliations";
        let at = |n| format!("2026-11-{n}T00:00:00Z");
        for (body, field, code) in [
            (json!({"to": at(30)}), "from", "required"),
            (json!({"from": "x", "to": at(30)}), "from", "malformed"),
            (json!({"from": at(30), "to": at(29)}), "from", "not_before"),
            (json!({"from": at(30), "to": at(30)}), "from", "not_before"),
            (json!({"from": at(29), "to": at(30), "why": 1}), "why", "unknown"),
        ] {
            let refused = app.post(path, body.clone()).await.refused();
            assert_eq!(refused, [(field.to_owned(), code.to_owned())], "{body}");
        }
        let window = json!({"from": at(29), "to": at(30)});
        assert_eq!(app.post(path, window.clone()).await.problem(409), "no_credentials");
        assert_eq!(app.post("/sources/none/reconciliations", window).await.problem(404), "not_found");
        let note = app.post("/differences/1/acknowledge", json!({"note": " "})).await.refused();
        assert_eq!(note, [("note".to_owned(), "malformed".to_owned())]);
        assert_eq!(app.post("/differences/1/acknowledge", json!({"note": "seen"})).await.problem(404), "not_found");
        app.stop().await;
    }

    async fn a_difference_is_acknowledged_with_a_note(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        for sql in [
            "insert into reconciliation (source_id, trigger_kind, actor, window_from, window_to, state, started_at, \
             heartbeat_at, finished_at) values (1, 'manual', 'ana', 1, 2, 'done', 3, 3, 4)",
            "insert into difference (source_id, reconciliation_id, resource_id, kind, theirs, first_seen, last_seen, state) \
             values (1, 1, 'inv_1', 'missing', 'paid', 3, 3, 'open'), (1, 1, 'inv_2', 'status', 'paid', 4, 4, 'open')",
        ] {
            server::write!(&app.test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        }
        assert_eq!(app.every("/differences", "limit=1").await.len(), 2);
        for query in ["kind=missing", "resource=inv_1", "kind=missing&state=open&source=shop"] {
            assert_eq!(app.every("/differences", query).await.len(), 1, "{query}");
        }
        let seen = app.post("/differences/1/acknowledge", json!({"note": "sent again by hand"})).await.expect(200);
        assert_eq!((&seen["state"], &seen["note"]), (&json!("acknowledged"), &json!("sent again by hand")));
        assert_eq!(app.every("/differences", "state=open").await.len(), 1);
        app.stop().await;
    }
}
