//! Pages and the calls behind them, as a browser sees them.

use app::secrets::NewSecret;
use app::types::Role;
use axum::http::{Method, StatusCode};
use futures_util::StreamExt;
use leptos::prelude::*;
use server::domain::secret::{SecretValue, active};
use server::http::layers::guard::is_renewal;

use crate::browser::{Browser, add_user, site_with_secrets};
use crate::on_both;
use crate::support::TestDb;

type Fields = &'static [(&'static str, &'static str)];

/// Every call, the smallest role that may make it, and fields that it takes.
const CALLS: &[(&str, Role, Fields)] = &[
    (
        "/rpc/deliveries/deliver",
        Role::Support,
        &[("event", "1"), ("destination", "nobody"), ("reason", "they asked")],
    ),
    ("/rpc/deliveries/detail", Role::Viewer, &[("id", "1")]),
    ("/rpc/deliveries/page", Role::Viewer, &[("search", "")]),
    ("/rpc/deliveries/resend", Role::Support, &[("id", "1"), ("reason", "lost")]),
    ("/rpc/destinations/apply", Role::Admin, &[("slug", "nobody"), ("change", "pause")]),
    ("/rpc/destinations/create", Role::Admin, &[("form[slug]", "nobody"), ("form[url]", "https://x.test")]),
    ("/rpc/destinations/edit", Role::Admin, &[("form[slug]", "nobody"), ("form[url]", "https://x.test")]),
    ("/rpc/sources/apply", Role::Admin, &[("form[act]", "delete"), ("form[slug]", "nobody")]),
    ("/rpc/events/detail", Role::Viewer, &[("id", "1")]),
    ("/rpc/events/page", Role::Viewer, &[("search", "")]),
    ("/rpc/events/release", Role::Support, &[("id", "1"), ("reason", "agreed")]),
    ("/rpc/rejections/detail", Role::Viewer, &[("id", "1")]),
    ("/rpc/rejections/page", Role::Viewer, &[("search", "")]),
    ("/rpc/rejections/verify", Role::Support, &[("id", "1")]),
    ("/rpc/rejections/verify-all", Role::Support, &[("source", "nobody")]),
    ("/rpc/alerts/acknowledge", Role::Support, &[("id", "1")]),
    ("/rpc/alerts/page", Role::Viewer, &[("search", "")]),
    ("/rpc/reconciliation/acknowledge", Role::Support, &[("id", "1"), ("note", "seen")]),
    ("/rpc/reconciliation/page", Role::Viewer, &[("search", "")]),
    (
        "/rpc/reconciliation/start",
        Role::Support,
        &[("source", "nobody"), ("from", "2026-11-29"), ("to", "2026-11-30")],
    ),
    ("/rpc/resends/cancel", Role::Support, &[("id", "1")]),
    ("/rpc/resends/detail", Role::Viewer, &[("id", "1")]),
    ("/rpc/resends/page", Role::Viewer, &[("search", "")]),
    ("/rpc/resends/plan/page", Role::Support, &[("search", "state=failed")]),
    ("/rpc/resends/start", Role::Support, &[("filter", "state=failed"), ("reason", "lost")]),
    ("/rpc/audit/page", Role::Viewer, &[("search", "")]),
    ("/rpc/secrets/retire", Role::Support, &[("holder", "source"), ("slug", "nobody"), ("id", "sec_1")]),
    (
        "/rpc/secrets/extend",
        Role::Support,
        &[("holder", "source"), ("slug", "nobody"), ("id", "sec_1"), ("extend_s", "60")],
    ),
    ("/rpc/secrets/undo", Role::Support, &[("holder", "destination"), ("slug", "nobody")]),
    ("/rpc/secrets/test", Role::Support, &[("slug", "nobody")]),
    ("/rpc/secrets/rotate-destination", Role::Support, &[("slug", "nobody"), ("overlap_s", "60")]),
    (
        "/rpc/secrets/rotate-source",
        Role::Support,
        &[("slug", "nobody"), ("secret", "whsec_a"), ("overlap_s", "60")],
    ),
];

