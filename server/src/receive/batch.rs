//! Writes a batch of arrivals in one transaction. If the database refuses it, halves of it are tried, so that one
//! bad row is alone in the end and hurts nobody else.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use app::alerts::Facts;
use app::types::Mode;
use tokio::sync::oneshot;

use super::accept::NonEmpty;
use super::answer::Outcome;
use crate::db::{Db, Tx};
use crate::registry::Source;
use crate::store::alert;
use crate::store::event::arrival::{self, NewArrival};
use crate::store::event::{self, KnownEvent, NewEvent, Repeats};

/// Repeats of one event that are kept with their time; all of them are counted.
const MOST_REPEATS: i64 = 100;
/// Repeats of one event with other bytes that are kept.
const MOST_ALTERED: i64 = 10;

/// A verified arrival that waits to be written.
#[derive(Debug)]
pub(super) struct InboxItem {
    pub(super) source: Arc<Source>,
    /// Stored together or not at all.
    pub(super) events: NonEmpty<NewEvent>,
    pub(super) reply: oneshot::Sender<NonEmpty<Outcome>>,
}

/// What is most likely of a batch, by the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expectation {
    /// New events: they are inserted, and the database tells which of them it has.
    New,
    /// Repeats: they are looked up first, so that their bytes are not sent to the database for nothing.
    Known,
}

/// What became of each; none: it is not on disk.
pub(super) async fn store(
    db: &Db,
    items: &[InboxItem],
    likely: Expectation,
    at_most: Duration,
) -> Vec<Option<NonEmpty<Outcome>>> {
    let mut outcomes = vec![None; items.len()];
    let done = tokio::time::timeout(at_most, store_parts(db, items, likely, &mut outcomes)).await;
    if done.is_err() {
        tracing::error!(arrivals = items.len(), "the database took too long to store arrivals");
    }
    outcomes
}

async fn store_parts(
    db: &Db,
    items: &[InboxItem],
    likely: Expectation,
    outcomes: &mut [Option<NonEmpty<Outcome>>],
) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    parts.push(0..items.len());
    while let Some(part) = parts.pop() {
        match store_together(db, &items[part.clone()], likely).await {
            Ok(stored) => {
                for (outcome, stored) in outcomes[part].iter_mut().zip(stored) {
                    *outcome = Some(stored);
                }
            }
            Err(error) if part.len() > 1 && is_refusal(&error) => {
                let middle = part.start + part.len() / 2;
                parts.extend([middle..part.end, part.start..middle]);
            }
            Err(error) => tracing::error!(%error, arrivals = part.len(), "arrivals could not be stored"),
        }
    }
}

/// The database answered, and did not like what it was given.
fn is_refusal(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(_) | sqlx::Error::Encode(_))
}

/// An event of an arrival.
struct BatchEvent<'a> {
    source: &'a Source,
    event: &'a NewEvent,
}

async fn store_together(
    db: &Db,
    items: &[InboxItem],
    likely: Expectation,
) -> sqlx::Result<Vec<NonEmpty<Outcome>>> {
    let entries: Vec<BatchEvent<'_>> = items
        .iter()
        .flat_map(|item| item.events.iter().map(|event| BatchEvent { source: &item.source, event }))
        .collect();
    let mut outcomes = store_entries(db, &entries, likely).await?.into_iter();
    let of_items = items.iter().map(|item| NonEmpty::of(outcomes.by_ref().take(item.events.len())));
    // There is an outcome for every entry.
    of_items.collect::<Option<_>>().ok_or(sqlx::Error::RowNotFound)
}

