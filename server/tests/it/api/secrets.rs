use app::types::Role;
use reqwest::Method;
use serde_json::{Value, json};

use super::{SECRET, add_destination, add_source, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn both_secrets_of_a_source_verify_during_the_overlap_and_not_a_moment_longer(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        app.test.clock.advance(60);
        let rotated = app.post("/sources/shop/secrets", json!({"secret": "whsec_new"})).await.expect(201);
        let secrets = rotated["secrets"].as_array().unwrap();
        assert_eq!(secrets.len(), 2);
        for member in ["id", "created_at", "expires_at", "last_used_at", "matches"] {
            assert!(secrets[0].get(member).is_some(), "{member}");
        }
        assert_eq!(secrets[0]["expires_at"], Value::Null);
        assert_eq!(secrets[1]["expires_at"], "2026-12-01T12:01:00Z");
        assert_eq!(app.get("/sources/shop/secrets").await.expect(200), rotated);
        app.test.clock.advance(86_399);
        let body = |n| webhook(&format!("evt_{n}"), "invoice.paid", "inv_1");
        app.webhook("shop", SECRET, &body(1)).await.expect(200);
        app.webhook("shop", "whsec_new", &body(2)).await.expect(200);
        app.test.clock.advance(1);
        app.webhook("shop", SECRET, &body(3)).await.problem(401);
        app.webhook("shop", "whsec_new", &body(4)).await.expect(200);
        assert_eq!(app.get("/sources/shop/secrets").await.expect(200)["secrets"].as_array().unwrap().len(), 1);
        app.stop().await;
    }

    async fn a_destinations_new_secret_is_made_here_and_shown_once(test: TestDb) {
        let app = TestApp::start(test).await;
        let first = add_destination(&app, "erp", "https://erp.example", &[]).await;
        let answer = app.call(Role::Support, Method::POST, "/destinations/erp/secrets", None).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let rotated = answer.expect(201);
        assert!(rotated["secret"].as_str().unwrap().starts_with("whsec_") && rotated["secret"] != first["secret"]);
        assert_eq!(rotated["secrets"].as_array().unwrap().len(), 2);
        let listed = app.get("/destinations/erp/secrets").await.expect(200);
        assert_eq!(listed["secrets"], rotated["secrets"]);
        assert!(!listed.to_string().contains("whsec_"));
        app.stop().await;
    }

    async fn the_only_active_secret_is_not_retired(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        add_destination(&app, "erp", "https://erp.example", &[]).await;
        for (path, new) in [("/sources/shop/secrets", json!({"secret": "whsec_new"})), ("/destinations/erp/secrets", json!({}))] {
            let only = app.get(path).await.expect(200)["secrets"][0]["id"].as_str().unwrap().to_owned();
            assert_eq!(app.delete(&format!("{path}/{only}")).await.problem(409), "only_active_secret");
            app.post(path, new).await.expect(201);
            app.delete(&format!("{path}/{only}")).await.expect(204);
            assert_eq!(app.get(path).await.expect(200)["secrets"].as_array().unwrap().len(), 1);
            assert_eq!(app.delete(&format!("{path}/{only}")).await.problem(404), "not_found");
            assert_eq!(app.delete(&format!("{path}/sec_none")).await.problem(404), "not_found");
        }
        app.stop().await;
    }

    async fn a_rotation_is_checked(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        for (body, field, code) in [
            (json!({}), "secret", "required"),
            (json!({"secret": " x"}), "secret", "white_space"),
            (json!({"secret": "whsec_new", "overlap_s": 604_801}), "overlap_s", "out_of_range"),
            (json!({"secret": "whsec_new", "overlap_s": -1}), "overlap_s", "out_of_range"),
            (json!({"secret": "whsec_new", "overlap_s": "1"}), "overlap_s", "malformed"),
            (json!({"secret": "whsec_new", "overlap": 1}), "overlap", "unknown"),
            (json!({"secret": SECRET}), "secret", "repeated"),
        ] {
            let refused = app.post("/sources/shop/secrets", body.clone()).await.refused();
            assert_eq!(refused, [(field.to_owned(), code.to_owned())], "{body}");
        }
        for path in ["/sources/none/secrets", "/destinations/none/secrets"] {
            assert_eq!(app.get(path).await.problem(404), "not_found");
        }
        app.post("/sources/shop/secrets", json!({"secret": "whsec_new", "overlap_s": 0})).await.expect(201);
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.problem(401);
        app.stop().await;
    }

    async fn an_overlap_is_extended_and_a_rotation_undone(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        add_destination(&app, "erp", "https://erp.example", &[]).await;
        for (path, new) in [("/sources/shop/secrets", json!({"secret": "whsec_new"})), ("/destinations/erp/secrets", json!({}))] {
            let undo = async || app.call(Role::Support, Method::POST, &format!("{path}/undo"), None).await;
            assert_eq!(undo().await.problem(409), "nothing_to_undo");
            let rotated = app.post(path, new).await.expect(201)["secrets"].clone();
            let one = |place: usize| format!("{path}/{}", rotated[place]["id"].as_str().unwrap());
            let patch = async |place, body| app.call(Role::Support, Method::PATCH, &one(place), Some(body)).await;
            let extended = patch(1, json!({"extend_s": 3600, "reason": "they are late"})).await.expect(200);
            assert_eq!(extended["secrets"][1]["expires_at"], "2026-12-01T13:00:00Z");
            let extended = patch(1, json!({"expires_at": "2026-12-07T12:00:00Z"})).await.expect(200);
            assert_eq!(extended["secrets"][1]["expires_at"], "2026-12-07T12:00:00Z");
            assert_eq!(app.get(path).await.expect(200), extended);
            for (body, field, code) in [
                (json!({}), "expires_at", "required"),
                (json!({"extend_s": 0}), "extend_s", "out_of_range"),
                (json!({"extend_s": 1}), "extend_s", "out_of_range"),
                (json!({"extend_s": 604_801}), "extend_s", "out_of_range"),
                (json!({"expires_at": "2026-12-01T12:00:00Z"}), "expires_at", "out_of_range"),
                (json!({"expires_at": "soon"}), "expires_at", "malformed"),
                (json!({"extend_s": 60, "expires_at": "2026-12-07T12:00:00Z"}), "extend_s", "repeated"),
                (json!({"extend_s": 60, "until": 1}), "until", "unknown"),
                (json!({"extend_s": 60, "reason": "x".repeat(501)}), "reason", "malformed"),
            ] {
                let refused = patch(1, body.clone()).await.refused();
                assert!(refused.contains(&(field.to_owned(), code.to_owned())), "{body}: {refused:?}");
            }
            assert_eq!(patch(0, json!({"extend_s": 60})).await.problem(409), "no_end");
            assert_eq!(app.patch(&format!("{path}/sec_none"), json!({"extend_s": 60})).await.problem(404), "not_found");
            let left = undo().await.expect(200)["secrets"].clone();
            assert_eq!(left.as_array().unwrap().len(), 1);
            assert_eq!((&left[0]["id"], &left[0]["expires_at"]), (&rotated[1]["id"], &Value::Null));
            assert_eq!(app.call(Role::Viewer, Method::POST, &format!("{path}/undo"), None).await.problem(403), "forbidden");
            assert_eq!(app.delete(&format!("{}?why=x", one(1))).await.refused()[0].0, "why");
            assert_eq!(app.delete(&format!("{}?reason=leaked", one(1))).await.problem(409), "only_active_secret");
        }
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.webhook("shop", "whsec_new", &webhook("evt_2", "invoice.paid", "inv_1")).await.problem(401);
        app.stop().await;
    }
}
