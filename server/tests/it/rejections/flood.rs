//! A flood is counted, and kept within bounds.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use server::notify::Notifiers;
use server::receive::{Limits, QuarantineLimits, Receiver, router};
use server::registry::Registry;
use server::vault::Vault;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::*;
use crate::support::TestDb;

async fn number(test: &TestDb, sql: &'static str) -> i64 {
    server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
}

/// Posts so many bad requests at once, and ends the receiver.
async fn flood(test: &TestDb, bounds: QuarantineLimits, requests: usize, body: &str) {
    flood_of(test, bounds, &vec!["shop"; requests], body).await;
}

/// The same, one request for each of these names of sources, in their order.
async fn flood_of(test: &TestDb, bounds: QuarantineLimits, sources: &[&str], body: &str) {
    let limits = Limits { rejections: bounds, ..Limits::default() };
    let (db, clock, vault) = (test.db.clone(), test.clock.clone(), Arc::new(Vault::ephemeral()));
    let registry = Registry::load(db.clone(), vault, clock.clone()).await.unwrap();
    let shutdown = CancellationToken::new();
    let receiver = Receiver::start_with(limits, db, clock, registry, Notifiers::default(), shutdown);
    let router = router(receiver.clone(), 1 << 20);
    let sent = sources.iter().enumerate().map(async |(n, source)| {
        let request = Request::post(format!("/webhooks/{source}")).header("x-n", n);
        let request = request.body(Body::from(body.to_owned())).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), StatusCode::UNAUTHORIZED);
    });
    futures_util::future::join_all(sent).await;
    drop(router);
    receiver.finish().await;
}

async fn add_source(test: &TestDb) {
    let sql = "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'test', $1), \
               ('pos', 'paymos', 'test', $1)";
    server::write!(&test.db, on => sqlx::query(sql).bind(0).execute(on).await.map(drop)).unwrap();
}

on_both! {
    async fn the_oldest_go_first_and_all_are_counted(test: TestDb) {
        add_source(&test).await;
        let bounds = QuarantineLimits { count: 20, waiting: 30, gather: Duration::from_secs(60), ..QuarantineLimits::default() };
        flood(&test, bounds, 200, "{}").await;
        assert_eq!(number(&test, "select cast(sum(rejected) as bigint) from rejection_count").await, 200);
        assert_eq!(number(&test, "select count(*) from rejection").await, 20, "30 were written, the newest 20 stay");
        flood(&test, QuarantineLimits { count: 20, ..QuarantineLimits::default() }, 5, "{}").await;
        assert_eq!(number(&test, "select count(*) from rejection").await, 20);
        let oldest = number(&test, "select min(id) from rejection").await;
        assert!(oldest > 15, "{oldest}");
        assert_eq!(number(&test, "select cast(sum(rejected) as bigint) from rejection_count").await, 205);
    }

    async fn their_bytes_are_bounded_one_by_one_and_together(test: TestDb) {
        add_source(&test).await;
        let bounds = QuarantineLimits { body: 1000, bytes: 5_000, ..QuarantineLimits::default() };
        flood(&test, bounds, 20, &"x".repeat(3000)).await;
        let kept = number(&test, "select count(*) from rejection").await;
        assert!((3..5).contains(&kept), "{kept}");
        assert_eq!(number(&test, "select cast(max(length(body)) as bigint) from rejection").await, 1000);
        assert_eq!(number(&test, "select min(body_size) from rejection").await, 3000);
        let bounds = QuarantineLimits { waiting_bytes: 4_000, gather: Duration::from_secs(60), ..QuarantineLimits::default() };
        flood(&test, bounds, 20, &"y".repeat(3000)).await;
        let sql = "select count(*) from rejection where length(body) = 3000";
        assert_eq!(number(&test, sql).await, 2, "no more than that may wait");
    }

    async fn a_flood_of_one_source_hides_nothing_of_another(test: TestDb) {
        add_source(&test).await;
        let bounds = QuarantineLimits {
            count: 10, bytes: 20_000, waiting: 20, waiting_bytes: 8_000, gather: Duration::from_secs(60), ..QuarantineLimits::default()
        };
        // The first of the other source are kept, whatever comes after them and wherever the flood stands.
        flood_of(&test, bounds, &["pos"; 3], "old").await;
        let mut sources = vec!["shop"; 300];
        sources.extend(["pos"; 2]);
        sources.extend(["shop"; 300]);
        flood_of(&test, bounds, &sources, &"x".repeat(2_000)).await;
        let of = |slug: &'static str, of: &'static str| {
            let sql = format!("select {of} from rejection r join source s on s.id = r.source_id where s.slug = '{slug}'");
            let sql: &'static str = sql.leak();
            number(&test, sql)
        };
        assert_eq!(of("pos", "count(*)").await, 4, "all but the last, which found no room");
        assert!(of("pos", "min(body_size)").await == 3 && of("pos", "max(body_size)").await == 2_000);
        assert!((3..=5).contains(&of("shop", "count(*)").await));
        assert!(of("shop", "cast(sum(size) as bigint)").await <= 20_000);
        let counted = "select cast(sum(rejected) as bigint) from rejection_count";
        assert_eq!(number(&test, counted).await, 605, "all are counted");
    }
}
