//! The receiver with a database of its own, on loopback.

use std::net::SocketAddr;
use std::sync::Arc;

use app::types::Timestamp;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::any;
use server::clock::{Clock, SystemClock};
use server::db::Db;
use server::domain::secret::{SecretValue, new_id};
use server::notify::Notifiers;
use server::receive::{Receiver, router};
use server::registry::Registry;
use server::store::secret::{HolderId, SecretRow, insert, owner};
use server::vault::Vault;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The source's secret.
pub const SECRET: &str = "whsec_benchmark";

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// None, and says so, when it cannot be measured here.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "sqlite" => Some(Self::Sqlite),
            "postgres" if std::env::var_os("ACUSE_TEST_POSTGRES").is_some() => Some(Self::Postgres),
            "postgres" => {
                println!("\nPostgreSQL: not measured, ACUSE_TEST_POSTGRES names no server");
                None
            }
            other => panic!("{other:?} is not a database; accepted: sqlite, postgres"),
        }
    }

    /// What it is and whether it writes to disk before it answers.
    pub async fn describe(self) -> String {
        match self {
            Self::Sqlite => "SQLite, WAL, synchronous=FULL".to_owned(),
            Self::Postgres => {
                let Db::Postgres(pool) = Db::open(&server_url()).await.unwrap() else { unreachable!() };
                let setting = async |name: &'static str| -> String {
                    let sql = "select current_setting($1)";
                    sqlx::query_scalar(sql).bind(name).fetch_one(&pool).await.unwrap()
                };
                let (version, fsync) = (setting("server_version").await, setting("fsync").await);
                let commit = setting("synchronous_commit").await;
                let warning =
                    if (fsync.as_str(), commit.as_str()) == ("on", "on") { "" } else { " (NOT DURABLE)" };
                format!("PostgreSQL {version}, fsync={fsync}, synchronous_commit={commit}{warning}")
            }
        }
    }

    /// The least share of the empty route's rate.
    pub fn budget(self, connections: usize) -> Option<f64> {
        match (self, connections) {
            (Self::Sqlite, 256) => Some(0.50),
            (Self::Postgres, 256) => Some(0.45),
            (_, 64) => Some(0.35),
            _ => None,
        }
    }
}

/// A running receiver.
pub struct Gateway {
    pub address: SocketAddr,
    shutdown: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
    receiver: Receiver,
    db: Db,
    created: Option<String>,
    _folder: tempfile::TempDir,
}

impl Gateway {
    pub async fn start(kind: Kind) -> Self {
        // Not the folder for temporary files: that may be in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (url, created) = match kind {
            Kind::Sqlite => (format!("sqlite://{}", folder.path().join("acuse.db").display()), None),
            Kind::Postgres => {
                let name = format!("acuse_bench_{}", new_id());
                execute(format!("create database {name}")).await;
                let (base, _) =
                    server_url().rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                (format!("{base}/{name}"), Some(name))
            }
        };
        let db = Db::open(&url).await.unwrap();
        db.migrate().await.unwrap();
        let vault = Arc::new(Vault::ephemeral());
        add_source(&db, &vault).await;
        let (clock, shutdown) = (Arc::new(SystemClock), CancellationToken::new());
        tokio::spawn(server::db::checkpoint::run(db.clone(), shutdown.clone()));
        let registry = Registry::load(db.clone(), vault, clock.clone()).await.unwrap();
        let receiver = Receiver::start(db.clone(), clock, registry, Notifiers::default(), shutdown.clone());
        let app = router(receiver.clone(), 1 << 20)
            .merge(Router::new().route("/empty", any(async || StatusCode::NO_CONTENT)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let ended = shutdown.clone().cancelled_owned();
        let serving = tokio::spawn(async move {
            use axum::serve::ListenerExt;
            let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
            axum::serve(listener, app).with_graceful_shutdown(ended).await.unwrap();
        });
        Self { address, shutdown, serving, receiver, db, created, _folder: folder }
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        self.serving.await.unwrap();
        self.receiver.finish().await;
        let count: i64 = server::read!(&self.db, on => sqlx::query_scalar("select count(*) from event")
            .fetch_one(on).await)
        .unwrap();
        self.db.close().await;
        println!("{count} events are in the database");
        if let Some(name) = self.created {
            execute(format!("drop database {name}")).await;
        }
    }
}

fn server_url() -> String {
    std::env::var("ACUSE_TEST_POSTGRES").unwrap()
}

async fn execute(sql: String) {
    let Db::Postgres(pool) = Db::open(&server_url()).await.unwrap() else { unreachable!() };
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.unwrap();
    pool.close().await;
}

async fn add_source(db: &Db, vault: &Vault) {
    let sql = "insert into source (slug, provider, mode, tolerance_s, created_at) \
               values ('shop', 'paymos', 'test', 300, 0) returning id";
    let source_id: i64 = server::write!(db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap();
    let (id, value) = (new_id(), SecretValue::new(SECRET));
    let row = SecretRow {
        id: id.clone(),
        holder: HolderId::Source(source_id),
        sealed: vault.seal(&value, &owner(&id)).unwrap(),
        fingerprint: value.fingerprint(),
        created_by: "benchmark".to_owned(),
        created_at: Timestamp::from_unix(SystemClock.now().unix() - 60),
        expires_at: None,
        last_used_at: None,
        matches: 0,
    };
    let mut tx = db.begin_write().await.unwrap();
    insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
}
