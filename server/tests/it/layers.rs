//! What every request for a page goes through.

use std::collections::HashSet;

use app::types::Role;
use axum::http::{Method, StatusCode};

use crate::browser::{Browser, add_user, site};
use crate::on_both;

const HTTP: &str = "http://acuse.test";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Pages of the contract, those of later work among them, and what is no page at all.
const PAGES: &[&str] = &[
    "/",
    "/deliveries",
    "/deliveries/1",
    "/events",
    "/events/1",
    "/payments",
    "/payments/shop/inv_1",
    "/reconciliation",
    "/rejections",
    "/alerts",
    "/secrets",
    "/sources",
    "/destinations",
    "/console",
    "/audit",
    "/users",
    "/search?q=x",
    "/no/such/page",
    "/login/x",
    "//deliveries",
    "/assets",
    "/logout",
];

on_both! {
    async fn no_page_opens_without_a_log_in(test: TestDb) {
        let mut nobody = Browser::new(site(&test, HTTP));
        for path in PAGES {
            for method in [Method::GET, Method::HEAD] {
                let answer = nobody.send(method, path, &[("accept", "text/html")], String::new()).await;
                assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}");
                assert!(answer.location() == "/login" || answer.location().starts_with("/login?next=%2F"), "{path}");
                assert_eq!(answer.body, "", "{path}");
            }
        }
        let filtered = nobody.get("/deliveries?state=failed&destination=shop").await;
        assert_eq!(filtered.location(), "/login?next=%2Fdeliveries%3Fstate%3Dfailed%26destination%3Dshop");
    }

    async fn no_call_is_answered_without_a_log_in(test: TestDb) {
        let mut nobody = Browser::new(site(&test, HTTP));
        let paths: Vec<_> = leptos::server_fn::axum::server_fn_paths().map(|(path, _)| path).collect();
        for path in paths.into_iter().chain(["/rpc/no/such/call", "/deliveries", "/logout"]) {
            let answer = nobody.send(Method::POST, path, &[FORM, ("accept", "application/json")], String::new()).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
            assert_eq!(answer.body, r#"{"code":"login_required"}"#, "{path}");
            let form = nobody.post("/deliveries/1", path, &[]).await;
            assert_eq!((form.status, form.location()), (StatusCode::SEE_OTHER, "/login?next=%2Fdeliveries%2F1"));
        }
        for method in [Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            let answer = nobody.send(method.clone(), "/login", &[], String::new()).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method}");
        }
    }

    async fn a_forged_session_opens_nothing(test: TestDb) {
        let mut eve = Browser::new(site(&test, HTTP));
        for forged in ["AAAAAAAAAAAAAAAAAAAAAA", "x", "", "' or 1=1 --"] {
            eve.cookies.insert("acuse_session".to_owned(), forged.to_owned());
            assert!(!eve.is_in().await, "{forged}");
        }
    }

    async fn a_form_of_another_site_is_refused(test: TestDb) {
        add_user(&test, "ana@shop.test", Role::Admin).await;
        let mut ana = Browser::new(site(&test, HTTP));
        ana.log_in("ana@shop.test").await;
        let refused: &[&[(&str, &str)]] = &[
            &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.test")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://other.acuse.test")],
            &[("sec-fetch-site", "cross-site")],
            &[("origin", "https://evil.test")],
            &[("origin", "null")],
            &[("origin", "http://acuse.test.evil.test")],
        ];
        let taken: &[&[(&str, &str)]] = &[
            &[("sec-fetch-site", "same-origin"), ("origin", "http://acuse.test")],
            &[("origin", "http://acuse.test")],
            &[("sec-fetch-site", "none")],
            &[],
        ];
        for path in ["/account/preferences", "/logout", "/login", "/rpc/secrets/rotate"] {
            for headers in refused {
                let answer = ana.send(Method::POST, path, &[&[FORM], *headers].concat(), String::new()).await;
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {headers:?}");
            }
        }
        assert!(ana.is_in().await);
        for headers in taken {
            let path = "/account/preferences";
            let answer = ana.send(Method::POST, path, &[&[FORM], *headers].concat(), "theme=dark".to_owned()).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{headers:?}");
        }
    }

    async fn behind_a_proxy_the_public_address_is_our_own(test: TestDb) {
        let mut browser = Browser::new(site(&test, "https://pay.shop.test"));
        let path = "/account/preferences";
        let answer = browser.send(Method::POST, path, &[FORM, ("origin", "https://pay.shop.test")], String::new()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        let answer = browser.send(Method::POST, path, &[FORM, ("origin", "http://pay.shop.test")], String::new()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
    }

    async fn every_answer_has_the_headers(test: TestDb) {
        add_user(&test, "ana@shop.test", Role::Viewer).await;
        let mut ana = Browser::new(site(&test, HTTP));
        let mut nonces = HashSet::new();
        let mut answers = vec![ana.get("/deliveries").await, ana.get("/login").await];
        ana.log_in("ana@shop.test").await;
        answers.push(ana.get("/deliveries").await);
        answers.push(ana.get("/no/such/page").await);
        answers.push(ana.post("/", "/rpc/no/such/call", &[]).await);
        answers.push(ana.send(Method::POST, "/logout", &[("origin", "https://evil.test")], String::new()).await);
        for answer in &answers {
            let header = |name: &str| answer.headers.get(name).map_or("", |value| value.to_str().unwrap());
            let policy = header("content-security-policy");
            for part in [
                "default-src 'none';", "script-src 'self' 'nonce-", "'wasm-unsafe-eval';", "base-uri 'none';",
                "form-action 'self';", "frame-ancestors 'none'",
            ] {
                assert!(policy.contains(part), "{part} in {policy}");
            }
            assert!(!policy.contains("'unsafe-inline'") && !policy.contains("'unsafe-eval'"), "{policy}");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("x-frame-options"), "DENY");
            assert_eq!(header("referrer-policy"), "same-origin");
            assert_eq!(header("cache-control"), "no-store");
            assert!(header("permissions-policy").contains("camera=()"));
            let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
            assert!(nonce.len() >= 22 && nonces.insert(nonce.to_owned()), "{nonce}");
            let document = scraper::Html::parse_document(&answer.body);
            for script in document.select(&scraper::Selector::parse("script").unwrap()) {
                assert_eq!(script.attr("nonce"), Some(nonce), "{}", script.html());
            }
            let styled = scraper::Selector::parse("[style], style:not([nonce])").unwrap();
            let forbidden: Vec<_> = document.select(&styled).map(|element| element.html()).collect();
            assert!(forbidden.is_empty(), "the policy forbids {forbidden:?}");
        }
        assert_eq!(nonces.len(), answers.len());
    }

    async fn a_database_that_is_gone_is_said_so(test: TestDb) {
        add_user(&test, "ana@shop.test", Role::Viewer).await;
        let mut ana = Browser::new(site(&test, HTTP));
        ana.log_in("ana@shop.test").await;
        test.db.close().await;
        for answer in [ana.get("/deliveries").await, ana.post("/login", "/login", &[("email", "a@b")]).await] {
            assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
            assert!(answer.headers.contains_key("retry-after") && answer.body.contains("cannot answer"));
            assert!(!answer.body.contains("pool") && answer.headers.contains_key("content-security-policy"));
        }
    }

    async fn a_body_has_a_limit(test: TestDb) {
        add_user(&test, "ana@shop.test", Role::Viewer).await;
        let mut ana = Browser::new(site(&test, HTTP));
        let body = format!("theme={}", "x".repeat(17 * 1024));
        let answer = ana.send(Method::POST, "/login", &[FORM], body.clone()).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
        let length = ("content-length", "300000");
        let answer = ana.send(Method::POST, "/account/preferences", &[FORM, length], body).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    }

    async fn preferences_are_kept_by_a_form(test: TestDb) {
        let mut nobody = Browser::new(site(&test, HTTP));
        let path = "/account/preferences";
        let answer = nobody.post("/login?next=%2Fsecrets", path, &[("theme", "dark"), ("lang", "es")]).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/login?next=%2Fsecrets"));
        assert_eq!(nobody.cookies["acuse_preferences"], "theme-dark.contrast-.lang-es.zone-local");
        nobody.post("/login", path, &[("contrast", "more"), ("zone", "utc"), ("theme", "pink")]).await;
        assert_eq!(nobody.cookies["acuse_preferences"], "theme-dark.contrast-more.lang-es.zone-utc");
        let answer = nobody.get("/login?lang=en").await;
        assert!(answer.set_cookie("acuse_preferences").unwrap().contains("lang-en"));
        assert_eq!(nobody.cookies["acuse_preferences"], "theme-dark.contrast-more.lang-en.zone-utc");
        for referer in ["http://acuse.test//evil.test/", "nonsense"] {
            let headers = [FORM, ("referer", referer), ("accept", "text/html")];
            let answer = nobody.send(Method::POST, path, &headers, String::new()).await;
            assert_eq!(answer.location(), "/", "{referer}");
        }
    }
}
