//! Reading events: pages of a list, one in full, and its body.

use app::events::{Arrival, EventDetail, EventFilter, EventSummary, TimelineEvent};
use app::types::{Cursor, Page, PageRequest, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::Db;
use crate::error::Failure;
use crate::store::list_planner::Branch as _;
use crate::store::list_planner::event_index::{Branch, ResolvedFilter};
use crate::store::list_planner::filter::{Filter, fetch};
use crate::store::placeholders::{Placeholders, filled, size_for};

const COLUMNS: &str = "e.id, e.source_id, e.event_id, e.type, e.resource_id, e.occurred_at, e.received_at, \
                       e.processed_at, e.arrivals, e.unrouted";
/// How a branch is bounded and ordered.
#[derive(Clone, Copy)]
struct Bounds {
    after: &'static str,
    from: &'static str,
    to: &'static str,
    order: &'static str,
}

/// Where the index has the order of the list.
const IN_ORDER: Bounds = Bounds {
    after: "(e.received_at, e.id) < ({}, {})",
    from: "e.received_at >= {}",
    to: "e.received_at < {}",
    order: " order by e.received_at desc, e.id desc limit ",
};
/// Where it has not: no index of times is to be of use.
const SORTED: Bounds = Bounds {
    after: "(+e.received_at, e.id) < ({}, {})",
    from: "+e.received_at >= {}",
    to: "+e.received_at < {}",
    order: " order by +e.received_at desc, e.id desc limit ",
};

/// The arrivals that one page shows.
const ARRIVALS: i64 = 100;

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    source: String,
    event_id: String,
    r#type: String,
    resource_id: Option<String>,
    occurred_at: Option<i64>,
    received_at: i64,
    processed_at: Option<i64>,
    arrivals: i64,
    unrouted: bool,
}

impl TryFrom<Raw> for EventSummary {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        Ok(Self {
            id: raw.id,
            source: raw.source.parse().map_err(|error| Failure::stored("source.slug", error))?,
            event_id: raw.event_id,
            r#type: raw.r#type,
            resource_id: raw.resource_id,
            occurred_at: raw.occurred_at.map(Timestamp::from_micros),
            received_at: Timestamp::from_micros(raw.received_at),
            processed_at: raw.processed_at.map(Timestamp::from_micros),
            arrivals: raw.arrivals,
            unrouted: raw.unrouted,
        })
    }
}

/// One page of those that match, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn page(db: &Db, filter: &EventFilter, page: PageRequest) -> Result<Page<EventSummary>, Failure> {
    let narrowed = ResolvedFilter::of(db, filter).await?;
    let mut times = Filter::default();
    times.raw("select e.received_at from event e");
    push_end(&mut times, filter, page, IN_ORDER);
    let mut ways = narrowed.index_choice(db).await?;
    let first = ways.first(db, times, filter.from).await?;
    let found = read(db, &narrowed, &first.branches, page, first.since).await?;
    if first.is_all || found.next_cursor.is_some() {
        return Ok(found);
    }
    read(db, &narrowed, &ways.choose_index(db).await?, page, None).await
}

fn push_end(select: &mut Filter, filter: &EventFilter, page: PageRequest, bounds: Bounds) {
    if let Some(cursor) = page.cursor {
        select.and(bounds.after, [cursor.at.micros().into(), cursor.id.into()]);
    }
    if let Some(to) = filter.to {
        select.and(bounds.to, [to.micros().into()]);
    }
}

/// Reads what the branches have, since a time when there is one.
async fn read(
    db: &Db,
    narrowed: &ResolvedFilter<'_>,
    branches: &[Branch],
    page: PageRequest,
    since: Option<i64>,
) -> Result<Page<EventSummary>, Failure> {
    if branches.is_empty() {
        return Ok(Page { items: Vec::new(), next_cursor: None });
    }
    let mut select = Filter::default();
    select.raw(
        "select e.id, s.slug as source, e.event_id, e.type, e.resource_id, e.occurred_at, e.received_at, \
         e.processed_at, e.arrivals, e.unrouted from (",
    );
    for (index, branch) in branches.iter().enumerate() {
        // What a search finds may be in several branches.
        select.raw(if index == 0 { "" } else { " union " });
        select.raw(&format!("select {COLUMNS} from (select {COLUMNS} from event e"));
        narrowed.push(&mut select, branch);
        let bounds = if branch.is_in_order() { IN_ORDER } else { SORTED };
        push_end(&mut select, narrowed.filter, page, bounds);
        for at in [since, narrowed.filter.from.map(Timestamp::micros)].into_iter().flatten() {
            select.and(bounds.from, [at.into()]);
        }
        select.raw(bounds.order);
        select.value(page.limit.get() + 1);
        select.raw(") as e");
    }
    select.raw(") as e join source s on s.id = e.source_id order by e.received_at desc, e.id desc limit ");
    select.value(page.limit.get() + 1);
    let (sql, values) = select.finish();
    let rows: Vec<Raw> = fetch!(db, sql, &values)?;
    let rows = rows.into_iter().map(EventSummary::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(rows, page.limit, |row| Cursor { at: row.received_at, id: row.id }))
}

/// These events, as in the list and in its order.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn rows(db: &Db, ids: &[i64]) -> Result<Vec<EventSummary>, Failure> {
    let sql = format!(
        "select e.id, s.slug as source, e.event_id, e.type, e.resource_id, e.occurred_at, e.received_at, \
         e.processed_at, e.arrivals, e.unrouted from event e join source s on s.id = e.source_id where e.id in ({}) \
         order by e.received_at desc, e.id desc",
        Placeholders::on(db).list(size_for(ids.len()))
    );
    let rows: Vec<Raw> = crate::read!(db, on => {
        filled(ids).fold(sqlx::query_as(AssertSqlSafe(sql)), |query, id| query.bind(*id)).fetch_all(on).await
    })?;
    rows.into_iter().map(EventSummary::try_from).collect()
}

