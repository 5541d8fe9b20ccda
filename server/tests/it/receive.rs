//! The receiver: what it stores, and what it answers.

use std::sync::Arc;
use std::time::Duration;

use app::types::Timestamp;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::response::Response;
use hmac::{Hmac, Mac};
use http_body_util::BodyExt;
use serde_json::Value;
use server::db::{Db, Tx};
use server::domain::secret::{SecretValue, new_id};
use server::notify::Notifiers;
use server::receive::{Limits, Receiver, router};
use server::registry::Registry;
use server::store::secret::{HolderId, SecretRow, insert, owner};
use server::vault::Vault;
use sha2::Sha256;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::on_both;
use crate::support::{TestDb, noon};

const SECRET: &str = "whsec_test_secret";
const MAX_BODY: usize = 2000;

/// A receiver with the source `shop`.
struct Shop {
    test: TestDb,
    vault: Arc<Vault>,
    registry: Arc<Registry>,
    receiver: Receiver,
    router: Router,
    source_id: i64,
}

impl Shop {
    async fn new(test: TestDb) -> Self {
        Self::with(test, Limits::default()).await
    }

    async fn with(test: TestDb, limits: Limits) -> Self {
        let source_id = add_source(&test.db, "shop", "paymos").await;
        let vault = Arc::new(Vault::ephemeral());
        add_secret(&test.db, &vault, source_id, SECRET, noon().plus_seconds(-3600), None).await;
        let clock = test.clock.clone();
        let registry = Registry::load(test.db.clone(), Arc::clone(&vault), clock.clone()).await.unwrap();
        let receiver = Receiver::start_with(
            limits,
            test.db.clone(),
            clock,
            Arc::clone(&registry),
            Notifiers::default(),
            CancellationToken::new(),
        );
        let router = router(receiver.clone(), MAX_BODY);
        Self { test, vault, registry, receiver, router, source_id }
    }

    async fn post(&self, body: impl Into<Vec<u8>>) -> (StatusCode, Value) {
        let body = body.into();
        let headers = [("x-webhook-signature", sign(SECRET, self.test.clock_now(), &body))];
        self.post_with("shop", &headers, body).await
    }

    async fn post_with(
        &self,
        source: &str,
        headers: &[(&str, String)],
        body: impl Into<Body>,
    ) -> (StatusCode, Value) {
        let mut request = Request::post(format!("/webhooks/{source}"));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        answer(self.send(request.body(body.into()).unwrap()).await).await
    }

