//! Master keys: a new one while everything runs, and what is said when they are the wrong ones.

use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use server::clock::SystemClock;
use server::config::ConfigError;
use server::db::Db;
use server::domain::audit::command_line;
use server::keys;
use server::registry::Registry;
use server::vault::Vault;

use crate::api::{SECRET, add_destination, webhook};
use crate::on_both;
use crate::support::TestDb;
use crate::support::test_app::TestApp;

fn key_file(test: &TestDb) -> PathBuf {
    test.folder.path().join("acuse.key")
}

/// Under which keys something is sealed.
async fn keys_in_use(db: &Db) -> Vec<String> {
    let sql = "select distinct key_id from (select key_id from secret union all \
               select api_secret_key_id from source where api_secret_key_id is not null) as k order by key_id";
    server::read!(db, on => sqlx::query_scalar(sql).fetch_all(on).await).unwrap()
}

async fn add_source_with_api(app: &TestApp) {
    let api =
        json!({"base_url": "https://api.paymos.io", "key": "pk_test_1", "secret": "sk_test_the_api_secret"});
    let body = json!({"slug": "shop", "provider": "paymos", "mode": "test", "secret": SECRET, "api": api});
    app.post("/sources", body).await.expect(201);
}

on_both! {
    async fn everything_is_sealed_again_while_the_server_runs(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source_with_api(&app).await;
        add_destination(&app, "erp", "https://erp.example", &[]).await;
        app.post("/sources/shop/secrets", json!({"secret": "whsec_1", "overlap_s": 86_400})).await.expect(201);
        let old = keys_in_use(&app.test.db).await;
        assert_eq!(old.len(), 1);
        let path = key_file(&app.test);
        // As the command does, from a process of its own.
        let other = Db::open(&app.test.url).await.unwrap();
        let rotated = keys::rotate(&other, &path, &SystemClock, &command_line(), false).await.unwrap();
        other.close().await;
        assert_eq!((rotated.sealed, rotated.dropped), (4, 0));
        assert_eq!(keys_in_use(&app.test.db).await, std::slice::from_ref(&rotated.key));
        for (n, secret) in [SECRET, "whsec_1"].into_iter().enumerate() {
            app.webhook("shop", secret, &webhook(&format!("evt_{n}"), "invoice.paid", "inv_1")).await.expect(200);
        }
        // The running server seals under the new one, and nobody has told it.
        app.post("/sources/shop/secrets", json!({"secret": "whsec_2"})).await.expect(201);
        assert_eq!(keys_in_use(&app.test.db).await, std::slice::from_ref(&rotated.key));
        let entry = app.get("/audit?action=keys.rotated").await.expect(200)["items"][0].clone();
        assert_eq!((&entry["detail"]["key"], &entry["detail"]["sealed"]), (&json!(rotated.key), &json!(4)));

        // The older key goes, and the server is none the worse for it; a new start neither.
        let last = keys::rotate(&app.test.db, &path, &SystemClock, &command_line(), true).await.unwrap();
        assert_eq!((last.sealed, last.dropped), (5, 2));
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
        app.webhook("shop", "whsec_2", &webhook("evt_7", "invoice.paid", "inv_1")).await.expect(200);
        app.post("/destinations/erp/secrets", json!({})).await.expect(201);
        assert_eq!(keys_in_use(&app.test.db).await, [last.key]);
        let app = TestApp::start(app.stop().await).await;
        app.webhook("shop", "whsec_2", &webhook("evt_8", "invoice.paid", "inv_1")).await.expect(200);
        app.webhook("shop", SECRET, &webhook("evt_9", "invoice.paid", "inv_1")).await.expect(200);
        app.stop().await;
    }

    async fn with_another_key_nothing_is_changed_and_the_start_says_so(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source_with_api(&app).await;
        let test = app.stop().await;
        let path = key_file(&test);
        let right = std::fs::read_to_string(&path).unwrap();
        let id = right.split(' ').next().unwrap();
        // Another key under the same name, and a key of another name.
        for (line, said) in [
            (format!("{id} {}\n", STANDARD.encode([7_u8; 32])), "does not open"),
            (format!("k00 {}\n", STANDARD.encode([7_u8; 32])), "is not in the key file"),
        ] {
            std::fs::write(&path, &line).unwrap();
            let vault = Arc::new(Vault::read(&path).unwrap());
            let error = Registry::load(test.db.clone(), vault, test.clock.clone()).await.unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
            let error = keys::rotate(&test.db, &path, &SystemClock, &command_line(), true).await.unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), line, "the file is as it was");
            assert_eq!(keys_in_use(&test.db).await, [id]);
        }
        std::fs::write(&path, &right).unwrap();
        keys::rotate(&test.db, &path, &SystemClock, &command_line(), true).await.unwrap();
    }

    async fn a_lost_key_file_is_not_replaced_by_a_new_one(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source_with_api(&app).await;
        let test = app.stop().await;
        std::fs::remove_file(key_file(&test)).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let config = TestApp::config(&test, listener.local_addr().unwrap());
        let run = server::gateway::run(config, listener, test.clock.clone(), Default::default());
        let error = run.await.unwrap_err();
        assert!(error.is::<ConfigError>(), "status 2: {error:#}");
        assert!(format!("{error:#}").contains("ACUSE_KEY_FILE"), "{error:#}");
        assert!(!key_file(&test).exists());
    }
}
