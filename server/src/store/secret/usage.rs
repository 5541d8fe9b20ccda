//! How often secrets were of use, counted in memory and written from time to time: by the slot for as long as it is
//! drawn, and by the second for the hour in which it matters whether one may go.

use std::collections::BTreeMap;

use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::store::placeholders::{Placeholders, filled, size_for};

/// What a secret did in a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Its row.
    pub id: String,
    /// How often.
    pub times: i64,
    /// When last.
    pub last: Timestamp,
}

/// Seconds of a slot.
pub const SLOT_S: i64 = 600;
/// Days that the counts of slots are kept.
const KEPT_DAYS: i64 = 15;
/// Seconds that a secret was of use lately.
const LATELY_S: i64 = 3600;

/// What is not written yet: of each secret, second by second.
#[derive(Debug, Default)]
pub struct Uses(BTreeMap<String, Vec<(i64, Timestamp)>>);

impl Uses {
    /// A secret was of use at this moment.
    pub fn count(&mut self, id: &str, at: Timestamp) {
        let Some(seconds) = self.0.get_mut(id) else {
            self.0.insert(id.to_owned(), vec![(1, at)]);
            return;
        };
        match seconds.iter_mut().rev().find(|(_, last)| last.unix() == at.unix()) {
            Some((times, last)) => (*times, *last) = (*times + 1, at.max(*last)),
            None => seconds.push((1, at)),
        }
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes them; those that could not be written are kept for the next time.
    pub async fn flush(&mut self, db: &Db) {
        if self.is_empty() {
            return;
        }
        let of_one = |(id, seconds): (&String, &Vec<(i64, Timestamp)>)| {
            let id = id.clone();
            seconds.clone().into_iter().map(move |(times, last)| Use { id: id.clone(), times, last })
        };
        let uses: Vec<Use> = self.0.iter().flat_map(of_one).collect();
        match add(db, &uses).await {
            Ok(()) => self.0.clear(),
            Err(error) => {
                tracing::warn!(%error, "the uses of secrets could not be written; trying again")
            }
        }
    }
}

/// The slot of a moment.
pub fn slot(at: Timestamp) -> i64 {
    at.unix().div_euclid(SLOT_S)
}

/// How often each secret was of use, by slot, from the slot of that moment on.
///
/// # Errors
/// The database does not answer.
pub async fn since(db: &Db, from: Timestamp) -> sqlx::Result<Vec<(String, i64, i64)>> {
    let sql = "select secret_id, slot, times from secret_use where slot >= $1";
    crate::read!(db, on => sqlx::query_as(sql).bind(slot(from)).fetch_all(on).await)
}

/// How often each of these was of use in the last 3600 seconds. One that was not is left out. What lies ahead of now is
/// counted too: clocks differ.
///
/// # Errors
/// The database does not answer.
pub async fn count_recent_uses(db: &Db, ids: &[String], now: Timestamp) -> sqlx::Result<Vec<(String, i64)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut marks = Placeholders::on(db);
    let sql = format!(
        "select secret_id, cast(sum(times) as bigint) from secret_use_second where second > {} \
         and secret_id in ({}) group by secret_id",
        marks.one(),
        marks.list(size_for(ids.len()))
    );
    let after = now.unix() - LATELY_S;
    crate::read!(db, on => {
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(after);
        filled(ids).fold(query, |query, id| query.bind(id)).fetch_all(on).await
    })
}

/// Deletes old counts.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, now: Timestamp) -> sqlx::Result<()> {
    let sql = "delete from secret_use where slot < $1";
    let before = slot(now.plus_seconds(-KEPT_DAYS * 86_400));
    crate::write!(db, on => sqlx::query(sql).bind(before).execute(on).await.map(drop))?;
    let sql = "delete from secret_use_second where second <= $1";
    // A little longer, for a process whose clock is behind.
    let before = now.unix() - LATELY_S - 60;
    crate::write!(db, on => sqlx::query(sql).bind(before).execute(on).await.map(drop))
}

/// Adds them. The ids must be in ascending order, so that processes do not wait for each other in a circle.
///
/// # Errors
/// The database does not answer; none of them is added.
pub async fn add(db: &Db, uses: &[Use]) -> sqlx::Result<()> {
    let mut tx = db.begin_write().await?;
    for used in uses {
        add_one(&mut tx, used).await?;
    }
    tx.commit().await
}

async fn add_one(tx: &mut Tx, used: &Use) -> sqlx::Result<()> {
    for (sql, place) in [
        (
            "insert into secret_use (secret_id, slot, times) values ($1, $2, $3) \
             on conflict (secret_id, slot) do update set times = secret_use.times + excluded.times",
            slot(used.last),
        ),
        (
            "insert into secret_use_second (secret_id, second, times) values ($1, $2, $3) \
             on conflict (secret_id, second) do update set times = secret_use_second.times + excluded.times",
            used.last.unix(),
        ),
    ] {
        crate::within!(tx, on => sqlx::query(sql)
            .bind(&used.id)
            .bind(place)
            .bind(used.times)
            .execute(on).await.map(drop))?;
    }
    let sql = "update secret set matches = matches + $1, \
               last_used_at = case when last_used_at > $2 then last_used_at else $2 end where id = $3";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(used.times)
        .bind(used.last.micros())
        .bind(&used.id)
        .execute(on).await.map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_counted_by_the_second() {
        let at = |millis: i64| Timestamp::from_unix(100).plus_millis(millis);
        let mut uses = Uses::default();
        for (id, millis) in [("b", 0), ("a", 900), ("b", 700), ("b", 1000), ("b", 300), ("a", 1100)] {
            uses.count(id, at(millis));
        }
        let told: Vec<_> = uses.0.into_iter().collect();
        assert_eq!(
            told,
            [
                ("a".to_owned(), vec![(1, at(900)), (1, at(1100))]),
                ("b".to_owned(), vec![(3, at(700)), (1, at(1000))]),
            ]
        );
    }
}
