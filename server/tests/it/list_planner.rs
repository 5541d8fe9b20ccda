//! Whichever index a list is read by, it shows the same. There are enough rows here that what is frequent and what is
//! rare are told apart, and that the rare is looked for in several places.

use app::deliveries::DeliveryFilter;
use app::events::EventFilter;
use app::types::{Cursor, DeliveryState, PageRequest, Slug, Timestamp};
use server::clock::Clock;
use server::store::{delivery, event};

use crate::on_both;
use crate::support::TestDb;

/// More than is read for finding out that something is rare.
const ROWS: i64 = 44_000;

const EVENTS: &str = "with recursive n (i) as (select 1 union all select i + 1 from n where i < $1) \
    insert into event (id, source_id, event_id, type, resource_id, received_at, headers, body_sha256, body_size, held, \
    processed_at, unrouted) \
    select i, case when i % 700 = 0 then 3 else 1 + i % 2 end, 'evt_' || i, \
    case when i % 500 = 7 and i < 20000 then 'dispute.lost' when i % 3 = 0 then 'invoice.paid' else 'invoice.sent' end, \
    case when i % 11 = 0 then null else 'inv_' || (i / 5) end, i / 3, '[]', $2, 2, i % 900 = 5, \
    case when i % 900 = 5 then null else 1 end, i % 40 = 9 from n";

const DELIVERIES: &str = "insert into delivery (id, event_id, destination_id, source_id, type, resource_id, received_at, \
    state, max_attempts, next_attempt_at, delivered_at) \
    select id, id, case when id % 600 = 1 then 2 else 1 end, source_id, type, resource_id, received_at, \
    case when id % 300 = 4 then 'failed' when id % 400 = 8 then 'pending' else 'delivered' end, 11, \
    case when id % 400 = 8 then case when id % 800 = 8 then 1 else $1 end end, \
    case when id % 300 = 4 or id % 400 = 8 then null else 1 end from event where not unrouted and not held";

async fn seed(test: &TestDb) {
    for (id, slug) in [(1, "east"), (2, "west"), (3, "small")] {
        let sql =
            "insert into source (id, slug, provider, mode, created_at) values ($1, $2, 'paymos', 'live', 1)";
        server::write!(&test.db, on => sqlx::query(sql).bind(id).bind(slug).execute(on).await.map(drop))
            .unwrap();
    }
    for (id, slug) in [(1, "erp"), (2, "crm")] {
        let sql = "insert into destination (id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, \
             created_at) values ($1, $2, 'https://x.test', 'paymos', '[]', '[]', '1m', 10000, 16, 1)";
        server::write!(&test.db, on => sqlx::query(sql).bind(id).bind(slug).execute(on).await.map(drop))
            .unwrap();
    }
    let empty: &[u8] = b"";
    server::write!(&test.db, on => sqlx::query(EVENTS).bind(ROWS).bind(empty).execute(on).await.map(drop))
        .unwrap();
    let later = test.clock.now().plus_seconds(3600).micros();
    server::write!(&test.db, on => sqlx::query(DELIVERIES).bind(later).execute(on).await.map(drop)).unwrap();
}

/// The page after a cursor as somebody would make it who has read everything, newest first.
fn expected<T>(
    all: &[T],
    matches: impl Fn(&T) -> bool,
    key: impl Fn(&T) -> (Timestamp, i64),
    after: Option<Cursor>,
) -> Vec<i64> {
    let after = after.map(|cursor| (cursor.at, cursor.id));
    let rows = all.iter().filter(|row| matches(row) && after.is_none_or(|after| key(row) < after));
    rows.take(7).map(|row| key(row).1).collect()
}

fn slug(text: Option<&str>) -> Option<Slug> {
    text.map(|text| text.parse().unwrap())
}

fn is_of(pattern: Option<&str>, name: &str) -> bool {
    pattern.is_none_or(|pattern| server::domain::filter::takes(&[pattern.to_owned()], name))
}

/// The newest ones; of those in the middle; and what comes after them.
fn cursors() -> [Option<Cursor>; 2] {
    [None, Some(Cursor { at: Timestamp::from_micros(ROWS / 6), id: ROWS / 2 })]
}

