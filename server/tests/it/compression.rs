//! What is compressed on its way, and what is not.

use std::io::Read;

use app::types::Role;
use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use axum::routing::get;
use reqwest::Method;
use serde_json::json;
use server::http::compression;
use tower::ServiceExt;

use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

const HOOK_SECRET: &str = "whsec_test_secret";

/// A request of somebody with a session, with these headers.
async fn ask(app: &TestApp, session: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = app.http.request(method, format!("{}{path}", app.base)).header("cookie", session);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request.send().await.unwrap()).await
}

/// A call of the API by an admin who takes gzip.
async fn call(app: &TestApp, method: Method, path: &str, body: &serde_json::Value) -> Answer {
    let request = app
        .http
        .request(method, format!("{}/api/v1{path}", app.base))
        .bearer_auth(app.token(Role::Admin))
        .header("accept-encoding", "gzip")
        .header("content-type", "application/json")
        .body(if body.is_null() { String::new() } else { body.to_string() });
    Answer::of(request.send().await.unwrap()).await
}

fn gunzip(answer: &Answer) -> String {
    assert_eq!(answer.header("content-encoding"), "gzip");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&answer.bytes[..]).read_to_string(&mut text).unwrap();
    text
}

#[track_caller]
fn assert_plain(answer: &Answer) {
    assert_eq!(answer.header("content-encoding"), "", "{:?}", answer.headers);
    assert_eq!(answer.header("content-length"), answer.bytes.len().to_string());
}

/// A router whose only answer is a kilobyte and more with this header, behind the compression.
async fn stub(content_type: &'static str, name: axum::http::HeaderName, value: &'static str) -> Response {
    let answer = move || async move { ([(CONTENT_TYPE, content_type), (name, value)], "body ".repeat(500)) };
    let router = compression::compress(Router::new().route("/", get(answer)));
    let request = Request::get("/").header("accept-encoding", "br, gzip").body(Body::empty()).unwrap();
    router.oneshot(request).await.unwrap()
}

const GZIP: &[(&str, &str)] = &[("accept", "text/html"), ("accept-encoding", "gzip")];

