//! Everything that matches a filter: counted, or walked through as of one moment.

use app::deliveries::DeliveryFilter;
use app::types::Timestamp;

use crate::db::{Db, Tx};
use crate::error::Failure;
use crate::store::list_planner::delivery_index::{Branch, ResolvedFilter};
use crate::store::list_planner::filter::{Filter, fetch, fetch_within};

/// How many deliveries of one type match for one destination.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct MatchCount {
    /// The name of the destination.
    pub destination: String,
    /// The type.
    pub r#type: String,
    /// How many.
    pub count: i64,
}

/// Counts what matches, exactly.
///
/// # Errors
/// The database does not answer.
pub async fn shares(db: &Db, filter: &DeliveryFilter, now: Timestamp) -> Result<Vec<MatchCount>, Failure> {
    let narrowed = ResolvedFilter::of(db, filter, now).await?;
    let branches = narrowed.index_choice(db).await?.choose_index(db).await?;
    if branches.is_empty() {
        return Ok(Vec::new());
    }
    let mut select = Filter::default();
    select.raw("select t.slug as destination, d.type, cast(sum(d.count) as bigint) as count from (");
    for (index, branch) in branches.iter().enumerate() {
        select.raw(if index == 0 { "" } else { " union all " });
        select.raw("select d.destination_id, d.type, count(*) as count from delivery d");
        narrowed.push(&mut select, branch);
        select.raw(" group by d.destination_id, d.type");
    }
    select.raw(
        ") d join destination t on t.id = d.destination_id group by t.slug, d.type order by t.slug, d.type",
    );
    let (sql, values) = select.finish();
    Ok(fetch!(db, sql, &values)?)
}

/// A delivery that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct MatchedDelivery {
    /// Its number.
    pub id: i64,
    /// Where it goes.
    pub destination_id: i64,
    received_at: i64,
}

/// A walk through all that match at one moment: what changes meanwhile does not change it. It holds a connection that
/// only reads.
#[derive(Debug)]
pub struct MatchCursor {
    tx: Tx,
    narrowed: ResolvedFilter,
    branches: std::vec::IntoIter<Branch>,
    branch: Option<Branch>,
    after: Option<(i64, i64)>,
}

impl MatchCursor {
    /// Fixes the moment.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn begin(db: &Db, filter: &DeliveryFilter, now: Timestamp) -> Result<Self, Failure> {
        let narrowed = ResolvedFilter::of(db, filter, now).await?;
        let mut branches = narrowed.index_choice(db).await?.choose_index(db).await?.into_iter();
        let branch = branches.next();
        let mut tx = db.begin_snapshot().await?;
        // The first statement is what fixes it.
        let fix = "select max(id) from resend";
        let _: Option<i64> = crate::within!(&mut tx, on => sqlx::query_scalar(fix).fetch_one(on).await)?;
        Ok(Self { tx, narrowed, branches, branch, after: None })
    }

    /// The next ones, at most so many; none: that was all.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn next(&mut self, limit: i64) -> Result<Vec<MatchedDelivery>, Failure> {
        while let Some(branch) = &self.branch {
            let mut select = Filter::default();
            select.raw("select d.id, d.destination_id, d.received_at from delivery d");
            self.narrowed.push(&mut select, branch);
            if let Some((at, id)) = self.after {
                select.and("(d.received_at, d.id) > ({}, {})", [at.into(), id.into()]);
            }
            select.raw(" order by d.received_at, d.id limit ");
            select.value(limit);
            let (sql, values) = select.finish();
            let rows: Vec<MatchedDelivery> = fetch_within!(&mut self.tx, sql, &values)?;
            if let Some(last) = rows.last() {
                self.after = Some((last.received_at, last.id));
                return Ok(rows);
            }
            self.branch = self.branches.next();
            self.after = None;
        }
        Ok(Vec::new())
    }
}
