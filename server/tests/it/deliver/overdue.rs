//! Alerts about what is not delivered: opened once for each destination, and resolved when it is over.

use app::alerts::AlertFilter;
use server::store::alert;

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use app::types::{AlertKind, AlertState, PageRequest};

/// Kind, subject and state of every alert, oldest first; the details are in words and have to be there.
async fn alerts(fixture: &Fixture) -> Vec<(AlertKind, String, AlertState)> {
    let page = alert::page(&fixture.db, &AlertFilter::default(), PageRequest::default()).await.unwrap();
    let mut rows: Vec<_> = page.items.into_iter().collect();
    rows.sort_by_key(|row| row.id);
    assert!(rows.iter().all(|row| row.detail.len() > 20), "{rows:?}");
    rows.into_iter().map(|row| (row.kind, row.subject, row.state)).collect()
}

fn open(kind: AlertKind) -> (AlertKind, String, AlertState) {
    (kind, "shop".to_owned(), AlertState::Open)
}

fn over(kind: AlertKind) -> (AlertKind, String, AlertState) {
    (kind, "shop".to_owned(), AlertState::Resolved)
}

on_both! {
    async fn what_is_due_for_a_minute_and_not_claimed_is_an_alert(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        for n in 0..3 {
            fixture.delivery(&format!("evt_{n}")).await;
        }
        let deliverer = fixture.deliverer().await;
        fixture.clock.advance(60);
        deliverer.watch_once().await;
        assert_eq!(alerts(&fixture).await, []);
        fixture.clock.advance(1);
        deliverer.watch_once().await;
        deliverer.watch_once().await;
        assert_eq!(alerts(&fixture).await, [open(AlertKind::DeliveryOverdue)]);
        let page = alert::page(&fixture.db, &AlertFilter::default(), PageRequest::default()).await.unwrap();
        assert!(page.items[0].detail.starts_with("3 deliveries are overdue"), "{}", page.items[0].detail);
        deliverer.run_once().await.unwrap();
        deliverer.watch_once().await;
        assert_eq!(alerts(&fixture).await, [over(AlertKind::DeliveryOverdue)]);
    }

    async fn a_paused_destination_is_not_overdue(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let destination = fixture.destination(Target::default()).await;
        fixture.delivery("evt_1").await;
        fixture.run("update destination set paused_at = 1 where id = $1", destination).await;
        fixture.registry.reload().await.unwrap();
        fixture.clock.advance(3600);
        fixture.deliverer().await.watch_once().await;
        assert_eq!(alerts(&fixture).await, []);
    }

    async fn deliveries_that_failed_are_one_alert_until_none_is_left(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(500));
        fixture.destination(Target { url: sink.url.clone(), ladder: "", ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        let mut deliveries = Vec::new();
        for n in 0..20 {
            deliveries.push(fixture.delivery(&format!("evt_{n}")).await);
            deliverer.run_once().await.unwrap();
        }
        assert_eq!(alerts(&fixture).await, [open(AlertKind::DeliveryFailed)]);
        deliverer.watch_once().await;
        assert_eq!(alerts(&fixture).await, [open(AlertKind::DeliveryFailed)]);
        sink.reply(Reply::Status(200));
        for delivery in deliveries {
            fixture.resend(delivery).await;
        }
        deliverer.run_once().await.unwrap();
        deliverer.watch_once().await;
        assert_eq!(alerts(&fixture).await, [over(AlertKind::DeliveryFailed)]);
    }

    async fn a_destination_that_fails_everything_for_a_quarter_of_an_hour_is_an_alert(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.reply(Reply::Status(503));
        fixture.destination(Target { url: sink.url.clone(), ladder: "7m,7m,1m,30m,1h", ..Target::default() }).await;
        let delivery = fixture.delivery("evt_1").await;
        // A process for each attempt: what is known of the destination is in the database.
        let attempt = async |after: i64| {
            fixture.clock.advance(after);
            assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
        };
        attempt(0).await;
        attempt(420).await;
        attempt(420).await;
        assert_eq!(alerts(&fixture).await, [], "14 minutes");
        attempt(60).await;
        assert_eq!(alerts(&fixture).await, [open(AlertKind::DestinationFailing)], "15 minutes");
        attempt(1800).await;
        assert_eq!(alerts(&fixture).await, [open(AlertKind::DestinationFailing)], "once");
        sink.reply(Reply::Status(200));
        fixture.resend(delivery).await;
        attempt(0).await;
        assert_eq!(alerts(&fixture).await, [over(AlertKind::DestinationFailing)]);
        // It begins anew.
        sink.reply(Reply::Status(503));
        fixture.delivery("evt_2").await;
        attempt(0).await;
        attempt(420).await;
        assert_eq!(alerts(&fixture).await, [over(AlertKind::DestinationFailing)]);
    }

    async fn one_success_in_between_is_not_failing_everything(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ladder: "1h", ..Target::default() }).await;
        let deliverer = fixture.deliverer().await;
        for n in 0..40 {
            sink.reply(Reply::Status(if n % 13 == 12 { 200 } else { 500 }));
            fixture.delivery(&format!("evt_{n}")).await;
            deliverer.run_once().await.unwrap();
            fixture.clock.advance(60);
        }
        assert_eq!(alerts(&fixture).await, []);
    }

    async fn metrics_tell_the_queue_and_the_attempts(test: TestDb) {
        let metrics = server::telemetry::metrics().unwrap();
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        sink.once(Reply::Status(500));
        let slug = format!("metered-{}", if matches!(fixture.db, server::db::Db::Sqlite(_)) { "s" } else { "p" });
        fixture.destination(Target { slug: &slug, url: sink.url.clone(), ..Target::default() }).await;
        fixture.delivery("evt_1").await;
        fixture.delivery("evt_2").await;
        fixture.clock.advance(7);
        let deliverer = fixture.deliverer().await;
        deliverer.watch_once().await;
        let text = metrics.render();
        let has = |text: &str, line: &str| assert!(text.contains(line), "{line}: {text}");
        has(&text, &format!("acuse_destination_due{{destination=\"{slug}\"}} 2"));
        has(&text, &format!("acuse_destination_oldest_due_seconds{{destination=\"{slug}\"}} 7"));
        has(&text, "acuse_deliveries_due ");
        has(&text, "acuse_oldest_due_seconds ");
        deliverer.run_once().await.unwrap();
        let text = metrics.render();
        has(&text, &format!("acuse_attempts_total{{outcome=\"status\",destination=\"{slug}\"}} 1"));
        has(&text, &format!("acuse_attempts_total{{outcome=\"delivered\",destination=\"{slug}\"}} 1"));
        has(&text, &format!("acuse_attempt_seconds_count{{destination=\"{slug}\"}} 2"));
        has(&text, "acuse_attempt_step_seconds_bucket{step=\"first_byte\",le=");
    }
}
