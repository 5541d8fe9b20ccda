//! A flood is counted, and kept within bounds.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use server::directory::Directory;
use server::receive::{Bounds, Limits, Receiver, router};
use server::vault::Vault;
use server::wake::Wakes;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::*;
use crate::support::TestDb;

async fn number(test: &TestDb, sql: &'static str) -> i64 {
    server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
}

/// Posts so many bad requests at once, and ends the receiver.
async fn flood(test: &TestDb, bounds: Bounds, requests: usize, body: &str) {
    let limits = Limits { rejections: bounds, ..Limits::default() };
    let (db, clock, vault) = (test.db.clone(), test.clock.clone(), Arc::new(Vault::ephemeral()));
    let directory = Directory::load(db.clone(), vault, clock.clone()).await.unwrap();
    let shutdown = CancellationToken::new();
    let receiver = Receiver::start_with(limits, db, clock, directory, Wakes::default(), shutdown);
    let router = router(receiver.clone(), 1 << 20);
    let sent = (0..requests).map(async |n| {
        let request =
            Request::post("/webhooks/shop").header("x-n", n).body(Body::from(body.to_owned())).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), StatusCode::UNAUTHORIZED);
    });
    futures_util::future::join_all(sent).await;
    drop(router);
    receiver.finish().await;
}

async fn add_source(test: &TestDb) {
    let sql = "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'test', $1)";
    server::write!(&test.db, on => sqlx::query(sql).bind(0).execute(on).await.map(drop)).unwrap();
}

on_both! {
    async fn the_oldest_go_first_and_all_are_counted(test: TestDb) {
        add_source(&test).await;
        let bounds = Bounds { count: 20, waiting: 30, gather: Duration::from_secs(60), ..Bounds::default() };
        flood(&test, bounds, 200, "{}").await;
        assert_eq!(number(&test, "select cast(sum(rejected) as bigint) from rejection_count").await, 200);
        assert_eq!(number(&test, "select count(*) from rejection").await, 20, "30 were written, the newest 20 stay");
        flood(&test, Bounds { count: 20, ..Bounds::default() }, 5, "{}").await;
        assert_eq!(number(&test, "select count(*) from rejection").await, 20);
        let oldest = number(&test, "select min(id) from rejection").await;
        assert!(oldest > 15, "{oldest}");
        assert_eq!(number(&test, "select cast(sum(rejected) as bigint) from rejection_count").await, 205);
    }

    async fn their_bytes_are_bounded_one_by_one_and_together(test: TestDb) {
        add_source(&test).await;
        let bounds = Bounds { body: 1000, bytes: 5_000, ..Bounds::default() };
        flood(&test, bounds, 20, &"x".repeat(3000)).await;
        let kept = number(&test, "select count(*) from rejection").await;
        assert!((3..5).contains(&kept), "{kept}");
        assert_eq!(number(&test, "select cast(max(length(body)) as bigint) from rejection").await, 1000);
        assert_eq!(number(&test, "select min(body_size) from rejection").await, 3000);
        let bounds = Bounds { waiting_bytes: 4_000, gather: Duration::from_secs(60), ..Bounds::default() };
        flood(&test, bounds, 20, &"y".repeat(3000)).await;
        let sql = "select count(*) from rejection where length(body) = 3000";
        assert_eq!(number(&test, sql).await, 2, "no more than that may wait");
    }
}
