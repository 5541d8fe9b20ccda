//! The books of Stripe and Paddle: every event, under the id of its webhook. What of them never came can be taken in.

use std::collections::HashMap;
use std::sync::Arc;

use app::types::DifferenceKind;

use super::compare::describe_undelivered;
use super::run::{ComparisonResult, ListedPage, ProviderListing, Run, RunContext, RunError};
use crate::clock::SharedClock;
use crate::domain::difference::{FoundDifference, UndeliveredDelivery};
use crate::provider::feed::{ABOUT, Feed, FeedClient};
use crate::provider::problem::{ApiDescription, ApiError};
use crate::receive::fetched;
use crate::store::event::NewEvent;
use crate::store::reconciliation as store;

/// Those of a window.
pub struct Events<'a> {
    run: &'a Run,
    client: FeedClient,
    clock: SharedClock,
}

impl<'a> Events<'a> {
    /// Nothing is asked yet.
    ///
    /// # Errors
    /// There is no API at the base URL.
    pub fn open(run: &'a Run, feed: Feed, tools: &RunContext) -> Result<Self, RunError> {
        Ok(Self { run, client: FeedClient::new(feed, &run.credentials)?, clock: Arc::clone(&tools.clock) })
    }
}

impl ProviderListing for Events<'_> {
    /// As it would be stored.
    type Row = NewEvent;
    const ABOUT: &'static ApiDescription = &ABOUT;

    async fn page(&self, cursor: Option<&str>) -> Result<ListedPage<NewEvent>, ApiError> {
        let Run { source, from, to, .. } = self.run;
        let page = self.client.events(*from, *to, cursor).await?;
        let (host, now) = (self.client.host(), self.clock.now());
        let events = page.events.into_iter().map(|event| fetched(source, host, event.body, now));
        // One that does not tell its time is in the window because the API says so.
        let covers = |event: &NewEvent| event.occurred_at.is_none_or(|at| (*from..*to).contains(&at));
        Ok(ListedPage { rows: events.filter(covers).collect(), next: page.next })
    }

    async fn compare(&self, tools: &RunContext, events: &[NewEvent]) -> Result<ComparisonResult, RunError> {
        let source = &self.run.source;
        let ids: Vec<_> = events.iter().map(|event| event.event_id.as_str()).collect();
        let mut known = store::known_events(&tools.db, source.id, &ids).await?;
        let mut backfilled = 0;
        if self.run.backfill && known.len() < events.len() {
            let missing = events.iter().filter(|event| !known.contains_key(&event.event_id));
            backfilled = tools.receiver.take_fetched(source, missing.cloned().collect()).await?;
            known = store::known_events(&tools.db, source.id, &ids).await?;
        }
        let numbers: Vec<_> = known.values().copied().collect();
        let mut undelivered: HashMap<i64, Vec<UndeliveredDelivery>> = HashMap::new();
        for (event, delivery) in store::undelivered(&tools.db, &numbers).await? {
            undelivered.entry(event).or_default().push(delivery);
        }
        let found = events.iter().filter_map(|event| compare(event, &known, &undelivered)).collect();
        let resources = ids.into_iter().map(str::to_owned).collect();
        Ok(ComparisonResult { resources, found, backfilled })
    }
}

/// The difference of one event, if there is one.
fn compare(
    event: &NewEvent,
    known: &HashMap<String, i64>,
    undelivered: &HashMap<i64, Vec<UndeliveredDelivery>>,
) -> Option<FoundDifference> {
    let number = known.get(&event.event_id).copied();
    let (kind, ours, delivery_id) = match number {
        None => (DifferenceKind::Missing, None, None),
        Some(number) => {
            let (ours, delivery) = describe_undelivered(undelivered.get(&number)?)?;
            (DifferenceKind::Undelivered, Some(ours), Some(delivery))
        }
    };
    Some(FoundDifference {
        resource_id: event.event_id.clone(),
        kind,
        ours,
        theirs: Some(event.event_type.clone()),
        amount: None,
        currency: None,
        order_ref: None,
        event_id: number,
        delivery_id,
    })
}
