//! Limits of a destination, and that it holds up none but itself.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;

on_both! {
    async fn a_black_hole_holds_up_none_but_itself(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let (hole, shop) = (Sink::start().await, Sink::start().await);
        hole.reply(Reply::Hang);
        fixture.destination(Target { slug: "hole", url: hole.url.clone(), timeout_ms: 60_000, ..Target::default() }).await;
        fixture.destination(Target { slug: "shop", url: shop.url.clone(), ..Target::default() }).await;
        for n in 0..300 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await });
        shop.wait_for(300).await;
        assert_eq!(hole.got().len(), 16);
        running.abort();
    }

    async fn no_more_run_at_once_than_the_destination_allows(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let gate = Arc::new(Semaphore::new(0));
        sink.reply(Reply::DestinationLifecycle(gate.clone(), 200));
        fixture.destination(Target { url: sink.url.clone(), max_in_flight: 3, ..Target::default() }).await;
        for n in 0..10 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await.unwrap() });
        for done in 0..=7 {
            sink.wait_for(3 + done).await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            assert_eq!(sink.got().len(), 3 + done);
            gate.add_permits(1);
        }
        gate.add_permits(10);
        assert_eq!(running.await.unwrap(), 10);
    }

    async fn a_rate_is_kept_by_the_clock(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), rate_per_s: Some(5.0), ..Target::default() }).await;
        for n in 0..12 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        for expected in [5, 5, 2, 0] {
            assert_eq!(deliverer.run_once().await.unwrap(), expected);
            assert_eq!(deliverer.run_once().await.unwrap(), 0);
            fixture.clock.advance(1);
        }
    }

    async fn more_destinations_than_one_statement_claims_for(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        for n in 0..70 {
            let slug = format!("to-{n}");
            fixture.destination(Target { slug: &slug, url: sink.url.clone(), ..Target::default() }).await;
        }
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 70);
        assert_eq!(sink.got().len(), 70);
    }

    async fn what_is_due_is_counted(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let gone = fixture.destination(Target { slug: "gone", ..Target::default() }).await;
        fixture.destination(Target { slug: "shop", ..Target::default() }).await;
        for n in 0..3 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let count = async |at| {
            let due = server::store::delivery::claim::due(&fixture.db, at).await.unwrap();
            due.iter().map(|row| (row.slug.clone(), row.due, row.oldest)).collect::<Vec<_>>()
        };
        let since = Some(noon().micros());
        assert_eq!(count(noon()).await, [("gone".to_owned(), 3, since), ("shop".to_owned(), 3, since)]);
        assert_eq!(count(noon().plus_millis(-1)).await[0], ("gone".to_owned(), 0, None));
        fixture.run("update destination set deleted_at = 1 where id = $1", gone).await;
        assert_eq!(count(noon()).await, [("shop".to_owned(), 3, since)]);
    }

    async fn first_attempts_are_not_starved_by_retries(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), max_in_flight: 1, ..Target::default() }).await;
        for n in 0..300 {
            fixture.event(&format!("old_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        fixture.run("update delivery set attempts = 1, first_attempt_at = next_attempt_at where id > $1", 0).await;
        fixture.clock.advance(3600);
        fixture.event("new_1").await;
        fixture.event("new_2").await;
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await.unwrap() });
        assert_eq!(running.await.unwrap(), 302);
        let order: Vec<_> = sink.got().iter().map(|got| got.header("x-webhook-id").to_owned()).collect();
        let place = |id| order.iter().position(|got| got == id).unwrap();
        assert!(place("new_1") < 20 && place("new_2") < 20, "{:?}", &order[..40]);
        let old: Vec<_> = order.iter().filter(|id| id.starts_with("old_")).cloned().collect();
        assert_eq!(old, (0..300).map(|n| format!("old_{n}")).collect::<Vec<_>>(), "in the order in which they are due");
    }

    async fn retries_are_not_starved_by_first_attempts(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let slow = Target { url: sink.url.clone(), rate_per_s: Some(1.0), ..Target::default() };
        fixture.destination(slow).await;
        let retry = fixture.delivery("retry").await;
        fixture.run("update delivery set attempts = 1, first_attempt_at = next_attempt_at where id = $1", retry).await;
        for n in 0..20 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        for _ in 0..4 {
            deliverer.run_once().await.unwrap();
            fixture.clock.advance(1);
        }
        assert_eq!(fixture.standing(retry).await.attempts, 2);
    }

    async fn a_hundred_black_holes_leave_room_for_everybody_else(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let (hole, shop) = (Sink::start().await, Sink::start().await);
        hole.reply(Reply::Hang);
        for n in 0..100 {
            let slug = format!("hole-{n}");
            let hole = Target { slug: &slug, url: hole.url.clone(), timeout_ms: 60_000, ..Target::default() };
            fixture.destination(hole).await;
        }
        fixture.destination(Target { slug: "shop", url: shop.url.clone(), ..Target::default() }).await;
        for n in 0..20 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        let deliverer = fixture.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await });
        shop.wait_for(20).await;
        running.abort();
    }
}
