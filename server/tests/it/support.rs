//! What the tests share: a fresh, migrated database of either kind.

pub mod test_app;

use std::sync::atomic::{AtomicU32, Ordering};

use app::types::Timestamp;
use server::clock::{Clock, ManualClock};
use server::db::Db;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// A moment at which tests begin: Mon 30 Nov 2026, 12:00 UTC.
pub fn noon() -> Timestamp {
    Timestamp::from_unix(1_796_040_000)
}

/// A database of its own, and the folder that goes when the test ends.
pub struct TestDb {
    pub db: Db,
    /// For `ACUSE_DATABASE_URL`.
    pub url: String,
    pub clock: Arc<ManualClock>,
    pub folder: tempfile::TempDir,
}

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

impl TestDb {
    pub async fn new(kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = match kind {
            Kind::Sqlite => format!("sqlite://{}", folder.path().join("acuse.db").display()),
            Kind::Postgres => postgres_database().await,
        };
        let db = Db::open(&url).await.unwrap();
        db.migrate().await.unwrap();
        Self { db, url, clock: ManualClock::at(noon()), folder }
    }

    pub fn clock_now(&self) -> Timestamp {
        self.clock.now()
    }
}

/// A new PostgreSQL database, copied from one that has been migrated.
async fn postgres_database() -> String {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("ACUSE_TEST_POSTGRES").expect(
        "ACUSE_TEST_POSTGRES must name a PostgreSQL server, such as postgres://acuse@127.0.0.1:5432/postgres; \
         `make test` starts one",
    );
    let named = |name: &str| {
        let (base, _) = server.rsplit_once('/').expect("the URL ends in /DATABASE");
        format!("{base}/{name}")
    };
    let run = async |sql: String| {
        let Db::Postgres(pool) = Db::open(&server).await.unwrap() else {
            panic!("{server} is not PostgreSQL")
        };
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.unwrap();
        pool.close().await;
    };
    let template = TEMPLATE
        .get_or_init(|| async {
            let name = format!("acuse_template_{}", std::process::id());
            run(format!("create database {name}")).await;
            let db = Db::open(&named(&name)).await.unwrap();
            db.migrate().await.unwrap();
            db.close().await;
            name
        })
        .await;
    let name = format!("acuse_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    run(format!("create database {name} template {template}")).await;
    named(&name)
}

/// Makes one test for each database of `async fn name(test: TestDb) { … }`.
#[macro_export]
macro_rules! on_both {
    ($($(#[$attribute:meta])* async fn $name:ident($test:ident: TestDb) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports, reason = "a test may need nothing of its file")]
            use super::*;

            async fn run($test: $crate::support::TestDb) $body

            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                run($crate::support::TestDb::new($crate::support::Kind::Sqlite).await).await;
            }

            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                run($crate::support::TestDb::new($crate::support::Kind::Postgres).await).await;
            }
        }
    )+};
}
