//! A stage for the workers: a source, destinations with secrets, events, and a receiver with switchable replies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::types::{DeliveryState, Timestamp};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use bytes::Bytes;
use server::clock::ManualClock;
use server::db::Db;
use server::deliver::{Deliverer, Network};
use server::domain::secret::{self, SecretValue};
use server::ledger::Ledger;
use server::notify::Notifiers;
use server::registry::Registry;
use server::store::secret::{HolderId, SecretRow};
use server::vault::Vault;

use crate::support::{TestDb, noon};

/// Everything the workers need, over one database.
pub struct Fixture {
    pub db: Db,
    pub clock: Arc<ManualClock>,
    pub vault: Arc<Vault>,
    pub registry: Arc<Registry>,
    pub notifiers: Notifiers,
    pub source: i64,
    _folder: tempfile::TempDir,
}

/// What is told of a destination; the rest has defaults.
pub struct Target<'a> {
    pub slug: &'a str,
    pub url: String,
    pub format: &'a str,
    pub events: &'a str,
    pub ladder: &'a str,
    pub timeout_ms: i64,
    pub max_in_flight: i64,
    pub rate_per_s: Option<f64>,
    pub secrets: Vec<(&'a str, Timestamp, Option<Timestamp>)>,
}

impl Default for Target<'_> {
    fn default() -> Self {
        Self {
            slug: "shop",
            url: String::new(),
            format: "paymos",
            events: "[\"*\"]",
            ladder: "1m,2m,4m,8m,16m,32m,1h,2h,4h,8h",
            timeout_ms: 10_000,
            max_in_flight: 16,
            rate_per_s: None,
            secrets: vec![("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", noon().plus_seconds(-3600), None)],
        }
    }
}

pub const PAUSE: &str = "update destination set paused_at = 1 where id = $1";
pub const RESUME: &str = "update destination set paused_at = null where id = $1";
pub const DELETE: &str = "update destination set deleted_at = 1 where id = $1";

/// A delivery's moving columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub state: DeliveryState,
    pub attempts: i64,
    pub next_attempt_at: Option<Timestamp>,
    pub last_status: Option<i64>,
    pub last_error: Option<String>,
    pub leased: bool,
}

/// An attempt's row.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct AttemptRow {
    pub n: Option<i64>,
    pub trigger_kind: String,
    pub actor: Option<String>,
    pub reason: Option<String>,
    pub started_at: Option<i64>,
    pub status: Option<i64>,
    pub error: Option<String>,
    pub detail: Option<String>,
    pub request_headers: Option<String>,
    pub response_headers: Option<String>,
    pub response_body: Option<Vec<u8>>,
    pub response_truncated: bool,
    pub may_repeat: bool,
}

impl Fixture {
    pub async fn new(test: TestDb) -> Self {
        let vault = Arc::new(Vault::ephemeral());
        let sql = "insert into source (slug, provider, mode, created_at) values ('paymos', 'paymos', 'test', $1) \
                   returning id";
        let source = server::write!(&test.db, on => sqlx::query_scalar(sql)
            .bind(noon().micros())
            .fetch_one(on)
            .await)
        .unwrap();
        let registry = Registry::load(test.db.clone(), Arc::clone(&vault), test.clock.clone()).await.unwrap();
        Self {
            db: test.db,
            clock: test.clock,
            vault,
            registry,
            notifiers: Notifiers::default(),
            source,
            _folder: test.folder,
        }
    }

    /// Another process: its own connections and its own memory, over the same database.
    pub async fn deliverer(&self) -> Deliverer {
        self.deliverer_by(self.clock.clone(), Network::new("127.0.0.0/8".parse().unwrap()))
    }

    /// One with a clock of its own, and another network.
    pub fn deliverer_by(&self, clock: Arc<ManualClock>, network: Network) -> Deliverer {
        Deliverer::new(self.db.clone(), clock, Arc::clone(&self.registry), self.notifiers.clone(), network)
    }

    pub fn ledger(&self) -> Ledger {
        Ledger::new(self.db.clone(), self.clock.clone(), Arc::clone(&self.registry), self.notifiers.clone())
    }