async fn store_entries(
    db: &Db,
    entries: &[BatchEvent<'_>],
    likely: Expectation,
) -> sqlx::Result<Vec<Outcome>> {
    // By key, and for the same key in the order in which they came.
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|place| entries[*place].event.key());
    let mut firsts = order.clone();
    firsts.dedup_by_key(|place| entries[*place].event.key());

    let mut tx = db.begin_write().await?;
    if likely == Expectation::Known {
        let keys: Vec<_> = firsts.iter().map(|place| entries[*place].event.key()).collect();
        let known: HashSet<usize> = event::known(&mut tx, &keys).await?.into_iter().collect();
        firsts = (0..).zip(firsts).filter_map(|(n, place)| (!known.contains(&n)).then_some(place)).collect();
    }
    let events: Vec<&NewEvent> = firsts.iter().map(|place| entries[*place].event).collect();
    let mut outcomes = vec![Outcome::Duplicate; entries.len()];
    for (place, new) in firsts.iter().zip(event::insert_new(&mut tx, &events).await?) {
        if new {
            outcomes[*place] = Outcome::Stored;
        }
    }
    let new =
        firsts.iter().filter(|place| outcomes[**place] == Outcome::Stored).map(|place| &entries[*place]);
    open_held_alerts(&mut tx, new).await?;
    let repeats: Vec<&BatchEvent<'_>> = order
        .iter()
        .filter(|place| outcomes[**place] == Outcome::Duplicate)
        .map(|place| &entries[*place])
        .collect();
    if !repeats.is_empty() {
        count_repeats_of(&mut tx, &repeats).await?;
    }
    tx.commit().await?;
    Ok(outcomes)
}

/// Raises an alert for each source with new events that wait for a person.
async fn open_held_alerts<'a>(
    tx: &mut Tx,
    new: impl Iterator<Item = &'a BatchEvent<'a>>,
) -> sqlx::Result<()> {
    let held: BTreeMap<&str, &BatchEvent<'_>> =
        new.filter(|entry| entry.event.held).map(|entry| (entry.source.slug.as_str(), entry)).collect();
    for (slug, BatchEvent { source, event }) in held {
        let facts =
            Facts::ModeMismatch { event_id: event.event_id.clone(), is_test: source.mode == Mode::Live };
        alert::open(tx, slug, &facts, event.received_at).await?;
    }
    Ok(())
}

/// Counts them, keeps when they came, and raises an alert for those with other bytes. They come by key.
async fn count_repeats_of(tx: &mut Tx, repeats: &[&BatchEvent<'_>]) -> sqlx::Result<()> {
    let groups: Vec<&[&BatchEvent<'_>]> = repeats.chunk_by(|a, b| a.event.key() == b.event.key()).collect();
    let counts: Vec<Repeats<'_>> = groups
        .iter()
        .filter_map(|group| {
            let (source_id, event_id) = group.first()?.event.key();
            Some(Repeats { source_id, event_id, times: i64::try_from(group.len()).unwrap_or(i64::MAX) })
        })
        .collect();
    let known = event::count_repeats(tx, &counts).await?;
    let known: HashMap<(i64, &str), &KnownEvent> =
        known.iter().map(|known| ((known.source_id, known.event_id.as_str()), known)).collect();
    let mut arrivals = Vec::with_capacity(repeats.len());
    for (group, count) in groups.iter().zip(&counts) {
        // Pruned between the two statements: the sender comes again, and it is stored anew.
        let known = known.get(&(count.source_id, count.event_id)).ok_or(sqlx::Error::RowNotFound)?;
        // The first arrival has no row of its own.
        let before = known.arrivals - count.times - 1;
        for (item, kept) in group.iter().zip(before..) {
            if item.event.body_sha256[..] != known.body_sha256[..] {
                store_altered(tx, known, item).await?;
            } else if kept < MOST_REPEATS {
                let received_at = item.event.received_at;
                arrivals.push(NewArrival { event_id: known.id, received_at, altered: None });
            }
        }
    }
    arrival::insert(tx, &arrivals).await
}

async fn store_altered(tx: &mut Tx, known: &KnownEvent, item: &BatchEvent<'_>) -> sqlx::Result<()> {
    let (event, altered_before) = (item.event, arrival::count_altered(tx, known.id).await?);
    if altered_before < MOST_ALTERED {
        let altered = Some(&event.body[..]);
        let arrival = NewArrival { event_id: known.id, received_at: event.received_at, altered };
        arrival::insert(tx, &[arrival]).await?;
    }
    // A provider's API writes an event in other bytes than its webhook: nothing was altered.
    let was_fetched = known.secret_id.is_none() || event.secret_id.is_none();
    if altered_before > 0 || was_fetched {
        return Ok(());
    }
    let subject = format!("{}/{}", item.source.slug, event.event_id);
    let facts =
        Facts::AlteredRepeat { before: hex::encode(&known.body_sha256), now: hex::encode(event.body_sha256) };
    alert::open(tx, &subject, &facts, event.received_at).await
}
