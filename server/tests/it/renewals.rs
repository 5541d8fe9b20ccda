//! Pages that renew themselves: what they cost together, and that nobody waits to see what they did.

use app::types::Role;
use serde_json::json;
use server::http::layers::guard::is_renewal;

use crate::api::{SECRET, add_destination, add_source, webhook};
use crate::fixture::Sink;
use crate::lists::seed;
use crate::on_both;
use crate::support::TestDb;
use crate::support::test_app::{Answer, TestApp};

/// What pages ask for again and again. `HELD` are the rows that a page happens to hold.
const RENEWALS: &[(&str, &[(&str, &str)])] = &[
    ("/rpc/alerts/page", &[("search", ""), ("held", "1")]),
    ("/rpc/audit/page", &[("search", "")]),
    ("/rpc/deliveries/detail", &[("id", "7")]),
    ("/rpc/deliveries/page", &[("search", ""), ("held", HELD)]),
    ("/rpc/deliveries/page", &[("search", "type=none"), ("held", "0")]),
    ("/rpc/destinations/page", &[]),
    ("/rpc/events/detail", &[("id", "7")]),
    ("/rpc/events/page", &[("search", ""), ("held", HELD)]),
    ("/rpc/reconciliation/page", &[("search", "")]),
    ("/rpc/rejections/detail", &[("id", "1")]),
    ("/rpc/rejections/page", &[("search", ""), ("held", "1")]),
    ("/rpc/resends/detail", &[("id", "1")]),
    ("/rpc/resends/page", &[("search", "")]),
    ("/rpc/resends/plan/page", &[("search", "state=failed")]),
    ("/rpc/secrets/page", &[]),
    ("/rpc/sources/page", &[("search", "")]),
];
const HELD: &str = "HELD";

