//! Every kind of failure, and answers that are too much.

use app::types::{DeliveryState, Format};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::fixture::{AttemptRow, Fixture, Reply, Sink, Target};
use crate::on_both;

/// One attempt at a URL, and what is kept of it.
async fn attempt_at(fixture: &Fixture, url: String, timeout_ms: i64) -> AttemptRow {
    let slug = format!("to-{}", fixture.number("select count(*) from destination where id > $1", 0).await);
    let events = format!("[\"{slug}\"]");
    fixture.destination(Target { slug: &slug, url, events: &events, timeout_ms, ..Target::default() }).await;
    let event = fixture.event_with(&slug, &slug, None, b"{}").await;
    fixture.ledger().run_once().await.unwrap();
    assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
    let delivery = fixture.number("select id from delivery where event_id = $1", event).await;
    let standing = fixture.standing(delivery).await;
    assert_eq!((standing.attempts, standing.leased), (1, false));
    let row = fixture.attempts(delivery).await.remove(0);
    let expected = if row.error.is_some() { DeliveryState::Pending } else { DeliveryState::Delivered };
    assert_eq!((standing.state, &standing.last_error), (expected, &row.error));
    row
}

/// A server that reads a little and answers these bytes, whatever was asked.
async fn raw(answer: &'static [u8]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut read = [0; 1024];
            let _ = stream.read(&mut read).await;
            let _ = stream.write_all(answer).await;
        }
    });
    format!("127.0.0.1:{}", address.port())
}

