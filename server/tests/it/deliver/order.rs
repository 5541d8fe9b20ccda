//! Who writes down attempts and who moves the deliveries of a destination want the same rows: neither may wait for the
//! other in a circle.

use std::time::Duration;

use server::db::Db;
use server::domain::delivery::Ending;
use server::domain::ladder::Ladder;
use server::store::attempt::Record;
use server::store::attempt::result::{LadderAttempt, schedule_next_attempts};
use server::store::delivery::claim::{self, ClaimRequest};

use crate::fixture::{Fixture, PAUSE, Target};
use crate::support::{Kind, TestDb, noon};

const LOCK: &str = "select id from delivery where id = $1 for update";
/// How many wait for a lock.
const WAITING: &str = "select count(*) from pg_stat_activity where datname = current_database() \
                       and wait_event_type = 'Lock' and $1 = 0";

/// Enough of them that rows are looked up one by one.
const MANY: &str = "insert into delivery (event_id, destination_id, source_id, type, received_at, state, attempts, \
                    max_attempts, delivered_at) \
                    select 1000 + i, $1, 1, 'invoice.paid', 1, 'delivered', 1, 11, 1 \
                    from generate_series(1, 20000) as i";

fn failed() -> Record {
    let (started_at, ended_at) = (noon(), noon());
    let error = Some(app::types::AttemptError::Timeout);
    Record {
        ending: Ending { started_at, ended_at, status: None, error, retry_after: None, jitter: 0 },
        duration_ms: 10,
        latency: None,
        url: None,
        detail: None,
        request_headers: "[]".to_owned(),
        response_headers: None,
        response_body: None,
        response_truncated: false,
    }
}

/// Whether so many wait within a moment.
async fn wait(fixture: &Fixture, count: i64) -> bool {
    for _ in 0..25 {
        if fixture.number(WAITING, 0).await >= count {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

/// Claims what is due for the destination.
async fn claimed(fixture: &Fixture, destination: i64) -> Vec<claim::ClaimedRow> {
    let mut tx = fixture.db.begin_write().await.unwrap();
    let want = ClaimRequest { destination_id: destination, room: 9, retries_first: false };
    let claimed = claim::claim(&mut tx, &[want], "ours", noon()).await.unwrap();
    tx.commit().await.unwrap();
    claimed
}

// Both on PostgreSQL alone: SQLite has one writer, who waits for nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_writes_down_and_who_moves_never_wait_in_a_circle() {
    let fixture = Fixture::new(TestDb::new(Kind::Postgres).await).await;
    let Db::Postgres(pool) = &fixture.db else { panic!("it is PostgreSQL") };
    let destination = fixture.destination(Target::default()).await;
    fixture.run(MANY, destination).await;
    sqlx::query("analyze delivery").execute(pool).await.unwrap();
    let (first, second) = (fixture.delivery("evt_1").await, fixture.delivery("evt_2").await);
    let mut claimed = claimed(&fixture, destination).await;
    assert_eq!(claimed.iter().map(|row| row.id).collect::<Vec<_>>(), [first, second]);
    // The second one was over first.
    claimed.reverse();

    // Somebody else has the first row for a moment: the mover waits for it, and behind it who writes down, who would have
    // the second one already if it took them as they come.
    let mut other = fixture.db.begin_write().await.unwrap();
    server::within!(&mut other, on => sqlx::query(LOCK).bind(first).execute(on).await.map(drop)).unwrap();
    let mover = fixture.shift(PAUSE, destination);
    let writer = async {
        assert!(wait(&fixture, 1).await, "the mover waits");
        let record = failed();
        let rung = |row: &claim::ClaimedRow| row.delivery.after_scheduled(&record.ending, &Ladder::default());
        let rungs: Vec<_> = claimed
            .iter()
            .map(|row| LadderAttempt {
                delivery_id: row.id,
                token: "ours",
                may_repeat: false,
                was: &row.delivery,
                now: rung(row),
                record: &record,
            })
            .collect();
        let mut tx = fixture.db.begin_write().await.unwrap();
        let climbed = schedule_next_attempts(&mut tx, &rungs).await.unwrap();
        tx.commit().await.unwrap();
        climbed.len()
    };
    let release = async {
        assert!(wait(&fixture, 2).await, "both wait");
        other.commit().await.unwrap();
    };
    assert_eq!(tokio::join!(mover, writer, release), (2, 0, ()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_moves_does_not_keep_others_from_referring_to_the_destination() {
    let fixture = Fixture::new(TestDb::new(Kind::Postgres).await).await;
    let destination = fixture.destination(Target::default()).await;
    let mut mover = fixture.db.begin_write().await.unwrap();
    server::store::destination::lifecycle::shift(&mut mover, &fixture.db, destination, noon()).await.unwrap();
    let mut writer = fixture.db.begin_write().await.unwrap();
    let noted = server::store::destination::health::fails(&mut writer, destination, noon());
    let noted = tokio::time::timeout(Duration::from_secs(10), noted).await;
    assert_eq!(noted.expect("it waits for nobody").unwrap(), noon());
}
