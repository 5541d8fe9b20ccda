//! A database of a merchant who has been at it for 400 days: one event for each delivery, five for each resource, four
//! sources and eight destinations. One in 100 has failed, is pending, has no destination, or is of a rare type, which
//! came in the first half of the time only; none of the failed ones and of the rare type are of the first source.

use app::types::{PageRequest, Timestamp};
use server::clock::{Clock, SystemClock};
use server::db::Db;
use server::store::{delivery, event};

use crate::postgres;
use crate::question::{Of, Question};

/// Rows of one statement.
const AT_ONCE: i64 = 100_000;
const DAYS: i64 = 400;
const DAY: i64 = 86_400 * 1_000_000;
/// When it began: all rows are older than now.
const BEGINNING: i64 = 1_700_000_000 * 1_000_000;

const EVENTS: &str = "with recursive n (i) as (select $1 union all select i + 1 from n where i + 1 < $2) \
    insert into event (id, source_id, event_id, type, resource_id, occurred_at, received_at, headers, body_sha256, \
    body_size, processed_at, unrouted) \
    select i, 1 + i % 4, 'evt_' || i, \
    case when i % 100 = 7 and i < $4 / 2 then 'dispute.lost' when i % 3 = 0 then 'invoice.paid' \
      when i % 3 = 1 then 'invoice.created' else 'withdrawal.paid' end, \
    'inv_' || (i / 5), $3 + i * $5, $3 + i * $5, '[]', $6, 1024, $3 + i * $5, i % 100 = 11 from n";

const DELIVERIES: &str = "insert into delivery (event_id, destination_id, source_id, type, resource_id, received_at, \
    state, attempts, max_attempts, first_attempt_at, next_attempt_at, last_status, delivered_at) \
    select id, 1 + (id / 100) % 8, source_id, type, resource_id, received_at, \
    case when id % 100 = 3 then 'failed' when id % 100 = 17 then 'pending' else 'delivered' end, \
    case when id % 100 = 3 then 11 else 1 end, 11, received_at, \
    case when id % 100 = 17 then received_at + 60000000 end, case when id % 100 = 3 then 500 else 200 end, \
    case when id % 100 = 3 or id % 100 = 17 then null else received_at + 100000 end \
    from event where id >= $1 and id < $2 and not unrouted";

/// When this one of so many was received.
pub fn received_at(index: i64, of: i64) -> Timestamp {
    Timestamp::from_micros(BEGINNING + index * (DAYS * DAY / of))
}

/// The resource of an event.
pub fn resource(index: i64) -> String {
    format!("inv_{}", index / 5)
}

/// An event's id at its provider.
pub fn event_id(index: i64) -> String {
    format!("evt_{index}")
}

/// A database with its rows.
pub struct Filled {
    db: Db,
    _folder: tempfile::TempDir,
}

impl Filled {
    /// None: PostgreSQL is asked for and none is named.
    pub async fn new(database: &str, rows: i64) -> Option<Self> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let url = match database {
            "sqlite" => format!("sqlite://{}", folder.path().join("lists.db").display()),
            _ => postgres::new(&std::env::var("ACUSE_TEST_POSTGRES").ok()?).await,
        };
        let db = Db::open(&url).await.unwrap();
        db.migrate().await.unwrap();
        let checkpoints = tokio_util::sync::CancellationToken::new();
        tokio::spawn(server::db::checkpoint::run(db.clone(), checkpoints.clone()));
        parties(&db).await;
        for first in (0..rows).step_by(AT_ONCE as usize) {
            let end = rows.min(first + AT_ONCE);
            server::write!(&db, on => sqlx::query(EVENTS)
                .bind(first).bind(end).bind(BEGINNING).bind(rows).bind(DAYS * DAY / rows).bind(vec![0_u8; 32])
                .execute(on).await.map(drop))
            .unwrap();
            server::write!(&db, on => sqlx::query(DELIVERIES).bind(first).bind(end).execute(on).await.map(drop))
                .unwrap();
        }
        if let Db::Postgres(pool) = &db {
            // As autovacuum does of itself, sooner or later.
            sqlx::query("vacuum analyze").execute(pool).await.unwrap();
        }
        checkpoints.cancel();
        Some(Self { db, _folder: folder })
    }

    /// Reads that page.
    pub async fn ask(&self, question: &Question) {
        let page = PageRequest { cursor: None, limit: "50".parse().unwrap() };
        let now = SystemClock.now();
        match &question.of {
            Of::Deliveries(filter) => drop(delivery::list::page(&self.db, filter, page, now).await.unwrap()),
            Of::Counts => drop(delivery::list::counts(&self.db, now).await.unwrap()),
            Of::Events(filter) => drop(event::list::page(&self.db, filter, page).await.unwrap()),
        }
    }
}

async fn parties(db: &Db) {
    let source =
        "insert into source (id, slug, provider, mode, created_at) values ($1, $2, 'paymos', 'live', 1)";
    let destination = "insert into destination (id, slug, url, format, sources, events, ladder, timeout_ms, \
                       max_in_flight, created_at) \
                       values ($1, $2, 'https://shop.example', 'paymos', '[\"*\"]', '[\"*\"]', '1m', 10000, 16, 1)";
    for (sql, name, count) in [(source, "source", 4), (destination, "shop", 8)] {
        for id in 1..=count {
            server::write!(db, on => sqlx::query(sql)
                .bind(id)
                .bind(format!("{name}-{id}"))
                .execute(on)
                .await
                .map(drop))
            .unwrap();
        }
    }
}
