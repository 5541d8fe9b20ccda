//! Logging in and out, and how long it lasts.

use app::types::Role;
use axum::http::{Method, StatusCode};

use crate::browser::{Browser, PASSWORD, add_user, site};
use crate::on_both;
use crate::support::{TestDb, noon};
use server::domain::audit::command_line;
use server::users::{self, throttle};

const HTTP: &str = "http://acuse.test";
const WRONG: &[(&str, &str)] = &[("email", "ana@shop.test"), ("password", "not the password")];
const RIGHT: &[(&str, &str)] = &[("email", "Ana@Shop.Test "), ("password", PASSWORD)];

async fn with_ana(test: &TestDb) -> Browser {
    add_user(test, "ana@shop.test", Role::Viewer).await;
    Browser::new(site(test, HTTP))
}

async fn count(test: &TestDb, sql: &'static str) -> i64 {
    server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
}

on_both! {
    async fn a_user_is_added_once(test: TestDb) {
        let add = async |email: &'static str, password: &'static str| {
            users::add(&test.db, email, password, Role::Admin, &command_line(), noon()).await.map_err(|error| error.to_string())
        };
        add("Ana@Shop.Test", PASSWORD).await.unwrap();
        assert_eq!(add("ana@shop.test", PASSWORD).await.unwrap_err(), "there is a user \"ana@shop.test\" already");
        assert!(add("ana", PASSWORD).await.unwrap_err().contains("\"ana\" is not an e-mail address"));
        let short = add("eve@shop.test", "eleven char").await.unwrap_err();
        assert!(short.contains("at least 12 characters") && !short.contains("eleven"), "{short}");
        let stored: Vec<(String, String, String)> = server::read!(&test.db, on => sqlx::query_as(
            "select email, role, password_hash from \"user\"").fetch_all(on).await).unwrap();
        assert_eq!(stored.len(), 1);
        assert_eq!((stored[0].0.as_str(), stored[0].1.as_str()), ("ana@shop.test", "admin"));
        assert!(stored[0].2.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", stored[0].2);
    }

    async fn the_right_password_opens_the_pages(test: TestDb) {
        let mut ana = with_ana(&test).await;
        assert!(!ana.is_in().await);
        let answer = ana.post("/login", "/login", RIGHT).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/deliveries"));
        assert!(ana.is_in().await);
        assert_eq!(count(&test, "select count(*) from \"user\" where last_login_at is not null").await, 1);
        assert_eq!(ana.get("/login").await.location(), "/deliveries", "nothing to do there any more");
    }

    async fn a_wrong_password_or_name_is_told_alike_and_gives_nothing_away(test: TestDb) {
        let mut ana = with_ana(&test).await;
        let wrong = ana.post("/login", "/login?next=%2Fsecrets", &[WRONG, &[("next", "/secrets")]].concat()).await;
        assert_eq!(wrong.status, StatusCode::SEE_OTHER);
        assert_eq!(wrong.location(), "/login?error=credentials&left=4&next=%2Fsecrets");
        let unknown = [("email", "eve@shop.test"), ("password", "not the password"), ("next", "/secrets")];
        let nobody = ana.another("203.0.113.8").post("/login", "/login", &unknown).await;
        assert_eq!(nobody.location(), wrong.location());
        for answer in [wrong, nobody] {
            assert!(!format!("{:?}{}", answer.headers, answer.body).contains("not the password"));
            assert!(answer.set_cookie("acuse_email").unwrap().contains("HttpOnly"));
        }
        assert!(!ana.is_in().await);
        for fields in [&[][..], &[("email", "ana@shop.test")], &[("password", PASSWORD)]] {
            let answer = ana.another("203.0.113.9").post("/login", "/login", fields).await;
            assert!(answer.location().starts_with("/login?error=credentials"), "{fields:?}");
        }
    }

    async fn five_failures_of_an_account_wait_for_fifteen_minutes(test: TestDb) {
        let ana = with_ana(&test).await;
        for left in (1..=4).rev() {
            let answer = ana.another(&format!("203.0.113.{left}")).post("/login", "/login", WRONG).await;
            assert_eq!(answer.location(), format!("/login?error=credentials&left={left}"));
            test.clock.advance(10);
        }
        let mut ana = ana.another("203.0.113.99");
        assert_eq!(ana.post("/login", "/login", WRONG).await.location(), "/login?error=wait&minutes=15");
        test.clock.advance(60);
        assert_eq!(ana.post("/login", "/login", RIGHT).await.location(), "/login?error=wait&minutes=14");
        test.clock.advance(14 * 60 - 1);
        assert_eq!(ana.post("/login", "/login", RIGHT).await.location(), "/login?error=wait&minutes=1");
        test.clock.advance(1);
        assert_eq!(ana.post("/login", "/login", RIGHT).await.location(), "/deliveries");
        assert_eq!(
            count(&test, "select count(*) from login_failure where subject like 'account:%'").await, 0,
            "a log-in forgets the failures before it"
        );
    }

    async fn twenty_failures_from_an_address_wait_too(test: TestDb) {
        let ana = with_ana(&test).await;
        let mut eve = ana.another("203.0.113.66");
        for n in 0..20 {
            let email = format!("nobody{n}@shop.test");
            let answer = eve.post("/login", "/login", &[("email", &email), ("password", "a guess of mine")]).await;
            let expected = if n < 19 { "/login?error=credentials&left=4" } else { "/login?error=wait&minutes=15" };
            assert_eq!(answer.location(), expected, "{n}");
        }
        assert_eq!(eve.post("/login", "/login", RIGHT).await.location(), "/login?error=wait&minutes=15");
        ana.another("203.0.113.67").log_in("ana@shop.test").await;
        test.clock.advance(15 * 60);
        assert_eq!(eve.post("/login", "/login", RIGHT).await.location(), "/deliveries");
    }

    async fn no_number_of_guesses_at_once_gets_more_than_five_tries(test: TestDb) {
        let ana = with_ana(&test).await;
        let guesses = (0..40).map(|n| {
            let mut eve = ana.another(&format!("203.0.113.{n}"));
            async move { eve.post("/login", "/login", WRONG).await.location().to_owned() }
        });
        let told = futures_util::future::join_all(guesses).await;
        // The fifth that is tried is told to wait, like those that are not.
        let tried = told.iter().filter(|location| location.contains("credentials")).count();
        assert!(tried <= 4, "{told:?}");
        assert!(
            count(&test, "select count(*) from login_failure where subject like 'account:%'").await <= 5
        );
    }

    async fn old_failures_are_forgotten(test: TestDb) {
        for n in 0..40 {
            let address = format!("203.0.113.{n}").parse().ok();
            throttle::begin(&test.db, &format!("nobody{n}@shop.test"), address, test.clock_now()).await.unwrap();
            test.clock.advance(120);
        }
        let kept = count(&test, "select count(*) from login_failure").await;
        assert!((30..80).contains(&kept), "{kept}");
    }

    async fn the_session_is_another_one_after_the_log_in(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.cookies.insert("acuse_session".to_owned(), "AAAAAAAAAAAAAAAAAAAAAA".to_owned());
        ana.log_in("ana@shop.test").await;
        let first = ana.cookies["acuse_session"].clone();
        assert_ne!(first, "AAAAAAAAAAAAAAAAAAAAAA");
        let again = ana.post("/login", "/login", RIGHT).await;
        assert_eq!(again.location(), "/deliveries");
        let second = ana.cookies["acuse_session"].clone();
        assert_ne!(first, second);
        ana.cookies.insert("acuse_session".to_owned(), first);
        assert!(!ana.is_in().await, "the old one is gone");
        ana.cookies.insert("acuse_session".to_owned(), second.clone());
        assert!(ana.is_in().await);
        let stored: Vec<String> = server::read!(&test.db, on =>
            sqlx::query_scalar("select id_hash || data from session").fetch_all(on).await).unwrap();
        assert_eq!(stored.len(), 1);
        assert!(!stored[0].contains(&second), "the id is stored hashed");
    }

    async fn logging_out_ends_the_session(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.log_in("ana@shop.test").await;
        let stolen = ana.cookies.clone();
        let answer = ana.post("/deliveries", "/logout", &[]).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/login"));
        assert!(!ana.cookies.contains_key("acuse_session"));
        ana.cookies = stolen;
        assert!(!ana.is_in().await);
        assert_eq!(count(&test, "select count(*) from session").await, 0);
    }

    async fn a_deleted_user_is_out_at_once(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.log_in("ana@shop.test").await;
        assert!(ana.is_in().await);
        server::write!(&test.db, on => sqlx::query("delete from \"user\"").execute(on).await.map(drop)).unwrap();
        assert!(!ana.is_in().await);
        assert_eq!(count(&test, "select count(*) from session").await, 0);
    }

    async fn a_session_ends_after_twelve_hours_without_a_request(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.log_in("ana@shop.test").await;
        test.clock.advance(12 * 3600 - 1);
        assert!(ana.is_in().await, "a request puts the end off");
        test.clock.advance(12 * 3600 - 1);
        assert!(ana.is_in().await);
        test.clock.advance(12 * 3600);
        assert!(!ana.is_in().await);
    }

    async fn a_session_ends_after_seven_days_in_any_case(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.log_in("ana@shop.test").await;
        for _ in 0..7 * 4 - 1 {
            test.clock.advance(6 * 3600);
            assert!(ana.is_in().await);
        }
        test.clock.advance(6 * 3600 - 1);
        assert!(ana.is_in().await);
        test.clock.advance(1);
        assert!(!ana.is_in().await);
        ana.log_in("ana@shop.test").await;
        assert_eq!(count(&test, "select count(*) from session").await, 1, "the one that ended is pruned");
    }

    async fn the_end_is_put_off_at_most_once_a_minute(test: TestDb) {
        let mut ana = with_ana(&test).await;
        ana.log_in("ana@shop.test").await;
        let end = "select expires_at from session";
        let first = count(&test, end).await;
        test.clock.advance(59);
        ana.get("/deliveries").await;
        assert_eq!(count(&test, end).await, first);
        test.clock.advance(1);
        ana.get("/deliveries").await;
        assert_eq!(count(&test, end).await, first + 60_000_000);
    }

    async fn nobody_is_sent_to_another_site(test: TestDb) {
        let mut ana = with_ana(&test).await;
        for next in ["//evil.test", "https://evil.test/", "/\\evil.test", "javascript:alert(1)", "/a\r\nb"] {
            let answer = ana.post("/login", "/login", &[RIGHT, &[("next", next)]].concat()).await;
            assert_eq!(answer.location(), "/deliveries", "{next}");
            let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
            assert_eq!(ana.get(&format!("/login?{query}")).await.location(), "/deliveries", "{next}");
        }
        let answer = ana.post("/login", "/login", &[RIGHT, &[("next", "/events?type=x")]].concat()).await;
        assert_eq!(answer.location(), "/events?type=x");
    }

    async fn the_address_behind_a_trusted_proxy_counts(test: TestDb) {
        let ana = with_ana(&test).await;
        let body = |n: i32| format!("email=nobody{n}%40shop.test&password=guess");
        let headers = |forwarded: &'static str| {
            [("content-type", "application/x-www-form-urlencoded"), ("x-forwarded-for", forwarded)]
        };
        let mut proxy = ana.another("10.0.0.1");
        let mut direct = ana.another("198.51.100.1");
        for n in 0..20 {
            proxy.send(Method::POST, "/login", &headers("1.2.3.4, 192.0.2.1, 10.0.0.9"), body(n)).await;
            direct.send(Method::POST, "/login", &headers("192.0.2.99"), body(100 + n)).await;
        }
        let subjects: Vec<String> = server::read!(&test.db, on => sqlx::query_scalar(
            "select distinct subject from login_failure where subject like 'address:%' order by subject")
            .fetch_all(on).await).unwrap();
        assert_eq!(subjects, ["address:192.0.2.1", "address:198.51.100.1"]);
        let blocked = proxy.send(Method::POST, "/login", &headers("192.0.2.1"), body(98)).await;
        assert_eq!(blocked.location(), "/login?error=wait&minutes=15");
        let other = proxy.send(Method::POST, "/login", &headers("192.0.2.2"), body(99)).await;
        assert_eq!(other.location(), "/login?error=credentials&left=4");
    }

    async fn cookies_over_tls_are_tied_to_the_host(test: TestDb) {
        add_user(&test, "ana@shop.test", Role::Viewer).await;
        let mut ana = Browser::new(site(&test, "https://acuse.test"));
        let answer = ana.post("/login", "/login", RIGHT).await;
        let cookie = answer.set_cookie("__Host-acuse").unwrap();
        for flag in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
            assert!(cookie.contains(flag), "{cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
        assert!(answer.headers.contains_key("strict-transport-security"));

        let mut plain = Browser::new(site(&test, HTTP));
        let answer = plain.post("/login", "/login", RIGHT).await;
        let cookie = answer.set_cookie("acuse_session").unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        assert!(!cookie.contains("Secure"), "{cookie}");
        assert!(!answer.headers.contains_key("strict-transport-security"));
    }
}