    pub async fn destination(&self, target: Target<'_>) -> i64 {
        let sql = "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, \
                   rate_per_s, created_at) \
                   values ($1, $2, $3, '[\"*\"]', $4, $5, $6, $7, $8, $9) returning id";
        let id: i64 = server::write!(&self.db, on => sqlx::query_scalar(sql)
            .bind(target.slug)
            .bind(&target.url)
            .bind(target.format)
            .bind(target.events)
            .bind(target.ladder)
            .bind(target.timeout_ms)
            .bind(target.max_in_flight)
            .bind(target.rate_per_s)
            .bind(noon().micros())
            .fetch_one(on)
            .await)
        .unwrap();
        for (value, created_at, expires_at) in target.secrets {
            self.secret(id, value, created_at, expires_at).await;
        }
        self.registry.reload().await.unwrap();
        id
    }

    pub async fn secret(&self, destination: i64, value: &str, from: Timestamp, to: Option<Timestamp>) {
        let id = secret::new_id();
        let value = SecretValue::new(value);
        let row = SecretRow {
            sealed: self.vault.seal(&value, &server::store::secret::owner(&id)).unwrap(),
            id,
            holder: HolderId::Destination(destination),
            fingerprint: value.fingerprint(),
            created_by: "test".to_owned(),
            created_at: from,
            expires_at: to,
            last_used_at: None,
            matches: 0,
        };
        let mut tx = self.db.begin_write().await.unwrap();
        server::store::secret::insert(&mut tx, &row).await.unwrap();
        tx.commit().await.unwrap();
        self.registry.reload().await.unwrap();
    }

    pub async fn event(&self, event_id: &str) -> i64 {
        self.event_with(event_id, "invoice.paid", Some("application/json"), b"{}").await
    }