async fn browser(test: &TestDb, role: Role) -> Browser {
    let (site, _) = site_with_secrets(test).await;
    add_user(test, "ana@shop.test", role).await;
    let mut browser = Browser::new(site);
    browser.log_in("ana@shop.test").await;
    browser
}

/// The calls are found by the linker: one that is lost on the way would be missed by nobody but this.
#[test]
fn the_calls_are_exactly_these() {
    let mut registered: Vec<_> = leptos::server_fn::axum::server_fn_paths().collect();
    registered.sort_by_key(|(path, _)| *path);
    let mut expected: Vec<_> = CALLS.iter().map(|(path, _, _)| (*path, Method::POST)).collect();
    expected.push(("/rpc/secrets/page", Method::POST));
    expected.push(("/rpc/destinations/page", Method::POST));
    expected.push(("/rpc/sources/page", Method::POST));
    expected.sort_by_key(|(path, _)| *path);
    assert_eq!(registered, expected);
}

/// The head of a page is put together after its body, when the signals that a title reads may be gone.
#[tokio::test]
async fn a_title_outlives_what_it_is_made_of() {
    let _ = any_spawner::Executor::init_tokio();
    let owner = Owner::new();
    let (meta, output) = leptos_meta::ServerMetaContext::new();
    owner.with(|| {
        provide_context(meta);
        leptos_meta::provide_meta_context();
        let id = RwSignal::new(7);
        app::ui::title::title(move || format!("Event {}", id.get())).to_html()
    });
    owner.unset_with_forced_cleanup();
    let page = futures_util::stream::iter(["<head></head>".to_owned()]);
    let page: String = output.inject_meta_context(page).await.collect().await;
    assert_eq!(page, "<head><title>Event 7 · Acuse</title></head>");
}

/// What only looks is shared and counts as no act; a call that does something and is named alike would be both.
#[test]
fn only_looks_are_named_like_looks() {
    let plan = "/rpc/resends/plan/page";
    for (path, needed, _) in CALLS {
        let looks = *needed == Role::Viewer || *path == plan;
        assert_eq!(is_renewal(path), looks, "{path}");
    }
}

