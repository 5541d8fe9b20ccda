//! Reading deliveries: pages of a list, and one in full.

use app::deliveries::{DeliveryFilter, DeliverySummary, StateCount};
use app::types::{Cursor, DeliveryState, Page, PageRequest, Timestamp};
use sqlx::AssertSqlSafe;

use super::conditions::{Bind, Conditions, fetch};
use super::placeholders::{Marks, filled, size_for};
use crate::db::Db;
use crate::error::Failure;

/// A delivery counts as overdue when it should have been attempted this long ago: less is the deliverer's pace.
const OVERDUE_SECONDS: i64 = 5;
/// Nobody reads a number above this on a chip, and counting further costs.
const COUNT_LIMIT: i64 = 10_000;

/// The most types that are looked at one by one.
const MOST_TYPES: usize = 32;

const COLUMNS: &str = "d.id, d.event_id, d.destination_id, d.source_id, d.type, d.resource_id, d.state, d.attempts, \
                       d.max_attempts, d.next_attempt_at, d.last_status, d.last_error, d.received_at, d.delivered_at";
const ROW: &str = "d.id, e.event_id, d.event_id as event, d.type, d.resource_id, s.slug as source, \
                   t.slug as destination, d.state, d.attempts, d.max_attempts, d.next_attempt_at, d.last_status, \
                   d.last_error, d.received_at, d.delivered_at";
const JOINS: &str = "join event e on e.id = d.event_id join source s on s.id = d.source_id \
                     join destination t on t.id = d.destination_id";

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    event_id: String,
    event: i64,
    r#type: String,
    resource_id: Option<String>,
    source: String,
    destination: String,
    state: String,
    attempts: i64,
    max_attempts: i64,
    next_attempt_at: Option<i64>,
    last_status: Option<i64>,
    last_error: Option<String>,
    received_at: i64,
    delivered_at: Option<i64>,
}

impl TryFrom<Raw> for DeliverySummary {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let count =
            |number: i64| u32::try_from(number).map_err(|error| Failure::stored("delivery.attempts", error));
        Ok(Self {
            id: raw.id,
            event_id: raw.event_id,
            event: raw.event,
            r#type: raw.r#type,
            resource_id: raw.resource_id,
            source: raw.source.parse().map_err(|error| Failure::stored("source.slug", error))?,
            destination: raw
                .destination
                .parse()
                .map_err(|error| Failure::stored("destination.slug", error))?,
            state: raw.state.parse().map_err(|error| Failure::stored("delivery.state", error))?,
            attempts: count(raw.attempts)?,
            max_attempts: count(raw.max_attempts)?,
            next_attempt_at: raw.next_attempt_at.map(Timestamp::from_micros),
            last_status: raw.last_status.and_then(|status| u16::try_from(status).ok()),
            last_error: raw
                .last_error
                .map(|error| error.parse())
                .transpose()
                .map_err(|error| Failure::stored("delivery.last_error", error))?,
            received_at: Timestamp::from_micros(raw.received_at),
            delivered_at: raw.delivered_at.map(Timestamp::from_micros),
        })
    }
}

/// One page of those that match, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(
    db: &Db,
    filter: &DeliveryFilter,
    page: PageRequest,
    now: Timestamp,
) -> Result<Page<DeliverySummary>, Failure> {
    let narrowed = Narrowed::of(db, filter, now).await?;
    let mut select = Conditions::default();
    // The rows are chosen before the joins, and those of each branch come from one index in its order.
    select.raw(&format!("select {ROW} from (select {COLUMNS} from ("));
    for (index, branch) in narrowed.branches(db).await?.iter().enumerate() {
        select.raw(if index == 0 { "" } else { " union all " });
        select.raw(&format!("select {COLUMNS} from (select {COLUMNS} from delivery d"));
        narrowed.push(&mut select, branch);
        if let Some(cursor) = page.cursor {
            select.and("(d.received_at, d.id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
        }
        select.raw(" order by d.received_at desc, d.id desc limit ");
        select.value(page.limit.get() + 1);
        select.raw(") d");
    }
    select.raw(") d order by d.received_at desc, d.id desc limit ");
    select.value(page.limit.get() + 1);
    select.raw(&format!(") d {JOINS} order by d.received_at desc, d.id desc"));
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(DeliverySummary::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.received_at, id: row.id }))
}

/// A filter whose names have become numbers.
#[derive(Debug)]
pub(super) struct Narrowed {
    filter: DeliveryFilter,
    destinations: Option<Vec<i64>>,
    sources: Option<Vec<i64>>,
    events: Option<Vec<i64>>,
    overdue: Option<i64>,
}

/// A part of what matches that one index has in the order of the list. An index that is asked for several values of
/// its first column has to be sorted: by far too much, when the values are frequent ones.
#[derive(Debug)]
pub(super) enum Branch {
    All,
    Numbers,
    State(DeliveryState),
    Type(String),
}

impl Narrowed {
    pub(super) async fn of(db: &Db, filter: &DeliveryFilter, now: Timestamp) -> Result<Self, Failure> {
        let mut narrowed =
            Self { filter: filter.clone(), destinations: None, sources: None, events: None, overdue: None };
        if let Some(slug) = &filter.destination {
            narrowed.destinations = Some(super::destination::numbers(db, slug).await?);
        }
        if let Some(slug) = &filter.source {
            narrowed.sources = Some(super::source::numbers(db, slug).await?);
        }
        if let Some(event_id) = &filter.event_id {
            narrowed.events = Some(super::event_list::numbers(db, event_id).await?);
        }
        if filter.overdue {
            narrowed.overdue = Some(now.plus_seconds(-OVERDUE_SECONDS).micros());
        }
        Ok(narrowed)
    }

