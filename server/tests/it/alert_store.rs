//! Alerts: one at a time about the same thing, until it is over.

use app::alerts::{Alert, AlertFilter, Facts};
use app::types::{AlertKind, AlertState, PageRequest};
use server::db::Db;
use server::store::alert;

use crate::on_both;
use crate::support::noon;

fn refused(count: i64) -> Facts {
    Facts::RejectionJump { count, minutes: 10, usual: 0 }
}

async fn open(db: &Db, subject: &str, count: i64, after_s: i64) {
    let mut tx = db.begin_write().await.unwrap();
    let at = noon().plus_seconds(after_s);
    alert::open(&mut tx, subject, &refused(count), at).await.unwrap();
    tx.commit().await.unwrap();
}

async fn resolve(db: &Db, subject: &str, after_s: i64) -> bool {
    let mut tx = db.begin_write().await.unwrap();
    let at = noon().plus_seconds(after_s);
    let was = alert::resolve(&mut tx, AlertKind::RejectionJump, subject, at).await.unwrap();
    tx.commit().await.unwrap();
    was
}

async fn all(db: &Db) -> Vec<Alert> {
    alert::page(db, &AlertFilter::default(), PageRequest::default()).await.unwrap().items
}

async fn acknowledge(db: &Db, id: i64) {
    let mut tx = db.begin_write().await.unwrap();
    assert!(alert::acknowledge(&mut tx, id, "ana@shop.test", noon().plus_seconds(90)).await.unwrap());
    tx.commit().await.unwrap();
}

on_both! {
    async fn what_goes_on_is_one_alert_until_it_is_over(test: TestDb) {
        let db = &test.db;
        open(db, "shop", 12, 0).await;
        open(db, "shop", 30, 60).await;
        open(db, "other", 11, 60).await;
        let rows = all(db).await;
        assert_eq!(rows.iter().map(|row| row.facts.clone()).collect::<Vec<_>>(), [refused(11), refused(30)]);
        assert!(rows[1].detail.starts_with("30 webhooks rejected in the last 10 minutes"), "{}", rows[1].detail);
        assert_eq!((rows[1].opened_at, rows[1].state), (noon(), AlertState::Open));

        assert_eq!(alert::count_open(db).await.unwrap(), 2);
        acknowledge(db, rows[1].id).await;
        assert_eq!(alert::count_open(db).await.unwrap(), 1);
        open(db, "shop", 40, 120).await;
        let seen = &all(db).await[1];
        assert_eq!((seen.state, &seen.facts), (AlertState::Acknowledged, &refused(40)));

        assert!(resolve(db, "shop", 180).await);
        assert!(!resolve(db, "shop", 240).await, "it is over already");
        assert!(!resolve(db, "nobody", 240).await);
        let over = &all(db).await[1];
        assert_eq!((over.state, over.resolved_at), (AlertState::Resolved, Some(noon().plus_seconds(180))));
        assert_eq!(over.acknowledged_by.as_deref(), Some("ana@shop.test"));

        open(db, "shop", 12, 300).await;
        assert_eq!(all(db).await.len(), 3, "it began anew");
    }
}
