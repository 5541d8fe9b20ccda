//! A jump in what a source refuses raises an alert, once, and ends by itself.

use app::types::Timestamp;
use server::receive::rejection_spike::check_spikes;
use server::store::rejection::count::{add, minute};

use super::*;
use crate::support::TestDb;

async fn count(test: &TestDb, at: Timestamp, rejected: i64) {
    let sql = "select id from source where slug = 'shop'";
    let id: i64 = server::read!(&test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap();
    let mut tx = test.db.begin_write().await.unwrap();
    add(&mut tx, id, minute(at), rejected).await.unwrap();
    tx.commit().await.unwrap();
}

/// The state of each alert, newest first.
async fn states(app: &TestApp) -> Vec<Value> {
    check_spikes(&app.test.db, app.test.clock.now()).await.unwrap();
    app.every("/alerts", "kind=rejection_jump")
        .await
        .into_iter()
        .map(|alert| alert["state"].clone())
        .collect()
}

on_both! {
    async fn refused_requests_are_counted_and_a_jump_is_told_until_it_is_over(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        for _ in 0..12 {
            post(&app, "shop", &[], "{}").await.expect(401);
        }
        newest(&app, "shop", 12).await;
        assert_eq!(states(&app).await, ["open"]);
        let alert = &app.every("/alerts", "").await[0];
        assert_eq!((&alert["kind"], &alert["subject"]), (&json!("rejection_jump"), &json!("shop")));
        assert_eq!(
            alert["detail"],
            "12 webhooks rejected in the last 10 minutes (normally 0). Open the newest rejection to see why."
        );
        app.post(&format!("/alerts/{}/acknowledge", alert["id"]), json!({})).await.expect(200);
        assert_eq!(states(&app).await, ["acknowledged"], "once is enough");
        app.test.clock.advance(10 * 60);
        assert_eq!(states(&app).await, ["resolved"]);
        app.stop().await;
    }

    async fn what_is_usual_for_a_source_is_no_jump(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        let now = app.test.clock.now();
        // 20 in ten minutes is usual here.
        count(&app.test, now.plus_seconds(-86_400), 20_160).await;
        count(&app.test, now, 90).await;
        assert_eq!(states(&app).await, [] as [Value; 0]);
        count(&app.test, now, 10).await;
        assert_eq!(states(&app).await, ["open"]);
        app.test.clock.advance(10 * 60);
        count(&app.test, app.test.clock.now(), 50).await;
        assert_eq!(states(&app).await, ["open"], "not yet over");
        app.delete("/sources/shop").await.expect(204);
        assert_eq!(states(&app).await, ["resolved"], "it refuses nothing any more");
        app.stop().await;
    }
}
