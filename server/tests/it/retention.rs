//! Retention.

use server::retention;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, Target};
use crate::on_both;
use crate::support::noon;

const DAY: i64 = 86_400;
const TABLES: [&str; 5] = [
    "select count(*) from event where id > $1",
    "select count(*) from event_body where event_id > $1",
    "select count(*) from arrival where id > $1",
    "select count(*) from delivery where id > $1",
    "select count(*) from attempt where id > $1",
];

async fn counts(fixture: &Fixture) -> [i64; 5] {
    let mut counts = [0; 5];
    for (count, sql) in counts.iter_mut().zip(TABLES) {
        *count = fixture.number(sql, 0).await;
    }
    counts
}

async fn prune(fixture: &Fixture, days: u32) -> u64 {
    let now = crate::fixture::app_now(&fixture.clock);
    retention::run_once(&fixture.db, now, days, &CancellationToken::new()).await.unwrap()
}

/// An event with everything that can belong to one.
async fn full_event(fixture: &Fixture, event_id: &str) -> i64 {
    let event = fixture.event(event_id).await;
    fixture.ledger().run_once().await.unwrap();
    fixture.run("insert into arrival (event_id, received_at, same_bytes) values ($1, 1, true)", event).await;
    fixture.deliverer().await.run_once().await.unwrap();
    event
}

on_both! {
    async fn what_is_older_goes_with_all_that_belongs_to_it(test: TestDb) {
        let fixture = Fixture::new(test).await;
        // The attempts fail: nobody listens there.
        fixture.destination(Target { url: "http://127.0.0.1:1/".to_owned(), ladder: "", ..Target::default() }).await;
        for n in 0..250 {
            fixture.event(&format!("old_{n}")).await;
        }
        full_event(&fixture, "old").await;
        fixture.clock.set(noon().plus_seconds(DAY));
        full_event(&fixture, "new").await;
        assert_eq!(counts(&fixture).await, [252, 252, 2, 252, 252]);

        fixture.clock.set(noon().plus_seconds(30 * DAY));
        assert_eq!(prune(&fixture, 30).await, 0);
        fixture.clock.set(noon().plus_seconds(30 * DAY + 1));
        assert_eq!(prune(&fixture, 0).await, 0);
        assert_eq!(prune(&fixture, 30).await, 251);
        assert_eq!(counts(&fixture).await, [1, 1, 1, 1, 1]);
        assert_eq!(prune(&fixture, 30).await, 0);
    }

    async fn what_is_not_over_is_kept(test: TestDb) {
        let fixture = Fixture::new(test).await;
        fixture.destination(Target::default()).await;
        for (event_id, sql) in [
            ("pending", "update delivery set lease_until = null where event_id = $1"),
            ("held", "update delivery set state = 'held', next_attempt_at = null where event_id = $1"),
            ("failed", "update delivery set state = 'failed', next_attempt_at = null where event_id = $1"),
            ("cancelled", "update delivery set state = 'cancelled', next_attempt_at = null where event_id = $1"),
        ] {
            let event = fixture.event(event_id).await;
            fixture.ledger().run_once().await.unwrap();
            fixture.run(sql, event).await;
        }
        fixture.event("unprocessed").await;
        fixture.clock.advance(1000 * DAY);
        assert_eq!(prune(&fixture, 400).await, 2);
        let sql = "select event_id from event order by id";
        let left: Vec<String> =
            server::read!(&fixture.db, on => sqlx::query_scalar(sql).fetch_all(on).await).unwrap();
        assert_eq!(left, ["pending", "held", "unprocessed"]);
    }

    async fn sessions_that_ended_and_old_failures_to_log_in_go(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sessions = "insert into session (id_hash, data, expires_at) values ('ended', '', $1), ('open', '', $1 + 1)";
        fixture.run(sessions, noon().micros()).await;
        let failures = "insert into login_failure (subject, failed_at) values ('old', $1 - 86400000001), ('new', $1)";
        fixture.run(failures, noon().micros()).await;
        prune(&fixture, 0).await;
        let left = "select (select count(*) from session where id_hash <> 'open') + \
                    (select count(*) from login_failure where subject <> 'new') where 1 = $1";
        assert_eq!(fixture.number(left, 1).await, 0);
        let kept = "select (select count(*) from session) + (select count(*) from login_failure) where 1 = $1";
        assert_eq!(fixture.number(kept, 1).await, 2);
    }

    async fn it_ends_when_it_is_told_to(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(retention::run(fixture.db.clone(), fixture.clock.clone(), 400, shutdown.clone()));
        shutdown.cancel();
        tokio::time::timeout(std::time::Duration::from_secs(5), running).await.unwrap().unwrap();
    }
}