    async fn send(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    async fn number(&self, sql: &'static str) -> i64 {
        server::read!(&self.test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
    }

    /// Ends the receiver, so that all that it counted is written.
    async fn finish(self) -> TestDb {
        drop(self.router);
        self.receiver.finish().await;
        self.test
    }
}

async fn add_source(db: &Db, slug: &str, provider: &str) -> i64 {
    let sql = "insert into source (slug, provider, mode, tolerance_s, created_at) values ($1, $2, 'test', 300, 0) \
               returning id";
    server::write!(db, on => sqlx::query_scalar(sql).bind(slug).bind(provider).fetch_one(on).await).unwrap()
}

async fn add_secret(
    db: &Db,
    vault: &Vault,
    source_id: i64,
    value: &str,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
) -> String {
    let (id, value) = (new_id(), SecretValue::new(value));
    let row = SecretRow {
        id: id.clone(),
        holder: HolderId::Source(source_id),
        sealed: vault.seal(&value, &owner(&id)).unwrap(),
        fingerprint: value.fingerprint(),
        created_by: "test".to_owned(),
        created_at,
        expires_at,
        last_used_at: None,
        matches: 0,
    };
    let mut tx = db.begin_write().await.unwrap();
    insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
    id
}

fn sign(secret: &str, at: Timestamp, body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("{}.", at.unix())).chain_update(body).finalize().into_bytes();
    format!("t={},v1={}", at.unix(), hex::encode(mac))
}

async fn answer(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let expected = if status.is_success() { "application/json" } else { "application/problem+json" };
    assert_eq!(response.headers()[header::CONTENT_TYPE], expected);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

fn event(id: &str) -> String {
    format!(
        r#"{{"event_id":"{id}","event_type":"invoice.paid","version":1,"occurred_at":1700000000,"data":{{"invoice_id":"inv_{id}","status":"paid"}}}}"#
    )
}

/// A generator of numbers that is the same in every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The columns that a stored event is told by.
type StoredRow = (String, String, String, String, i64, i64, i64, i64, Option<i64>);

on_both! {
    async fn a_signed_event_is_stored_once(test: TestDb) {
        let shop = Shop::new(test).await;
        let (status, body) = shop.post(event("1")).await;
        assert_eq!((status, body), (StatusCode::OK, serde_json::json!({"status": "stored", "event_id": "1"})));
        let (status, body) = shop.post(event("1")).await;
        assert_eq!((status, body), (StatusCode::OK, serde_json::json!({"status": "duplicate", "event_id": "1"})));

        let sql = "select event_id, type, resource_id, status, occurred_at, received_at, arrivals, body_size, processed_at \
                   from event";
        let rows: Vec<StoredRow> =
            server::read!(&shop.test.db, on => sqlx::query_as(sql).fetch_all(on).await).unwrap();
        let expected = ("1", "invoice.paid", "inv_1", "paid");
        let [(id, kind, resource, state, occurred, received, arrivals, size, processed)] = &rows[..] else {
            panic!("{rows:?}")
        };
        assert_eq!((id.as_str(), kind.as_str(), resource.as_str(), state.as_str()), expected);
        assert_eq!((*occurred, *received), (1_700_000_000_000_000, noon().micros()));
        assert_eq!((*arrivals, *size as usize, *processed), (2, event("1").len(), None));
        assert_eq!(shop.number("select count(*) from arrival where same_bytes and body is null").await, 1);
        assert_eq!(shop.number("select count(*) from alert").await, 0);
    }

    async fn sixty_four_at_once_are_one_event(test: TestDb) {
        let shop = Arc::new(Shop::new(test).await);
        let posts: Vec<_> = (0..64).map(|_| {
            let shop = Arc::clone(&shop);
            tokio::spawn(async move { shop.post(event("same")).await })
        }).collect();
        let mut stored = 0;
        for post in posts {
            let (status, body) = post.await.unwrap();
            assert_eq!(status, StatusCode::OK);
            stored += usize::from(body["status"] == "stored");
        }
        assert_eq!(stored, 1);
        assert_eq!(shop.number("select count(*) from event").await, 1);
        assert_eq!(shop.number("select arrivals from event").await, 64);
        assert_eq!(shop.number("select count(*) from arrival").await, 63);
        assert_eq!(shop.number("select count(*) from event_body").await, 1);
    }

    async fn a_thousand_posts_over_a_hundred_ids_are_a_hundred_events(test: TestDb) {
        let shop = Arc::new(Shop::new(test).await);
        let mut numbers = Lcg(11);
        let mut order: Vec<usize> = (0..1000).map(|n| n % 100).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, numbers.below(at + 1));
        }
        let queue = Arc::new(std::sync::Mutex::new(order));
        let senders: Vec<_> = (0..37).map(|_| {
            let (shop, queue) = (Arc::clone(&shop), Arc::clone(&queue));
            tokio::spawn(async move {
                let mut stored = 0;
                loop {
                    let Some(id) = queue.lock().unwrap().pop() else { return stored };
                    let (status, body) = shop.post(event(&format!("evt_{id}"))).await;
                    assert_eq!(status, StatusCode::OK);
                    stored += usize::from(body["status"] == "stored");
                }
            })
        }).collect();
        let mut stored = 0;
        for sender in senders {
            stored += sender.await.unwrap();
        }
        assert_eq!(stored, 100);
        assert_eq!(shop.number("select count(*) from event").await, 100);
        assert_eq!(shop.number("select cast(sum(arrivals) as bigint) from event").await, 1000);
        assert_eq!(shop.number("select min(arrivals) from event").await, 10);
        assert_eq!(shop.number("select count(*) from arrival").await, 900);
    }

