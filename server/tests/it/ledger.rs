//! The ledger step: deliveries and `processed_at`, together or not at all.

use app::types::{DeliveryState, Slug};

use crate::fixture::{Fixture, Target};
use crate::on_both;
use crate::support::noon;

const COUNT: &str = "select count(*) from delivery where destination_id = $1";
const UNPROCESSED: &str = "select count(*) from event where processed_at is null and id > $1";

on_both! {
    async fn each_subscribed_destination_gets_one_delivery(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let all = fixture.destination(Target { slug: "all", ..Target::default() }).await;
        let invoices = fixture
            .destination(Target { slug: "invoices", events: "[\"invoice.*\"]", ladder: "1m", ..Target::default() })
            .await;
        let invoice = fixture.event("evt_1").await;
        fixture.event_with("evt_2", "withdrawal.completed", None, b"{}").await;
        assert_eq!(fixture.ledger().run_once().await.unwrap(), 2);
        assert_eq!((fixture.number(COUNT, all).await, fixture.number(COUNT, invoices).await), (2, 1));
        assert_eq!(fixture.number(UNPROCESSED, 0).await, 0);
        assert_eq!(fixture.ledger().run_once().await.unwrap(), 0);

        let delivery = fixture.number("select id from delivery where destination_id = $1", invoices).await;
        let standing = fixture.standing(delivery).await;
        assert_eq!(standing.state, DeliveryState::Pending);
        assert_eq!(standing.next_attempt_at, Some(noon()));
        assert_eq!(fixture.number("select max_attempts from delivery where id = $1", delivery).await, 2);
        let processed_at = fixture.number("select processed_at from event where id = $1", invoice).await;
        assert_eq!(processed_at, noon().micros());
    }

    async fn an_event_that_nobody_takes_is_processed(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let other = fixture.destination(Target { events: "[\"refund.*\"]", ..Target::default() }).await;
        fixture.event("evt_1").await;
        assert_eq!(fixture.ledger().run_once().await.unwrap(), 1);
        assert_eq!((fixture.number(UNPROCESSED, 0).await, fixture.number(COUNT, other).await), (0, 0));
    }

    async fn a_paused_destination_holds_and_a_deleted_one_gets_none(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let paused = fixture.destination(Target { slug: "paused", ..Target::default() }).await;
        let deleted = fixture.destination(Target { slug: "deleted", ..Target::default() }).await;
        // Behind the directory's back, as another process does it.
        fixture.run("update destination set paused_at = 1 where id = $1", paused).await;
        fixture.run("update destination set deleted_at = 1 where id = $1", deleted).await;
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!((fixture.number(COUNT, paused).await, fixture.number(COUNT, deleted).await), (1, 0));
        let held = fixture.number("select id from delivery where destination_id = $1", paused).await;
        assert_eq!(fixture.standing(held).await.state, DeliveryState::Held);
    }

    async fn a_destination_that_another_process_made_just_now_gets_its_own(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let old = fixture.destination(Target { slug: "old", ..Target::default() }).await;
        let sql = "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, \
                   created_at) \
                   values ('new', 'http://x/', 'paymos', '[\"*\"]', '[\"*\"]', '1m', 1000, 1, $1)";
        fixture.run(sql, 1).await;
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        let new = fixture.number("select max(id) from destination where id > $1", old).await;
        assert_eq!((fixture.number(COUNT, old).await, fixture.number(COUNT, new).await), (1, 1));
    }

    async fn many_at_the_same_time_make_each_delivery_once(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let one = fixture.destination(Target { slug: "one", ..Target::default() }).await;
        let two = fixture.destination(Target { slug: "two", ..Target::default() }).await;
        for n in 0..600 {
            fixture.event(&format!("evt_{n}")).await;
        }
        let workers: Vec<_> = (0..4)
            .map(|_| {
                let ledger = fixture.ledger();
                tokio::spawn(async move { ledger.run_once().await.unwrap() })
            })
            .collect();
        let mut processed = 0;
        for worker in workers {
            processed += worker.await.unwrap();
        }
        processed += fixture.ledger().run_once().await.unwrap();
        assert_eq!(processed, 600);
        assert_eq!((fixture.number(COUNT, one).await, fixture.number(COUNT, two).await), (600, 600));
    }

    async fn an_event_of_a_deleted_source_is_still_delivered(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let all = fixture.destination(Target::default()).await;
        fixture.event("evt_1").await;
        fixture.run("update source set deleted_at = 1 where id = $1", fixture.source).await;
        fixture.registry.reload().await.unwrap();
        assert!(fixture.registry.source(&"paymos".parse::<Slug>().unwrap()).is_none());
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.number(COUNT, all).await, 1);
    }

    async fn what_is_processed_wakes_the_deliverer(test: TestDb) {
        let fixture = Fixture::new(test).await;
        fixture.destination(Target::default()).await;
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        let rung = tokio::time::timeout(
            std::time::Duration::from_secs(1),
            fixture.notifiers.deliverer.wait(std::time::Duration::from_secs(60)),
        );
        assert!(rung.await.is_ok());
    }
}
