//! Pausing, resuming and deleting destinations, and events that no destination took.

use app::types::Role;
use reqwest::Method;
use serde_json::{Value, json};
use server::destination_lifecycle::DestinationLifecycle;
use server::store::destination::lifecycle;

use crate::api::{SECRET, add_destination, add_source, webhook};
use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;
use crate::support::test_app::TestApp;

/// So many events with a delivery each, held; the first one is the oldest.
async fn hold(fixture: &Fixture, destination: i64, count: i64) {
    let empty = if matches!(fixture.db, server::db::Db::Sqlite(_)) { "x''" } else { "''::bytea" };
    let at = noon().micros() - 3_600_000_000;
    for sql in [
        format!(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < {count}) \
             insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size, processed_at) \
             select {}, 'evt_' || i, 'invoice.paid', {at} + i, '[]', {empty}, 2, 0 from n",
            fixture.source
        ),
        format!("insert into event_body (event_id, body) select id, {empty} from event"),
        format!(
            "insert into delivery (event_id, destination_id, source_id, type, received_at, state, max_attempts) \
             select id, {destination}, source_id, type, received_at, 'held', 3 from event"
        ),
    ] {
        server::write!(&fixture.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
            .unwrap();
    }
}

async fn in_state(fixture: &Fixture, state: &str) -> i64 {
    let sql = "select count(*) from delivery where state = $1";
    server::read!(&fixture.db, on => sqlx::query_scalar(sql).bind(state).fetch_one(on).await).unwrap()
}

/// Waits for the delivery of an event.
async fn delivery_of(app: &TestApp, event: &str, state: &str) -> Value {
    let mut found = Value::Null;
    app.until(&format!("{event} is {state}"), async || {
        let rows = app.every("/deliveries", &format!("event_id={event}")).await;
        found = rows.into_iter().find(|row| row["state"] == state).unwrap_or_default();
        !found.is_null()
    })
    .await;
    found
}