on_both! {
    async fn pages_and_their_renewals_are_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let session = app.session(Role::Viewer).await;
        for (accepted, expected) in [("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("*", "br"), ("*;q=0", "")] {
            let headers = [("accept", "text/html"), ("accept-encoding", accepted)];
            let page = ask(&app, &session, Method::GET, "/deliveries", &headers).await;
            assert_eq!((page.status, page.header("content-encoding")), (StatusCode::OK, expected), "{accepted}");
        }
        let page = ask(&app, &session, Method::GET, "/deliveries", GZIP).await;
        let text = gunzip(&page);
        assert!(text.starts_with("<!DOCTYPE html>") && text.contains("</main>") && text.ends_with("</script>"));
        assert!(page.bytes.len() * 3 < text.len(), "{} of {}", page.bytes.len(), text.len());
        for n in 0..20 {
            let slug = format!("{n}-{}", "long-name-".repeat(6));
            let source = json!({"slug": slug.trim_end_matches('-'), "provider": "paymos", "mode": "test", "secret": format!("whsec_{n}")});
            app.post("/sources", source).await.expect(201);
        }
        let renewal = app.http
            .post(format!("{}/rpc/deliveries/page", app.base))
            .header("cookie", &session)
            .header("accept", "application/json")
            .header("accept-encoding", "gzip")
            .header("content-type", "application/x-www-form-urlencoded")
            .body("search=");
        let renewal = Answer::of(renewal.send().await.unwrap()).await;
        assert!(gunzip(&renewal).contains("19-long-name"), "the filters name the sources");
        app.stop().await;
    }

    async fn json_and_css_are_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        for path in ["/api/v1/openapi.json", "/api/docs.css"] {
            let answer = ask(&app, "", Method::GET, path, GZIP).await;
            let plain = app.plain(Method::GET, path).await;
            assert_eq!(gunzip(&answer), plain.text(), "{path}");
        }
        app.stop().await;
    }

    async fn answers_of_the_receiver_are_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let source = json!({"slug": "shop", "provider": "hmac", "mode": "test", "secret": HOOK_SECRET, "hmac": {"header": "x-signature"}});
        let made = call(&app, Method::POST, "/sources", &source).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        let url = format!("{}/webhooks/shop", app.base);
        for headers in [&[][..], &[("x-signature", "wrong")]] {
            let mut request = app.http.post(&url).header("accept-encoding", "gzip, br").body("{}");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            assert_plain(&Answer::of(request.send().await.unwrap()).await);
        }
        app.stop().await;
    }

    async fn an_answer_with_a_new_secret_is_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let events: Vec<_> = (0..100).map(|n| format!("type.number.{n}")).collect();
        let body = json!({"slug": "books", "url": "http://127.0.0.1:9/", "format": "paymos", "events": events});
        let made = call(&app, Method::POST, "/destinations", &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        assert_plain(&made);
        assert!(made.bytes.len() > 1024 && made.text().contains("whsec_"));
        let read = call(&app, Method::GET, "/destinations/books", &json!(null)).await;
        assert!(!gunzip(&read).contains("whsec_"), "the same without the secret is compressed");
        app.stop().await;
    }

    async fn a_page_that_shows_a_new_secret_is_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let body = json!({"slug": "books", "url": "http://127.0.0.1:9/", "format": "paymos"});
        app.post("/destinations", body).await.expect(201);
        let session = app.session(Role::Support).await;
        let fields = [("slug", "books"), ("overlap_s", "86400")];
        let rotated = app.form(&session, "/secrets", "/rpc/secrets/rotate-destination", &fields).await;
        assert_eq!(rotated.header("location"), "/secrets?made=books");
        let made = rotated.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
        let made = made.filter_map(|line| line.split(';').next()).find(|pair| pair.starts_with("acuse_made="));
        let both = format!("{session}; {}", made.unwrap());
        let shown = ask(&app, &both, Method::GET, "/secrets?made=books", GZIP).await;
        assert_eq!(shown.header("content-encoding"), "");
        assert!(shown.text().contains("whsec_"));
        let later = ask(&app, &session, Method::GET, "/secrets?made=books", GZIP).await;
        assert!(!gunzip(&later).contains("whsec_"));
        app.stop().await;
    }

    async fn the_log_in_is_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let page = ask(&app, "", Method::GET, "/login?next=%2Fdeliveries", GZIP).await;
        assert_eq!((page.status, page.header("content-encoding")), (StatusCode::OK, ""));
        assert!(page.text().contains("/deliveries") && page.bytes.len() > 1024);
        app.stop().await;
    }

    async fn what_another_site_asks_for_is_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let session = app.session(Role::Viewer).await;
        for (site, expected) in [("same-origin", "gzip"), ("none", "gzip"), ("same-site", ""), ("cross-site", "")] {
            let headers = [GZIP[0], GZIP[1], ("sec-fetch-site", site)];
            let page = ask(&app, &session, Method::GET, "/deliveries?q=guess", &headers).await;
            assert_eq!((page.status, page.header("content-encoding")), (StatusCode::OK, expected), "{site}");
        }
        app.stop().await;
    }

    async fn a_small_answer_is_not_compressed(test: TestDb) {
        let app = TestApp::start(test).await;
        let list = call(&app, Method::GET, "/sources", &json!(null)).await;
        assert_eq!(list.status, StatusCode::OK);
        assert_plain(&list);
        assert_eq!(list.header("vary"), "");
        app.stop().await;
    }

    async fn a_compressed_answer_varies_by_what_is_accepted(test: TestDb) {
        let app = TestApp::start(test).await;
        let session = app.session(Role::Viewer).await;
        for accepted in ["br", "gzip", "identity"] {
            let headers = [("accept", "text/html"), ("accept-encoding", accepted)];
            let page = ask(&app, &session, Method::GET, "/deliveries", &headers).await;
            assert_eq!(page.header("vary").to_ascii_lowercase(), "accept-encoding", "{accepted}");
        }
        app.stop().await;
    }

    async fn head_says_what_get_says(test: TestDb) {
        let app = TestApp::start(test).await;
        let session = app.session(Role::Viewer).await;
        for path in ["/deliveries", "/api/docs.css", "/api/v1/openapi.json"] {
            let get = ask(&app, &session, Method::GET, path, GZIP).await;
            let head = ask(&app, &session, Method::HEAD, path, GZIP).await;
            assert!(head.bytes.is_empty());
            for name in ["content-encoding", "content-type", "vary", "cache-control"] {
                assert_eq!(head.header(name), get.header(name), "{path} {name}");
            }
            assert_eq!((head.status, head.header("content-length")), (get.status, ""), "{path}");
        }
        app.stop().await;
    }

    async fn a_file_that_is_compressed_already_keeps_its_tag_and_answers_304(test: TestDb) {
        let app = TestApp::start(test).await;
        let urls = server::http::assets::urls();
        for path in [urls.css, urls.js].iter().filter(|path| !path.is_empty()) {
            let file = ask(&app, "", Method::GET, path, &[("accept-encoding", "br")]).await;
            assert_eq!(file.header("content-encoding"), "br");
            assert!(file.header("etag").ends_with("-br\""));
            let held = [("accept-encoding", "br"), ("if-none-match", file.header("etag"))];
            let known = ask(&app, "", Method::GET, path, &held).await;
            assert_eq!((known.status, known.header("content-encoding")), (StatusCode::NOT_MODIFIED, ""));
            assert_eq!(known.header("etag"), file.header("etag"));
        }
        app.stop().await;
    }
}

#[tokio::test]
async fn an_answer_with_a_tag_keeps_its_bytes() {
    let answer = stub("text/css", ETAG, "\"strong\"").await;
    assert_eq!(answer.headers()[ETAG], "\"strong\"");
    assert!(!answer.headers().contains_key(CONTENT_ENCODING));
}

#[tokio::test]
async fn an_answer_is_not_compressed_twice() {
    assert_eq!(stub("text/css", CONTENT_ENCODING, "zstd").await.headers()[CONTENT_ENCODING], "zstd");
}

#[tokio::test]
async fn events_of_a_stream_are_not_held_back_by_compression() {
    let vary = axum::http::header::CACHE_CONTROL;
    let stream = stub("text/event-stream", vary.clone(), "no-store").await;
    assert!(!stream.headers().contains_key(CONTENT_ENCODING));
    assert_eq!(stub("text/html; charset=utf-8", vary, "no-store").await.headers()[CONTENT_ENCODING], "br");
}
