//! What others have lost deliveries by: bad rows in a batch, missing logs, databases that go away.

use std::sync::Arc;
use std::time::Duration;

use app::types::DeliveryState;
use server::db::Db;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::{Kind, TestDb};

async fn wait_until(mut is_so: impl AsyncFnMut() -> bool) {
    for _ in 0..500 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it did not come to that");
}

on_both! {
    async fn one_bad_row_never_fails_the_others_of_its_batch(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let mut deliveries = Vec::new();
        for n in 0..20 {
            deliveries.push(fixture.delivery(&format!("evt_{n}")).await);
        }
        // Its rung is there already, as after a broken restore.
        let sql = "insert into attempt (delivery_id, n, trigger_kind, queued_at, response_truncated) \
                   values ($1, 1, 'scheduled', 1, false)";
        fixture.run(sql, deliveries[7]).await;
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 20);
        for delivery in deliveries {
            let standing = fixture.standing(delivery).await;
            assert_eq!((standing.state, standing.leased), (DeliveryState::Delivered, false), "{delivery}");
            assert_eq!(fixture.attempts(delivery).await.len(), 1);
        }
    }

    async fn what_the_database_refuses_is_alone_in_the_end_and_tried_again(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let gate = Arc::new(Semaphore::new(0));
        sink.reply(Reply::DestinationLifecycle(gate.clone(), 200));
        let mut deliveries = Vec::new();
        for n in 0..17 {
            deliveries.push(fixture.delivery(&format!("evt_{n}")).await);
        }
        // Of these two only one may be delivered, and it is; so one report of the batch is refused.
        let (bad, other) = (deliveries[3], deliveries[16]);
        fixture.run("update delivery set state = 'delivered', next_attempt_at = null, delivered_at = 1 where id = $1", other).await;
        let sql = format!(
            "create unique index one_of_two on delivery (destination_id) where state = 'delivered' and id in ({bad}, {other})"
        );
        server::write!(&fixture.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop)).unwrap();
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(fixture.deliverer().await.run(shutdown.clone()));
        sink.wait_for(16).await;
        gate.add_permits(100);
        let delivered = "select count(*) from delivery where state = 'delivered' and id <> $1";
        wait_until(async || fixture.number(delivered, other).await == 15).await;
        let standing = fixture.standing(bad).await;
        assert_eq!((standing.state, standing.attempts, standing.leased), (DeliveryState::Pending, 0, true));
        fixture.run("delete from delivery where id = $1", other).await;
        wait_until(async || fixture.number(delivered, other).await == 16).await;
        shutdown.cancel();
        running.await.unwrap();
        assert_eq!(sink.got().len(), 16, "each was sent once");
        assert_eq!(fixture.number("select count(*) from attempt where id > $1", 0).await, 16);
        assert_eq!(fixture.standing(bad).await.state, DeliveryState::Delivered);
    }

    async fn an_answer_that_cannot_be_kept_does_not_keep_its_attempt_from_being_written(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let sql = match fixture.db {
            Db::Sqlite(_) => {
                "create trigger no_hello before insert on attempt when new.response_body = cast('hello' as blob) \
                 begin select raise(abort, 'no'); end"
            }
            Db::Postgres(_) => "alter table attempt add constraint no_hello check (response_body <> 'hello'::bytea)",
        };
        server::write!(&fixture.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        sink.once(Reply::Status(503));
        let delivery = fixture.delivery("evt_1").await;
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
        let standing = fixture.standing(delivery).await;
        assert_eq!((standing.state, standing.attempts, standing.last_status), (DeliveryState::Pending, 1, Some(503)));
        let attempt = fixture.attempts(delivery).await.remove(0);
        assert_eq!((attempt.response_body, attempt.response_headers), (None, None));
        assert_eq!(attempt.detail.as_deref(), Some("what came back could not be kept"));
    }

    async fn a_ladder_goes_on_without_its_attempt_log(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(500));
        fixture.destination(Target { url: sink.url.clone(), ladder: "1m,1m", ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        for _ in 0..3 {
            assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
            fixture.run("delete from attempt where delivery_id = $1", delivery).await;
            fixture.clock.advance(60);
        }
        let standing = fixture.standing(delivery).await;
        assert_eq!((standing.state, standing.attempts), (DeliveryState::Failed, 3));
        let sent: Vec<_> = sink.got().iter().map(|got| got.header("acuse-attempt").to_owned()).collect();
        assert_eq!(sent, ["1", "2", "3"]);
    }

    async fn a_rung_and_its_attempt_are_written_together_or_not_at_all(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(403));
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        for (n, minutes) in [(1, 0), (2, 1), (3, 2), (4, 4)] {
            fixture.clock.advance(minutes * 60);
            fixture.deliverer().await.run_once().await.unwrap();
            let attempts = fixture.attempts(delivery).await;
            assert_eq!((fixture.standing(delivery).await.attempts, attempts.len()), (n, n as usize));
        }
    }

    async fn a_delivery_whose_event_is_gone_fails_and_does_not_circle(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ladder: "", ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        if matches!(fixture.db, server::db::Db::Sqlite(_)) {
            // There a delivery cannot be without its event.
            return;
        }
        fixture.run("delete from event where id > $1", 0).await;
        fixture.deliverer().await.run_once().await.unwrap();
        assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Failed);
        let attempts = fixture.attempts(delivery).await;
        assert_eq!(attempts[0].detail.as_deref(), Some("the event is not there any more: nothing was sent"));
        assert!(sink.got().is_empty());
    }
}

/// The database ends every connection, again and again, while deliveries are made.
// reason: SQLite has no connections that somebody else could end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_goes_on_when_the_database_comes_back() {
    let fixture = Fixture::new(TestDb::new(Kind::Postgres).await).await;
    let sink = Sink::start().await;
    fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
    for n in 0..300 {
        fixture.event(&format!("evt_{n}")).await;
    }
    let shutdown = CancellationToken::new();
    let ledger = tokio::spawn(fixture.ledger().run(shutdown.clone()));
    let deliverer = tokio::spawn(fixture.deliverer().await.run(shutdown.clone()));
    let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity \
               where datname = current_database() and pid <> pg_backend_pid() and $1 = 0";
    for wanted in [1, 100, 200] {
        sink.wait_for(wanted).await;
        fixture.number(end, 0).await;
    }
    sink.wait_for(300).await;
    let left = "select count(*) from delivery where state <> 'delivered' and id > $1";
    for _ in 0..500 {
        if fixture.number(left, 0).await == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(fixture.number(left, 0).await, 0);
    shutdown.cancel();
    ledger.await.unwrap();
    deliverer.await.unwrap();
}