    async fn two_processes_share_the_ids(test: TestDb) {
        let first = Shop::new(test).await;
        let clock = first.test.clock.clone();
        let second = Receiver::start(first.test.db.clone(), clock, Arc::clone(&first.registry), Notifiers::default(),
            CancellationToken::new());
        let routers = [first.router.clone(), router(second, MAX_BODY)];
        let mut numbers = Lcg(7);
        let posts: Vec<_> = (0..400).map(|n| {
            let router = routers[n % 2].clone();
            let body = event(&format!("evt_{}", numbers.below(40)));
            let signature = sign(SECRET, noon(), body.as_bytes());
            let request = Request::post("/webhooks/shop").header("x-webhook-signature", signature);
            tokio::spawn(async move { answer(router.oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()).await })
        }).collect();
        for post in posts {
            assert_eq!(post.await.unwrap().0, StatusCode::OK);
        }
        assert_eq!(first.number("select count(*) from event").await, 40);
        assert_eq!(first.number("select cast(sum(arrivals) as bigint) from event").await, 400);
    }

    async fn the_exact_bytes_are_kept(test: TestDb) {
        let shop = Shop::new(test).await;
        let bodies: Vec<Vec<u8>> = vec![
            b"\xef\xbb\xbf{\"event_id\":\"bom\"}".to_vec(),
            b"{\r\n\"event_id\":\"crlf\"\r\n}\r\n".to_vec(),
            "{\"event_id\":\"emoji 😀\"}".as_bytes().to_vec(),
            b"{\"event_id\":\"bytes\",\"x\":\"\xff\xfe\xc3\x28\"}".to_vec(),
            Vec::new(),
            b"\0\0\x01 not json".to_vec(),
            vec![b'x'; MAX_BODY],
        ];
        let mut ids = Vec::new();
        for body in &bodies {
            let (status, told) = shop.post(body.clone()).await;
            assert_eq!((status, &told["status"]), (StatusCode::OK, &Value::from("stored")), "{body:?}");
            ids.push(told["event_id"].as_str().unwrap().to_owned());
        }
        assert_eq!(ids[..4], ["bom", "crlf", "emoji 😀", "bytes"]);
        assert_eq!(ids[4], "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (id, body) in ids.iter().zip(&bodies) {
            let sql = "select b.body from event_body b join event e on e.id = b.event_id where e.event_id = $1";
            let kept: Vec<u8> =
                server::read!(&shop.test.db, on => sqlx::query_scalar(sql).bind(id).fetch_one(on).await).unwrap();
            assert_eq!(&kept, body);
        }
        // The id of a body without one is that of its bytes: the same again is the same event.
        assert_eq!(shop.post(Vec::new()).await.1["status"], "duplicate");
    }

    async fn other_bytes_under_a_known_id_raise_one_alert(test: TestDb) {
        let shop = Shop::new(test).await;
        let altered = |n: usize| event("1").replace("paid\"}", &format!("paid\",\"n\":{n}}}"));
        assert_eq!(shop.post(event("1")).await.1["status"], "stored");
        for n in 0..15 {
            assert_eq!(shop.post(altered(n)).await, (StatusCode::OK, serde_json::json!({"status": "duplicate", "event_id": "1"})));
        }
        assert_eq!(shop.post(event("1")).await.1["status"], "duplicate");
        assert_eq!(shop.number("select count(*) from alert where kind = 'altered_repeat' and subject = 'shop/1'").await, 1);
        let sql = "select body from arrival where not same_bytes order by id";
        let kept: Vec<Vec<u8>> = server::read!(&shop.test.db, on => sqlx::query_scalar(sql).fetch_all(on).await).unwrap();
        assert_eq!(kept.len(), 10, "the bodies that are kept are bounded");
        assert_eq!(kept[0], altered(0).into_bytes());
        assert_eq!(shop.number("select arrivals from event").await, 17);
        // What came first stands.
        let body: Vec<u8> = server::read!(&shop.test.db, on => sqlx::query_scalar("select body from event_body")
            .fetch_one(on).await).unwrap();
        assert_eq!(body, event("1").into_bytes());
    }

