//! Several processes on one PostgreSQL database: one is killed again and again while the others go on.
//!
//! Real time and real processes: what is tested is what survives a kill, and that nothing runs twice at once.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use app::types::AttemptError;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use rand::Rng;

use crate::fixture::{Fixture, Reply, Sink, Target};
use crate::support::{Kind, TestDb, noon};

const DELIVERIES: i64 = 20_000;

/// Answers a third of the attempts with 500, and notes when each delivery is under way.
#[derive(Clone, Default)]
struct Shop(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    /// How often each delivery came, and whether an attempt at it runs now.
    deliveries: BTreeMap<i64, (u32, bool)>,
    overlaps: Vec<i64>,
    requests: u64,
}

impl Shop {
    async fn start(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let router = Router::new().fallback(take).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        url
    }
}

/// An attempt under way: until it is answered, or cut off with the process that made it.
struct Running(Shop, i64);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some((_, running)) = self.0.0.lock().unwrap().deliveries.get_mut(&self.1) {
            *running = false;
        }
    }
}

async fn take(State(shop): State<Shop>, headers: HeaderMap) -> StatusCode {
    let delivery: i64 = headers["acuse-delivery"].to_str().unwrap().parse().unwrap();
    let (fails, _running) = {
        let mut seen = shop.0.lock().unwrap();
        seen.requests += 1;
        let (times, running) = seen.deliveries.entry(delivery).or_default();
        *times += 1;
        if std::mem::replace(running, true) {
            seen.overlaps.push(delivery);
        }
        (seen.requests.is_multiple_of(3), Running(shop.clone(), delivery))
    };
    // Long enough for a second attempt to meet the first one.
    tokio::time::sleep(Duration::from_millis(2)).await;
    if fails { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::OK }
}

/// `acuse serve` over this database.
fn serve(test: &TestDb) -> Child {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log_file(test)).unwrap();
    Command::new(env!("CARGO_BIN_EXE_acuse"))
        .arg("serve")
        .env("ACUSE_LISTEN", "127.0.0.1:0")
        .env("ACUSE_DATABASE_URL", &test.url)
        .env("ACUSE_KEY_FILE", test.folder.path().join("acuse.key"))
        .env("ACUSE_ALLOW_NETS", "127.0.0.0/8")
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

fn log_file(test: &TestDb) -> std::path::PathBuf {
    test.folder.path().join("acuse.log")
}

/// A source, a destination with a secret that the key file opens, and that many events that nobody has processed.
async fn fill(test: &TestDb, url: &str) {
    let key = test.folder.path().join("acuse.key");
    server::vault::key_file::create(&key).unwrap();
    let vault = server::vault::Vault::read(&key).unwrap();
    let server::db::Db::Postgres(pool) = &test.db else { panic!("PostgreSQL only") };
    let id = server::domain::secret::new_id();
    let value = server::domain::secret::SecretValue::generate();
    let row = server::store::secret::SecretRow {
        sealed: vault.seal(&value, &server::store::secret::owner(&id)).unwrap(),
        id,
        holder: server::store::secret::HolderId::Destination(1),
        fingerprint: value.fingerprint(),
        created_by: "test".to_owned(),
        created_at: app::types::Timestamp::from_unix(1),
        expires_at: None,
        last_used_at: None,
        matches: 0,
    };
    // Old ones would be pruned.
    let now = server::clock::Clock::now(&server::clock::SystemClock).micros();
    for sql in [
        "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'test', 1)"
            .to_owned(),
        format!(
            "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, created_at) \
             values ('shop', '{url}', 'paymos', '[\"*\"]', '[\"*\"]', '1s,1s,1s', 1000, 16, 1)"
        ),
        format!(
            "insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size) \
             select 1, 'evt_' || n, 'invoice.paid', {now}, '[]', '\\x00', 2 from generate_series(1, {DELIVERIES}) n"
        ),
        "insert into event_body (event_id, body) select id, '{}' from event".to_owned(),
    ] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(pool).await.unwrap();
    }
    let mut tx = test.db.begin_write().await.unwrap();
    server::store::secret::insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
}

async fn count(test: &TestDb, sql: &'static str) -> i64 {
    server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
}

