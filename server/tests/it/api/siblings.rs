//! Two processes share a PostgreSQL database and need no leader.

use std::collections::BTreeSet;

use serde_json::json;

use super::{SECRET, add_destination, add_source, webhook};
use crate::fixture::Sink;
use crate::support::test_app::TestApp;
use crate::support::{Kind, TestDb};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_event_is_delivered_once_whichever_process_takes_it() {
    // reason: SQLite has one process.
    let (app, sink) = (TestApp::start(TestDb::new(Kind::Postgres).await).await, Sink::start().await);
    let sibling = app.sibling().await;
    // Made after both have started: the other one has to learn of them.
    add_source(&app, "shop").await;
    add_destination(&app, "erp", &sink.url, &["1m"]).await;
    app.post("/sources/shop/secrets", json!({"secret": "whsec_new", "overlap_s": 0})).await.expect(201);
    app.webhook_to(&sibling.base, "shop", "whsec_new", &webhook("evt_0", "invoice.paid", "inv_1"))
        .await
        .expect(200);
    let answer =
        app.webhook_to(&sibling.base, "shop", SECRET, &webhook("evt_x", "invoice.paid", "inv_1")).await;
    answer.problem(401);
    app.until("both know the destination", async || app.every("/deliveries", "").await.len() == 1).await;

    let posts = (1..60).map(|n| {
        let (app, sibling) = (&app, &sibling);
        async move {
            // Every third one arrives at both.
            let body = webhook(&format!("evt_{n}"), "invoice.paid", "inv_1");
            if n % 3 != 1 {
                app.webhook("shop", "whsec_new", &body).await.expect(200);
            }
            if n % 3 != 2 {
                app.webhook_to(&sibling.base, "shop", "whsec_new", &body).await.expect(200);
            }
        }
    });
    futures_util::future::join_all(posts).await;
    app.until("all are delivered", async || {
        app.every("/deliveries", "state=delivered&limit=200").await.len() == 60
    })
    .await;
    let got = sink.got();
    let ids: BTreeSet<_> = got.iter().map(|got| got.header("x-webhook-id").to_owned()).collect();
    assert_eq!((ids.len(), got.len()), (60, 60));
    app.stop().await;
    sibling.ended().await;
}