    pub(super) async fn branches(&self, db: &Db) -> Result<Vec<Branch>, Failure> {
        let by_state = |states: &[DeliveryState]| states.iter().copied().map(Branch::State).collect();
        let filter = &self.filter;
        if !self.filter.id.is_empty() {
            return Ok(vec![Branch::Numbers]);
        }
        if !filter.state.is_empty() {
            let mut states = filter.state.clone();
            states.sort_unstable();
            states.dedup();
            return Ok(by_state(&states));
        }
        if self.destinations.is_some() {
            // The index of a destination goes on by state.
            return Ok(by_state(DeliveryState::ALL));
        }
        let beginning = filter.r#type.as_deref().and_then(|pattern| pattern.strip_suffix('*'));
        if let Some(beginning) = beginning.filter(|beginning| !beginning.is_empty()) {
            let types = types(db, beginning).await?;
            if (1..=MOST_TYPES).contains(&types.len()) {
                return Ok(types.into_iter().map(Branch::Type).collect());
            }
        }
        Ok(vec![Branch::All])
    }

    pub(super) fn push(&self, select: &mut Conditions, branch: &Branch) {
        let filter = &self.filter;
        match branch {
            Branch::All => {}
            Branch::Numbers => select.and_one_of("d.id", filter.id.clone()),
            Branch::State(state) => select.and("d.state = {}", [state.as_str().into()]),
            Branch::Type(name) => select.and("d.type = {}", [name.as_str().into()]),
        }
        if let Branch::Numbers = branch
            && !filter.state.is_empty()
        {
            select.and_one_of("d.state", filter.state.iter().map(|state| state.as_str()).collect());
        }
        for (column, numbers) in [
            ("d.destination_id", &self.destinations),
            ("d.source_id", &self.sources),
            ("d.event_id", &self.events),
        ] {
            if let Some(numbers) = numbers {
                select.and_one_of(column, numbers.clone());
            }
        }
        if let (Some(pattern), Branch::All | Branch::Numbers | Branch::State(_)) = (&filter.r#type, branch) {
            select.and_named(&["d.type = {}", "d.type between {} and {}"], pattern);
        }
        if let Some(resource) = &filter.resource {
            select.and("d.resource_id = {}", [resource.as_str().into()]);
        }
        if let Some(limit) = self.overdue {
            select.and("d.state = 'pending' and d.next_attempt_at < {}", [limit.into()]);
        }
        if let Some(from) = filter.from {
            select.and("d.received_at >= {}", [from.micros().into()]);
        }
        if let Some(to) = filter.to {
            select.and("d.received_at < {}", [to.micros().into()]);
        }
    }
}

/// The types that begin so, by a walk over the index that skips from one to the next; one more than we branch over
/// tells that there are too many.
async fn types(db: &Db, beginning: &str) -> Result<Vec<String>, Failure> {
    let sql = "with recursive found (type) as (\
               select (select type from delivery where type between $1 and $2 order by type limit 1) \
               union all \
               select (select type from delivery where type > found.type and type <= $2 order by type limit 1) \
               from found where found.type is not null) \
               select type from found where type is not null limit $3";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql)
        .bind(beginning)
        .bind(super::conditions::end_of(beginning))
        .bind(MOST_TYPES as i64 + 1)
        .fetch_all(on).await)?)
}

/// One delivery, as in the list.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn one(db: &Db, id: i64) -> Result<Option<DeliverySummary>, Failure> {
    let sql = format!("select {ROW} from delivery d {JOINS} where d.id = $1");
    let rows: Vec<Raw> = fetch!(db, sql, &[Bind::Int(id)])?;
    rows.into_iter().next().map(DeliverySummary::try_from).transpose()
}

/// These deliveries, as in the list and in its order.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn rows(db: &Db, ids: &[i64]) -> Result<Vec<DeliverySummary>, Failure> {
    let sql = format!(
        "select {ROW} from delivery d {JOINS} where d.id in ({}) order by d.received_at desc, d.id desc",
        Marks::on(db).list(size_for(ids.len()))
    );
    let rows: Vec<Raw> = crate::read!(db, on => {
        filled(ids).fold(sqlx::query_as(AssertSqlSafe(sql)), |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(DeliverySummary::try_from).collect()
}

/// The deliveries of one event, oldest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn of_event(db: &Db, event: i64) -> Result<Vec<DeliverySummary>, Failure> {
    let sql = format!("select {ROW} from delivery d {JOINS} where d.event_id = $1 order by d.id limit 1000");
    let rows: Vec<Raw> = fetch!(db, sql, &[Bind::Int(event)])?;
    rows.into_iter().map(DeliverySummary::try_from).collect()
}

/// How many stand in each state, up to 10 000 of each; of the delivered ones, those of the last 24 hours.
///
/// # Errors
/// The database does not answer.
pub async fn counts(db: &Db, now: Timestamp) -> Result<Vec<StateCount>, Failure> {
    let sql = "select count(*) from (select 1 from delivery where state = $1 and received_at >= $2 limit $3) counted";
    let mut counts = Vec::with_capacity(DeliveryState::ALL.len());
    for &state in DeliveryState::ALL {
        let since =
            if state == DeliveryState::Delivered { now.plus_seconds(-86_400).micros() } else { i64::MIN };
        let count = crate::read!(db, on => sqlx::query_scalar(sql)
            .bind(state.as_str())
            .bind(since)
            .bind(COUNT_LIMIT)
            .fetch_one(on).await)?;
        counts.push(StateCount { state, count });
    }
    Ok(counts)
}
