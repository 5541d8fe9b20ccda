//! Limits of a destination, and that it holds up none but itself.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::on_both;
use crate::stage::{Reply, Sink, Stage, Target};
use crate::support::noon;

on_both! {
    async fn a_black_hole_holds_up_none_but_itself(test: TestDb) {
        let stage = Stage::new(test).await;
        let (hole, shop) = (Sink::start().await, Sink::start().await);
        hole.reply(Reply::Hang);
        stage.destination(Target { slug: "hole", url: hole.url.clone(), timeout_ms: 60_000, ..Target::default() }).await;
        stage.destination(Target { slug: "shop", url: shop.url.clone(), ..Target::default() }).await;
        for n in 0..300 {
            stage.event(&format!("evt_{n}")).await;
        }
        stage.ledger().run_once().await.unwrap();
        let deliverer = stage.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await });
        shop.wait_for(300).await;
        assert_eq!(hole.got().len(), 16);
        running.abort();
    }

    async fn no_more_run_at_once_than_the_destination_allows(test: TestDb) {
        let stage = Stage::new(test).await;
        let sink = Sink::start().await;
        let gate = Arc::new(Semaphore::new(0));
        sink.reply(Reply::Gate(gate.clone(), 200));
        stage.destination(Target { url: sink.url.clone(), max_in_flight: 3, ..Target::default() }).await;
        for n in 0..10 {
            stage.event(&format!("evt_{n}")).await;
        }
        stage.ledger().run_once().await.unwrap();
        let deliverer = stage.deliverer().await;
        let running = tokio::spawn(async move { deliverer.run_once().await.unwrap() });
        for done in 0..=7 {
            sink.wait_for(3 + done).await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            assert_eq!(sink.got().len(), 3 + done);
            gate.add_permits(1);
        }
        gate.add_permits(10);
        assert_eq!(running.await.unwrap(), 10);
    }

    async fn a_rate_is_kept_by_the_clock(test: TestDb) {
        let stage = Stage::new(test).await;
        let sink = Sink::start().await;
        stage.destination(Target { url: sink.url.clone(), rate_per_s: Some(5.0), ..Target::default() }).await;
        for n in 0..12 {
            stage.event(&format!("evt_{n}")).await;
        }
        stage.ledger().run_once().await.unwrap();
        let deliverer = stage.deliverer().await;
        for expected in [5, 5, 2, 0] {
            assert_eq!(deliverer.run_once().await.unwrap(), expected);
            assert_eq!(deliverer.run_once().await.unwrap(), 0);
            stage.clock.advance(1);
        }
    }

    async fn more_destinations_than_one_statement_claims_for(test: TestDb) {
        let stage = Stage::new(test).await;
        let sink = Sink::start().await;
        for n in 0..70 {
            let slug = format!("to-{n}");
            stage.destination(Target { slug: &slug, url: sink.url.clone(), ..Target::default() }).await;
        }
        stage.event("evt_1").await;
        stage.ledger().run_once().await.unwrap();
        assert_eq!(stage.deliverer().await.run_once().await.unwrap(), 70);
        assert_eq!(sink.got().len(), 70);
    }

    async fn what_is_due_is_counted(test: TestDb) {
        let stage = Stage::new(test).await;
        let gone = stage.destination(Target { slug: "gone", ..Target::default() }).await;
        stage.destination(Target { slug: "shop", ..Target::default() }).await;
        for n in 0..3 {
            stage.event(&format!("evt_{n}")).await;
        }
        stage.ledger().run_once().await.unwrap();
        let count = async |at| server::store::delivery::count_due(&stage.db, at).await.unwrap();
        assert_eq!(count(noon()).await, 6);
        assert_eq!(count(noon().plus_millis(-1)).await, 0);
        stage.run("update destination set deleted_at = 1 where id = $1", gone).await;
        assert_eq!(count(noon()).await, 3);
    }
}
