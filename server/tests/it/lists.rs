//! The lists of deliveries and events: every filter, and pages that show each row exactly once.

use app::deliveries::{DeliveryFilter, DeliverySummary};
use app::events::{EventFilter, EventSummary};
use app::types::{DeliveryState, PageRequest, Timestamp};
use server::clock::Clock;
use server::store::{delivery, event};

use crate::on_both;
use crate::support::TestDb;

const EVENTS: i64 = 60;
const TYPES: [&str; 4] = ["invoice.paid", "invoice.expired", "invoices.other", "withdrawal.completed"];

/// 60 events of two sources, four to a microsecond, each for two destinations.
pub async fn seed(test: &TestDb) {
    let noon = test.clock.now().micros();
    let mut statements = vec![
        "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'live', 0), ('pos', 'paymos', 'live', 0)"
            .to_owned(),
        "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, created_at) values \
         ('erp', 'https://erp.test', 'paymos', '[\"*\"]', '[\"*\"]', '1m,2m', 10000, 16, 0), \
         ('crm', 'https://crm.test', 'paymos', '[\"*\"]', '[\"*\"]', '1m,2m', 10000, 16, 0)"
            .to_owned(),
    ];
    for n in 1..=EVENTS {
        let (source, kind, resource) = (1 + n % 2, TYPES[(n % 4) as usize], n / 3);
        let at = noon - 3_600_000_000 + n / 4;
        statements.push(format!(
            "insert into event (source_id, event_id, type, resource_id, received_at, processed_at, headers, body_sha256, \
             body_size) values ({source}, 'evt_{n}', '{kind}', 'inv_{resource}', {at}, {at}, '[]', cast('' as HASH), 2)"
        ));
        for destination in 1..=2 {
            let state = DeliveryState::ALL[((n + destination) % 5) as usize];
            let due = match state {
                DeliveryState::Pending => (noon + (n % 3 - 1) * 60_000_000).to_string(),
                _ => "null".to_owned(),
            };
            let delivered =
                if state == DeliveryState::Delivered { at.to_string() } else { "null".to_owned() };
            statements.push(format!(
                "insert into delivery (event_id, destination_id, source_id, type, resource_id, received_at, state, \
                 max_attempts, next_attempt_at, delivered_at) values \
                 ({n}, {destination}, {source}, '{kind}', 'inv_{resource}', {at}, '{state}', 3, {due}, {delivered})"
            ));
        }
    }
    for sql in statements {
        let sql = sql.replace("HASH", if test.url.starts_with("sqlite") { "blob" } else { "bytea" });
        server::write!(&test.db, on => sqlx::query(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
            .unwrap();
    }
}

async fn deliveries(test: &TestDb, filter: &DeliveryFilter, limit: &str) -> Vec<DeliverySummary> {
    let mut request = PageRequest { cursor: None, limit: limit.parse().unwrap() };
    let mut rows = Vec::new();
    loop {
        let page = delivery::list::page(&test.db, filter, request, test.clock.now()).await.unwrap();
        assert!(page.items.len() as i64 <= request.limit.get());
        rows.extend(page.items);
        match page.next_cursor {
            Some(cursor) => request.cursor = Some(cursor.parse().unwrap()),
            None => return rows,
        }
    }
}

async fn events(test: &TestDb, filter: &EventFilter, limit: &str) -> Vec<EventSummary> {
    let mut request = PageRequest { cursor: None, limit: limit.parse().unwrap() };
    let mut rows = Vec::new();
    loop {
        let page = event::list::page(&test.db, filter, request).await.unwrap();
        rows.extend(page.items);
        match page.next_cursor {
            Some(cursor) => request.cursor = Some(cursor.parse().unwrap()),
            None => return rows,
        }
    }
}

fn slug(text: &str) -> Option<app::types::Slug> {
    Some(text.parse().unwrap())
}

on_both! {
    async fn pages_show_every_delivery_once_newest_first(test: TestDb) {
        seed(&test).await;
        for limit in ["1", "7", "120", "200"] {
            let rows = deliveries(&test, &DeliveryFilter::default(), limit).await;
            assert_eq!(rows.len(), 2 * EVENTS as usize);
            assert!(rows.windows(2).all(|w| (w[0].received_at, w[0].id) > (w[1].received_at, w[1].id)));
        }
    }

    async fn each_delivery_filter_keeps_exactly_what_matches(test: TestDb) {
        seed(&test).await;
        let all = deliveries(&test, &DeliveryFilter::default(), "200").await;
        let at = all[40].received_at;
        let now = test.clock.now();
        type Matches = Box<dyn Fn(&DeliverySummary) -> bool>;
        let none = DeliveryFilter::default();
        let cases: Vec<(DeliveryFilter, Matches)> = vec![
            (DeliveryFilter { state: vec![DeliveryState::Failed], ..none.clone() }, Box::new(|d| d.state == DeliveryState::Failed)),
            (
                DeliveryFilter { state: vec![DeliveryState::Held, DeliveryState::Pending], ..none.clone() },
                Box::new(|d| [DeliveryState::Held, DeliveryState::Pending].contains(&d.state)),
            ),
            (DeliveryFilter { destination: slug("crm"), ..none.clone() }, Box::new(|d| d.destination.as_str() == "crm")),
            (DeliveryFilter { source: slug("pos"), ..none.clone() }, Box::new(|d| d.source.as_str() == "pos")),
            (DeliveryFilter { r#type: Some("invoice.paid".into()), ..none.clone() }, Box::new(|d| d.r#type == "invoice.paid")),
            (DeliveryFilter { r#type: Some("invoice.*".into()), ..none.clone() }, Box::new(|d| d.r#type.starts_with("invoice."))),
            (DeliveryFilter { resource: Some("inv_7".into()), ..none.clone() }, Box::new(|d| d.resource_id.as_deref() == Some("inv_7"))),
            (DeliveryFilter { event_id: Some("evt_9".into()), ..none.clone() }, Box::new(|d| d.event_id == "evt_9")),
            (
                DeliveryFilter { overdue: true, ..none.clone() },
                Box::new(move |d| d.next_attempt_at.is_some_and(|due| due < now.plus_seconds(-5))),
            ),
            (DeliveryFilter { from: Some(at), ..none.clone() }, Box::new(move |d| d.received_at >= at)),
            (DeliveryFilter { to: Some(at), ..none.clone() }, Box::new(move |d| d.received_at < at)),
            (
                DeliveryFilter { source: slug("shop"), destination: slug("erp"), r#type: Some("inv*".into()), ..none.clone() },
                Box::new(|d| d.source.as_str() == "shop" && d.destination.as_str() == "erp" && d.r#type.starts_with("inv")),
            ),
        ];
        let cases = cases.into_iter().chain([
            (
                DeliveryFilter { destination: slug("crm"), state: vec![DeliveryState::Failed], ..none.clone() },
                Box::new(|d: &DeliverySummary| d.destination.as_str() == "crm" && d.state == DeliveryState::Failed) as Matches,
            ),
            (
                DeliveryFilter { destination: slug("crm"), r#type: Some("invoice.*".into()), ..none.clone() },
                Box::new(|d: &DeliverySummary| d.destination.as_str() == "crm" && d.r#type.starts_with("invoice.")) as Matches,
            ),
            (
                DeliveryFilter {
                    state: vec![DeliveryState::Failed, DeliveryState::Delivered, DeliveryState::Failed],
                    r#type: Some("invoice.*".into()),
                    ..none.clone()
                },
                Box::new(|d: &DeliverySummary| {
                    [DeliveryState::Failed, DeliveryState::Delivered].contains(&d.state) && d.r#type.starts_with("invoice.")
                }) as Matches,
            ),
        ]);
        for (filter, matches) in cases {
            let expected: Vec<_> = all.iter().filter(|d| matches(d)).cloned().collect();
            assert!(!expected.is_empty() && expected.len() < all.len(), "{filter:?} tells nothing");
            assert_eq!(deliveries(&test, &filter, "7").await, expected, "{filter:?}");
        }
        assert_eq!(deliveries(&test, &DeliveryFilter { destination: slug("none"), ..none }, "7").await, []);
    }

    async fn a_beginning_may_have_more_types_than_are_looked_at_one_by_one(test: TestDb) {
        seed(&test).await;
        for n in 1..=40 {
            let sql = "update delivery set type = 'many.' || $1 where event_id = $2";
            server::write!(&test.db, on => sqlx::query(sql).bind(format!("{n}")).bind(n).execute(on).await.map(drop)).unwrap();
        }
        let filter = |pattern: &str| DeliveryFilter { r#type: Some(pattern.to_owned()), ..DeliveryFilter::default() };
        assert_eq!(deliveries(&test, &filter("many.*"), "7").await.len(), 80);
        assert_eq!(deliveries(&test, &filter("many.1*"), "7").await.len(), 22);
        assert_eq!(deliveries(&test, &filter("none.*"), "7").await.len(), 0);
    }

    async fn each_event_filter_keeps_exactly_what_matches(test: TestDb) {
        seed(&test).await;
        let all = events(&test, &EventFilter::default(), "7").await;
        assert_eq!(all.len(), EVENTS as usize);
        assert!(all.windows(2).all(|w| (w[0].received_at, w[0].id) > (w[1].received_at, w[1].id)));
        let at = all[20].received_at;
        type Matches = Box<dyn Fn(&EventSummary) -> bool>;
        let none = EventFilter::default();
        let cases: Vec<(EventFilter, Matches)> = vec![
            (EventFilter { source: slug("shop"), ..none.clone() }, Box::new(|e| e.source.as_str() == "shop")),
            (EventFilter { r#type: Some("invoices.other".into()), ..none.clone() }, Box::new(|e| e.r#type == "invoices.other")),
            (EventFilter { r#type: Some("invoice.*".into()), ..none.clone() }, Box::new(|e| e.r#type.starts_with("invoice."))),
            (EventFilter { resource: Some("inv_3".into()), ..none.clone() }, Box::new(|e| e.resource_id.as_deref() == Some("inv_3"))),
            (EventFilter { event_id: Some("evt_10".into()), ..none.clone() }, Box::new(|e| e.event_id == "evt_10")),
            (EventFilter { q: Some("evt_1".into()), ..none.clone() }, Box::new(|e| e.event_id.starts_with("evt_1"))),
            (EventFilter { q: Some("inv_1".into()), ..none.clone() }, Box::new(|e| e.resource_id.as_deref().unwrap().starts_with("inv_1"))),
            (EventFilter { q: Some("withdrawal".into()), ..none.clone() }, Box::new(|e| e.r#type.starts_with("withdrawal"))),
            (EventFilter { from: Some(at), ..none.clone() }, Box::new(move |e| e.received_at >= at)),
            (EventFilter { to: Some(at), ..none.clone() }, Box::new(move |e| e.received_at < at)),
        ];
        for (filter, matches) in cases {
            let expected: Vec<_> = all.iter().filter(|e| matches(e)).cloned().collect();
            assert!(!expected.is_empty() && expected.len() < all.len(), "{filter:?} tells nothing");
            assert_eq!(events(&test, &filter, "7").await, expected, "{filter:?}");
        }
        assert_eq!(events(&test, &EventFilter { q: Some("EVT_1%".into()), ..none }, "7").await, []);
    }

    async fn chips_count_each_state_and_the_delivered_of_a_day(test: TestDb) {
        seed(&test).await;
        let counts = delivery::list::counts(&test.db, test.clock.now()).await.unwrap();
        assert_eq!(counts.iter().map(|c| c.count).collect::<Vec<_>>(), [24; 5]);
        test.clock.advance(86_400);
        let later = delivery::list::counts(&test.db, test.clock.now()).await.unwrap();
        let of = |state| later.iter().find(|c| c.state == state).unwrap().count;
        assert_eq!((of(DeliveryState::Delivered), of(DeliveryState::Failed)), (0, 24));
    }

    async fn one_event_and_one_delivery_in_full(test: TestDb) {
        seed(&test).await;
        let sql = "insert into arrival (event_id, received_at, same_bytes) values (5, 77, $1)";
        server::write!(&test.db, on => sqlx::query(sql).bind(true).execute(on).await.map(drop)).unwrap();
        let event = event::list::one(&test.db, 5).await.unwrap().unwrap();
        assert_eq!((event.event_id.as_str(), event.headers.len()), ("evt_5", 0));
        assert_eq!(event.arrivals.iter().map(|a| a.outcome.as_str()).collect::<Vec<_>>(), ["stored", "duplicate"]);
        assert_eq!(event.arrivals[1].received_at, Timestamp::from_micros(77));
        assert!(event::list::one(&test.db, 999).await.unwrap().is_none());

        let sql = "insert into event_body (event_id, body) values (5, $1)";
        server::write!(&test.db, on => sqlx::query(sql).bind(&b"\x00\xffxyz"[..]).execute(on).await.map(drop)).unwrap();
        assert_eq!(event::list::body(&test.db, 5).await.unwrap().unwrap(), b"\x00\xffxyz");
        assert_eq!(event::list::body_start(&test.db, 5, 3).await.unwrap().unwrap(), b"\x00\xffx");
        assert_eq!(event::list::body(&test.db, 6).await.unwrap(), None);

        let deliveries = delivery::list::of_event(&test.db, 5).await.unwrap();
        assert_eq!(deliveries.iter().map(|d| d.destination.as_str()).collect::<Vec<_>>(), ["erp", "crm"]);
        assert_eq!(delivery::list::one(&test.db, deliveries[0].id).await.unwrap().as_ref(), Some(&deliveries[0]));
    }
}
