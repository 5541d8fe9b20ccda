//! What open dashboards ask for again and again, read once for all of them: any number of them costs the database no
//! more than one. Everything here is at most [`FRESH`] old.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use app::types::Timestamp;
use tokio::sync::Mutex;

use crate::error::Failure;

/// How old an answer may be, in milliseconds: a little less than the time between two questions of one dashboard.
pub const FRESH: i64 = 1900;
/// Seconds after which nobody looks at something any more.
const WATCHED: i64 = 10;
/// Rows of one statement.
const ROWS: usize = 1024;

fn is_fresh(read_at: Timestamp, now: Timestamp) -> bool {
    now < read_at.plus_millis(FRESH)
}

/// Answers by question. Who asks while one is being read waits for it.
#[derive(Debug)]
pub struct Answers<K, V>(Mutex<HashMap<K, Answer<V>>>);

type Answer<V> = Arc<Mutex<Option<(Timestamp, V)>>>;

impl<K, V> Default for Answers<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Answers<K, V> {
    /// The answer to a question: the one that there is, or a new one.
    ///
    /// # Errors
    /// As reading it.
    pub async fn get(
        &self,
        key: K,
        now: Timestamp,
        read: impl Future<Output = Result<V, Failure>>,
    ) -> Result<V, Failure> {
        let place = {
            let mut places = self.0.lock().await;
            places.retain(|_, place| match place.try_lock() {
                Ok(answer) => answer.as_ref().is_none_or(|(at, _)| now < at.plus_seconds(WATCHED)),
                Err(_) => true,
            });
            Arc::clone(places.entry(key).or_default())
        };
        let mut answer = place.lock().await;
        if let Some((at, value)) = &*answer
            && is_fresh(*at, now)
        {
            return Ok(value.clone());
        }
        let value = read.await?;
        *answer = Some((now, value.clone()));
        Ok(value)
    }

    /// Forgets everything: somebody did something and wants to see it.
    pub async fn clear(&self) {
        self.0.lock().await.clear();
    }
}

/// Rows by number. Whoever asks for one that is old has all read again that anybody looks at.
#[derive(Debug)]
pub struct Rows<T>(Mutex<HashMap<i64, Row<T>>>);

#[derive(Debug)]
struct Row<T> {
    row: Option<T>,
    read_at: Option<Timestamp>,
    asked_at: Timestamp,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Row<T> {
    fn is_old(&self, now: Timestamp) -> bool {
        self.read_at.is_none_or(|at| !is_fresh(at, now))
    }
}

impl<T: Clone> Rows<T> {
    /// These rows, in their order; those that are gone are left out. `read` reads rows by number.
    ///
    /// # Errors
    /// As reading them.
    pub async fn get(
        &self,
        ids: &[i64],
        now: Timestamp,
        id_of: fn(&T) -> i64,
        read: impl AsyncFnOnce(Vec<i64>) -> Result<Vec<T>, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let mut rows = self.0.lock().await;
        rows.retain(|_, row| now < row.asked_at.plus_seconds(WATCHED));
        for id in ids {
            let row = rows.entry(*id).or_insert(Row { row: None, read_at: None, asked_at: now });
            row.asked_at = now;
        }
        let is_old = |id: &i64| rows.get(id).is_none_or(|row| row.is_old(now));
        if ids.iter().any(is_old) {
            let others =
                rows.iter().filter(|(id, row)| row.is_old(now) && !ids.contains(id)).map(|(id, _)| *id);
            let old: Vec<i64> = ids.iter().copied().filter(is_old).chain(others).take(ROWS).collect();
            let found = read(old.clone()).await?;
            for id in old {
                if let Some(place) = rows.get_mut(&id) {
                    (place.row, place.read_at) = (None, Some(now));
                }
            }
            for row in found {
                if let Some(place) = rows.get_mut(&id_of(&row)) {
                    place.row = Some(row);
                }
            }
        }
        Ok(ids.iter().filter_map(|id| rows.get(id)?.row.clone()).collect())
    }

    /// Forgets everything.
    pub async fn clear(&self) {
        self.0.lock().await.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000 + millis * 1000)
    }

    #[tokio::test]
    async fn twenty_who_look_at_different_rows_cost_one_statement_a_turn() {
        let (rows, reads) = (Rows::default(), AtomicUsize::new(0));
        let look = async |dashboard: i64, millis: i64| {
            let ids: Vec<i64> = (0..50).map(|n| dashboard * 50 + n).collect();
            let read = async |ids: Vec<i64>| {
                reads.fetch_add(1, Ordering::Relaxed);
                Ok(ids.into_iter().map(|id| (id, millis)).collect())
            };
            let found = rows.get(&ids, at(millis), |row: &(i64, i64)| row.0, read).await.unwrap();
            assert_eq!(found.iter().map(|row| row.0).collect::<Vec<_>>(), ids);
            assert!(found.iter().all(|row| millis - row.1 < FRESH), "{found:?}");
        };
        for dashboard in 0..20 {
            look(dashboard, 0).await;
        }
        // Each has rows of its own: the first look of each reads them.
        assert_eq!(reads.swap(0, Ordering::Relaxed), 20);
        for turn in 1..=30 {
            for dashboard in 0..20 {
                look(dashboard, turn * 2000 + dashboard * 90).await;
            }
        }
        assert_eq!(reads.load(Ordering::Relaxed), 30, "one look of one dashboard every two seconds");
    }

    #[tokio::test]
    async fn an_answer_is_read_once_while_it_is_fresh() {
        let (answers, reads) = (Answers::default(), AtomicUsize::new(0));
        let ask = async |millis: i64| {
            let read = async { Ok(reads.fetch_add(1, Ordering::Relaxed)) };
            answers.get("counts", at(millis), read).await.unwrap()
        };
        let together = futures_util::future::join_all((0..20).map(|_| ask(0))).await;
        assert_eq!(together, [0; 20]);
        assert_eq!((ask(1899).await, ask(1900).await, ask(1950).await), (0, 1, 1));
        answers.clear().await;
        assert_eq!(ask(1951).await, 2);
    }

    #[tokio::test]
    async fn what_failed_is_asked_again() {
        let answers: Answers<(), i64> = Answers::default();
        let failed = answers.get((), at(0), async { Err(Failure::other("disk", "gone")) }).await;
        assert!(failed.is_err());
        assert_eq!(answers.get((), at(0), async { Ok(7) }).await.unwrap(), 7);
    }
}
