//! The ladder, by the clock.

use app::types::DeliveryState;

use crate::fixture::{DELETE, Fixture, PAUSE, RESUME, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;

on_both! {
    async fn the_default_ladder_is_walked_to_its_end(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(503));
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        let mut deliverer = fixture.deliverer().await;
        let minutes = [0, 1, 3, 7, 15, 31, 63, 123, 243, 483, 963];
        for (n, minute) in (1..).zip(minutes) {
            let due = noon().plus_seconds(minute * 60);
            if n > 1 {
                fixture.clock.set(due.plus_millis(-1));
                assert_eq!(deliverer.run_once().await.unwrap(), 0, "before rung {n}");
            }
            if n % 2 == 0 {
                // A new process goes on where the old one ended.
                deliverer = fixture.deliverer().await;
            }
            fixture.clock.set(due);
            assert_eq!(deliverer.run_once().await.unwrap(), 1, "rung {n}");
            let standing = fixture.standing(delivery).await;
            assert_eq!(standing.attempts, n);
            let next = usize::try_from(n).ok().and_then(|n| minutes.get(n));
            assert_eq!(standing.next_attempt_at, next.map(|minute| noon().plus_seconds(minute * 60)));
        }
        assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Failed);
        fixture.clock.advance(1_000_000);
        assert_eq!(deliverer.run_once().await.unwrap(), 0);

        let attempts = fixture.attempts(delivery).await;
        let started: Vec<_> =
            attempts.iter().map(|row| (row.n.unwrap(), (row.started_at.unwrap() - noon().micros()) / 60_000_000)).collect();
        assert_eq!(started, (1..).zip(minutes).collect::<Vec<_>>());
        let sent: Vec<_> = sink.got().iter().map(|got| got.header("acuse-attempt").to_owned()).collect();
        assert_eq!(sent, (1..=11).map(|n| n.to_string()).collect::<Vec<_>>());

        // The destination is as it was: the next event goes out at once.
        let paused = fixture.number("select count(*) from destination where paused_at is null and id = $1", destination);
        assert_eq!(paused.await, 1);
        sink.reply(Reply::Status(200));
        let next = fixture.delivery("evt_2").await;
        deliverer.run_once().await.unwrap();
        assert_eq!(fixture.standing(next).await.state, DeliveryState::Delivered);
    }

    async fn retry_after_moves_within_its_bounds(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ladder: "1m,2m,4m", ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        let date = "Mon, 30 Nov 2026 12:01:30 GMT";
        for (n, (asked, seconds)) in
            [("30", 60), ("90", 90), ("99999", 180), (date, 90), ("nonsense", 60)].into_iter().enumerate()
        {
            fixture.clock.set(noon());
            sink.once(Reply::With(429, "retry-after", asked.to_owned()));
            let delivery = fixture.delivery(&format!("evt_{n}")).await;
            deliverer.run_once().await.unwrap();
            let next = fixture.standing(delivery).await.next_attempt_at.unwrap();
            assert_eq!(next.seconds_since(noon()), seconds, "{asked}");
        }
    }

    async fn jitter_puts_attempts_off_and_keeps_their_order(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(500));
        let target = Target { url: sink.url.clone(), ladder: "1m,2m,4m", ..Target::default() };
        let destination = fixture.destination(target).await;
        fixture.run("update destination set jitter_percent = 50 where id = $1", destination).await;
        fixture.registry.reload().await.unwrap();
        let deliverer = fixture.deliverer().await;
        for n in 0..40 {
            fixture.event(&format!("evt_{n}")).await;
        }
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(deliverer.run_once().await.unwrap(), 40);
        let mut times = Vec::new();
        for id in 1..=40 {
            let next = fixture.standing(id).await.next_attempt_at.unwrap().micros() - noon().micros();
            assert!((60_000_000..=90_000_000).contains(&next), "{next}");
            times.push(next);
        }
        times.sort_unstable();
        times.dedup();
        assert!(times.len() > 30, "they do not all come at once: {times:?}");
        fixture.clock.advance(90);
        assert_eq!(deliverer.run_once().await.unwrap(), 40);
        fixture.clock.advance(119);
        assert_eq!(deliverer.run_once().await.unwrap(), 0, "a rung is never early");
    }

    async fn what_is_held_waits_and_uses_up_no_rung(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        let deliverer = fixture.deliverer().await;
        assert_eq!(fixture.shift(PAUSE, destination).await, 1);
        fixture.clock.advance(3600);
        assert_eq!(deliverer.run_once().await.unwrap(), 0);
        assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Held);
        assert_eq!(fixture.shift(RESUME, destination).await, 1);
        assert_eq!(deliverer.run_once().await.unwrap(), 1);
        let standing = fixture.standing(delivery).await;
        assert_eq!((standing.state, standing.attempts), (DeliveryState::Delivered, 1));
    }

    async fn what_a_deleted_destination_had_is_cancelled(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let destination = fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        assert_eq!(fixture.shift(DELETE, destination).await, 1);
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 0);
        assert_eq!(fixture.standing(delivery).await.state, DeliveryState::Cancelled);
        assert!(sink.got().is_empty());
    }
}
