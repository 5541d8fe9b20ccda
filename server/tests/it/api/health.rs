use reqwest::Method;
use serde_json::json;

use crate::on_both;
use crate::support::test_app::TestApp;

on_both! {
    async fn health_is_told_without_a_token(test: TestDb) {
        let app = TestApp::start(test).await;
        assert_eq!(app.plain(Method::GET, "/healthz").await.expect(200), json!({"status": "ok"}));
        let ready = app.plain(Method::GET, "/readyz").await.expect(200);
        assert_eq!(ready["checks"], json!({"database": "ok", "migrations": "ok"}));
        app.get("/sources").await.expect(200);
        let metrics = app.plain(Method::GET, "/metrics").await;
        assert!(metrics.header("content-type").starts_with("text/plain"));
        let text = String::from_utf8(metrics.bytes).unwrap();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(line.starts_with("acuse_"), "{line}");
        }
        assert!(text.contains("acuse_build_info") && text.contains("acuse_http_requests_total"), "{text}");
        app.stop().await;
    }

    async fn a_missing_migration_is_named(test: TestDb) {
        let app = TestApp::start(test).await;
        let sql = "delete from _sqlx_migrations";
        server::write!(&app.test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        let answer = app.plain(Method::GET, "/readyz").await.expect(503);
        assert_eq!((&answer["failing"], &answer["checks"]["database"]), (&json!("migrations"), &json!("ok")));
        app.plain(Method::GET, "/healthz").await.expect(200);
        app.stop().await;
    }
}