    pub async fn event_with(
        &self,
        event_id: &str,
        r#type: &str,
        content_type: Option<&str>,
        body: &[u8],
    ) -> i64 {
        let now = app_now(&self.clock);
        let sql = "insert into event (source_id, event_id, type, received_at, content_type, headers, body_sha256, \
                   body_size) \
                   values ($1, $2, $3, $4, $5, '[]', $6, $7) returning id";
        let mut tx = self.db.begin_write().await.unwrap();
        let id: i64 = server::within!(&mut tx, on => sqlx::query_scalar(sql)
            .bind(self.source)
            .bind(event_id)
            .bind(r#type)
            .bind(now.micros())
            .bind(content_type)
            .bind(vec![0_u8; 32])
            .bind(body.len() as i64)
            .fetch_one(on)
            .await)
        .unwrap();
        let sql = "insert into event_body (event_id, body) values ($1, $2)";
        server::within!(&mut tx, on => sqlx::query(sql).bind(id).bind(body).execute(on).await.map(drop))
            .unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// One event that the ledger has processed; the delivery of it to the only destination that takes it.
    pub async fn delivery(&self, event_id: &str) -> i64 {
        let event = self.event(event_id).await;
        self.ledger().run_once().await.unwrap();
        self.number("select id from delivery where event_id = $1", event).await
    }

    pub async fn number(&self, sql: &'static str, bound: i64) -> i64 {
        server::read!(&self.db, on => sqlx::query_scalar(sql).bind(bound).fetch_one(on).await).unwrap()
    }

    pub async fn run(&self, sql: &'static str, bound: i64) {
        server::write!(&self.db, on => sqlx::query(sql).bind(bound).execute(on).await.map(drop)).unwrap();
    }

    pub async fn standing(&self, delivery: i64) -> Standing {
        let sql = "select state, attempts, next_attempt_at, last_status, last_error, lease_token is not null \
                   from delivery where id = $1";
        let (state, attempts, next, last_status, last_error, leased): (
            String,
            i64,
            Option<i64>,
            Option<i64>,
            Option<String>,
            bool,
        ) = server::read!(&self.db, on => sqlx::query_as(sql).bind(delivery).fetch_one(on).await).unwrap();
        Standing {
            state: state.parse().unwrap(),
            attempts,
            next_attempt_at: next.map(Timestamp::from_micros),
            last_status,
            last_error,
            leased,
        }
    }

    pub async fn attempts(&self, delivery: i64) -> Vec<AttemptRow> {
        let sql = "select n, trigger_kind, actor, reason, started_at, status, error, detail, request_headers, \
                   response_headers, response_body, response_truncated, may_repeat \
                   from attempt where delivery_id = $1 order by id";
        server::read!(&self.db, on => sqlx::query_as(sql).bind(delivery).fetch_all(on).await).unwrap()
    }

    /// Moves the deliveries of a destination that a statement pauses, resumes or deletes. Returns how many.
    pub async fn shift(&self, sql: &'static str, destination: i64) -> u64 {
        self.run(sql, destination).await;
        let mut tx = self.db.begin_write().await.unwrap();
        let now = app_now(&self.clock);
        let moved =
            server::store::destination::lifecycle::shift(&mut tx, &self.db, destination, now).await.unwrap();
        tx.commit().await.unwrap();
        self.registry.reload().await.unwrap();
        moved
    }

    pub async fn resend(&self, delivery: i64) {
        let now = app_now(&self.clock);
        let mut tx = self.db.begin_write().await.unwrap();
        let queued =
            server::store::attempt::enqueue_manual(&mut tx, delivery, "ana@shop.test", "they asked", now)
                .await;
        assert!(queued.unwrap());
        tx.commit().await.unwrap();
    }
}

pub fn app_now(clock: &ManualClock) -> Timestamp {
    use server::clock::Clock;
    clock.now()
}

/// What a receiver got.
#[derive(Debug, Clone)]
pub struct Got {
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Got {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().unwrap()
    }
}

/// How a receiver answers.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    With(u16, &'static str, String),
    Hang,
    /// Answers 200 and then so many bytes.
    Bytes(usize),
    /// Answers 200 and then never ends.
    Endless,
    /// Answers 200 and a byte now and then, for ever.
    Trickle,
    Headers(usize),
    /// Answers when told to.
    DestinationLifecycle(Arc<tokio::sync::Semaphore>, u16),
}

/// A server on loopback.
#[derive(Clone)]
pub struct Sink {
    pub url: String,
    inner: Arc<SinkInner>,
}

struct SinkInner {
    got: Mutex<Vec<Got>>,
    next: Mutex<VecDeque<Reply>>,
    usual: Mutex<Reply>,
}

impl Sink {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let inner = Arc::new(SinkInner {
            got: Mutex::default(),
            next: Mutex::default(),
            usual: Mutex::new(Reply::Status(200)),
        });
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, inner }
    }

    /// From now on.
    pub fn reply(&self, reply: Reply) {
        *self.inner.usual.lock().unwrap() = reply;
    }

    /// To the next request only.
    pub fn once(&self, reply: Reply) {
        self.inner.next.lock().unwrap().push_back(reply);
    }

    pub fn got(&self) -> Vec<Got> {
        self.inner.got.lock().unwrap().clone()
    }

    pub async fn wait_for(&self, count: usize) {
        for _ in 0..1000 {
            if self.got().len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} of {count} requests came", self.got().len());
    }
}

async fn answer(State(sink): State<Arc<SinkInner>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    sink.got.lock().unwrap().push(Got { headers, body });
    let next = sink.next.lock().unwrap().pop_front();
    let reply = next.unwrap_or_else(|| sink.usual.lock().unwrap().clone());
    let status = |status: u16| Response::builder().status(status);
    let endless = |pause: Duration, size: usize| {
        futures_util::stream::unfold((), move |()| async move {
            tokio::time::sleep(pause).await;
            Some((Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; size])), ()))
        })
    };
    match reply {
        Reply::Status(code) => status(code).body(Body::from("hello")),
        Reply::With(code, name, value) => status(code).header(name, value).body(Body::empty()),
        Reply::Hang => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            status(200).body(Body::empty())
        }
        Reply::Bytes(count) => status(200).body(Body::from(vec![b'x'; count])),
        Reply::Endless => status(200).body(Body::from_stream(endless(Duration::ZERO, 64 * 1024))),
        Reply::Trickle => status(200).body(Body::from_stream(endless(Duration::from_millis(20), 1))),
        Reply::Headers(count) => (0..count)
            .fold(status(200), |builder, n| builder.header(format!("x-{n}"), "v"))
            .body(Body::empty()),
        Reply::DestinationLifecycle(gate, code) => {
            gate.acquire().await.unwrap().forget();
            status(code).body(Body::empty())
        }
    }
    .unwrap()
}