on_both! {
    async fn each_failure_has_its_kind(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        for code in [400, 404, 410, 500, 503] {
            sink.reply(Reply::Status(code));
            let row = attempt_at(&fixture, sink.url.clone(), 5000).await;
            assert_eq!((row.status, row.error.as_deref()), (Some(i64::from(code)), Some("status")));
        }
        for code in [301, 302, 307, 308] {
            sink.reply(Reply::With(code, "location", sink.url.clone()));
            let before = sink.got().len();
            let row = attempt_at(&fixture, sink.url.clone(), 5000).await;
            assert_eq!((row.status, row.error.as_deref()), (Some(i64::from(code)), Some("redirect")));
            assert_eq!(sink.got().len(), before + 1, "it was followed");
        }
        for code in [200, 201, 202, 204, 299] {
            sink.reply(Reply::Status(code));
            assert_eq!(attempt_at(&fixture, sink.url.clone(), 5000).await.error, None, "{code}");
        }
        sink.reply(Reply::Hang);
        let row = attempt_at(&fixture, sink.url.clone(), 100).await;
        assert_eq!((row.status, row.error.as_deref()), (None, Some("timeout")));
        assert_eq!(row.detail.as_deref(), Some("no answer within 100 ms"));
    }

    async fn the_network_fails_in_its_own_ways(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let silent = raw(b"").await;
        let garbage = raw(b"SSH-2.0-not http\r\n\r\n").await;
        let cut = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await;
        let cut_refusal = raw(b"HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\nhalf").await;
        for (url, kind) in [
            (format!("http://127.0.0.1:{port}/"), "connect"),
            ("http://no-such-name.invalid/".to_owned(), "dns"),
            (format!("https://{garbage}/"), "tls"),
            (format!("https://{silent}/"), "tls"),
            (format!("http://{garbage}/"), "body"),
            (format!("http://{silent}/"), "body"),
            (format!("http://{cut}/"), "body"),
            (format!("http://{cut_refusal}/"), "status"),
            ("not a url".to_owned(), "connect"),
            ("ftp://127.0.0.1/".to_owned(), "connect"),
        ] {
            let row = attempt_at(&fixture, url.clone(), 5000).await;
            assert_eq!(row.error.as_deref(), Some(kind), "{url}: {:?}", row.detail);
            assert!(row.detail.is_some_and(|detail| !detail.is_empty()), "{url}");
        }
    }

    async fn private_addresses_are_not_even_connected_to(test: TestDb) {
        let fixture = Fixture::new(test).await;
        for url in [
            "http://10.0.0.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]:9/",
            "http://[::ffff:10.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "http://167772161/",
            "http://0x0a.1/",
            "http://[fd00:ec2::254]/",
        ] {
            let row = attempt_at(&fixture, url.to_owned(), 5000).await;
            assert_eq!(row.error.as_deref(), Some("blocked"), "{url}: {:?}", row.detail);
        }
        // By a name too: this process may reach 127.0.0.0/8, another one nothing.
        let nothing = server::deliver::Network::new(server::net::CidrSet::default());
        let closed = fixture.deliverer_by(fixture.clock.clone(), nothing);
        let sink = Sink::start().await;
        let url = sink.url.replace("127.0.0.1", "localhost");
        fixture.destination(Target { slug: "name", url, events: "[\"name\"]", ..Target::default() }).await;
        let event = fixture.event_with("name", "name", None, b"{}").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(closed.run_once().await.unwrap(), 1);
        let delivery = fixture.number("select id from delivery where event_id = $1", event).await;
        let row = fixture.attempts(delivery).await.remove(0);
        assert_eq!(row.error.as_deref(), Some("blocked"), "{:?}", row.detail);
        assert!(sink.got().is_empty());
    }

    async fn an_answer_is_kept_up_to_a_limit(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        for (reply, kept, truncated) in [
            (Reply::Bytes(16 * 1024), 16 * 1024, false),
            (Reply::Bytes(16 * 1024 + 1), 16 * 1024, true),
            (Reply::Bytes(50_000_000), 16 * 1024, true),
            (Reply::Endless, 16 * 1024, true),
        ] {
            sink.reply(reply.clone());
            let row = attempt_at(&fixture, sink.url.clone(), 5000).await;
            assert_eq!((row.status, &row.error), (Some(200), &None), "{reply:?}");
            assert_eq!(row.response_body.map(|body| body.len()), Some(kept), "{reply:?}");
            assert_eq!(row.response_truncated, truncated, "{reply:?}");
        }
        sink.reply(Reply::Trickle);
        let row = attempt_at(&fixture, sink.url.clone(), 200).await;
        assert_eq!((row.status, row.error.as_deref()), (Some(200), Some("timeout")));
        sink.reply(Reply::Headers(80));
        let row = attempt_at(&fixture, sink.url.clone(), 5000).await;
        let headers: Vec<(String, String)> =
            serde_json::from_str(&row.response_headers.unwrap()).unwrap();
        assert_eq!((headers.len(), row.response_truncated, row.error), (64, true, None));
        // Beyond what is read at all it is no answer, and one attempt like any other.
        sink.reply(Reply::Headers(300));
        let row = attempt_at(&fixture, sink.url.clone(), 5000).await;
        assert_eq!((row.status, row.error.as_deref()), (None, Some("body")));
    }

    async fn without_a_secret_nothing_is_sent(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        for (n, format) in Format::ALL.iter().enumerate() {
            let slug = format!("none-{n}");
            let target = Target {
                slug: &slug,
                url: sink.url.clone(),
                format: format.as_str(),
                secrets: Vec::new(),
                ..Target::default()
            };
            fixture.destination(target).await;
        }
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 4);
        assert!(sink.got().is_empty());
        let delivery = fixture.number("select min(id) from delivery where id > $1", 0).await;
        let row = fixture.attempts(delivery).await.remove(0);
        assert_eq!(row.error.as_deref(), Some("blocked"));
        assert_eq!(row.detail.as_deref(), Some("no active secret to sign with: nothing was sent"));
    }

    async fn no_id_makes_an_attempt_panic(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        fixture.destination(Target { url: sink.url.clone(), ..Target::default() }).await;
        fixture.event_with("evt_\r\nx: y\u{7f}ü", "invoice.paid", Some("text/\u{1}bad"), b"{}").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
        let got = sink.got().remove(0);
        assert_eq!(got.header("x-webhook-id"), "evt_%0D%0Ax:%20y%7F%C3%BC");
        assert!(got.headers.get("content-type").is_none());
    }
}