    async fn only_so_many_repeats_have_a_row(test: TestDb) {
        let shop = Arc::new(Shop::new(test).await);
        let posts: Vec<_> = (0..130).map(|_| {
            let shop = Arc::clone(&shop);
            tokio::spawn(async move { shop.post(event("1")).await.0 })
        }).collect();
        for post in posts {
            assert_eq!(post.await.unwrap(), StatusCode::OK);
        }
        assert_eq!(shop.number("select arrivals from event").await, 130);
        assert_eq!(shop.number("select count(*) from arrival").await, 100);
    }

    async fn the_id_comes_from_the_signed_body(test: TestDb) {
        let shop = Shop::new(test).await;
        let body = event("real");
        for forged in ["forged_1", "forged_2"] {
            let headers = [
                ("x-webhook-signature", sign(SECRET, noon(), body.as_bytes())),
                ("x-webhook-id", forged.to_owned()),
            ];
            assert_eq!(shop.post_with("shop", &headers, body.clone()).await.1["event_id"], "real");
        }
        assert_eq!(shop.number("select count(*) from event").await, 1);
    }

    async fn what_is_not_good_is_refused_and_not_stored(test: TestDb) {
        let shop = Shop::new(test).await;
        let good = |at: Timestamp| sign(SECRET, at, event("1").as_bytes());
        let cases: Vec<(&str, Vec<(&str, String)>)> = vec![
            ("missing_header", vec![]),
            ("malformed_header", vec![("x-webhook-signature", "nonsense".to_owned())]),
            ("malformed_header", vec![("x-webhook-signature", good(noon())), ("x-webhook-signature", good(noon()))]),
            ("signature_mismatch", vec![("x-webhook-signature", sign("whsec_other", noon(), event("1").as_bytes()))]),
            ("timestamp_too_old", vec![("x-webhook-signature", good(noon().plus_seconds(-301)))]),
            ("timestamp_too_new", vec![("x-webhook-signature", good(noon().plus_seconds(301)))]),
        ];
        for (reason, headers) in cases {
            let (status, body) = shop.post_with("shop", &headers, event("1")).await;
            assert_eq!((status, &body["reason"]), (StatusCode::UNAUTHORIZED, &Value::from(reason)));
            assert_eq!((&body["status"], body["code"].is_string()), (&Value::from(401), true));
        }
        assert_eq!(shop.number("select count(*) from event").await, 0);
        for skew in [-300, 300] {
            let headers = [("x-webhook-signature", good(noon().plus_seconds(skew)))];
            assert_eq!(shop.post_with("shop", &headers, event("1")).await.0, StatusCode::OK);
        }
    }

    async fn a_source_without_a_secret_that_counts_refuses_everything(test: TestDb) {
        let id = add_source(&test.db, "bare", "paymos").await;
        add_source(&test.db, "other", "hmac").await;
        let shop = Shop::new(test).await;
        add_secret(&shop.test.db, &shop.vault, id, "whsec_future", noon().plus_seconds(1), None).await;
        add_secret(&shop.test.db, &shop.vault, id, "whsec_past", noon().plus_seconds(-9), Some(noon())).await;
        shop.registry.reload().await.unwrap();
        for (source, secret) in [("bare", "whsec_future"), ("bare", "whsec_past"), ("bare", ""), ("other", "")] {
            let headers = [("x-webhook-signature", sign(secret, noon(), b"{}"))];
            let (status, body) = shop.post_with(source, &headers, "{}").await;
            assert_eq!((status, &body["reason"]), (StatusCode::UNAUTHORIZED, &Value::from("bad_secret")), "{source}");
        }
        assert_eq!(shop.number("select count(*) from event").await, 0);
    }

