//! Which indexes a list of events is read by.

use app::events::EventFilter;

use crate::db::Db;
use crate::error::Failure;
use crate::store::list_planner::filter::{Bind, Filter, end_of};
use crate::store::list_planner::{self, IndexChoice};

/// A filter whose names have become numbers.
#[derive(Debug)]
pub(in crate::store) struct ResolvedFilter<'a> {
    pub(in crate::store) filter: &'a EventFilter,
    sources: Option<Vec<i64>>,
    events: Option<Vec<i64>>,
    /// What is searched for, when something is.
    search: Option<&'a str>,
}

/// A part of what matches, that one index has.
#[derive(Debug)]
pub(in crate::store) enum Branch {
    All,
    Numbers(Vec<i64>),
    Resource(String),
    Unrouted,
    Held,
    Type(String),
    /// Its index is in the order of ids, for finding them again.
    Source(i64),
    /// The id begins so.
    Ids(String),
    /// The resource begins so.
    Resources(String),
}

impl list_planner::Branch for Branch {
    const ALL: Self = Self::All;

    fn is_in_order(&self) -> bool {
        !matches!(self, Self::Numbers(_) | Self::Source(_) | Self::Ids(_) | Self::Resources(_))
    }

    fn push(&self, select: &mut Filter) {
        match self {
            Self::All => {}
            Self::Numbers(ids) => select.and_one_of("e.id", ids.clone()),
            Self::Resource(resource) => select.and("e.resource_id = {}", [resource.as_str().into()]),
            Self::Unrouted => select.and("e.unrouted", []),
            Self::Held => select.and("e.held", []),
            Self::Type(name) => select.and("e.type = {}", [name.as_str().into()]),
            Self::Source(id) => select.and("e.source_id = {}", [(*id).into()]),
            Self::Ids(beginning) => select.and(
                "e.id in (select x.id from source s cross join event x \
                 where x.source_id = s.id and x.event_id between {} and {})",
                prefix_range(beginning),
            ),
            Self::Resources(beginning) => select.and(
                "e.id in (select x.id from event x where x.resource_id between {} and {})",
                prefix_range(beginning),
            ),
        }
    }

    fn entries(&self, select: &mut Filter) {
        match self {
            Self::Ids(beginning) => {
                select.raw("select 1 from source s cross join event e");
                select.and("e.source_id = s.id and e.event_id between {} and {}", prefix_range(beginning));
            }
            Self::Resources(beginning) => {
                select.raw("select 1 from event e");
                select.and("e.resource_id between {} and {}", prefix_range(beginning));
            }
            _ => {
                select.raw("select 1 from event e");
                self.push(select);
            }
        }
    }
}

fn prefix_range(beginning: &str) -> [Bind; 2] {
    [beginning.into(), end_of(beginning).into()]
}

impl<'a> ResolvedFilter<'a> {
    pub(in crate::store) async fn of(db: &Db, filter: &'a EventFilter) -> Result<Self, Failure> {
        let search = filter.q.as_deref().filter(|q| !q.is_empty());
        let mut narrowed = Self { filter, sources: None, events: None, search };
        if let Some(slug) = &filter.source {
            narrowed.sources = Some(crate::store::source::numbers(db, slug).await?);
        }
        if let Some(event_id) = &filter.event_id {
            narrowed.events = Some(crate::store::event::list::numbers(db, event_id).await?);
        }
        Ok(narrowed)
    }

    /// The ways to it.
    pub(in crate::store) async fn index_choice(&self, db: &Db) -> Result<IndexChoice<Branch>, Failure> {
        let filter = self.filter;
        if let Some(events) = &self.events {
            return Ok(IndexChoice(vec![if events.is_empty() {
                Vec::new()
            } else {
                vec![Branch::Numbers(events.clone())]
            }]));
        }
        if let Some(resource) = &filter.resource {
            return Ok(IndexChoice(vec![vec![Branch::Resource(resource.clone())]]));
        }
        let mut ways: Vec<Vec<Branch>> = Vec::new();
        ways.extend(filter.unrouted.then(|| vec![Branch::Unrouted]));
        ways.extend(filter.held.then(|| vec![Branch::Held]));
        if let Some(pattern) = &filter.r#type
            && let Some(types) = list_planner::types(db, "event", pattern).await?
        {
            ways.push(types.into_iter().map(Branch::Type).collect());
        }
        if let Some(q) = self.search
            && let Some(types) = list_planner::types(db, "event", &format!("{q}*")).await?
        {
            let found = [Branch::Ids(q.to_owned()), Branch::Resources(q.to_owned())];
            ways.push(found.into_iter().chain(types.into_iter().map(Branch::Type)).collect());
        }
        if let Some(sources) = &self.sources {
            ways.push(sources.iter().copied().map(Branch::Source).collect());
        }
        Ok(IndexChoice(ways))
    }

    pub(in crate::store) fn push(&self, select: &mut Filter, branch: &Branch) {
        list_planner::Branch::push(branch, select);
        let filter = self.filter;
        if let Some(numbers) = &self.sources
            && !matches!(branch, Branch::Source(_))
        {
            select.and_one_of("+e.source_id", numbers.clone());
        }
        if let Some(resource) = &filter.resource
            && !matches!(branch, Branch::Resource(_))
        {
            select.and("e.resource_id || '' = {}", [resource.as_str().into()]);
        }
        if let Some(pattern) = &filter.r#type {
            select.and_named(&["e.type || '' = {}", "e.type || '' between {} and {}"], pattern);
        }
        // No number is less than nought: that keeps the indexes of what is unrouted or held out.
        if filter.unrouted && !matches!(branch, Branch::Unrouted) {
            select.and("(e.unrouted or e.id < 0)", []);
        }
        if filter.held && !matches!(branch, Branch::Held) {
            select.and("(e.held or e.id < 0)", []);
        }
        if let Some(q) = self.search {
            let (from, to) = (|| Bind::from(q), || Bind::from(end_of(q)));
            select.and(
                "(e.event_id || '' between {} and {} or e.type || '' between {} and {} \
                 or e.resource_id || '' between {} and {})",
                [from(), to(), from(), to(), from(), to()],
            );
        }
    }
}
