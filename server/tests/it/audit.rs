//! The audit: what people do is in it, and what was changed in it is found.

use app::audit::AuditFilter;
use app::context::Viewer;
use app::types::{PageRequest, Role};
use reqwest::Method;
use serde_json::{Value, json};
use server::db::Db;
use server::domain::audit::{Entry, action, command_line};
use server::store::audit;

use crate::api::{SECRET, add_destination, add_source, one_delivery};
use crate::fixture::Sink;
use crate::on_both;
use crate::support::TestDb;
use crate::support::test_app::TestApp;

async fn note(test: &TestDb, subject: &str) {
    let viewer = command_line();
    let entry = Entry::by(&viewer, action::SOURCE_CHANGED, subject, test.clock_now());
    audit::record_alone(&test.db, &entry.with_reason("a test").with(json!({"n": 1}))).await.unwrap();
}

async fn broken_at(test: &TestDb) -> Option<i64> {
    let verified = audit::verify(&test.db, test.clock_now()).await.unwrap();
    assert_eq!(verified.valid, verified.broken_at.is_none());
    verified.broken_at
}

async fn tamper(db: &Db, sql: &'static str) {
    server::write!(db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
}

/// What the audit says of it: actor, action, subject and reason of each entry, oldest first.
async fn told(app: &TestApp, query: &str) -> Vec<String> {
    let mut rows = app.every("/audit", query).await;
    rows.reverse();
    let text = |row: &Value, member: &str| row[member].as_str().unwrap_or("-").to_owned();
    rows.iter()
        .map(|row| ["actor", "action", "subject", "reason"].map(|member| text(row, member)).join(" "))
        .collect()
}

on_both! {
    async fn an_empty_chain_holds(test: TestDb) {
        let verified = audit::verify(&test.db, test.clock_now()).await.unwrap();
        assert_eq!((verified.valid, verified.entries, verified.head.len()), (true, 0, 64));
    }

    async fn whatever_is_changed_in_the_chain_is_found(test: TestDb) {
        for n in 1..=5 {
            note(&test, &format!("source/s{n}")).await;
        }
        assert_eq!(broken_at(&test).await, None);
        for (change, found, back) in [
            ("update audit set actor = 'eva' where id = 3", 3, "update audit set actor = 'command line' where id = 3"),
            ("update audit set reason = null where id = 1", 1, "update audit set reason = 'a test' where id = 1"),
            ("update audit set detail = '{}' where id = 2", 2, "update audit set detail = '{\"n\":1}' where id = 2"),
            ("update audit set address = '::1' where id = 5", 5, "update audit set address = null where id = 5"),
            ("update audit set at = at + 1 where id = 4", 4, "update audit set at = at - 1 where id = 4"),
            ("update audit set id = 99 where id = 3", 3, "update audit set id = 3 where id = 99"),
            // The last one: nothing after it says that it was there, but the head does.
            ("update audit set id = 99 where id = 5", 5, "update audit set id = 5 where id = 99"),
            ("update audit_head set last = 4 where one = 1", 4, "update audit_head set last = 5 where one = 1"),
        ] {
            tamper(&test.db, change).await;
            assert_eq!(broken_at(&test).await, Some(found), "{change}");
            tamper(&test.db, back).await;
            assert_eq!(broken_at(&test).await, None, "{back}");
        }
        tamper(&test.db, "insert into audit (id, at, actor, action, subject, hash) select 6, at, actor, action, subject, hash from audit where id = 5").await;
        assert_eq!(broken_at(&test).await, Some(6), "one that was slipped in at the end");
    }

    async fn many_who_append_at_once_make_one_chain(test: TestDb) {
        let db = &test.db;
        let now = test.clock_now();
        let append = async |who: usize| {
            for n in 0..15 {
                let viewer = Viewer { name: format!("p{who}"), role: Role::Support, from: None };
                let mut tx = db.begin_write().await.unwrap();
                let entry = Entry::by(&viewer, action::DELIVERY_RESENT, format!("delivery/{n}"), now);
                audit::record(&mut tx, &entry).await.unwrap();
                // What is taken back leaves no gap.
                if n % 5 == 4 { drop(tx) } else { tx.commit().await.unwrap() }
            }
        };
        tokio::join!(append(1), append(2), append(3), append(4), append(5), append(6));
        let verified = audit::verify(db, now).await.unwrap();
        assert_eq!((verified.broken_at, verified.entries), (None, 6 * 12));
    }

    async fn more_rows_than_one_read_are_verified(test: TestDb) {
        let viewer = command_line();
        let mut tx = test.db.begin_write().await.unwrap();
        for n in 0..1005 {
            let entry = Entry::by(&viewer, action::SOURCE_CHANGED, format!("source/{n}"), test.clock_now());
            audit::record(&mut tx, &entry).await.unwrap();
        }
        tx.commit().await.unwrap();
        let verified = audit::verify(&test.db, test.clock_now()).await.unwrap();
        assert_eq!((verified.broken_at, verified.entries), (None, 1005));
        tamper(&test.db, "delete from audit where id >= 1001").await;
        assert_eq!(broken_at(&test).await, Some(1001));
        let all = audit::page(&test.db, &AuditFilter::default(), PageRequest::default()).await.unwrap();
        assert_eq!((all.items[0].id, all.items.len()), (1000, 50));
    }

    async fn what_people_do_is_in_it_with_who_when_from_where_and_why(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        let delivery = one_delivery(&app, &sink, "delivered").await["id"].clone();
        app.call(Role::Support, Method::POST, &format!("/deliveries/{delivery}/resend"),
            Some(json!({"reason": "they lost it"}))).await.expect(202);
        app.post("/sources/shop/secrets", json!({"secret": "whsec_new"})).await.expect(201);
        app.post("/destinations/erp/secrets", json!({})).await.expect(201);
        app.patch("/sources/shop", json!({"tolerance_s": 60})).await.expect(200);
        app.patch("/destinations/erp", json!({"timeout_ms": 500})).await.expect(200);
        for act in ["pause", "pause", "resume"] {
            app.post(&format!("/destinations/erp/{act}"), json!({})).await.expect(200);
        }
        app.delete("/destinations/erp").await.expect(204);
        app.delete("/sources/shop").await.expect(204);
        assert_eq!(told(&app, "").await, [
            "command line token.created token/viewer -",
            "command line token.created token/support -",
            "command line token.created token/admin -",
            "token:admin source.created source/shop -",
            "token:admin secret.made source/shop -",
            "token:admin destination.created destination/erp -",
            "token:admin secret.made destination/erp -",
            "token:admin secret.shown destination/erp -",
            &format!("token:support delivery.resent delivery/{delivery} they lost it"),
            "token:admin secret.rotated source/shop -",
            "token:admin secret.rotated destination/erp -",
            "token:admin secret.shown destination/erp -",
            "token:admin source.changed source/shop -",
            "token:admin destination.changed destination/erp -",
            "token:admin destination.paused destination/erp -",
            "token:admin destination.resumed destination/erp -",
            "token:admin destination.deleted destination/erp -",
            "token:admin source.deleted source/shop -",
        ]);
        let rows = app.every("/audit", "action=source.changed").await;
        assert_eq!(rows[0]["detail"], json!({"tolerance_s": 60}));
        assert_eq!((&rows[0]["address"], &rows[0]["at"]), (&json!("127.0.0.1"), &json!("2026-11-30T12:00:00Z")));
        let all = app.get("/audit?limit=200").await.expect(200).to_string();
        assert!(!all.contains("whsec_") && !all.contains(SECRET));
        let verified = app.get("/audit/verify").await.expect(200);
        assert_eq!((&verified["valid"], &verified["entries"]), (&json!(true), &json!(18)));
        assert_eq!(verified["broken_at"], Value::Null);
        let newest = app.get("/audit?limit=1").await.expect(200)["items"][0]["hash"].clone();
        assert_eq!(verified["head"], newest);
        app.stop().await;
    }

    async fn the_list_is_filtered_and_paged(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        app.test.clock.advance(60);
        add_destination(&app, "erp", "https://erp.example", &[]).await;
        for (query, count) in [
            ("", 8), ("actor=token:admin", 5), ("action=secret.made", 2), ("action=secret.*", 3),
            ("subject=source/shop", 2), ("subject=source/*", 2), ("subject=*", 8),
            ("from=2026-11-30T12:01:00Z", 3), ("to=2026-11-30T12:01:00Z", 5),
            ("actor=token:admin&action=secret.*&subject=destination/erp", 2), ("actor=nobody", 0),
        ] {
            assert_eq!(told(&app, query).await.len(), count, "{query}");
            assert_eq!(app.every("/audit", &format!("{query}&limit=1")).await.len(), count, "{query}");
        }
        assert_eq!(app.get("/audit?who=ana").await.refused(), [("who".to_owned(), "unknown".to_owned())]);
        assert_eq!(app.plain(Method::GET, "/api/v1/audit").await.problem(401), "token_missing");
        app.stop().await;
    }
}