// reason: SQLite has one process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_delivery_ends_and_none_runs_twice_at_once_while_processes_are_killed() {
    let test = TestDb::new(Kind::Postgres).await;
    let shop = Shop::default();
    let url = shop.start().await;
    fill(&test, &url).await;
    let mut processes = [serve(&test), serve(&test)];
    let until = Instant::now() + Duration::from_secs(150);
    let open = "select count(*) from event where processed_at is null";
    let unfinished = "select count(*) from delivery where state not in ('delivered', 'failed')";
    let mut kills = 0;
    loop {
        let life = rand::rng().random_range(300..1500);
        tokio::time::sleep(Duration::from_millis(life)).await;
        if count(&test, open).await == 0 && count(&test, unfinished).await == 0 {
            break;
        }
        assert!(Instant::now() < until, "{} are left", count(&test, unfinished).await);
        if kills < 4 {
            let victim = kills % 2;
            processes[victim].kill().unwrap();
            processes[victim].wait().unwrap();
            processes[victim] = serve(&test);
            kills += 1;
        }
    }
    for process in &mut processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let seen = std::mem::take(&mut *shop.0.lock().unwrap());
    assert_eq!(seen.deliveries.len() as i64, DELIVERIES, "the shop saw each at least once");
    assert_eq!(seen.overlaps, Vec::<i64>::new(), "ran twice at once");
    assert_eq!(count(&test, "select count(*) from delivery").await, DELIVERIES);
    let without = "select count(*) from delivery d where d.attempts <> \
                   (select count(*) from attempt a where a.delivery_id = d.id)";
    assert_eq!(count(&test, without).await, 0, "every rung that is used up has its attempt");
    let log = std::fs::read_to_string(log_file(&test)).unwrap();
    assert!(!log.contains("panicked at"), "{log}");
    assert_eq!(kills, 4);
}

/// Two processes whose clocks differ by five seconds.
// reason: SQLite has one process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_that_differ_by_seconds_neither_overlap_nor_lose_anything() {
    let fixture = Fixture::new(TestDb::new(Kind::Postgres).await).await;
    let sink = Sink::start().await;
    fixture.destination(Target { url: sink.url.clone(), timeout_ms: 10_000, ..Target::default() }).await;
    let network = || server::deliver::Network::new("127.0.0.0/8".parse().unwrap());
    let ahead = server::clock::ManualClock::at(noon().plus_seconds(5));
    let (slow, fast) = (
        fixture.deliverer_by(fixture.clock.clone(), network()),
        fixture.deliverer_by(ahead.clone(), network()),
    );

    // The one that is behind has claimed; the other one takes it for overdue only when no attempt can run any more.
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    sink.once(Reply::DestinationLifecycle(gate.clone(), 200));
    let delivery = fixture.delivery("evt_1").await;
    let running = tokio::spawn(async move { slow.run_once().await.unwrap() });
    sink.wait_for(1).await;
    for seconds in [5, 10, 15, 20, 24] {
        fixture.clock.set(noon().plus_seconds(seconds));
        ahead.set(noon().plus_seconds(seconds + 5));
        assert_eq!(fast.run_once().await.unwrap(), 0, "taken over {seconds} s after it was claimed");
    }
    gate.add_permits(1);
    running.await.unwrap();
    assert_eq!(fixture.standing(delivery).await.state, app::types::DeliveryState::Delivered);

    // What was claimed long ago and waited is not started so late that another one could have it already.
    let late = fixture.delivery("evt_2").await;
    fixture
        .run(
            "update delivery set lease_token = 'gone', lease_until = $1 where state = 'pending'",
            noon().plus_seconds(30).micros(),
        )
        .await;
    fixture.clock.set(noon().plus_seconds(26));
    ahead.set(noon().plus_seconds(31));
    assert_eq!(fast.run_once().await.unwrap(), 1);
    assert_eq!(fixture.standing(late).await.attempts, 1);

    // A secret that the process ahead has made signs at once in the one that is behind.
    let to = Target {
        slug: "new",
        url: sink.url.clone(),
        events: "[\"new\"]",
        secrets: vec![("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", noon().plus_seconds(31), None)],
        ..Target::default()
    };
    fixture.destination(to).await;
    let event = fixture.event_with("evt_3", "new", None, b"{}").await;
    fixture.ledger().run_once().await.unwrap();
    let behind = fixture.deliverer_by(fixture.clock.clone(), network());
    behind.run_once().await.unwrap();
    let signed = fixture.number("select id from delivery where event_id = $1", event).await;
    let attempt = fixture.attempts(signed).await;
    assert_ne!(attempt.first().and_then(|row| row.error.clone()), Some(AttemptError::Blocked.to_string()));
}