on_both! {
    async fn deliveries_are_the_same_by_every_index(test: TestDb) {
        seed(&test).await;
        let now = test.clock.now();
        let all = everything(async |page| {
            delivery::list::page(&test.db, &DeliveryFilter::default(), page, now).await.unwrap()
        }).await;
        assert_eq!(all.len() as i64, ROWS - ROWS / 40 - ROWS / 900 - 1);
        let mut asked = 0;
        for state in [&[][..], &[DeliveryState::Delivered], &[DeliveryState::Failed, DeliveryState::Pending]] {
            for (destination, source) in [
                (None, None), (Some("erp"), None), (Some("crm"), None), (None, Some("east")), (None, Some("small")),
                (Some("erp"), Some("east")), (Some("crm"), Some("small")), (Some("none"), Some("east")), (None, Some("none")),
            ] {
                for pattern in [None, Some("invoice.paid"), Some("dispute.lost"), Some("invoice.*"), Some("none.*"), Some("*")] {
                    for (overdue, to) in [(false, None), (true, None), (false, Some(Timestamp::from_micros(5_000)))] {
                        let filter = DeliveryFilter {
                            state: state.to_vec(), destination: slug(destination), source: slug(source),
                            r#type: pattern.map(str::to_owned), overdue, to, ..DeliveryFilter::default()
                        };
                        for cursor in cursors() {
                            let page = PageRequest { cursor, limit: "7".parse().unwrap() };
                            let rows = delivery::list::page(&test.db, &filter, page, now).await.unwrap().items;
                            let matches = |row: &app::deliveries::DeliverySummary| {
                                (state.is_empty() || state.contains(&row.state))
                                    && destination.is_none_or(|slug| row.destination.as_str() == slug)
                                    && source.is_none_or(|slug| row.source.as_str() == slug)
                                    && is_of(pattern, &row.r#type)
                                    && (!overdue || row.next_attempt_at.is_some_and(|at| at < now))
                                    && to.is_none_or(|to| row.received_at < to)
                            };
                            let expected = expected(&all, matches, |row| (row.received_at, row.id), cursor);
                            assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{filter:?}");
                            asked += i32::from(!expected.is_empty());
                        }
                    }
                }
            }
        }
        assert!(asked > 300, "{asked} questions had an answer");
    }

    async fn events_are_the_same_by_every_index(test: TestDb) {
        seed(&test).await;
        let every = EventFilter::default();
        let all = everything(async |page| event::list::page(&test.db, &every, page).await.unwrap()).await;
        assert_eq!(all.len() as i64, ROWS);
        let mut asked = 0;
        for source in [None, Some("east"), Some("small"), Some("none")] {
            for pattern in [None, Some("invoice.paid"), Some("dispute.lost"), Some("invoice.*"), Some("none.*")] {
                for q in [None, Some("evt_43"), Some("evt_"), Some("inv_87"), Some("inv_"), Some("dispute"), Some("i"), Some("none")] {
                    for (unrouted, held) in [(false, false), (true, false), (false, true)] {
                        let filter = EventFilter {
                            source: slug(source), r#type: pattern.map(str::to_owned), q: q.map(str::to_owned),
                            unrouted, held, ..EventFilter::default()
                        };
                        for cursor in cursors() {
                            let page = PageRequest { cursor, limit: "7".parse().unwrap() };
                            let rows = event::list::page(&test.db, &filter, page).await.unwrap().items;
                            let begins = |q: &str, row: &app::events::EventSummary| {
                                row.event_id.starts_with(q) || row.r#type.starts_with(q)
                                    || row.resource_id.as_ref().is_some_and(|resource| resource.starts_with(q))
                            };
                            let matches = |row: &app::events::EventSummary| {
                                source.is_none_or(|slug| row.source.as_str() == slug)
                                    && is_of(pattern, &row.r#type)
                                    && q.is_none_or(|q| begins(q, row))
                                    && (!unrouted || row.unrouted)
                                    && (!held || row.processed_at.is_none())
                            };
                            let expected = expected(&all, matches, |row| (row.received_at, row.id), cursor);
                            assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{filter:?}");
                            asked += i32::from(!expected.is_empty());
                        }
                    }
                }
            }
        }
        assert!(asked > 150, "{asked} questions had an answer");
    }
}

/// Page by page, as long as there are some.
async fn everything<T>(page: impl AsyncFn(PageRequest) -> app::types::Page<T>) -> Vec<T> {
    let (mut all, mut request) = (Vec::new(), PageRequest { cursor: None, limit: "200".parse().unwrap() });
    loop {
        let page = page(request).await;
        all.extend(page.items);
        match page.next_cursor {
            Some(cursor) => request.cursor = Some(cursor.parse().unwrap()),
            None => return all,
        }
    }
}
