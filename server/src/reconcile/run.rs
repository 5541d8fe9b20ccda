//! One run: every invoice that the provider lists for the window, a page at a time, against what we have.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use app::types::Timestamp;

use super::compare::{Ours, compare, newest};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::directory::{ApiCredentials, Source};
use crate::error::Failure;
use crate::provider::api::whole_seconds;
use crate::provider::paymos::client::{ABOUT, CreatedWindow, ListedInvoice, PAGE, PaymosClient};
use crate::provider::problem::ApiError;
use crate::store::difference;
use crate::store::reconciliation::{self as store, Progress};

/// Pages that a run follows.
const MOST_PAGES: usize = 1000;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The provider's API.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Our own side.
    #[error(transparent)]
    Ours(#[from] Failure),
    /// Another process took it for dead.
    #[error("the run was taken for dead")]
    TakenForDead,
}

impl From<sqlx::Error> for Stopped {
    fn from(error: sqlx::Error) -> Self {
        Self::Ours(error.into())
    }
}

/// A run under way.
pub struct Run {
    /// Its row.
    pub id: i64,
    /// Of this source.
    pub source: Arc<Source>,
    /// How to ask.
    pub credentials: ApiCredentials,
    /// Created at the provider at or after.
    pub from: Timestamp,
    /// Created at the provider before.
    pub to: Timestamp,
}

impl Run {
    /// Lists and compares to the end of the window. Changes nothing but differences and the run's own row.
    ///
    /// # Errors
    /// Why it ended before.
    pub async fn execute(&self, db: &Db, clock: &SharedClock) -> Result<(), Stopped> {
        let client = PaymosClient::new(&self.credentials, Arc::clone(clock))?;
        client.learn_clock().await?;
        let window = window(self.from, self.to);
        let mut progress = Progress::default();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let page = client.invoices(window, cursor.as_deref()).await?;
            let items: Vec<_> = page.items.into_iter().filter(|item| self.covers(item)).collect();
            for items in items.chunks(PAGE) {
                self.record(db, clock, items, &mut progress).await?;
            }
            let Some(next) = page.next_cursor else { return Ok(()) };
            if !cursors.insert(next.clone()) {
                return Err(ApiError::RepeatedCursor.into());
            }
            cursor = Some(next);
        }
        Err(ApiError::TooManyPages { most: MOST_PAGES * PAGE, about: &ABOUT }.into())
    }

    fn covers(&self, item: &ListedInvoice) -> bool {
        (self.from..self.to).contains(&Timestamp::from_unix(item.created_at))
    }

    async fn record(
        &self,
        db: &Db,
        clock: &SharedClock,
        items: &[ListedInvoice],
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        let ours = look_up(db, self.source.id, items).await?;
        let found: Vec<_> = items.iter().flat_map(|item| compare(item, &ours)).collect();
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        progress.fetched += count;
        progress.compared += count;
        for difference in &found {
            *progress.seen.entry(difference.kind).or_default() += 1;
        }
        let resources: Vec<_> = items.iter().map(|item| item.invoice_id.as_str()).collect();
        let now = clock.now();
        let mut tx = db.begin_write().await?;
        if !store::progress(&mut tx, self.id, progress, now).await? {
            return Err(Stopped::TakenForDead);
        }
        difference::record(&mut tx, (self.source.id, self.id), &resources, &found, now).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// What we have of the resources of a page: two statements, and a third when some were paid late.
async fn look_up(db: &Db, source_id: i64, items: &[ListedInvoice]) -> Result<Ours, Failure> {
    let resources: Vec<_> = items.iter().map(|item| item.invoice_id.as_str()).collect();
    let mut ours = Ours::default();
    for (resource, event) in store::newest_events(db, source_id, &resources).await? {
        ours.newest.entry(resource).or_default().push(event);
    }
    let events: Vec<_> = items.iter().filter_map(|item| Some(newest(item, &ours)?.id)).collect();
    let mut undelivered: HashMap<_, Vec<_>> = HashMap::new();
    for (event, delivery) in store::undelivered(db, &events).await? {
        undelivered.entry(event).or_default().push(delivery);
    }
    ours.undelivered = undelivered;
    let late: Vec<_> = items
        .iter()
        .filter(|item| item.paid_late_at.is_some())
        .map(|item| item.invoice_id.as_str())
        .collect();
    let bodies = store::bodies(db, source_id, &late).await?;
    ours.told_late =
        bodies.into_iter().filter(|(_, body)| tells_late(body)).map(|(resource, _)| resource).collect();
    Ok(ours)
}

fn tells_late(body: &[u8]) -> bool {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    body["data"]["paid_late_at"].is_number()
}

/// The whole seconds of the window. The API wants its end after its begin: a window of one second is asked for with
/// the one after it, whose invoices are left out again.
fn window(from: Timestamp, to: Timestamp) -> CreatedWindow {
    let (first, last) = whole_seconds(from, to);
    CreatedWindow { from: first, to: last.max(first + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_whole_seconds_with_its_end_left_out() {
        let at = |micros| Timestamp::from_micros(micros);
        for (from, to, wanted) in [
            (10_000_000, 20_000_000, (10, 19)),
            (10_000_001, 20_000_001, (11, 20)),
            (10_000_000, 11_000_000, (10, 11)),
            (10_500_000, 10_600_000, (11, 12)),
        ] {
            let window = window(at(from), at(to));
            assert_eq!((window.from, window.to), wanted, "{from}..{to}");
        }
    }

    #[test]
    fn only_a_body_with_the_time_tells_of_a_late_payment() {
        assert!(tells_late(br#"{"data":{"paid_late_at":1700000000}}"#));
        for other in [&b"{\"data\":{\"paid_late_at\":null}}"[..], b"{\"data\":{}}", b"[]", b"\xff"] {
            assert!(!tells_late(other));
        }
    }
}
