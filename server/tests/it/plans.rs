//! No statement that is made all the time reads a whole table, however long that is. PostgreSQL counts that itself.

use std::time::Duration;

use app::deliveries::DeliveryFilter;
use app::events::EventFilter;
use app::types::{DeliveryState, PageRequest};
use server::clock::Clock;
use server::db::Db;
use server::store::delivery::claim::{self, ClaimRequest};
use server::store::delivery::matches::{self, MatchCursor};
use server::store::destination::lifecycle;
use server::store::{delivery, event};
use sqlx::PgPool;

use crate::lists;
use crate::support::{Kind, TestDb};

/// So many of each destination: a plan for a few rows would rightly read them all.
const MANY: &str = "insert into delivery (event_id, destination_id, source_id, type, resource_id, received_at, state, \
                    attempts, max_attempts, next_attempt_at, delivered_at) \
                    select 1000 + i, 1 + i % 2, 1, 'invoice.paid', 'inv_' || i, i, \
                    case i % 100 when 0 then 'pending' when 1 then 'failed' when 2 then 'held' else 'delivered' end, \
                    case i % 100 when 0 then 0 else 1 end, 11, case i % 100 when 0 then i end, \
                    case when i % 100 > 2 then i end from generate_series(1, 60000) as i";

/// As many events. A search finds few of them.
const MANY_EVENTS: &str = "insert into event (id, source_id, event_id, type, resource_id, received_at, processed_at, headers, \
                           body_sha256, body_size) \
                           select 1000 + i, 1, 'evt_many_' || i, 'invoice.paid', 'inv_many_' || i, i, i, '[]', '', 2 \
                           from generate_series(1, 60000) as i";

/// Rows and entries that were read of the events so far.
async fn reads_of_events(pool: &PgPool) -> i64 {
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let sql = "select (select seq_tup_read from pg_stat_user_tables where relname = 'event') \
               + (select cast(sum(idx_tup_read) as bigint) from pg_stat_user_indexes where relname = 'event')";
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finding_few_events_reads_few() {
    let test = TestDb::new(Kind::Postgres).await;
    lists::seed(&test).await;
    let Db::Postgres(pool) = &test.db else { panic!("it is PostgreSQL") };
    for sql in [MANY_EVENTS, "analyze"] {
        sqlx::query(sql).execute(pool).await.unwrap();
    }
    let every = EventFilter::default;
    let search = |q: &str| EventFilter { q: Some(q.to_owned()), ..every() };
    let filters = [
        every(),
        search("evt_many_4321"),
        search("inv_many_4321"),
        search("withdrawal"),
        search("nothing"),
        EventFilter { r#type: Some("withdrawal.completed".to_owned()), ..every() },
        EventFilter { event_id: Some("evt_many_7".to_owned()), ..every() },
        EventFilter { resource: Some("inv_many_7".to_owned()), ..every() },
        EventFilter { unrouted: true, ..every() },
        EventFilter { held: true, ..every() },
        EventFilter { source: Some("pos".parse().unwrap()), ..every() },
    ];
    let page = PageRequest { cursor: None, limit: "50".parse().unwrap() };
    let before = reads_of_events(pool).await;
    for filter in &filters {
        event::list::page(&test.db, filter, page).await.unwrap();
    }
    let read = reads_of_events(pool).await - before;
    assert!(read < 5_000, "{read} of 60 000 were read for {} pages", filters.len());
}

async fn whole_reads(pool: &PgPool) -> i64 {
    // Every connection tells what it did a moment later.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let sql = "select seq_scan from pg_stat_user_tables where relname = 'delivery'";
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listing_claiming_and_resending_read_no_whole_table() {
    let test = TestDb::new(Kind::Postgres).await;
    lists::seed(&test).await;
    let Db::Postgres(pool) = &test.db else { panic!("it is PostgreSQL") };
    for sql in [MANY, "analyze"] {
        sqlx::query(sql).execute(pool).await.unwrap();
    }
    let now = test.clock.now();
    let page = PageRequest { cursor: None, limit: "50".parse().unwrap() };
    let filters = [
        DeliveryFilter::default(),
        DeliveryFilter { state: vec![DeliveryState::Failed], ..DeliveryFilter::default() },
        DeliveryFilter { destination: Some("erp".parse().unwrap()), ..DeliveryFilter::default() },
        DeliveryFilter { resource: Some("inv_77".to_owned()), ..DeliveryFilter::default() },
        DeliveryFilter { event_id: Some("evt_7".to_owned()), ..DeliveryFilter::default() },
        DeliveryFilter { overdue: true, ..DeliveryFilter::default() },
    ];
    let failed = DeliveryFilter {
        state: vec![DeliveryState::Failed],
        destination: Some("erp".parse().unwrap()),
        ..DeliveryFilter::default()
    };
    let before = whole_reads(pool).await;

    for filter in &filters {
        delivery::list::page(&test.db, filter, page, now).await.unwrap();
    }
    matches::shares(&test.db, &failed, now).await.unwrap();
    let mut walk = MatchCursor::begin(&test.db, &failed, now).await.unwrap();
    assert!(!walk.next(100).await.unwrap().is_empty());
    drop(walk);
    claim::due(&test.db, now).await.unwrap();
    lifecycle::list_status(&test.db).await.unwrap();
    lifecycle::find_unfinished(&test.db).await.unwrap();
    let mut tx = test.db.begin_write().await.unwrap();
    let wants = [1, 2].map(|destination_id| ClaimRequest { destination_id, room: 16, retries_first: false });
    assert!(!claim::claim(&mut tx, &wants, "ours", now).await.unwrap().is_empty());
    lifecycle::shift(&mut tx, &test.db, 1, now).await.unwrap();
    tx.commit().await.unwrap();

    assert_eq!(whole_reads(pool).await - before, 0, "the table of deliveries was read from end to end");
}
