//! Which indexes a list of deliveries is read by.

use app::deliveries::DeliveryFilter;
use app::types::{DeliveryState, Timestamp};

use crate::db::Db;
use crate::error::Failure;
use crate::store::list_planner::filter::Filter;
use crate::store::list_planner::{self, IndexChoice};

/// A delivery counts as overdue when it should have been attempted this long ago: less is the deliverer's pace.
const OVERDUE_SECONDS: i64 = 5;

/// A filter whose names have become numbers.
#[derive(Debug)]
pub(in crate::store) struct ResolvedFilter {
    pub(in crate::store) filter: DeliveryFilter,
    destinations: Option<Vec<i64>>,
    sources: Option<Vec<i64>>,
    events: Option<Vec<i64>>,
    overdue: Option<i64>,
}

/// A part of what matches, that one index has in the order of the list.
#[derive(Debug)]
pub(in crate::store) enum Branch {
    All,
    /// Few, and sorted.
    Numbers(Vec<i64>),
    /// Those of few events, sorted.
    Events(Vec<i64>),
    Resource(String),
    State(DeliveryState),
    /// Its index goes on by state.
    Destination(i64, DeliveryState),
    Source(i64),
    Type(String),
}

impl list_planner::Branch for Branch {
    const ALL: Self = Self::All;

    fn is_in_order(&self) -> bool {
        true
    }

    fn entries(&self, select: &mut Filter) {
        select.raw("select 1 from delivery d");
        self.push(select);
    }

    fn push(&self, select: &mut Filter) {
        match self {
            Self::All => {}
            Self::Numbers(ids) => select.and_one_of("d.id", ids.clone()),
            Self::Events(ids) => select.and_one_of("d.event_id", ids.clone()),
            Self::Resource(resource) => select.and("d.resource_id = {}", [resource.as_str().into()]),
            Self::State(state) => select.and("d.state = {}", [state.as_str().into()]),
            Self::Destination(id, state) => {
                select.and("d.destination_id = {} and d.state = {}", [(*id).into(), state.as_str().into()]);
            }
            Self::Source(id) => select.and("d.source_id = {}", [(*id).into()]),
            Self::Type(name) => select.and("d.type = {}", [name.as_str().into()]),
        }
    }
}

impl ResolvedFilter {
    pub(in crate::store) async fn of(
        db: &Db,
        filter: &DeliveryFilter,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let mut filter = filter.clone();
        if filter.overdue && filter.state.is_empty() {
            filter.state = vec![DeliveryState::Pending];
        }
        filter.state.sort_unstable();
        filter.state.dedup();
        let mut narrowed = Self {
            filter: DeliveryFilter::default(),
            destinations: None,
            sources: None,
            events: None,
            overdue: None,
        };
        if let Some(slug) = &filter.destination {
            narrowed.destinations = Some(crate::store::destination::numbers(db, slug).await?);
        }
        if let Some(slug) = &filter.source {
            narrowed.sources = Some(crate::store::source::numbers(db, slug).await?);
        }
        if let Some(event_id) = &filter.event_id {
            narrowed.events = Some(crate::store::event::list::numbers(db, event_id).await?);
        }
        if filter.overdue {
            narrowed.overdue = Some(now.plus_seconds(-OVERDUE_SECONDS).micros());
        }
        narrowed.filter = filter;
        Ok(narrowed)
    }

    /// The ways to it.
    pub(in crate::store) async fn index_choice(&self, db: &Db) -> Result<IndexChoice<Branch>, Failure> {
        let filter = &self.filter;
        let of_few = if !filter.id.is_empty() {
            Some(vec![Branch::Numbers(filter.id.clone())])
        } else if let Some(events) = &self.events {
            Some(if events.is_empty() { Vec::new() } else { vec![Branch::Events(events.clone())] })
        } else {
            filter.resource.as_ref().map(|resource| vec![Branch::Resource(resource.clone())])
        };
        if let Some(way) = of_few {
            return Ok(IndexChoice(vec![way]));
        }
        let mut ways: Vec<Vec<Branch>> = Vec::new();
        if let Some(destinations) = &self.destinations {
            let states = if filter.state.is_empty() { DeliveryState::ALL } else { &filter.state };
            let of = |id: i64| states.iter().map(move |state| Branch::Destination(id, *state));
            ways.push(destinations.iter().copied().flat_map(of).collect());
        } else if !filter.state.is_empty() {
            ways.push(filter.state.iter().copied().map(Branch::State).collect());
        }
        if let Some(sources) = &self.sources {
            ways.push(sources.iter().copied().map(Branch::Source).collect());
        }
        if let Some(pattern) = &filter.r#type
            && let Some(types) = list_planner::types(db, "delivery", pattern).await?
        {
            ways.push(types.into_iter().map(Branch::Type).collect());
        }
        Ok(IndexChoice(ways))
    }

    pub(in crate::store) fn push(&self, select: &mut Filter, branch: &Branch) {
        list_planner::Branch::push(branch, select);
        let filter = &self.filter;
        if !filter.state.is_empty() && !matches!(branch, Branch::State(_) | Branch::Destination(..)) {
            let states = filter.state.iter().map(|state| state.as_str()).collect();
            select.and_one_of("d.state || ''", states);
        }
        if let Some(numbers) = &self.destinations
            && !matches!(branch, Branch::Destination(..))
        {
            select.and_one_of("+d.destination_id", numbers.clone());
        }
        if let Some(numbers) = &self.sources
            && !matches!(branch, Branch::Source(_))
        {
            select.and_one_of("+d.source_id", numbers.clone());
        }
        if let Some(numbers) = &self.events
            && !matches!(branch, Branch::Events(_))
        {
            select.and_one_of("+d.event_id", numbers.clone());
        }
        if let Some(resource) = &filter.resource
            && !matches!(branch, Branch::Resource(_))
        {
            select.and("d.resource_id || '' = {}", [resource.as_str().into()]);
        }
        if let Some(pattern) = &filter.r#type
            && !matches!(branch, Branch::Type(_))
        {
            select.and_named(&["d.type || '' = {}", "d.type || '' between {} and {}"], pattern);
        }
        if let Some(limit) = self.overdue {
            // Only what is pending has that time.
            select.and("+d.next_attempt_at < {}", [limit.into()]);
        }
        if let Some(from) = filter.from {
            select.and("d.received_at >= {}", [from.micros().into()]);
        }
    }
}
