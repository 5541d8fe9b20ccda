//! Reading deliveries: pages of a list, and one in full.

use app::deliveries::{DeliveryFilter, DeliverySummary, StateCount};
use app::types::{Cursor, DeliveryState, Page, PageRequest, Timestamp};

use super::conditions::{Bind, Conditions, fetch};
use crate::db::Db;
use crate::error::Failure;

/// A delivery counts as overdue when it should have been attempted this long ago: less is the deliverer's pace.
const OVERDUE_SECONDS: i64 = 5;
/// Nobody reads a number above this on a chip, and counting further costs.
const COUNT_LIMIT: i64 = 10_000;

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
    let mut conditions = conditions(db, filter, now).await?;
    if let Some(cursor) = page.cursor {
        conditions.and("(d.received_at, d.id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
    }
    let limit = conditions.placeholder(page.limit.get() + 1);
    // The rows are chosen before the joins, so that they come from one index in its order.
    let sql = format!(
        "select {ROW} from (select d.id, d.event_id, d.destination_id, d.source_id, d.type, d.resource_id, d.state, \
         d.attempts, d.max_attempts, d.next_attempt_at, d.last_status, d.last_error, d.received_at, d.delivered_at \
         from delivery d{} order by d.received_at desc, d.id desc limit {limit}) d {JOINS} \
         order by d.received_at desc, d.id desc",
        conditions.sql()
    );
    let rows: Vec<Raw> = fetch!(db, sql, conditions.values())?;
    let rows = rows.into_iter().map(DeliverySummary::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.received_at, id: row.id }))
}

async fn conditions(db: &Db, filter: &DeliveryFilter, now: Timestamp) -> Result<Conditions, Failure> {
    let mut conditions = Conditions::default();
    if !filter.state.is_empty() {
        conditions.and_one_of("d.state", filter.state.iter().map(|state| state.as_str()).collect());
    }
    if let Some(slug) = &filter.destination {
        conditions.and_one_of("d.destination_id", super::destination::numbers(db, slug).await?);
    }
    if let Some(slug) = &filter.source {
        conditions.and_one_of("d.source_id", super::source::numbers(db, slug).await?);
    }
    if let Some(pattern) = &filter.r#type {
        conditions.and_named(&["d.type = {}", "d.type between {} and {}"], pattern);
    }
    if let Some(resource) = &filter.resource {
        conditions.and("d.resource_id = {}", [resource.as_str().into()]);
    }
    if let Some(event_id) = &filter.event_id {
        conditions.and_one_of("d.event_id", super::event_list::numbers(db, event_id).await?);
    }
    if filter.overdue {
        let limit = now.plus_seconds(-OVERDUE_SECONDS).micros();
        conditions.and("d.state = 'pending' and d.next_attempt_at < {}", [limit.into()]);
    }
    if let Some(from) = filter.from {
        conditions.and("d.received_at >= {}", [from.micros().into()]);
    }
    if let Some(to) = filter.to {
        conditions.and("d.received_at < {}", [to.micros().into()]);
    }
    Ok(conditions)
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
