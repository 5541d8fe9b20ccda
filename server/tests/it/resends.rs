//! Resends of many: each delivery that matched gets one attempt, whatever happens meanwhile.

use app::context::Viewer;
use app::deliveries::DeliveryFilter;
use app::resends::{NewResend, Resend};
use app::types::{DeliveryState, ResendState, Role};
use reqwest::Method;
use serde_json::json;
use server::db::Db;
use server::resend::Resender;
use server::store::resend;

use crate::api::{SECRET, add_destination, add_source, webhook};
use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;
use crate::support::test_app::TestApp;

fn ana() -> Viewer {
    Viewer { name: "ana@shop.test".to_owned(), role: Role::Support, from: None }
}

fn failed(reason: &str) -> NewResend {
    let filter = DeliveryFilter { state: vec![DeliveryState::Failed], ..DeliveryFilter::default() };
    NewResend { filter, reason: reason.to_owned(), rate_per_s: None }
}

/// So many failed deliveries to each of two destinations, each with three attempts.
async fn seed_failed(fixture: &Fixture, events: i64) {
    for slug in ["one", "two"] {
        fixture
            .destination(Target {
                slug,
                url: "http://127.0.0.1:9".to_owned(),
                max_in_flight: 10_000,
                ..Target::default()
            })
            .await;
    }
    let empty = match fixture.db {
        Db::Sqlite(_) => "x''",
        Db::Postgres(_) => "''::bytea",
    };
    let numbers = |count: i64| {
        format!("with recursive n (i) as (select 1 union all select i + 1 from n where i < {count}) ")
    };
    let at = noon().micros() - 3_600_000_000;
    let source = fixture.source;
    let mut statements = vec![
        format!(
            "{} insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size, processed_at) \
             select {source}, 'evt_' || i, 'invoice.paid', {at} + i / 4, '[]', {empty}, 2, 0 from n",
            numbers(events)
        ),
        "insert into delivery (event_id, destination_id, source_id, type, received_at, state, attempts, max_attempts) \
         select e.id, d.id, e.source_id, e.type, e.received_at, 'failed', 3, 3 from event e cross join destination d"
            .to_owned(),
    ];
    for n in 1..=3 {
        statements.push(format!(
            "insert into attempt (delivery_id, n, trigger_kind, queued_at, started_at, error, status) \
             select id, {n}, 'scheduled', received_at, received_at, 'status', 500 from delivery"
        ));
    }
    for sql in statements {
        // Postgres wants `with` before `insert` too, and SQLite takes it there.
        server::write!(&fixture.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
            .unwrap();
    }
}

async fn read(fixture: &Fixture, id: i64) -> Resend {
    resend::get(&fixture.db, id).await.unwrap().unwrap()
}

/// Stands in for the deliverer: whatever was asked for is over, every third one badly.
async fn deliver(fixture: &Fixture) {
    let sql = "update attempt set started_at = $1, error = case when delivery_id % 3 = 0 then 'status' end \
               where trigger_kind = 'manual' and started_at is null";
    fixture.run(sql, noon().micros()).await;
}

on_both! {
    async fn of_25_000_failed_ones_with_three_attempts_each_is_resent_exactly_once(test: TestDb) {
        let fixture = Fixture::new(test).await;
        seed_failed(&fixture, 12_500).await;
        let resender = |window| {
            Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone()).with_window(window)
        };
        let mut worker = resender(6000);
        let id = worker.start(&ana(), &failed("the shop was down")).await.unwrap();
        while fixture.number("select count(*) from resend where collected and id = $1", id).await == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert_eq!(read(&fixture, id).await.matching, 25_000);
        // What fails from now on did not match when it started.
        fixture.run("update delivery set state = 'cancelled' where id = $1", 7).await;
        fixture.run("insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size) \
                   select source_id, 'late', type, received_at, headers, body_sha256, body_size from event where id = $1", 1).await;
        fixture.run("insert into delivery (event_id, destination_id, source_id, type, received_at, state, attempts, max_attempts) \
                   select (select max(id) from event), $1, source_id, type, received_at, 'failed', 3, 3 from event \
                   where event_id = 'late'", 1).await;
        for turn in 0..100 {
            if turn == 2 {
                // The process is killed, and the next one takes over when the lease has run out.
                worker = resender(6000);
                fixture.clock.advance(31);
            }
            if !worker.run_batch().await.unwrap() {
                break;
            }
            deliver(&fixture).await;
        }
        let end = read(&fixture, id).await;
        assert_eq!((end.state, end.matching, end.done), (ResendState::Done, 25_000, 25_000));
        assert_eq!((end.failed, end.succeeded), (8333, 16_667));
        for (sql, expected) in [
            ("select count(*) from attempt where trigger_kind = 'manual' and id > $1", 25_000),
            ("select count(distinct delivery_id) from attempt where trigger_kind = 'manual' and id > $1", 25_000),
            ("select count(*) from attempt a join delivery d on d.id = a.delivery_id join event e on e.id = d.event_id \
              where e.event_id = 'late' and a.id > $1", 0),
            ("select count(*) from resend_item where resend_id > $1", 0),
            ("select count(*) from resend_attempt where resend_id > $1", 0),
        ] {
            assert_eq!(fixture.number(sql, 0).await, expected, "{sql}");
        }
        let attempts = fixture.attempts(7).await;
        let manual = attempts.iter().find(|attempt| attempt.n.is_none()).unwrap();
        assert_eq!(
            (manual.actor.as_deref(), manual.reason.as_deref()),
            (Some("ana@shop.test"), Some("the shop was down"))
        );
        assert!(!worker.run_batch().await.unwrap());
    }

    async fn a_process_that_ends_while_it_collects_begins_anew(test: TestDb) {
        let fixture = Fixture::new(test).await;
        seed_failed(&fixture, 50).await;
        let worker = Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone()).with_window(600);
        let id = worker.start(&ana(), &failed("again")).await.unwrap();
        fixture.run("update resend set collected = false, matching = 70, lease_token = 'dead', lease_until = $1", noon().micros() + 5).await;
        fixture.run("delete from resend_item where delivery_id > $1", 70).await;
        worker.run_batch().await.unwrap();
        assert_eq!(fixture.number("select count(*) from attempt where trigger_kind = 'manual' and id > $1", 0).await, 0);
        fixture.clock.advance(31);
        while worker.run_batch().await.unwrap() {
            deliver(&fixture).await;
        }
        let end = read(&fixture, id).await;
        assert_eq!((end.state, end.matching, end.done), (ResendState::Done, 100, 100));
        assert_eq!(fixture.number("select count(distinct delivery_id) from attempt where trigger_kind = 'manual' and id > $1", 0).await, 100);
        assert_eq!(fixture.number("select count(*) from attempt where trigger_kind = 'manual' and id > $1", 0).await, 100);
    }

    async fn two_processes_ask_for_each_once(test: TestDb) {
        let fixture = Fixture::new(test).await;
        seed_failed(&fixture, 100).await;
        let new = || Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone());
        let (one, two) = (new(), new());
        let ids = [
            one.start(&ana(), &failed("first")).await.unwrap(),
            two.start(&ana(), &failed("second")).await.unwrap(),
        ];
        for _ in 0..200 {
            let (a, b) = tokio::join!(one.run_batch(), two.run_batch());
            deliver(&fixture).await;
            if !a.unwrap() && !b.unwrap() {
                break;
            }
        }
        for id in ids {
            let end = read(&fixture, id).await;
            assert_eq!((end.state, end.matching, end.done), (ResendState::Done, 200, 200));
        }
        let twice = "select count(*) from (select delivery_id from attempt where trigger_kind = 'manual' and id > $1 \
                     group by delivery_id having count(*) = 2) twice";
        assert_eq!(fixture.number(twice, 0).await, 200);
    }

    async fn what_is_cancelled_does_not_run(test: TestDb) {
        let fixture = Fixture::new(test).await;
        seed_failed(&fixture, 100).await;
        let worker = Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone());
        let id = worker.start(&ana(), &failed("a mistake")).await.unwrap();
        worker.run_batch().await.unwrap();
        let begun = "update attempt set lease_token = 'x', lease_until = $1 where id in \
                     (select attempt_id from resend_attempt order by attempt_id limit 5)";
        fixture.run(begun, i64::MAX).await;
        let mut tx = fixture.db.begin_write().await.unwrap();
        assert!(resend::cancel(&mut tx, id, noon()).await.unwrap());
        tx.commit().await.unwrap();
        while worker.run_batch().await.unwrap() {
            deliver(&fixture).await;
        }
        let end = read(&fixture, id).await;
        assert_eq!((end.state, end.matching, end.done), (ResendState::Cancelled, 200, 5));
        assert_eq!(fixture.number("select count(*) from attempt where trigger_kind = 'manual' and id > $1", 0).await, 5);
        assert_eq!(fixture.number("select count(*) from resend_item where resend_id > $1", 0).await, 0);
        let mut tx = fixture.db.begin_write().await.unwrap();
        assert!(!resend::cancel(&mut tx, id, noon()).await.unwrap());
    }

    async fn a_destination_that_is_paused_meanwhile_waits(test: TestDb) {
        let fixture = Fixture::new(test).await;
        seed_failed(&fixture, 40).await;
        let worker = Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone()).with_window(600);
        let id = worker.start(&ana(), &failed("after the repair")).await.unwrap();
        let pause = "update destination set paused_at = $1 where slug = 'one'";
        fixture.run(pause, noon().micros() + 1).await;
        for _ in 0..50 {
            worker.run_batch().await.unwrap();
            deliver(&fixture).await;
        }
        assert_eq!(read(&fixture, id).await.done, 40);
        let lanes = resend::lanes(&fixture.db, id).await.unwrap();
        let told: Vec<_> = lanes.iter().map(|lane| (lane.destination.as_str(), lane.waiting, lane.paused)).collect();
        assert_eq!(told, [("one", 40, true), ("two", 0, false)]);
        fixture.run("update destination set paused_at = null where id > $1", 0).await;
        for _ in 0..50 {
            worker.run_batch().await.unwrap();
            deliver(&fixture).await;
        }
        assert_eq!(read(&fixture, id).await.state, ResendState::Done);
    }

    async fn single_resends_and_first_attempts_go_on_beside_it(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let (dead, shop) = (Sink::start().await, Sink::start().await);
        dead.reply(Reply::Hang);
        let target = |slug, url: &str| Target { slug, url: url.to_owned(), timeout_ms: 60_000, max_in_flight: 1000, ..Target::default() };
        let dead_id = fixture.destination(target("dead", &dead.url)).await;
        for n in 0..300 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        fixture.run("update delivery set state = 'failed', next_attempt_at = null where destination_id = $1", dead_id).await;
        fixture.destination(target("shop", &shop.url)).await;
        let worker = Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone());
        worker.start(&ana(), &failed("all at once")).await.unwrap();
        let shutdown = tokio_util::sync::CancellationToken::new();
        let running = tokio::spawn(worker.run(shutdown.clone()));
        let deliverer = tokio::spawn(fixture.deliverer().await.run(shutdown.clone()));
        dead.wait_for(16).await;
        // Everything that the dead one is sent hangs; the shop gets its first attempt and a single resend at once.
        let event = fixture.event("evt_new").await;
        fixture.ledger().run_once().await.unwrap();
        fixture.notifiers.deliverer.notify();
        shop.wait_for(1).await;
        let delivery = fixture
            .number("select id from delivery where event_id = $1 and destination_id = (select id from destination where slug = 'shop')", event)
            .await;
        fixture.resend(delivery).await;
        fixture.notifiers.deliverer.notify();
        shop.wait_for(2).await;
        let asked = fixture.number("select count(*) from resend_attempt where resend_id > $1", 0).await;
        assert!(asked <= 48, "{asked}");
        running.abort();
        deliverer.abort();
    }

    async fn a_destination_with_a_rate_is_not_sent_more_and_holds_up_no_other(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let (slow, quick) = (Sink::start().await, Sink::start().await);
        let (slow_url, quick_url) = (slow.url.clone(), quick.url.clone());
        fixture.destination(Target { slug: "slow", url: slow_url, rate_per_s: Some(4.0), ..Target::default() }).await;
        fixture.destination(Target { slug: "quick", url: quick_url, ..Target::default() }).await;
        for n in 0..20 {
            fixture.event(&format!("evt_old_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        fixture.run("update delivery set state = 'failed', next_attempt_at = null where id > $1", 0).await;
        // Their first attempts want the same rate.
        for n in 0..20 {
            fixture.event(&format!("evt_new_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let worker = Resender::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone());
        let id = worker.start(&ana(), &failed("after the repair")).await.unwrap();
        let deliverer = fixture.deliverer().await;
        for second in 0..20 {
            for _ in 0..3 {
                worker.run_batch().await.unwrap();
                deliverer.run_once().await.unwrap();
            }
            // A second's worth at once, and the half of one that resends may ask for before it is counted.
            let sent = slow.got().len();
            assert!(sent <= 4 * (second + 1) + 2, "{sent} after {second} s");
            if second == 2 {
                assert_eq!(quick.got().len(), 40, "the other one has everything");
            }
            fixture.clock.advance(1);
        }
        worker.run_batch().await.unwrap();
        assert_eq!((slow.got().len(), read(&fixture, id).await.state), (40, ResendState::Done));
    }

    async fn many_are_resent_in_one_call(test: TestDb) {
        let (app, sink, other) = (TestApp::start(test).await, Sink::start().await, Sink::start().await);
        sink.reply(Reply::Status(500));
        other.reply(Reply::Status(500));
        add_source(&app, "shop").await;
        for (slug, url) in [("erp", &sink.url), ("crm", &other.url)] {
            add_destination(&app, slug, url, &["1m"]).await;
        }
        for n in 0..40 {
            let kind = if n % 4 == 0 { "invoice.expired" } else { "invoice.paid" };
            app.webhook("shop", SECRET, &webhook(&format!("evt_{n}"), kind, "inv_1")).await.expect(200);
        }
        // Written down, and not only sent: what is not would have its next rung a minute later.
        app.until("all were tried", async || {
            let rows = app.every("/deliveries", "limit=200").await;
            rows.len() == 80 && rows.iter().all(|row| row["attempts"] == 1)
        })
        .await;
        app.test.clock.advance(60);
        app.until("all failed", async || app.every("/deliveries", "state=failed").await.len() == 80).await;
        let (before, before_other) = (sink.got().len(), other.got().len());
        let filter = json!({"state": "failed", "destination": "erp", "from": "2026-11-30T11:00:00Z"});
        let plan = app.post("/resends", json!({"filter": filter, "dry_run": true})).await.expect(200);
        assert_eq!(plan, json!({"matching": 40, "by_destination": {"erp": 40}, "by_type": {"invoice.expired": 10, "invoice.paid": 30}}));
        assert_eq!(app.every("/resends", "").await.len(), 0);
        sink.reply(Reply::Status(200));
        let call = json!({"filter": filter, "reason": "the ERP was down", "dry_run": false, "rate_per_s": null});
        let started = app.call(Role::Support, Method::POST, "/resends", Some(call)).await;
        let id = started.expect(202)["id"].as_i64().unwrap();
        assert_eq!(started.header("location"), format!("/api/v1/resends/{id}"));
        let path = format!("/resends/{id}");
        app.until("it is done", async || app.get(&path).await.expect(200)["state"] == "done").await;
        let end = app.get(&path).await.expect(200);
        assert_eq!((&end["matching"], &end["done"], &end["succeeded"], &end["failed"]), (&json!(40), &json!(40), &json!(40), &json!(0)));
        assert_eq!((sink.got().len() - before, other.got().len() - before_other), (40, 0));
        assert_eq!(app.every("/deliveries", "state=delivered&destination=erp").await.len(), 40);
        let log = app.get(&format!("/deliveries/{}", app.every("/deliveries", "destination=erp").await[0]["id"])).await.expect(200);
        let manual = log["attempt_log"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&manual["trigger"], &manual["actor"], &manual["reason"]), (&json!("manual"), &json!("token:support"), &json!("the ERP was down")));
        let again = app.delete(&path).await.expect(200);
        assert_eq!(again["state"], "done");
        app.stop().await;
    }

    async fn a_wrong_resend_is_named(test: TestDb) {
        let app = TestApp::start(test).await;
        let refused = app.post("/resends", json!({"filter": {"state": "done", "sort": 1, "limit": 5}, "rate_per_s": 0, "speed": 1})).await.refused();
        let named: Vec<_> = refused.iter().map(|(field, code)| (field.as_str(), code.as_str())).collect();
        assert_eq!(named, [
            ("filter.state", "malformed"),
            ("filter.limit", "unknown"),
            ("filter.sort", "unknown"),
            ("reason", "required"),
            ("rate_per_s", "out_of_range"),
            ("speed", "unknown"),
        ]);
        assert_eq!(app.post("/resends", json!({})).await.refused()[0], ("filter".to_owned(), "required".to_owned()));
        let viewer = json!({"filter": {}, "dry_run": true});
        assert_eq!(app.call(Role::Viewer, Method::POST, "/resends", Some(viewer)).await.status, 403);
        assert_eq!(app.get("/resends/99").await.status, 404);
        assert_eq!(app.delete("/resends/99").await.status, 404);
        app.stop().await;
    }
}
