//! The deliverer, against a real receiver on loopback.

mod destination_queues;
mod failures;
mod hostile;
mod ladder;
mod leases;
mod manual;
mod network;
mod order;
mod overdue;
mod robust;
mod signing;
mod tls;

use app::types::{DeliveryState, Timestamp};

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::on_both;
use crate::support::noon;

/// Stores one event unless it is stored, as the receiver does.
async fn post_once(fixture: &Fixture) {
    let event = "insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size) \
                 values ($1, 'evt_1', 'invoice.paid', 1, '[]', $2, 2) on conflict do nothing returning id";
    let body = "insert into event_body (event_id, body) values ($1, $2)";
    let mut tx = fixture.db.begin_write().await.unwrap();
    let new: Option<i64> = server::within!(&mut tx, on => sqlx::query_scalar(event)
        .bind(fixture.source)
        .bind(vec![0_u8; 32])
        .fetch_optional(on)
        .await)
    .unwrap();
    if let Some(id) = new {
        server::within!(&mut tx, on => sqlx::query(body).bind(id).bind(b"{}".to_vec()).execute(on).await.map(drop))
            .unwrap();
    }
    tx.commit().await.unwrap();
}

on_both! {
    async fn the_exact_bytes_arrive(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let large = vec![b'x'; 300_000];
        let bodies: [(&[u8], Option<&str>); 6] = [
            (b"\xef\xbb\xbf{\"a\":1}", Some("application/json; charset=utf-8")),
            (b"{\r\n  \"a\" : 1.0\r\n}\r\n", Some("application/json")),
            (b"\xff\xfe\x00\x01", Some("text/plain")),
            (b"", None),
            (b"a=1&b=%20+", Some("application/x-www-form-urlencoded")),
            (&large, Some("x/y")),
        ];
        for (n, (body, content_type)) in bodies.iter().enumerate() {
            fixture.event_with(&format!("evt_{n}"), "invoice.paid", *content_type, body).await;
        }
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), bodies.len());
        let got = sink.got();
        for (n, (body, content_type)) in bodies.iter().enumerate() {
            let id = format!("evt_{n}");
            let got = got.iter().find(|got| got.header("x-webhook-id") == id).unwrap();
            assert_eq!(&got.body[..], *body, "{id}");
            let arrived = got.headers.get("content-type").map(|value| value.to_str().unwrap());
            assert_eq!(arrived, *content_type, "{id}");
            assert_eq!(got.header("content-length"), body.len().to_string());
        }
    }

    async fn sixty_four_duplicates_are_delivered_once_to_each(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let (one, two) = (Sink::start().await, Sink::start().await);
        fixture.destination(Target { slug: "one", url: one.url.clone(), ..Target::default() }).await;
        fixture.destination(Target { slug: "two", url: two.url.clone(), ..Target::default() }).await;
        let deliverers = [fixture.deliverer().await, fixture.deliverer().await];
        let posts = (0..64).map(|n| {
            let (fixture, deliverer) = (&fixture, &deliverers[n % 2]);
            async move {
                post_once(fixture).await;
                fixture.ledger().run_once().await.unwrap();
                deliverer.run_once().await.unwrap()
            }
        });
        let made: usize = futures_util::future::join_all(posts).await.into_iter().sum();
        assert_eq!(made, 2);
        assert_eq!((one.got().len(), two.got().len()), (1, 1));
    }

    async fn a_success_drops_the_rest_of_the_ladder(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        sink.once(Reply::Status(500));
        sink.reply(Reply::Status(204));
        let delivery = fixture.delivery("evt_1").await;
        let deliverer = fixture.deliverer().await;
        assert_eq!(deliverer.run_once().await.unwrap(), 1);
        let standing = fixture.standing(delivery).await;
        assert_eq!((standing.last_status, standing.last_error.as_deref()), (Some(500), Some("status")));
        fixture.clock.advance(60);
        assert_eq!(deliverer.run_once().await.unwrap(), 1);
        let standing = fixture.standing(delivery).await;
        assert_eq!(standing.state, DeliveryState::Delivered);
        assert_eq!((standing.attempts, standing.last_status, standing.last_error), (2, Some(204), None));
        assert_eq!((standing.next_attempt_at, standing.leased), (None, false));
        let at = fixture.number("select delivered_at from delivery where id = $1", delivery).await;
        assert_eq!(Timestamp::from_micros(at), noon().plus_seconds(60));
        fixture.clock.advance(100_000);
        assert_eq!(deliverer.run_once().await.unwrap(), 0);
    }

    async fn the_worker_delivers_when_it_is_woken_and_ends_in_order(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        let shutdown = tokio_util::sync::CancellationToken::new();
        let ledger = tokio::spawn(fixture.ledger().run(shutdown.clone()));
        let deliverer = tokio::spawn(fixture.deliverer().await.run(shutdown.clone()));
        for n in 0..200 {
            fixture.event(&format!("evt_{n}")).await;
            fixture.notifiers.ledger.notify();
        }
        sink.wait_for(200).await;
        let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
        sink.reply(Reply::DestinationLifecycle(gate.clone(), 200));
        fixture.event("evt_last").await;
        fixture.notifiers.ledger.notify();
        sink.wait_for(201).await;
        shutdown.cancel();
        gate.add_permits(1);
        ledger.await.unwrap();
        deliverer.await.unwrap();
        let left = fixture.number("select count(*) from delivery where state <> 'delivered' and id > $1", 0).await;
        assert_eq!((left, sink.got().len()), (0, 201));
    }
}