on_both! {
    async fn ten_thousand_held_ones_go_out_oldest_first_at_the_destinations_pace(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let target = Target { url: sink.url.clone(), rate_per_s: Some(20.0), ..Target::default() };
        let destination = fixture.destination(target).await;
        hold(&fixture, destination, 10_000).await;
        let mut tx = fixture.db.begin_write().await.unwrap();
        assert_eq!(lifecycle::shift(&mut tx, &fixture.db, destination, noon()).await.unwrap(), 1000, "a batch is a transaction");
        tx.commit().await.unwrap();
        let rest = DestinationLifecycle::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone()).run_once().await.unwrap();
        assert_eq!((rest, in_state(&fixture, "pending").await), (9000, 10_000));
        let deliverer = fixture.deliverer().await;
        for second in 1..=4 {
            let made = deliverer.run_once().await.unwrap();
            assert_eq!((made, sink.got().len()), (20, 20 * second));
            fixture.clock.advance(1);
        }
        let mut ids: Vec<String> = sink.got().iter().map(|got| got.header("x-webhook-id").to_owned()).collect();
        ids.sort_by_key(|id| id.trim_start_matches("evt_").parse::<i64>().unwrap());
        let oldest: Vec<String> = (1..=80).map(|n| format!("evt_{n}")).collect();
        assert_eq!(ids, oldest);
        let used = "select count(*) from delivery where state = 'pending' and attempts > $1";
        assert_eq!(fixture.number(used, 0).await, 0, "no rung is used up");
    }

    async fn what_was_cut_off_while_it_was_moved_is_finished(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        hold(&fixture, destination, 2500).await;
        let keeper = DestinationLifecycle::new(fixture.db.clone(), fixture.clock.clone(), fixture.notifiers.clone());
        assert_eq!(keeper.run_once().await.unwrap(), 2500);
        assert_eq!(in_state(&fixture, "pending").await, 2500);
        fixture.run("update destination set paused_at = 1 where id = $1", destination).await;
        assert_eq!(keeper.run_once().await.unwrap(), 2500);
        assert_eq!(in_state(&fixture, "held").await, 2500);
        fixture.run("update destination set deleted_at = 1 where id = $1", destination).await;
        assert_eq!(keeper.run_once().await.unwrap(), 2500);
        assert_eq!(in_state(&fixture, "cancelled").await, 2500);
        assert_eq!(keeper.run_once().await.unwrap(), 0);
    }

    async fn a_paused_destination_uses_up_no_rung(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(500));
        add_source(&app, "shop").await;
        add_destination(&app, "erp", &sink.url, &["1m", "2m"]).await;
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.until("it was tried", async || app.every("/deliveries", "").await.first().is_some_and(|row| row["attempts"] == 1)).await;
        app.call(Role::Admin, Method::POST, "/destinations/erp/pause", None).await.expect(200);
        app.webhook("shop", SECRET, &webhook("evt_2", "invoice.paid", "inv_1")).await.expect(200);
        let held = [delivery_of(&app, "evt_1", "held").await, delivery_of(&app, "evt_2", "held").await];
        assert_eq!((&held[0]["attempts"], &held[1]["attempts"]), (&json!(1), &json!(0)));
        app.test.clock.advance(86_400);
        sink.reply(Reply::Status(200));
        app.call(Role::Admin, Method::POST, "/destinations/erp/resume", None).await.expect(200);
        let delivered = [delivery_of(&app, "evt_1", "delivered").await, delivery_of(&app, "evt_2", "delivered").await];
        assert_eq!((&delivered[0]["attempts"], &delivered[1]["attempts"]), (&json!(2), &json!(1)));
        app.stop().await;
    }

    async fn what_a_deleted_destination_had_is_cancelled_and_goes_elsewhere(test: TestDb) {
        let (app, dead, sink) = (TestApp::start(test).await, Sink::start().await, Sink::start().await);
        dead.reply(Reply::Status(500));
        add_source(&app, "shop").await;
        add_destination(&app, "old", &dead.url, &["1m"]).await;
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.until("it was tried", async || !dead.got().is_empty()).await;
        app.delete("/destinations/old").await.expect(204);
        let cancelled = delivery_of(&app, "evt_1", "cancelled").await;
        add_destination(&app, "new", &sink.url, &["1m"]).await;
        let body = json!({"reason": "the old shop is gone", "destination": "new"});
        app.post(&format!("/deliveries/{}/resend", cancelled["id"]), body.clone()).await.expect(202);
        let delivered = delivery_of(&app, "evt_1", "delivered").await;
        assert_eq!((&delivered["destination"], sink.got().len()), (&json!("new"), 1));
        assert_eq!(sink.got()[0].header("x-webhook-id"), "evt_1");
        assert_eq!(delivery_of(&app, "evt_1", "cancelled").await["id"], cancelled["id"]);
        app.post(&format!("/deliveries/{}/resend", cancelled["id"]), body).await.expect(202);
        app.until("the second one is a resend", async || sink.got().len() == 2).await;
        assert_eq!(sink.got()[1].header("acuse-attempt"), "manual");
        app.stop().await;
    }

    async fn an_event_without_destination_is_seen_and_delivered_by_hand(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_source(&app, "shop").await;
        let body = json!({"slug": "refunds", "url": sink.url, "format": "paymos", "events": ["refund.*"], "ladder": ["1m"]});
        app.post("/destinations", body).await.expect(201);
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.webhook("shop", SECRET, &webhook("evt_2", "refund.done", "inv_1")).await.expect(200);
        delivery_of(&app, "evt_2", "delivered").await;
        let unrouted = app.every("/events", "unrouted=true").await;
        let [event] = &unrouted[..] else { panic!("{unrouted:?}") };
        assert_eq!((&event["event_id"], &event["unrouted"]), (&json!("evt_1"), &json!(true)));
        let path = format!("/events/{}/deliver", event["id"]);
        let to = |destination: &str| json!({"destination": destination, "reason": "they need this one too"});
        assert_eq!(app.call(Role::Viewer, Method::POST, &path, Some(to("refunds"))).await.status, 403);
        assert_eq!(app.post(&path, json!({"destination": "refunds"})).await.refused(), [("reason".to_owned(), "required".to_owned())]);
        assert_eq!(app.post(&path, to("nobody")).await.status, 400);
        assert_eq!(app.post("/events/999/deliver", to("refunds")).await.status, 404);
        let made = app.post(&path, to("refunds")).await.expect(202)["delivery"].clone();
        let delivered = delivery_of(&app, "evt_1", "delivered").await;
        assert_eq!((&delivered["id"], &delivered["attempts"]), (&made, &json!(1)));
        assert!(app.every("/events", "unrouted=true").await.is_empty());
        app.stop().await;
    }
}
