//! Which index a list is read by. A filter of several conditions could be answered by the index of each; the right one
//! is that of the rarest. Neither database knows which that is: SQLite has no statistics until they are asked for, and
//! PostgreSQL takes conditions for independent of each other and of time, and then walks through all there is to find
//! what is not there. So we look: first whether an index has few entries of it; then whether the newest rows fill the
//! page, as they do when all conditions are frequent; then, as far as is reasonable, which index has fewer. The condition
//! of the chosen index is written as the index needs it, and the others so that none of theirs applies.

pub mod delivery_index;
pub mod event_index;
pub mod filter;

use app::types::Timestamp;
use sqlx::AssertSqlSafe;

use crate::db::Db;
use crate::error::Failure;
use crate::store::list_planner::filter::{Filter, end_of, fetch};

/// What has no more entries than these is read by them and nothing else is tried.
const RARE: &[i64] = &[1_000];
/// How rare the others are is looked at in these steps, once the newest rows have not been enough.
const RARER: &[i64] = &[20_000, 200_000];
/// As many of the newest rows are looked at first, whichever index they are in: what is frequent is among them.
const NEWEST: i64 = 5_000;

/// The most types that are looked at one by one.
const MOST_TYPES: usize = 32;

/// A part of what matches, that one index has.
pub(in crate::store) trait Branch: Sized {
    /// What is not narrowed.
    const ALL: Self;

    /// Whether its index has them in the order of the list, so that it need not be read to its end.
    fn is_in_order(&self) -> bool;

    /// Narrows to what its index has of it.
    fn push(&self, select: &mut Filter);

    /// Selects something for each entry of its index.
    fn entries(&self, select: &mut Filter);
}

/// What to read first.
#[derive(Debug)]
pub(in crate::store) struct First<B> {
    /// The branches.
    pub branches: Vec<B>,
    /// Nothing older.
    pub since: Option<i64>,
    /// There is nothing else that matches: a page that it does not fill is the last one.
    pub is_all: bool,
}

/// Several ways to the same rows, each of some branches; a way without branches finds nothing.
#[derive(Debug)]
pub(in crate::store) struct IndexChoice<B>(pub Vec<Vec<B>>);

impl<B: Branch> IndexChoice<B> {
    /// The way to go: the only one, or one that is rare. None: what is newest should be looked at first.
    ///
    /// # Errors
    /// The database does not answer.
    async fn single_choice(&mut self, db: &Db) -> Result<Option<Vec<B>>, Failure> {
        match &self.0[..] {
            [] => Ok(Some(vec![B::ALL])),
            [only] if only.iter().all(B::is_in_order) => Ok(self.0.pop()),
            _ => self.rarest(db, RARE).await,
        }
    }

    /// The way to go when nothing else has helped.
    ///
    /// # Errors
    /// The database does not answer.
    pub(in crate::store) async fn choose_index(mut self, db: &Db) -> Result<Vec<B>, Failure> {
        if let Some(way) = self.single_choice(db).await? {
            return Ok(way);
        }
        if let Some(way) = self.rarest(db, RARER).await? {
            return Ok(way);
        }
        let in_order = self.0.into_iter().find(|way| way.iter().all(B::is_in_order));
        Ok(in_order.unwrap_or_else(|| vec![B::ALL]))
    }

    /// What to read first. `times` selects when each row was received, up to the end of the page; `from` is since when
    /// it is asked for.
    ///
    /// # Errors
    /// The database does not answer.
    pub(in crate::store) async fn first(
        &mut self,
        db: &Db,
        times: Filter,
        from: Option<Timestamp>,
    ) -> Result<First<B>, Failure> {
        if let Some(branches) = self.single_choice(db).await? {
            return Ok(First { branches, since: None, is_all: true });
        }
        let since = newest(db, times).await?;
        let is_all = since.is_none_or(|since| from.is_some_and(|from| from.micros() >= since));
        Ok(First { branches: vec![B::ALL], since, is_all })
    }

    async fn rarest(&mut self, db: &Db, limits: &[i64]) -> Result<Option<Vec<B>>, Failure> {
        for limit in limits {
            for (index, way) in self.0.iter().enumerate() {
                if way.is_empty() || count(db, way, limit + 1).await? <= *limit {
                    return Ok(Some(self.0.swap_remove(index)));
                }
            }
        }
        Ok(None)
    }
}

/// Since when so many were received that they should be looked at first; none: all of them.
async fn newest(db: &Db, mut times: Filter) -> Result<Option<i64>, Failure> {
    times.raw(" order by received_at desc, id desc limit 1 offset ");
    times.value(NEWEST);
    let (sql, values) = times.finish();
    let rows: Vec<(i64,)> = fetch!(db, sql, &values)?;
    Ok(rows.first().map(|(at,)| *at))
}

/// How many rows, up to the limit.
async fn count<B: Branch>(db: &Db, way: &[B], limit: i64) -> Result<i64, Failure> {
    let mut select = Filter::default();
    select.raw("select count(*) from (");
    for (index, branch) in way.iter().enumerate() {
        select.raw(if index == 0 { "" } else { " union all " });
        branch.entries(&mut select);
    }
    select.raw(" limit ");
    select.value(limit);
    select.raw(") as entries");
    let (sql, values) = select.finish();
    let rows: Vec<(i64,)> = fetch!(db, sql, &values)?;
    Ok(rows.first().map_or(0, |(count,)| *count))
}

/// The types in a table that a pattern such as `invoice.*` means, by a walk over the index that skips from one to the
/// next. None: all of them, or too many to look at one by one.
///
/// # Errors
/// The database does not answer.
pub(in crate::store) async fn types(
    db: &Db,
    table: &'static str,
    pattern: &str,
) -> Result<Option<Vec<String>>, Failure> {
    let Some(beginning) = pattern.strip_suffix('*') else { return Ok(Some(vec![pattern.to_owned()])) };
    if beginning.is_empty() {
        return Ok(None);
    }
    let sql = format!(
        "with recursive found (type) as (\
         select (select type from {table} where type between $1 and $2 order by type limit 1) \
         union all \
         select (select type from {table} where type > found.type and type <= $2 order by type limit 1) \
         from found where found.type is not null) \
         select type from found where type is not null limit $3"
    );
    let types: Vec<String> = crate::read!(db, on => sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(beginning)
        .bind(end_of(beginning))
        .bind(MOST_TYPES as i64 + 1)
        .fetch_all(on).await)?;
    Ok((types.len() <= MOST_TYPES).then_some(types))
}
