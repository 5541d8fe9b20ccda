//! Reading deliveries: pages of a list, and one in full.

use app::deliveries::{DeliveryFilter, DeliverySummary, StateCount};
use app::types::{Cursor, DeliveryState, Page, PageRequest, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::Db;
use crate::error::Failure;
use crate::store::list_planner::delivery_index::{Branch, ResolvedFilter};
use crate::store::list_planner::filter::{Bind, Filter, fetch};
use crate::store::placeholders::{Placeholders, filled, size_for};

/// Nobody reads a number above this on a chip, and counting further costs.
const COUNT_LIMIT: i64 = 10_000;

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
    let narrowed = ResolvedFilter::of(db, filter, now).await?;
    let mut times = Filter::default();
    times.raw("select d.received_at from delivery d");
    push_end(&mut times, filter, page);
    let mut ways = narrowed.index_choice(db).await?;
    let first = ways.first(db, times, filter.from).await?;
    let found = read(db, &narrowed, &first.branches, page, first.since).await?;
    if first.is_all || found.next_cursor.is_some() {
        return Ok(found);
    }
    read(db, &narrowed, &ways.choose_index(db).await?, page, None).await
}

fn push_end(select: &mut Filter, filter: &DeliveryFilter, page: PageRequest) {
    if let Some(to) = filter.to {
        select.and("d.received_at < {}", [to.micros().into()]);
    }
    if let Some(cursor) = page.cursor {
        select.and("(d.received_at, d.id) < ({}, {})", [cursor.at.micros().into(), cursor.id.into()]);
    }
}

/// Reads what the branches have, since a time when there is one.
async fn read(
    db: &Db,
    narrowed: &ResolvedFilter,
    branches: &[Branch],
    page: PageRequest,
    since: Option<i64>,
) -> Result<Page<DeliverySummary>, Failure> {
    if branches.is_empty() {
        return Ok(Page { items: Vec::new(), next_cursor: None });
    }
    let mut select = Filter::default();
    // The rows are chosen before the joins, and those of each branch come from one index in its order.
    select.raw(&format!("select {ROW} from (select {COLUMNS} from ("));
    for (index, branch) in branches.iter().enumerate() {
        select.raw(if index == 0 { "" } else { " union all " });
        select.raw(&format!("select {COLUMNS} from (select {COLUMNS} from delivery d"));
        narrowed.push(&mut select, branch);
        push_end(&mut select, &narrowed.filter, page);
        if let Some(since) = since {
            select.and("d.received_at >= {}", [since.into()]);
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
        Placeholders::on(db).list(size_for(ids.len()))
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