    async fn both_secrets_count_until_the_overlap_ends(test: TestDb) {
        let shop = Shop::new(test).await;
        // A rotation at noon with 24 h of overlap.
        let end = noon().plus_seconds(86_400);
        let sql = "update secret set expires_at = $1";
        server::write!(&shop.test.db, on => sqlx::query(sql).bind(end.micros()).execute(on).await.map(drop)).unwrap();
        add_secret(&shop.test.db, &shop.vault, shop.source_id, "whsec_new", noon(), None).await;
        shop.registry.reload().await.unwrap();
        let post = async |secret: &str, id: &str| {
            let body = event(id);
            let headers = [("x-webhook-signature", sign(secret, shop.test.clock_now(), body.as_bytes()))];
            shop.post_with("shop", &headers, body).await
        };
        shop.test.clock.set(end.plus_seconds(-1));
        assert_eq!(post(SECRET, "1").await.0, StatusCode::OK);
        assert_eq!(post("whsec_new", "2").await.0, StatusCode::OK);
        shop.test.clock.set(end);
        let (status, body) = post(SECRET, "3").await;
        assert_eq!((status, &body["reason"]), (StatusCode::UNAUTHORIZED, &Value::from("signature_mismatch")));
        assert_eq!(post("whsec_new", "4").await.0, StatusCode::OK);
    }

    async fn matches_are_counted_for_the_secret_that_matched(test: TestDb) {
        let shop = Shop::new(test).await;
        let new = add_secret(&shop.test.db, &shop.vault, shop.source_id, "whsec_new", noon(), None).await;
        shop.registry.reload().await.unwrap();
        for id in ["1", "2", "1"] {
            assert_eq!(shop.post(event(id)).await.0, StatusCode::OK);
        }
        shop.test.clock.advance(60);
        let headers = [("x-webhook-signature", sign("whsec_new", shop.test.clock_now(), event("3").as_bytes()))];
        assert_eq!(shop.post_with("shop", &headers, event("3")).await.0, StatusCode::OK);
        let test = shop.finish().await;
        let sql = "select id, matches, last_used_at from secret order by created_at";
        let rows: Vec<(String, i64, Option<i64>)> =
            server::read!(&test.db, on => sqlx::query_as(sql).fetch_all(on).await).unwrap();
        assert_eq!((rows[0].1, rows[0].2), (3, Some(noon().micros())));
        assert_eq!((&rows[1].0, rows[1].1, rows[1].2), (&new, 1, Some(noon().plus_seconds(60).micros())));
        let sql = "select secret_id from event where event_id = '3'";
        let secret: String = server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap();
        assert_eq!(secret, new);
    }

    async fn a_change_by_another_process_is_seen(test: TestDb) {
        let shop = Shop::new(test).await;
        // The first look is free, the next ones come at most once a second.
        let id = add_source(&shop.test.db, "new", "paymos").await;
        add_secret(&shop.test.db, &shop.vault, id, "whsec_new", noon(), None).await;
        let headers = [("x-webhook-signature", sign("whsec_new", noon(), event("1").as_bytes()))];
        assert_eq!(shop.post_with("new", &headers, event("1")).await.0, StatusCode::OK);
        assert_eq!(shop.post_with("nobody", &headers, event("1")).await.0, StatusCode::NOT_FOUND);
    }

    async fn a_secret_that_another_process_added_is_seen(test: TestDb) {
        let shop = Shop::new(test).await;
        add_secret(&shop.test.db, &shop.vault, shop.source_id, "whsec_new", noon(), None).await;
        let headers = [("x-webhook-signature", sign("whsec_new", noon(), event("1").as_bytes()))];
        assert_eq!(shop.post_with("shop", &headers, event("1")).await.0, StatusCode::OK);
    }

