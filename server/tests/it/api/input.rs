//! Bodies that cannot be read.

use app::types::Role;

use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

async fn post(app: &TestApp, content_type: &str, body: &[u8]) -> Answer {
    let request = app
        .http
        .post(format!("{}/api/v1/sources", app.base))
        .bearer_auth(app.token(Role::Admin))
        .header("content-type", content_type)
        .body(body.to_vec());
    Answer::of(request.send().await.unwrap()).await
}

on_both! {
    async fn a_body_that_is_not_json_is_told_as_such(test: TestDb) {
        let app = TestApp::start(test).await;
        for body in [&b"{"[..], b"nonsense", b"[]", b"7", b"\"x\"", b"null", b"\xff\xfe", b"{\"slug\":\"a\"} x"] {
            let answer = post(&app, "application/json", body).await;
            assert_eq!(answer.problem(400), "malformed_json", "{}", String::from_utf8_lossy(body));
        }
        let deep = "[".repeat(30_000);
        assert_eq!(post(&app, "application/json", deep.as_bytes()).await.problem(400), "malformed_json");
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            assert_eq!(post(&app, kind, b"{}").await.problem(415), "unsupported_media_type", "{kind}");
        }
        assert_eq!(post(&app, "Application/JSON; charset=utf-8", b"{}").await.problem(400), "invalid_input");
        let large = format!("{{\"slug\":\"{}\"}}", "x".repeat(70_000));
        assert_eq!(post(&app, "application/json", large.as_bytes()).await.problem(413), "body_too_large");
        app.stop().await;
    }
}
