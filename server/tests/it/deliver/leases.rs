//! Crashes and slow processes: what one claimed and did not finish, another one takes over.

use std::sync::Arc;

use app::types::DeliveryState;
use tokio::sync::Semaphore;

use crate::fixture::{Fixture, PAUSE, RESUME, Reply, Sink, Target};
use crate::on_both;
use crate::support::TestDb;

on_both! {
    async fn what_is_claimed_is_not_claimed_again_until_the_lease_ends(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let gate = Arc::new(Semaphore::new(0));
        sink.once(Reply::DestinationLifecycle(gate.clone(), 200));
        let delivery = fixture.delivery("evt_1").await;
        let (first, second) = (fixture.deliverer().await, fixture.deliverer().await);
        let slow = tokio::spawn(async move { first.run_once().await.unwrap() });
        sink.wait_for(1).await;
        assert!(fixture.standing(delivery).await.leased);
        fixture.clock.advance(29);
        assert_eq!(second.run_once().await.unwrap(), 0);

        // Its time limit of 10 s and the margin of 20 s are over: the other one takes it, and fails.
        fixture.clock.advance(1);
        sink.once(Reply::Status(500));
        assert_eq!(second.run_once().await.unwrap(), 1);
        let taken_over = fixture.standing(delivery).await;
        assert_eq!((taken_over.state, taken_over.attempts), (DeliveryState::Pending, 1));

        // The first one's success comes too late: its rung is the other one's.
        gate.add_permits(1);
        slow.await.unwrap();
        assert_eq!(fixture.standing(delivery).await, taken_over);
        let attempts = fixture.attempts(delivery).await;
        assert_eq!((attempts.len(), attempts[0].status), (1, Some(500)));
        let sent = sink.got();
        assert_eq!(sent[0].header("x-webhook-id"), sent[1].header("x-webhook-id"));
    }

    async fn an_attempt_that_may_be_a_repeat_after_a_crash_says_so(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let gate = Arc::new(Semaphore::new(0));
        sink.once(Reply::DestinationLifecycle(gate.clone(), 200));
        let delivery = fixture.delivery("evt_1").await;
        let killed = fixture.deliverer().await;
        let running = tokio::spawn(async move { killed.run_once().await });
        // It has sent, and is killed before it writes anything down.
        sink.wait_for(1).await;
        running.abort();
        fixture.clock.advance(40);
        sink.reply(Reply::Status(500));
        let second = fixture.deliverer().await;
        assert_eq!(second.run_once().await.unwrap(), 1);
        fixture.clock.advance(60);
        assert_eq!(second.run_once().await.unwrap(), 1);
        let may_repeat = async || fixture.attempts(delivery).await.iter().map(|row| row.may_repeat).collect::<Vec<_>>();
        assert_eq!(may_repeat().await, [true, false], "only the one that was taken over");
        assert_eq!(sink.got().len(), 3, "at most one more than was written down");

        // The same of one by hand, and as the next process on SQLite finds them.
        fixture.resend(delivery).await;
        fixture.run("update attempt set lease_token = 'dead', lease_until = $1 where started_at is null", 1).await;
        assert_eq!(second.run_once().await.unwrap(), 1);
        assert_eq!(may_repeat().await, [true, false, true]);
        fixture.run("update delivery set lease_token = 'dead', lease_until = $1 where state = 'pending'", i64::MAX).await;
        fixture.resend(delivery).await;
        fixture.run("update attempt set lease_token = 'dead', lease_until = $1 where started_at is null", i64::MAX).await;
        let mut tx = fixture.db.begin_write().await.unwrap();
        server::store::delivery::end_leases(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        fixture.clock.advance(120);
        assert_eq!(second.run_once().await.unwrap(), 2);
        let mut all = may_repeat().await;
        assert_eq!(all.split_off(3), [true, true]);
    }

    async fn a_resend_that_was_cut_off_is_made_again(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        let deliverer = fixture.deliverer().await;
        deliverer.run_once().await.unwrap();
        fixture.resend(delivery).await;
        fixture.run("update attempt set lease_token = 'dead', lease_until = $1 where trigger_kind = 'manual'",
            crate::support::noon().plus_seconds(40).micros()).await;
        assert_eq!(deliverer.run_once().await.unwrap(), 0);
        fixture.clock.advance(40);
        assert_eq!(deliverer.run_once().await.unwrap(), 1);
    }

    async fn an_attempt_that_ran_while_it_was_held_is_counted(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        for (code, expected) in [(500, DeliveryState::Held), (200, DeliveryState::Delivered)] {
            let gate = Arc::new(Semaphore::new(0));
            sink.reply(Reply::DestinationLifecycle(gate.clone(), code));
            let delivery = fixture.delivery(&format!("evt_{code}")).await;
            let before = sink.got().len();
            let deliverer = fixture.deliverer().await;
            let running = tokio::spawn(async move { deliverer.run_once().await.unwrap() });
            sink.wait_for(before + 1).await;
            fixture.shift(PAUSE, destination).await;
            gate.add_permits(1);
            running.await.unwrap();
            let standing = fixture.standing(delivery).await;
            assert_eq!((standing.state, standing.attempts, standing.leased), (expected, 1, false));
            fixture.shift(RESUME, destination).await;
            fixture.run("update delivery set state = 'cancelled', next_attempt_at = null where destination_id = $1 and state = 'pending'", destination).await;
        }
    }

    async fn the_uses_of_secrets_are_added_up(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        for n in 0..7 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        fixture.clock.advance(5);
        fixture.deliverer().await.run_once().await.unwrap();
        let uses = fixture.number("select matches from secret where destination_id = $1", destination).await;
        let last = fixture.number("select last_used_at from secret where destination_id = $1", destination).await;
        assert_eq!((uses, last), (7, crate::support::noon().plus_seconds(5).micros()));
    }
}

/// Only SQLite: on PostgreSQL another process may be at work, and leases run out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_leaves_no_leases_on_sqlite() {
    let fixture = Fixture::new(TestDb::new(crate::support::Kind::Sqlite).await).await;
    let sink = Sink::start().await;
    fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
    let delivery = fixture.delivery("evt_1").await;
    let far = crate::support::noon().plus_seconds(1000).micros();
    fixture.run("update delivery set lease_token = 'dead', lease_until = $1", far).await;
    assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 0);
    let shutdown = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(fixture.deliverer().await.run(shutdown.clone()));
    sink.wait_for(1).await;
    shutdown.cancel();
    running.await.unwrap();
    assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Delivered);
}