    async fn paths_and_methods_that_are_not_ours_are_told_so(test: TestDb) {
        let shop = Shop::new(test).await;
        for path in ["/webhooks/nobody", "/webhooks/shop/", "/webhooks/shop/more", "/webhooks/SHOP", "/webhooks/%73hop",
            "/webhooks/", "/webhooks", "/webhooks/%ff%00"] {
            let (status, body) = answer(shop.send(Request::post(path).body(Body::empty()).unwrap()).await).await;
            assert_eq!((status, body["code"].as_str()), (StatusCode::NOT_FOUND, Some("no_such_source")), "{path}");
        }
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"] {
            let request = Request::builder().method(method).uri("/webhooks/shop").body(Body::empty()).unwrap();
            let response = shop.send(request).await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
            assert_eq!(response.headers()[header::ALLOW], "POST");
        }
    }

    async fn a_body_over_the_limit_is_refused_however_it_comes(test: TestDb) {
        let shop = Shop::new(test).await;
        let large = vec![b'x'; MAX_BODY + 1];
        let signature = sign(SECRET, noon(), &large);
        // Announced: refused before a byte of it is read.
        let unread = Body::from_stream(futures_util::stream::poll_fn(|_| -> std::task::Poll<Option<Result<Vec<u8>, std::io::Error>>> {
            panic!("the body was read")
        }));
        let announced = [("content-length", (MAX_BODY + 1).to_string())];
        let chunked = Body::from_stream(futures_util::stream::iter(
            large.chunks(700).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>()));
        let signed = [("x-webhook-signature", signature)];
        for (headers, body) in [(&announced, unread), (&signed, chunked), (&signed, Body::from(large.clone()))] {
            let (status, body) = shop.post_with("shop", headers, body).await;
            assert_eq!((status, &body["limit"]), (StatusCode::PAYLOAD_TOO_LARGE, &Value::from(MAX_BODY)));
        }
        let pieces = event("pieces").into_bytes();
        let headers = [("x-webhook-signature", sign(SECRET, noon(), &pieces))];
        let body = Body::from_stream(futures_util::stream::iter(
            pieces.chunks(7).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>()));
        assert_eq!(shop.post_with("shop", &headers, body).await.0, StatusCode::OK);
        assert_eq!(shop.number("select count(*) from event").await, 1);
    }

    async fn a_body_that_breaks_off_or_stalls_is_not_stored(test: TestDb) {
        let limits = Limits { body: Duration::from_millis(50), ..Limits::default() };
        let shop = Shop::with(test, limits).await;
        let pieces = [Ok(b"{".to_vec()), Err(std::io::Error::other("broke off"))];
        let (status, _) = shop.post_with("shop", &[], Body::from_stream(futures_util::stream::iter(pieces))).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let stalled = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        assert_eq!(shop.post_with("shop", &[], stalled).await.0, StatusCode::REQUEST_TIMEOUT);
        assert_eq!(shop.number("select count(*) from event").await, 0);
    }

    async fn a_row_that_the_database_refuses_hurts_nobody_else(test: TestDb) {
        let shop = Arc::new(Shop::new(test).await);
        refuse_type(&shop.test.db).await;
        // While the database is held, all of them gather in one batch.
        let held = hold(&shop.test.db).await;
        let posts: Vec<_> = (0..40).map(|n| {
            let shop = Arc::clone(&shop);
            let body = event(&n.to_string());
            let body = if n % 13 == 5 { body.replace("invoice.paid", "refuse.me") } else { body };
            tokio::spawn(async move { (n, shop.post(body).await) })
        }).collect();
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(held);
        for post in posts {
            let (n, (status, body)) = post.await.unwrap();
            let expected = if n % 13 == 5 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
            assert_eq!(status, expected, "{n}: {body}");
        }
        assert_eq!(shop.number("select count(*) from event").await, 37);
        assert_eq!(shop.number("select count(*) from event_body").await, 37);
    }

    async fn a_database_that_fails_is_503_and_retry_after(test: TestDb) {
        let shop = Shop::new(test).await;
        shop.test.db.close().await;
        let body = event("1");
        let request = Request::post("/webhooks/shop")
            .header("x-webhook-signature", sign(SECRET, noon(), body.as_bytes()))
            .body(Body::from(body))
            .unwrap();
        let response = shop.send(request).await;
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(retry_after(response.headers()) > 0);
        // What is not signed is still refused: its sender has nothing to try again.
        assert_eq!(shop.post_with("shop", &[], "{}").await.0, StatusCode::UNAUTHORIZED);
    }

    async fn a_full_queue_turns_the_rest_away(test: TestDb) {
        let shop = Shop::with(test, Limits { queue: 4, batch: 2, ..Limits::default() }).await;
        let (stored, turned_away) = flood(&Arc::new(shop), 20, 0).await;
        // Two in each transaction that is held up (three at most, on PostgreSQL), four in the queue.
        assert!((1..=10).contains(&stored) && turned_away == 20 - stored, "{stored} {turned_away}");
    }

    async fn bodies_that_wait_are_bounded_by_their_bytes(test: TestDb) {
        let shop = Arc::new(Shop::with(test, Limits { queue_bytes: 1000, ..Limits::default() }).await);
        let (stored, turned_away) = flood(&shop, 20, 200).await;
        assert!((1..=6).contains(&stored) && turned_away == 20 - stored, "{stored} {turned_away}");
        assert_eq!(shop.post(vec![b'y'; 900]).await.0, StatusCode::OK, "the bytes are given back");
    }

    async fn a_database_that_hangs_is_503(test: TestDb) {
        let shop = Shop::with(test, Limits { commit: Duration::from_millis(50), ..Limits::default() }).await;
        let held = hold(&shop.test.db).await;
        assert_eq!(shop.post(event("1")).await.0, StatusCode::SERVICE_UNAVAILABLE);
        drop(held);
        assert_eq!(shop.post(event("1")).await.0, StatusCode::OK);
        assert_eq!(shop.number("select count(*) from event").await, 1);
    }
}

