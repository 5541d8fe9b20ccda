//! What open dashboards ask for again and again, read once for all of them: any number of them costs the database no
//! more than one. Everything here is at most [`FRESH`] old, and older than nothing that a person did.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use app::types::{Page, PageRequest, Timestamp};
use tokio::sync::Mutex;

use crate::clock::SharedClock;
use crate::error::Failure;

/// How old an answer may be, in milliseconds: a little less than the time between two questions of one dashboard.
pub const FRESH: i64 = 1900;
/// Seconds after which nobody looks at something any more.
const WATCHED: i64 = 10;
/// Rows of one statement.
const ROWS: usize = 1024;

/// Counts what people did here: what was read before is old then, for whoever did it wants to see it. Every request
/// that is more than a look counts, whatever it did; clones count together.
#[derive(Debug, Clone, Default)]
pub struct ChangeCount(Arc<AtomicU64>);

impl ChangeCount {
    /// Somebody did something, just now.
    pub fn done(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// A look at this moment.
    pub fn snapshot(&self, clock: &SharedClock) -> Snapshot {
        Snapshot { at: clock.now(), acts: self.0.load(Ordering::SeqCst) }
    }
}

/// When something is looked at: by the clock, and after how many acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// By the clock.
    pub at: Timestamp,
    acts: u64,
}

impl Snapshot {
    /// Whether what was read at an earlier look is good enough for this one.
    fn takes(self, earlier: Self) -> bool {
        self.acts == earlier.acts && self.at < earlier.at.plus_millis(FRESH)
    }
}

/// Answers by question. Who asks while one is being read waits for it.
#[derive(Debug)]
pub struct InFlight<K, V>(Mutex<HashMap<K, SharedAnswer<V>>>);

type SharedAnswer<V> = Arc<Mutex<Option<(Snapshot, V)>>>;

impl<K, V> Default for InFlight<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> InFlight<K, V> {
    /// The answer to a question: the one that there is, or a new one.
    ///
    /// # Errors
    /// As reading it.
    pub async fn get<E>(
        &self,
        key: K,
        look: Snapshot,
        read: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        let place = {
            let mut places = self.0.lock().await;
            places.retain(|_, place| match place.try_lock() {
                Ok(answer) => answer.as_ref().is_none_or(|(read, _)| look.at < read.at.plus_seconds(WATCHED)),
                Err(_) => true,
            });
            Arc::clone(places.entry(key).or_default())
        };
        let mut answer = place.lock().await;
        if let Some((read, value)) = &*answer
            && look.takes(*read)
        {
            return Ok(value.clone());
        }
        let value = read.await?;
        *answer = Some((look, value.clone()));
        Ok(value)
    }
}

/// Rows by number. Whoever asks for one that is old has all read again that anybody looks at.
#[derive(Debug)]
pub struct RowCache<K, T>(Mutex<HashMap<K, CachedRow<T>>>);

#[derive(Debug)]
struct CachedRow<T> {
    row: Option<T>,
    read: Option<Snapshot>,
    asked_at: Timestamp,
}

impl<K, T> Default for RowCache<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> CachedRow<T> {
    fn is_old(&self, look: Snapshot) -> bool {
        self.read.is_none_or(|read| !look.takes(read))
    }
}

