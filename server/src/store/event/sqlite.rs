//! On SQLite. A transaction that writes is the only one, so that it can give the rows their numbers itself.

use std::collections::HashSet;

use app::types::Timestamp;
use sqlx::{Sqlite, Transaction};

use super::{KnownEvent, NewEvent, Repeats};
use crate::store::rows::ValuesStatement;

static EVENTS: ValuesStatement = ValuesStatement::new(
    "insert into event (id, source_id, event_id, type, resource_id, resource_kind, status, is_test, held, version, occurred_at, received_at, \
     content_type, content_encoding, headers, body_sha256, body_size, secret_id) select * from ",
    18,
    " where column1 is not null on conflict (source_id, event_id) do nothing",
);
static BODIES: ValuesStatement = ValuesStatement::new(
    "insert into event_body (event_id, body) select * from ",
    2,
    " where column1 is not null",
);
static KNOWN: ValuesStatement = ValuesStatement::new(
    "with given (place, source_id, event_id) as ",
    3,
    " select place from given where place is not null and exists (select 1 from event \
     where event.source_id = given.source_id and event.event_id = given.event_id)",
);
static REPEATS: ValuesStatement = ValuesStatement::new(
    "with seen (source_id, event_id, times) as ",
    3,
    " update event set arrivals = event.arrivals + seen.times from seen \
     where event.source_id = seen.source_id and event.event_id = seen.event_id \
     returning event.id, event.source_id, event.event_id, event.arrivals, event.body_sha256, event.secret_id",
);

pub(super) async fn insert_new(
    tx: &mut Transaction<'static, Sqlite>,
    events: &[&NewEvent],
) -> sqlx::Result<Vec<bool>> {
    let last: i64 = sqlx::query_scalar("select coalesce(max(id), 0) from event").fetch_one(&mut **tx).await?;
    let numbered: Vec<(i64, &NewEvent)> = (last + 1..).zip(events.iter().copied()).collect();
    let mut inserted = 0;
    for (sql, chunk) in EVENTS.chunks(&numbered) {
        let mut query = sqlx::query(sql);
        for (id, event) in chunk {
            query = query
                .bind(id)
                .bind(event.source_id)
                .bind(&event.event_id)
                .bind(&event.event_type)
                .bind(&event.resource_id)
                .bind(event.resource_kind.as_deref())
                .bind(&event.status)
                .bind(event.is_test)
                .bind(event.held)
                .bind(&event.version)
                .bind(event.occurred_at.map(Timestamp::micros))
                .bind(event.received_at.micros())
                .bind(&event.content_type)
                .bind(&event.content_encoding)
                .bind(&event.headers)
                .bind(&event.body_sha256[..])
                .bind(i64::try_from(event.body.len()).unwrap_or(i64::MAX))
                .bind(&event.secret_id);
        }
        inserted += query.execute(&mut **tx).await?.rows_affected();
    }
    let is_new = if usize::try_from(inserted) == Ok(events.len()) {
        vec![true; events.len()]
    } else {
        let sql = "select id from event where id > $1";
        let ids: HashSet<i64> =
            sqlx::query_scalar(sql).bind(last).fetch_all(&mut **tx).await?.into_iter().collect();
        numbered.iter().map(|(id, _)| ids.contains(id)).collect()
    };
    let new: Vec<_> = numbered.iter().zip(&is_new).filter_map(|(row, new)| new.then_some(row)).collect();
    for (sql, chunk) in BODIES.chunks(&new) {
        let mut query = sqlx::query(sql);
        for (id, event) in chunk {
            query = query.bind(id).bind(&event.body[..]);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(is_new)
}

pub(super) async fn known(
    tx: &mut Transaction<'static, Sqlite>,
    keys: &[(i64, &str)],
) -> sqlx::Result<Vec<i64>> {
    let placed: Vec<(i64, &(i64, &str))> = (0..).zip(keys).collect();
    let mut known = Vec::with_capacity(keys.len());
    for (sql, chunk) in KNOWN.chunks(&placed) {
        let mut query = sqlx::query_scalar(sql);
        for (place, (source_id, event_id)) in chunk {
            query = query.bind(place).bind(source_id).bind(*event_id);
        }
        known.append(&mut query.fetch_all(&mut **tx).await?);
    }
    Ok(known)
}

pub(super) async fn count_repeats(
    tx: &mut Transaction<'static, Sqlite>,
    repeats: &[Repeats<'_>],
) -> sqlx::Result<Vec<KnownEvent>> {
    let mut known = Vec::with_capacity(repeats.len());
    for (sql, chunk) in REPEATS.chunks(repeats) {
        let mut query = sqlx::query_as(sql);
        for repeat in chunk {
            query = query.bind(repeat.source_id).bind(repeat.event_id).bind(repeat.times);
        }
        known.append(&mut query.fetch_all(&mut **tx).await?);
    }
    Ok(known)
}
