//! Resends: outside the ladder, from every state.

use app::types::DeliveryState;

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;

/// A statement that takes the delivery to a state, for what no short way leads to.
const STATES: [(DeliveryState, &str); 5] = [
    (DeliveryState::Pending, "update delivery set next_attempt_at = 9000000000000000 where id = $1"),
    (DeliveryState::Failed, "update delivery set state = 'failed', next_attempt_at = null where id = $1"),
    (DeliveryState::Held, "update delivery set state = 'held', next_attempt_at = null where id = $1"),
    (
        DeliveryState::Delivered,
        "update delivery set state = 'delivered', next_attempt_at = null, delivered_at = 5 where id = $1",
    ),
    (
        DeliveryState::Cancelled,
        "update delivery set state = 'cancelled', next_attempt_at = null where id = $1",
    ),
];

on_both! {
    async fn a_resend_that_succeeds_delivers_from_every_state(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        for (n, (state, sql)) in STATES.into_iter().enumerate() {
            let delivery = fixture.delivery(&format!("evt_{n}")).await;
            fixture.run(sql, delivery).await;
            assert_eq!(fixture.standing(delivery).await.state, state);
            fixture.resend(delivery).await;
            assert_eq!(deliverer.run_once().await.unwrap(), 1, "{state}");
            let standing = fixture.standing(delivery).await;
            assert_eq!((standing.state, standing.attempts), (DeliveryState::Delivered, 0), "{state}");
            assert_eq!(standing.next_attempt_at, None);
            let attempts = fixture.attempts(delivery).await;
            let [row] = &attempts[..] else { panic!("{attempts:?}") };
            assert_eq!((row.n, row.trigger_kind.as_str()), (None, "manual"));
            assert_eq!(
                (row.actor.as_deref(), row.reason.as_deref()),
                (Some("ana@shop.test"), Some("they asked"))
            );
            assert_eq!((row.started_at, row.status), (Some(noon().micros()), Some(200)));
        }
        let sent = sink.got();
        assert!(sent.iter().all(|got| got.header("acuse-attempt") == "manual"));
        fixture.clock.advance(1_000_000);
        assert_eq!(deliverer.run_once().await.unwrap(), 0);
    }

    async fn a_resend_that_fails_changes_nothing(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(500));
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        for (n, (state, sql)) in STATES.into_iter().enumerate() {
            let delivery = fixture.delivery(&format!("evt_{n}")).await;
            fixture.run(sql, delivery).await;
            let before = fixture.standing(delivery).await;
            fixture.resend(delivery).await;
            assert_eq!(deliverer.run_once().await.unwrap(), 1, "{state}");
            assert_eq!(fixture.standing(delivery).await, before, "{state}");
            let attempts = fixture.attempts(delivery).await;
            assert_eq!((attempts.len(), attempts[0].status), (1, Some(500)));
            assert_eq!(attempts[0].error.as_deref(), Some("status"));
        }
    }

    async fn two_resends_are_two_attempts(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        let delivery = fixture.delivery("evt_1").await;
        deliverer.run_once().await.unwrap();
        fixture.resend(delivery).await;
        fixture.resend(delivery).await;
        assert_eq!(deliverer.run_once().await.unwrap(), 2);
        fixture.resend(delivery).await;
        assert_eq!(deliverer.run_once().await.unwrap(), 1);
        assert_eq!((fixture.attempts(delivery).await.len(), sink.got().len()), (4, 4));
    }

    async fn a_resend_keeps_the_id_and_signs_afresh(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        let delivery = fixture.delivery("evt_1").await;
        deliverer.run_once().await.unwrap();
        fixture.clock.advance(5000);
        fixture.resend(delivery).await;
        deliverer.run_once().await.unwrap();
        let sent = sink.got();
        assert_eq!(sent[0].header("x-webhook-id"), sent[1].header("x-webhook-id"));
        assert_eq!(sent[1].header("x-webhook-timestamp"), noon().plus_seconds(5000).unix().to_string());
        assert_ne!(sent[0].header("x-webhook-signature"), sent[1].header("x-webhook-signature"));
    }

    async fn a_resend_to_a_deleted_destination_says_so(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        fixture.run("update destination set deleted_at = 1 where id = $1", destination).await;
        fixture.run("update delivery set state = 'cancelled', next_attempt_at = null where id = $1", delivery).await;
        fixture.registry.reload().await.unwrap();
        fixture.resend(delivery).await;
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
        let attempts = fixture.attempts(delivery).await;
        assert_eq!(attempts[0].detail.as_deref(), Some("the destination was deleted: nothing was sent"));
        assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Cancelled);
        assert!(sink.got().is_empty());
    }

    async fn a_resend_beside_a_running_attempt_loses_neither(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
        sink.once(Reply::DestinationLifecycle(gate.clone(), 500));
        let delivery = fixture.delivery("evt_1").await;
        let (first, second) = (fixture.deliverer().await, fixture.deliverer().await);
        let running = tokio::spawn(async move { first.run_once().await.unwrap() });
        sink.wait_for(1).await;
        fixture.resend(delivery).await;
        assert_eq!(second.run_once().await.unwrap(), 1);
        gate.add_permits(1);
        assert_eq!(running.await.unwrap(), 1);
        let standing = fixture.standing(delivery).await;
        assert_eq!((standing.state, standing.attempts), (DeliveryState::Delivered, 1));
        assert_eq!((standing.last_error, standing.leased), (None, false));
        assert_eq!(fixture.attempts(delivery).await.len(), 2);
    }

    async fn nothing_is_queued_for_a_delivery_that_is_not(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let mut tx = fixture.db.begin_write().await.unwrap();
        let queued = server::store::attempt::enqueue_manual(&mut tx, 99, "a", "b", noon()).await;
        assert!(!queued.unwrap());
    }
}