impl<K: Eq + Hash + Clone, T: Clone> RowCache<K, T> {
    /// These rows, in their order; those that are gone are left out. `read` reads rows by number.
    ///
    /// # Errors
    /// As reading them.
    pub async fn get(
        &self,
        ids: &[K],
        look: Snapshot,
        id_of: impl Fn(&T) -> K,
        read: impl AsyncFnOnce(Vec<K>) -> Result<Vec<T>, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let mut rows = self.0.lock().await;
        rows.retain(|_, row| look.at < row.asked_at.plus_seconds(WATCHED));
        for id in ids {
            let row =
                rows.entry(id.clone()).or_insert(CachedRow { row: None, read: None, asked_at: look.at });
            row.asked_at = look.at;
        }
        let is_old = |id: &K| rows.get(id).is_none_or(|row| row.is_old(look));
        if ids.iter().any(is_old) {
            let others = rows.iter().filter(|(id, row)| row.is_old(look) && !ids.contains(id));
            let asked = ids.iter().filter(|id| is_old(id));
            let old: Vec<K> = asked.chain(others.map(|(id, _)| id)).take(ROWS).cloned().collect();
            let found = read(old.clone()).await?;
            for id in old {
                if let Some(place) = rows.get_mut(&id) {
                    (place.row, place.read) = (None, Some(look));
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
}

/// A list whose rows many pages hold, and what is newer than them.
#[derive(Debug)]
pub struct FollowedList<T> {
    rows: RowCache<i64, T>,
    pages: InFlight<String, Arc<Page<T>>>,
}

impl<T> Default for FollowedList<T> {
    fn default() -> Self {
        Self { rows: RowCache::default(), pages: InFlight::default() }
    }
}

/// What a page of a list holds and asks for.
#[derive(Debug, Clone)]
pub struct FollowedPage<'a, T> {
    /// The numbers of its rows; [`NOTHING`] when it has found none.
    pub ids: &'a [i64],
    /// The filter, as a [`key`].
    pub filter: String,
    /// Which page.
    pub page: PageRequest,
    /// Where a row stands: its time and number.
    pub place: fn(&T) -> (Timestamp, i64),
}

/// What a page holds that has found nothing: a number that no row has.
pub const NOTHING: &[i64] = &[0];

impl<T: Clone> FollowedList<T> {
    /// The rows that a page holds, and how many that match are newer than its first; what there is now for a page that
    /// had found nothing. `rows` reads rows by number, and `page` a page of those that match.
    ///
    /// # Errors
    /// As reading them.
    pub async fn renew_page(
        &self,
        look: Snapshot,
        held: FollowedPage<'_, T>,
        rows: impl AsyncFnOnce(Vec<i64>) -> Result<Vec<T>, Failure>,
        page: impl AsyncFnOnce(PageRequest) -> Result<Page<T>, Failure>,
    ) -> Result<(Page<T>, usize), Failure> {
        let FollowedPage { ids, filter, page: asked, place } = held;
        let matching = async |wanted: PageRequest| {
            let read = async { page(wanted).await.map(Arc::new) };
            self.pages.get(format!("{filter} {wanted:?}"), look, read).await
        };
        if ids == NOTHING {
            return Ok((Page::clone(&*matching(asked).await?), 0));
        }
        let items = self.rows.get(ids, look, |row| place(row).1, rows).await?;
        let newer = match (asked.cursor, items.first().map(place)) {
            (None, Some(first)) => {
                let newest = matching(newest()).await?;
                newest.items.iter().filter(|row| place(row) > first).count()
            }
            _ => 0,
        };
        Ok((Page { items, next_cursor: None }, newer))
    }
}

/// The first page, of as many rows as are counted.
fn newest() -> PageRequest {
    PageRequest { cursor: None, limit: "100".parse().unwrap_or_default() }
}

/// A filter as a key.
pub fn key(filter: &impl serde::Serialize) -> String {
    serde_json::to_string(filter).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn at(millis: i64) -> Snapshot {
        Snapshot { at: Timestamp::from_micros(1_000_000_000 + millis * 1000), acts: 0 }
    }

    fn after_an_act(look: Snapshot) -> Snapshot {
        Snapshot { acts: look.acts + 1, ..look }
    }

    #[tokio::test]
    async fn twenty_who_look_at_different_rows_cost_one_statement_a_turn() {
        let (rows, reads) = (RowCache::default(), AtomicUsize::new(0));
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
    async fn an_answer_is_read_once_while_it_is_fresh_and_nobody_acts() {
        let (answers, reads) = (InFlight::default(), AtomicUsize::new(0));
        let ask = async |look: Snapshot| {
            let read = async { Ok::<_, Failure>(reads.fetch_add(1, Ordering::Relaxed)) };
            answers.get("counts", look, read).await.unwrap()
        };
        let together = futures_util::future::join_all((0..20).map(|_| ask(at(0)))).await;
        assert_eq!(together, [0; 20]);
        assert_eq!((ask(at(1899)).await, ask(at(1900)).await, ask(at(1950)).await), (0, 1, 1));
        assert_eq!((ask(after_an_act(at(1951))).await, ask(after_an_act(at(1952))).await), (2, 2));
    }

    #[tokio::test]
    async fn a_row_that_was_read_before_an_act_is_read_again() {
        let rows = RowCache::default();
        let ask = async |look: Snapshot, value: i64| {
            let read = async |ids: Vec<i64>| Ok(ids.into_iter().map(|id| (id, value)).collect());
            rows.get(&[7], look, |row: &(i64, i64)| row.0, read).await.unwrap()[0].1
        };
        assert_eq!((ask(at(0), 1).await, ask(at(1), 2).await), (1, 1));
        assert_eq!(ask(after_an_act(at(2)), 3).await, 3);
    }

    #[tokio::test]
    async fn what_failed_is_asked_again() {
        let answers: InFlight<(), i64> = InFlight::default();
        let failed = answers.get((), at(0), async { Err(Failure::other("disk", "gone")) }).await;
        assert!(failed.is_err());
        assert_eq!(answers.get((), at(0), async { Ok::<_, Failure>(7) }).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_page_that_found_nothing_gets_what_there_is_and_shares_it() {
        let (list, reads) = (FollowedList::default(), AtomicUsize::new(0));
        let ask = async |ids: &[i64], now: Snapshot| {
            let held = FollowedPage {
                ids,
                filter: String::new(),
                page: PageRequest::default(),
                place: |id: &i64| (at(*id).at, *id),
            };
            let page = async |_: PageRequest| {
                reads.fetch_add(1, Ordering::Relaxed);
                Ok(Page { items: vec![9, 8], next_cursor: Some("more".to_owned()) })
            };
            list.renew_page(now, held, async |ids: Vec<i64>| Ok(ids), page).await.unwrap()
        };
        for _ in 0..20 {
            let (page, newer) = ask(NOTHING, at(0)).await;
            assert_eq!((page.items, page.next_cursor.as_deref(), newer), (vec![9, 8], Some("more"), 0));
        }
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        let (page, newer) = ask(&[8, 7], at(0)).await;
        assert_eq!((page.items, page.next_cursor, newer), (vec![8, 7], None, 1));
    }
}
