//! A database with one source and one destination, and the two workers over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::types::Timestamp;
use server::clock::{SharedClock, SystemClock};
use server::db::Db;
use server::deliver::{Deliverer, Network};
use server::domain::secret::{self, SecretValue};
use server::ledger::Ledger;
use server::notify::Notifiers;
use server::registry::Registry;
use server::store::secret::{HolderId, SecretRow, owner};
use server::vault::Vault;

pub struct Setting {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    vault: Arc<Vault>,
    notifiers: Notifiers,
    source: i64,
    filled: AtomicUsize,
    _folder: tempfile::TempDir,
}

impl Setting {
    /// None: PostgreSQL is asked for and none is named.
    pub async fn new(database: &str, url: &str, in_flight: usize) -> Option<Self> {
        let folder = tempfile::tempdir_in(".").unwrap();
        let database = match database {
            "sqlite" => format!("sqlite://{}", folder.path().join("bench.db").display()),
            _ => crate::postgres::new(&std::env::var("ACUSE_TEST_POSTGRES").ok()?).await,
        };
        let db = Db::open(&database).await.unwrap();
        db.migrate().await.unwrap();
        tokio::spawn(server::db::checkpoint::run(db.clone(), tokio_util::sync::CancellationToken::new()));
        let clock: SharedClock = Arc::new(SystemClock);
        let vault = Arc::new(Vault::ephemeral());
        let now = clock.now();
        let source = "insert into source (slug, provider, mode, created_at) values ('bench', 'paymos', 'test', $1) \
                      returning id";
        let source =
            server::write!(&db, on => sqlx::query_scalar(source).bind(now.micros()).fetch_one(on).await)
                .unwrap();
        let destination = "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, \
                           max_in_flight, created_at) \
                           values ('sink', $1, 'paymos', '[\"*\"]', '[\"*\"]', '1m', 10000, $2, $3) returning id";
        let destination: i64 = server::write!(&db, on => sqlx::query_scalar(destination)
            .bind(url)
            .bind(in_flight as i64)
            .bind(now.micros())
            .fetch_one(on)
            .await)
        .unwrap();
        add_secret(&db, &vault, destination, now).await;
        let registry = Registry::load(db.clone(), Arc::clone(&vault), clock.clone()).await.unwrap();
        Some(Self {
            db,
            clock,
            registry,
            vault,
            notifiers: Notifiers::default(),
            source,
            filled: AtomicUsize::new(0),
            _folder: folder,
        })
    }

    /// Stores events as the receiver leaves them.
    pub async fn fill(&self, events: usize, bytes: usize) {
        let event = "insert into event (source_id, event_id, type, received_at, headers, body_sha256, body_size) \
                     values ($1, $2, 'invoice.paid', $3, '[]', $4, $5) returning id";
        let body = "insert into event_body (event_id, body) values ($1, $2)";
        let first = self.filled.fetch_add(events, Ordering::Relaxed);
        let mut tx = self.db.begin_write().await.unwrap();
        for n in 0..events {
            let id: i64 = server::within!(&mut tx, on => sqlx::query_scalar(event)
                .bind(self.source)
                .bind(format!("evt_{}", first + n))
                .bind(self.clock.now().micros())
                .bind(vec![0_u8; 32])
                .bind(bytes as i64)
                .fetch_one(on)
                .await)
            .unwrap();
            server::within!(&mut tx, on => sqlx::query(body)
                .bind(id)
                .bind(vec![b'x'; bytes])
                .execute(on)
                .await
                .map(drop))
            .unwrap();
        }
        tx.commit().await.unwrap();
    }

    /// A second destination that never answers, with so many deliveries: overdue, or from when it still did. It gets no
    /// others: what a second destination costs is not asked here.
    pub async fn add_black_hole(&self, url: &str, deliveries: i64, are_overdue: bool) {
        let now = self.clock.now();
        let destination = "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, \
                           max_in_flight, created_at) \
                           values ('hole', $1, 'paymos', '[\"*\"]', '[\"other\"]', '1m', 10000, 16, $2) returning id";
        let hole: i64 = server::write!(&self.db, on => sqlx::query_scalar(destination)
            .bind(url)
            .bind(now.micros())
            .fetch_one(on)
            .await)
        .unwrap();
        add_secret(&self.db, &self.vault, hole, now).await;
        let sql = "insert into delivery (event_id, destination_id, source_id, type, received_at, state, attempts, \
                   max_attempts, next_attempt_at, delivered_at, first_attempt_at) \
                   select event.id, $1, $2, 'invoice.paid', 1, $3, 1, 2, $4, $5, 1 from event where event.id <= $6";
        let (state, next, delivered) =
            if are_overdue { ("pending", Some(1), None) } else { ("delivered", None, Some(1)) };
        self.fill(deliveries as usize, 10).await;
        let processed = "update event set processed_at = 1";
        server::write!(&self.db, on => sqlx::query(processed).execute(on).await.map(drop)).unwrap();
        server::write!(&self.db, on => sqlx::query(sql)
            .bind(hole)
            .bind(self.source)
            .bind(state)
            .bind::<Option<i64>>(next)
            .bind::<Option<i64>>(delivered)
            .bind(deliveries)
            .execute(on)
            .await
            .map(drop))
        .unwrap();
        self.registry.reload().await.unwrap();
    }

    /// Wakes the ledger, as the receiver does.
    pub fn notify(&self) {
        self.notifiers.ledger.notify();
    }

    /// Microseconds from each event to the answer that took it, in order.
    pub async fn latencies(&self) -> Vec<i64> {
        let sql = "select delivered_at - received_at from delivery where state = 'delivered' and received_at > 1 order by 1";
        server::read!(&self.db, on => sqlx::query_scalar(sql).fetch_all(on).await).unwrap()
    }

    pub fn ledger(&self) -> Ledger {
        Ledger::new(self.db.clone(), self.clock.clone(), Arc::clone(&self.registry), self.notifiers.clone())
    }

    pub fn deliverer(&self) -> Deliverer {
        let network = Network::new("127.0.0.0/8".parse().unwrap());
        Deliverer::new(
            self.db.clone(),
            self.clock.clone(),
            Arc::clone(&self.registry),
            self.notifiers.clone(),
            network,
        )
    }

    /// How many are delivered, but for those that the black hole came with.
    pub async fn delivered(&self) -> i64 {
        let sql = "select count(*) from delivery where state = 'delivered' and received_at > 1";
        server::read!(&self.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
    }
}

async fn add_secret(db: &Db, vault: &Vault, destination: i64, now: Timestamp) {
    let (id, value) = (secret::new_id(), SecretValue::generate());
    let row = SecretRow {
        sealed: vault.seal(&value, &owner(&id)).unwrap(),
        id,
        holder: HolderId::Destination(destination),
        fingerprint: value.fingerprint(),
        created_by: "bench".to_owned(),
        created_at: now,
        expires_at: None,
        last_used_at: None,
        matches: 0,
    };
    let mut tx = db.begin_write().await.unwrap();
    server::store::secret::insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
}