/// Makes the database refuse the type `refuse.me`, as a broken disk page or a rule that we forgot would.
async fn refuse_type(db: &Db) {
    match db {
        Db::Sqlite(pools) => {
            let sql = "create trigger refuse before insert on event when new.type = 'refuse.me' \
                       begin select raise(abort, 'refused'); end";
            sqlx::raw_sql(sql).execute(&pools.write).await.unwrap();
        }
        Db::Postgres(pool) => {
            let sql = "alter table event add constraint refuse check (type <> 'refuse.me')";
            sqlx::raw_sql(sql).execute(pool).await.unwrap();
        }
    }
}

fn retry_after(headers: &HeaderMap) -> u64 {
    headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap()
}

/// Keeps everybody else from writing events until it is dropped.
async fn hold(db: &Db) -> Tx {
    let mut tx = db.begin_write().await.unwrap();
    if let Tx::Postgres(tx) = &mut tx {
        sqlx::query("lock table event in exclusive mode").execute(&mut **tx).await.unwrap();
    }
    tx
}

/// Posts so many events of at least that size while the database is held; how many were stored, and turned away.
async fn flood(shop: &Arc<Shop>, posts: usize, size: usize) -> (usize, usize) {
    let held = hold(&shop.test.db).await;
    let posts: Vec<_> = (0..posts)
        .map(|n| {
            let (shop, body) = (Arc::clone(shop), format!("{:size$}", event(&n.to_string())));
            tokio::spawn(async move { shop.post(body).await.0 })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(150)).await;
    drop(held);
    let (mut stored, mut turned_away) = (0, 0);
    for post in posts {
        match post.await.unwrap() {
            StatusCode::OK => stored += 1,
            StatusCode::SERVICE_UNAVAILABLE => turned_away += 1,
            status => panic!("{status}"),
        }
    }
    (stored, turned_away)
}
