//! Who may call what.

use app::types::Role;
use reqwest::Method;
use serde_json::json;
use server::store::user;

use super::document::table;
use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

/// A path with names in it that name nothing.
fn filled(path: &str) -> String {
    path.replace("{slug}", "none").replace("{id}", "999999")
}

on_both! {
    async fn every_route_asks_for_a_token_of_its_role(test: TestDb) {
        let routes = table(&test);
        let app = TestApp::start(test).await;
        for route in &routes {
            let (method, path) = (Method::from_bytes(route.method.as_str().as_bytes()).unwrap(), filled(route.path));
            let without = app.plain(method.clone(), &format!("/api/v1{path}")).await;
            assert_eq!(without.problem(401), "token_missing", "{method} {path}");
            assert_eq!(without.header("www-authenticate"), "Bearer");
            for &role in Role::ALL {
                let answer = app.call(role, method.clone(), &path, None).await;
                if role < route.role {
                    assert_eq!(answer.problem(403), "forbidden", "{role} {method} {path}");
                } else {
                    assert!(![401, 403, 405].contains(&answer.status.as_u16()), "{role} {method} {path}");
                }
            }
        }
        app.stop().await;
    }

    async fn roles_are_those_of_the_contract(test: TestDb) {
        for route in table(&test) {
            let expected = match (route.method.as_str(), route.path) {
                ("GET", _) => Role::Viewer,
                (_, path) if ["secrets", "resend", "reconciliations", "acknowledge", "deliver", "reverify", "release"].iter().any(|it| path.contains(it)) => {
                    Role::Support
                }
                _ => Role::Admin,
            };
            assert_eq!(route.role, expected, "{} {}", route.method, route.path);
        }
    }

    async fn only_a_known_token_opens(test: TestDb) {
        let app = TestApp::start(test).await;
        let good = app.token(Role::Viewer).to_owned();
        for (header, status) in [
            (format!("Bearer {good}"), 200),
            (format!("bearer {good}"), 200),
            (format!("Bearer {good}x"), 401),
            (format!("Bearer {}", good.to_uppercase()), 401),
            (format!("Basic {good}"), 401),
            (good.clone(), 401),
            ("Bearer ".to_owned(), 401),
            (String::new(), 401),
        ] {
            let request = app.http.get(format!("{}/api/v1/sources", app.base)).header("authorization", &header);
            assert_eq!(request.send().await.unwrap().status(), status, "{header}");
        }
        let cookie = app.http.get(format!("{}/api/v1/sources", app.base)).header("cookie", format!("session={good}"));
        assert_eq!(Answer::of(cookie.send().await.unwrap()).await.problem(401), "token_missing");
        app.stop().await;
    }

    async fn a_token_is_stored_hashed_and_its_use_is_noted_once_a_minute(test: TestDb) {
        let app = TestApp::start(test).await;
        let used = async || {
            let value = app.token(Role::Viewer);
            user::token::find(&app.test.db, value).await.unwrap().unwrap().last_used_at
        };
        assert_eq!(used().await, None);
        app.get("/sources").await.expect(200);
        let first = app.test.clock_now();
        app.until("the first use is noted", async || used().await == Some(first)).await;
        app.test.clock.advance(59);
        app.get("/sources").await.expect(200);
        app.test.clock.advance(1);
        app.get("/sources").await.expect(200);
        app.until("the use a minute later is noted", async || used().await == Some(first.plus_seconds(60))).await;
        let hashes: Vec<String> =
            server::read!(&app.test.db, on => sqlx::query_scalar("select hash from token").fetch_all(on).await).unwrap();
        assert!(hashes.iter().all(|hash| hash.len() == 64 && !hash.contains("acuse_")));
        app.stop().await;
    }

    async fn unknown_paths_and_methods_are_problems(test: TestDb) {
        let app = TestApp::start(test).await;
        for path in ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/sources", "/api/v1/sources/a/b/c"] {
            assert_eq!(app.plain(Method::GET, path).await.problem(404), "no_such_path", "{path}");
        }
        let answer = app.call(Role::Admin, Method::PUT, "/sources/shop", Some(json!({}))).await;
        assert_eq!(answer.problem(405), "method_not_allowed");
        let mut allowed: Vec<_> = answer.header("allow").split(',').collect();
        allowed.sort_unstable();
        assert_eq!(allowed, ["DELETE", "GET", "HEAD", "PATCH"]);
        app.stop().await;
    }
}