on_both! {
    async fn each_call_asks_for_its_role(test: TestDb) {
        let mut ana = browser(&test, Role::Viewer).await;
        for (path, needed, fields) in CALLS {
            let answer = ana.call(path, fields).await;
            if *needed > Role::Viewer {
                let told = (answer.status, answer.body.as_str());
                assert_eq!(told, (StatusCode::FORBIDDEN, r#"{"code":"forbidden"}"#), "{path}");
            } else {
                // The backend has nothing.
                let told = (answer.status, answer.body.as_str());
                assert_eq!(told, (StatusCode::NOT_FOUND, r#"{"code":"not_found"}"#), "{path}");
            }
        }
        let sql = "update \"user\" set role = 'admin'";
        server::write!(&test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        for (path, _, fields) in CALLS {
            if is_renewal(path) {
                // Who looks is looked up every two seconds.
                test.clock.advance(2);
            }
            let answer = ana.call(path, fields).await;
            let told = (answer.status, answer.body.as_str());
            assert_eq!(told, (StatusCode::NOT_FOUND, r#"{"code":"not_found"}"#), "a new role counts at once: {path}");
        }
    }

    async fn a_call_that_does_not_parse_is_the_callers_mistake(test: TestDb) {
        let mut ana = browser(&test, Role::Support).await;
        for (path, fields) in [
            ("/rpc/deliveries/detail", &[("id", "one")][..]),
            ("/rpc/deliveries/resend", &[]),
    ("/rpc/secrets/rotate-destination", &[("slug", "NOT A SLUG"), ("overlap_s", "60")]),
        ] {
            let answer = ana.call(path, fields).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {}", answer.body);
        }
        let unknown = ana.call("/rpc/no/such/call", &[]).await;
        assert_eq!((unknown.status, unknown.body.as_str()), (StatusCode::NOT_FOUND, r#"{"code":"not_found"}"#));
        let overlap = ana.call("/rpc/secrets/rotate-destination", &[("slug", "books"), ("overlap_s", "-1")]).await;
        assert_eq!(overlap.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(overlap.body, r#"{"code":"invalid","fields":[{"field":"overlap_s","rule":"out_of_range"}]}"#);
    }

    async fn a_form_that_fails_goes_back_to_its_page_with_a_code(test: TestDb) {
        let mut ana = browser(&test, Role::Viewer).await;
        let fields = [("id", "1"), ("reason", "a reason that is not repeated")];
        let answer = ana.post("/deliveries/1", "/rpc/deliveries/resend", &fields).await;
        assert_eq!(answer.status, StatusCode::FOUND);
        let location = answer.location();
        assert!(location.contains("/deliveries/1?") && location.contains("__err="), "{location}");
        assert!(!location.contains("reason%20that") && !location.contains("reason+that"), "{location}");
    }

    async fn what_is_not_there_has_its_status_and_a_page(test: TestDb) {
        let mut ana = browser(&test, Role::Viewer).await;
        for path in ["/no/such/page", "/deliveries/1", "/events/1", "/deliveries/not-a-number"] {
            let answer = ana.get(path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert!(answer.body.starts_with("<!DOCTYPE html>") && answer.body.contains("ana@shop.test"), "{path}");
        }
        assert_eq!(ana.get("/secrets").await.status, StatusCode::OK);
    }

    async fn pages_speak_the_language_that_is_wanted(test: TestDb) {
        let mut ana = browser(&test, Role::Viewer).await;
        let spanish = [("accept", "text/html"), ("accept-language", "es-MX,es;q=0.9")];
        let answer = ana.send(Method::GET, "/secrets", &spanish, String::new()).await;
        assert!(answer.body.contains("lang=\"es\""), "{}", &answer.body[..300]);
        ana.post("/secrets", "/account/preferences", &[("lang", "en"), ("theme", "dark")]).await;
        let answer = ana.send(Method::GET, "/secrets", &spanish, String::new()).await;
        assert!(answer.body.contains("lang=\"en\"") && answer.body.contains("data-theme=\"dark\""));
    }

    async fn a_new_secret_is_shown_once_without_script(test: TestDb) {
        let mut ana = browser(&test, Role::Support).await;
        let fields = [("slug", "books"), ("overlap_s", "86400")];
        let answer = ana.post("/secrets", "/rpc/secrets/rotate-destination", &fields).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/secrets?made=books"));
        let cookie = answer.set_cookie("acuse_made").unwrap();
        for flag in ["HttpOnly", "SameSite=Lax", "Max-Age=120"] {
            assert!(cookie.contains(flag), "{cookie}");
        }
        assert!(!format!("{:?}", answer.headers).contains("whsec_"), "it travels sealed");
        let kept = ana.cookies.clone();
        ana.get("/deliveries").await;
        let page = ana.get("/secrets?made=books").await;
        assert!(page.body.contains("whsec_"), "shown");
        assert!(!ana.get("/secrets?made=books").await.body.contains("whsec_"), "once");
        ana.cookies = kept;
        test.clock.advance(120);
        assert!(!ana.get("/secrets?made=books").await.body.contains("whsec_"), "and not for long");
    }

    async fn a_new_secret_is_handed_to_the_script(test: TestDb) {
        let (site, registry) = site_with_secrets(&test).await;
        add_user(&test, "ana@shop.test", Role::Support).await;
        let mut ana = Browser::new(site);
        ana.log_in("ana@shop.test").await;
        let answer = ana.call("/rpc/secrets/rotate-destination", &[("slug", "books"), ("overlap_s", "0")]).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.set_cookie("acuse_made").is_none());
        let made: NewSecret = serde_json::from_str(&answer.body).unwrap();
        let books = registry.snapshot().destination(&"books".parse().unwrap()).unwrap().secrets.clone();
        let signing = active(&books, test.clock_now());
        assert_eq!(signing.len(), 1);
        assert!(signing[0].value == SecretValue::new(made.secret));
        let page = ana.get("/secrets").await;
        assert!(page.body.contains(&signing[0].value.fingerprint()) && !page.body.contains("whsec_"));
    }
}