/// An alert, a rejection and a resend, for their pages.
async fn one_of_each(test: &TestDb) {
    let empty = if test.url.starts_with("sqlite") { "x''" } else { "''::bytea" };
    let now = test.clock_now().micros();
    for sql in [
        format!(
            "insert into alert (kind, subject, facts, opened_at, state) values ('delivery_failed', 'erp', \
             '{{\"kind\":\"delivery_failed\",\"delivery\":1,\"status\":503,\"error\":\"status\"}}', {now}, 'open')"
        ),
        format!(
            "insert into rejection (source_id, received_at, reason, size, body_size, target, headers, body) \
             values (1, {now}, 'missing_header', 0, 0, '/webhooks/shop', '[]', {empty})"
        ),
        format!(
            "insert into resend (actor, reason, filter, state, collected, created_at, finished_at) \
             values ('ana', 'lost', '{{}}', 'done', true, {now}, {now})"
        ),
    ] {
        server::write!(&test.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
            .unwrap();
    }
}

/// Every statement fails from here on.
async fn take_tables_away(test: &TestDb) {
    let tables = if test.url.starts_with("sqlite") {
        "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
    } else {
        "select tablename::text from pg_tables where schemaname = 'public'"
    };
    let tables: Vec<String> =
        server::read!(&test.db, on => sqlx::query_scalar(tables).fetch_all(on).await).unwrap();
    for table in tables {
        let sql = format!("alter table \"{table}\" rename to \"gone_{table}\"");
        server::write!(&test.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
            .unwrap();
    }
}

/// Everything that a dashboard asks for, each opened at another moment and so with other rows.
async fn renew(app: &TestApp, session: &str, dashboard: usize) -> Vec<Answer> {
    let held: Vec<String> = (1..=20).rev().map(|n| (dashboard + n).to_string()).collect();
    let held = held.join(",");
    let mut answers = Vec::new();
    for (path, fields) in RENEWALS {
        let own = |(name, value): &(&'static str, &'static str)| match *value {
            HELD => (*name, held.clone()),
            value => (*name, value.to_owned()),
        };
        let fields: Vec<_> = fields.iter().map(own).collect();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        answers.push(app.rpc(session, path, &fields).await);
    }
    answers
}

/// A page that renews itself and is not in the table would be measured by nobody.
#[test]
fn every_page_that_renews_itself_is_measured() {
    for (path, _) in leptos::server_fn::axum::server_fn_paths().filter(|(path, _)| is_renewal(path)) {
        assert!(RENEWALS.iter().any(|(known, _)| *known == path), "{path}");
    }
}

on_both! {
    async fn twenty_open_dashboards_cost_the_database_no_more_than_one(test: TestDb) {
        let app = TestApp::start(test).await;
        seed(&app.test).await;
        one_of_each(&app.test).await;
        let mut sessions = Vec::new();
        for dashboard in 0..20 {
            let session = app.session(Role::Support).await;
            renew(&app, &session, dashboard).await.iter().for_each(|answer| drop(answer.expect(200)));
            sessions.push(session);
        }
        app.test.clock.advance(2);
        let one = renew(&app, &sessions[0], 0).await;
        take_tables_away(&app.test).await;
        for (dashboard, session) in sessions.iter().enumerate().skip(1) {
            for (at, answer) in renew(&app, session, dashboard).await.into_iter().enumerate() {
                let (path, fields) = RENEWALS[at];
                assert_eq!(answer.status, 200, "{path} of dashboard {dashboard} asked the database");
                if !fields.contains(&("held", HELD)) {
                    assert_eq!(answer.bytes, one[at].bytes, "{path}");
                } else {
                    let body = answer.json();
                    let rows = body["page"]["items"].as_array().unwrap();
                    let ids: Vec<_> = rows.iter().map(|row| row["id"].as_u64().unwrap() as usize).collect();
                    assert_eq!(ids, (1..=20).rev().map(|n| dashboard + n).collect::<Vec<_>>());
                }
            }
        }
        app.test.clock.advance(2);
        assert!(renew(&app, &sessions[0], 0).await.iter().all(|answer| answer.status == 503), "the next look is a new one");
    }

    async fn whoever_acts_sees_what_came_of_it_at_once(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_source(&app, "shop").await;
        add_destination(&app, "erp", &sink.url, &["1m"]).await;
        let refunds = json!({"slug": "refunds", "url": sink.url, "format": "paymos", "events": ["refund.*"]});
        app.post("/destinations", refunds).await.expect(201);
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.until("it is delivered", async || app.every("/deliveries", "state=delivered").await.len() == 1).await;
        let (ana, bob) = (app.session(Role::Admin).await, app.session(Role::Viewer).await);
        let deliveries = async |session: &str| {
            let page = app.rpc(session, "/rpc/events/detail", &[("id", "1")]).await.expect(200);
            page["event"]["deliveries"].as_array().unwrap().len()
        };
        // The clock stands still all the time: nothing grows old by itself.
        assert_eq!((deliveries(&ana).await, deliveries(&bob).await), (1, 1));
        let to = [("event", "1"), ("destination", "refunds"), ("reason", "they need it too")];
        assert_eq!(app.rpc(&bob, "/rpc/deliveries/deliver", &to).await.status, 403);
        app.rpc(&ana, "/rpc/deliveries/deliver", &to).await.expect(200);
        assert_eq!((deliveries(&ana).await, deliveries(&bob).await), (2, 2));

        let slugs = async || app.rpc(&bob, "/rpc/destinations/page", &[]).await.expect(200)["destinations"].as_array().unwrap().len();
        assert_eq!(slugs().await, 2);
        add_destination(&app, "third", &sink.url, &["1m"]).await;
        assert_eq!(slugs().await, 3, "what a script does through the API is seen too");
        let gone = [("slug", "third"), ("change", "delete"), ("typed", "third")];
        for typed in ["", "thrid"] {
            let not_so = [gone[0], gone[1], ("typed", typed)];
            let answer = app.rpc(&ana, "/rpc/destinations/apply", &not_so).await;
            assert_eq!(answer.expect(422)["fields"][0]["rule"], "not_the_name");
        }
        app.rpc(&ana, "/rpc/destinations/apply", &gone).await.expect(200);
        assert_eq!(slugs().await, 2);
        app.stop().await;
    }

    async fn a_session_that_ends_is_out_at_its_next_look(test: TestDb) {
        let app = TestApp::start(test).await;
        let (ana, bob) = (app.session(Role::Viewer).await, app.session(Role::Viewer).await);
        let load_page = async |session: &str| app.rpc(session, "/rpc/alerts/page", &[("search", "")]).await.status.as_u16();
        assert_eq!((load_page(&ana).await, load_page(&bob).await), (200, 200));
        let out = app.http.post(format!("{}/logout", app.base)).header("cookie", &ana).header("sec-fetch-site", "same-origin");
        assert_eq!(out.send().await.unwrap().status(), 303);
        assert_eq!((load_page(&ana).await, load_page(&bob).await), (401, 200));
        let sql = "delete from \"user\"";
        server::write!(&app.test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        app.test.clock.advance(2);
        assert_eq!(load_page(&bob).await, 401, "deleted by somebody else, two seconds ago at most");
        app.stop().await;
    }

    async fn looking_keeps_sessions_alive(test: TestDb) {
        let app = TestApp::start(test).await;
        let (ana, bob) = (app.session(Role::Viewer).await, app.session(Role::Viewer).await);
        for _ in 0..14 {
            for session in [&ana, &bob] {
                assert_eq!(app.rpc(session, "/rpc/alerts/page", &[("search", "")]).await.status, 200);
            }
            app.test.clock.advance(3600);
        }
        app.stop().await;
    }
}