/// The numbers of the events with this id at their provider: one for each source at most.
///
/// # Errors
/// The database does not answer.
pub async fn numbers(db: &Db, event_id: &str) -> Result<Vec<i64>, Failure> {
    let sql = "select e.id from source s cross join event e \
               where e.source_id = s.id and e.event_id = $1 order by e.id limit 1000";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql).bind(event_id).fetch_all(on).await)?)
}

#[derive(sqlx::FromRow)]
struct RawDetail {
    #[sqlx(flatten)]
    summary: Raw,
    resource_kind: Option<String>,
    status: Option<String>,
    is_test: Option<bool>,
    version: Option<String>,
    content_type: Option<String>,
    body_size: i64,
    headers: String,
    held: bool,
    released_by: Option<String>,
    released_at: Option<i64>,
}

/// One event with its arrivals, without its deliveries.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn one(db: &Db, id: i64) -> Result<Option<EventDetail>, Failure> {
    let sql = "select e.id, s.slug as source, e.event_id, e.type, e.resource_id, e.occurred_at, e.received_at, \
               e.processed_at, e.arrivals, e.unrouted, e.resource_kind, e.status, e.is_test, e.version, e.content_type, \
               e.body_size, e.headers, e.held, e.released_by, e.released_at \
               from event e join source s on s.id = e.source_id where e.id = $1";
    let raw: Option<RawDetail> =
        crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)?;
    let Some(raw) = raw else { return Ok(None) };
    let headers =
        serde_json::from_str(&raw.headers).map_err(|error| Failure::stored("event.headers", error))?;
    let summary = EventSummary::try_from(raw.summary)?;
    Ok(Some(EventDetail {
        id,
        source: summary.source,
        event_id: summary.event_id,
        r#type: summary.r#type,
        resource_id: summary.resource_id,
        occurred_at: summary.occurred_at,
        received_at: summary.received_at,
        processed_at: summary.processed_at,
        resource_kind: raw.resource_kind,
        status: raw.status,
        is_test: raw.is_test,
        version: raw.version,
        content_type: raw.content_type,
        body_size: raw.body_size,
        headers,
        held: raw.held,
        released_by: raw.released_by,
        released_at: raw.released_at.map(Timestamp::from_micros),
        arrival_count: summary.arrivals,
        arrivals: arrivals(db, id, summary.received_at).await?,
        story: Vec::new(),
        deliveries: Vec::new(),
        transition: None,
    }))
}

/// The first one made the event; the others have rows of their own.
async fn arrivals(db: &Db, id: i64, first: Timestamp) -> Result<Vec<Arrival>, Failure> {
    let sql = "select received_at, same_bytes from arrival where event_id = $1 order by id limit $2";
    let rows: Vec<(i64, bool)> =
        crate::read!(db, on => sqlx::query_as(sql).bind(id).bind(ARRIVALS - 1).fetch_all(on).await)?;
    let first = Arrival { received_at: first, outcome: "stored".to_owned(), same_bytes: true };
    let others = rows.into_iter().map(|(received_at, same_bytes)| Arrival {
        received_at: Timestamp::from_micros(received_at),
        outcome: "duplicate".to_owned(),
        same_bytes,
    });
    Ok(std::iter::once(first).chain(others).collect())
}

/// The newest arrivals of a resource by the source of this event, and the event itself; in no order.
///
/// # Errors
/// The database does not answer.
pub async fn of_resource(db: &Db, id: i64, resource: &str, limit: i64) -> sqlx::Result<Vec<TimelineEvent>> {
    type Row = (i64, String, String, Option<String>, Option<i64>, i64);
    let sql = "select id, event_id, type, status, occurred_at, received_at from ( \
                 select id, event_id, type, status, occurred_at, received_at from event \
                 where resource_id = $1 and +source_id = (select source_id from event where id = $2) and id <> $2 \
                 order by received_at desc, id desc limit $3) as others \
               union all select id, event_id, type, status, occurred_at, received_at from event where id = $2";
    let rows: Vec<Row> = crate::read!(db, on => {
        sqlx::query_as(sql).bind(resource).bind(id).bind(limit - 1).fetch_all(on).await
    })?;
    let event = |(id, event_id, r#type, status, occurred_at, received_at): Row| TimelineEvent {
        id,
        event_id,
        r#type,
        status,
        occurred_at: occurred_at.map(Timestamp::from_micros),
        received_at: Timestamp::from_micros(received_at),
        out_of_order: false,
    };
    Ok(rows.into_iter().map(event).collect())
}

/// Our number of the event with this key.
///
/// # Errors
/// The database does not answer.
pub async fn number(db: &Db, source_id: i64, event_id: &str) -> sqlx::Result<Option<i64>> {
    let sql = "select id from event where source_id = $1 and event_id = $2";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(source_id).bind(event_id).fetch_optional(on).await)
}

/// The exact bytes.
///
/// # Errors
/// The database does not answer.
pub async fn body(db: &Db, id: i64) -> Result<Option<Vec<u8>>, Failure> {
    let sql = "select body from event_body where event_id = $1";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql).bind(id).fetch_optional(on).await)?)
}

/// At most so many bytes from the beginning of it.
///
/// # Errors
/// The database does not answer.
pub async fn body_start(db: &Db, id: i64, most: i32) -> Result<Option<Vec<u8>>, Failure> {
    let sql = "select substr(body, 1, $2) from event_body where event_id = $1";
    Ok(crate::read!(db, on => sqlx::query_scalar(sql).bind(id).bind(most).fetch_optional(on).await)?)
}
