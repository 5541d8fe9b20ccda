//! Rows of `difference`.

use std::collections::BTreeMap;

use app::reconciliation::{Difference, DifferenceFilter};
use app::types::{Cursor, DifferenceKind, Page, PageRequest, Slug, Timestamp};
use sqlx::AssertSqlSafe;

use crate::db::{Db, Tx};
use crate::domain::difference::FoundDifference;
use crate::error::Failure;
use crate::store::placeholders;

/// Values of a row in the insert of `record`.
const WIDTH: usize = 14;

/// Writes down what a run found among these resources, and resolves what it did not find any more. What somebody
/// has looked at stays so while it says the same.
///
/// # Errors
/// The database does not answer.
pub async fn record(
    tx: &mut Tx,
    (source_id, run): (i64, i64),
    resources: &[&str],
    found: &[FoundDifference],
    now: Timestamp,
) -> sqlx::Result<()> {
    for found in found.chunks(200) {
        upsert(tx, (source_id, run), found, now).await?;
    }
    if resources.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "update difference set state = 'resolved' where source_id = $1 and reconciliation_id <> $2 \
         and state <> 'resolved' and resource_id in ({})",
        placeholders::list(resources.len(), 3)
    );
    crate::within!(tx, on => {
        let query = sqlx::query(AssertSqlSafe(sql)).bind(source_id).bind(run);
        resources.iter().fold(query, |query, resource| query.bind(*resource)).execute(on).await.map(drop)
    })
}

async fn upsert(
    tx: &mut Tx,
    (source_id, run): (i64, i64),
    found: &[FoundDifference],
    now: Timestamp,
) -> sqlx::Result<()> {
    let sql = format!(
        "insert into difference (source_id, reconciliation_id, resource_id, kind, ours, theirs, amount, currency, \
         order_ref, event_id, delivery_id, first_seen, last_seen, state) values {} \
         on conflict (source_id, resource_id, kind) do update set \
         state = case when difference.state = 'acknowledged' \
           and difference.ours is not distinct from excluded.ours \
           and difference.theirs is not distinct from excluded.theirs then 'acknowledged' else 'open' end, \
         reconciliation_id = excluded.reconciliation_id, ours = excluded.ours, theirs = excluded.theirs, \
         amount = excluded.amount, currency = excluded.currency, order_ref = excluded.order_ref, \
         event_id = excluded.event_id, delivery_id = excluded.delivery_id, last_seen = excluded.last_seen",
        placeholders::rows(found.len(), WIDTH, 1)
    );
    crate::within!(tx, on => {
        let query = sqlx::query(AssertSqlSafe(sql));
        found.iter().fold(query, |query, found| query
            .bind(source_id)
            .bind(run)
            .bind(&found.resource_id)
            .bind(found.kind.as_str())
            .bind(&found.ours)
            .bind(&found.theirs)
            .bind(&found.amount)
            .bind(&found.currency)
            .bind(&found.order_ref)
            .bind(found.event_id)
            .bind(found.delivery_id)
            .bind(now.micros())
            .bind(now.micros())
            .bind("open"))
            .execute(on).await.map(drop)
    })
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    source: String,
    resource_id: String,
    kind: String,
    ours: Option<String>,
    theirs: Option<String>,
    amount: Option<String>,
    currency: Option<String>,
    order_ref: Option<String>,
    event_id: Option<i64>,
    delivery_id: Option<i64>,
    first_seen: i64,
    last_seen: i64,
    state: String,
    note: Option<String>,
    acknowledged_by: Option<String>,
}

impl TryFrom<Raw> for Difference {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        Ok(Self {
            id: raw.id,
            source: raw.source.parse().map_err(|error| Failure::stored("source.slug", error))?,
            resource_id: raw.resource_id,
            kind: raw.kind.parse().map_err(|error| Failure::stored("difference.kind", error))?,
            ours: raw.ours,
            theirs: raw.theirs,
            amount: raw.amount,
            currency: raw.currency,
            order_ref: raw.order_ref,
            event: raw.event_id,
            delivery: raw.delivery_id,
            first_seen: Timestamp::from_micros(raw.first_seen),
            last_seen: Timestamp::from_micros(raw.last_seen),
            state: raw.state.parse().map_err(|error| Failure::stored("difference.state", error))?,
            note: raw.note,
            acknowledged_by: raw.acknowledged_by,
        })
    }
}

const COLUMNS: &str = "d.id, s.slug as source, d.resource_id, d.kind, d.ours, d.theirs, d.amount, d.currency, \
                       d.order_ref, d.event_id, d.delivery_id, d.first_seen, d.last_seen, d.state, d.note, \
                       d.acknowledged_by";

/// Differences that match, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn list(
    db: &Db,
    filter: &DifferenceFilter,
    page: PageRequest,
) -> Result<Page<Difference>, Failure> {
    let after = page.cursor.unwrap_or(Cursor { at: Timestamp::from_micros(i64::MAX), id: i64::MAX });
    let sql = format!(
        "select {COLUMNS} from difference d join source s on s.id = d.source_id \
         where (cast($1 as text) is null or s.slug = $1) and (cast($2 as text) is null or d.kind = $2) \
         and (cast($3 as text) is null or d.state = $3) and (cast($4 as text) is null or d.resource_id = $4) \
         and (d.first_seen, d.id) < ($5, $6) order by d.first_seen desc, d.id desc limit $7"
    );
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql))
        .bind(filter.source.as_ref().map(Slug::as_str))
        .bind(filter.kind.map(|kind| kind.as_str()))
        .bind(filter.state.map(|state| state.as_str()))
        .bind(&filter.resource)
        .bind(after.at.micros())
        .bind(after.id)
        .bind(page.limit.get() + 1)
        .fetch_all(on).await)?;
    let differences = rows.into_iter().map(Difference::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::from_rows(differences, page.limit, |found| Cursor { at: found.first_seen, id: found.id }))
}

/// One difference.
///
/// # Errors
/// The database does not answer, or the row breaks a rule.
pub async fn get(db: &Db, id: i64) -> Result<Option<Difference>, Failure> {
    let sql =
        format!("select {COLUMNS} from difference d join source s on s.id = d.source_id where d.id = $1");
    let row: Option<Raw> =
        crate::read!(db, on => sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(on).await)?;
    row.map(Difference::try_from).transpose()
}

/// Marks one as looked at. One that is resolved stays so, with the note. False: there is none of this number.
///
/// # Errors
/// The database does not answer.
pub async fn acknowledge(
    tx: &mut Tx,
    id: i64,
    actor: &str,
    note: &str,
    now: Timestamp,
) -> sqlx::Result<bool> {
    let sql = "update difference set state = case when state = 'resolved' then 'resolved' else 'acknowledged' end, \
               note = $2, acknowledged_by = $3, acknowledged_at = $4 where id = $1";
    let rows = crate::within!(tx, on => sqlx::query(sql).bind(id).bind(note).bind(actor).bind(now.micros())
        .execute(on).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// How many open ones of each kind there are.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn open_by_kind(db: &Db) -> Result<BTreeMap<DifferenceKind, i64>, Failure> {
    let sql = "select kind, count(*) from difference where state = 'open' group by kind";
    let rows: Vec<(String, i64)> = crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)?;
    rows.into_iter()
        .map(|(kind, count)| {
            Ok((kind.parse().map_err(|error| Failure::stored("difference.kind", error))?, count))
        })
        .collect()
}
