//! On PostgreSQL. Rows are inserted and locked in the order of their keys, so that two processes with the same events
//! wait for each other and never in a circle.

use std::collections::HashSet;

use app::types::Timestamp;
use sqlx::{Postgres, Transaction};

use super::{KnownEvent, NewEvent, Repeats};

pub(super) async fn insert_new(
    tx: &mut Transaction<'static, Postgres>,
    events: &[&NewEvent],
) -> sqlx::Result<Vec<bool>> {
    let sql = "with given as ( \
                 select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], \
                   $7::boolean[], $8::boolean[], $9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], \
                   $14::text[], $15::bytea[], $16::text[], $17::bytea[]) \
                 as given (source_id, event_id, type, resource_id, resource_kind, status, is_test, held, version, \
                   occurred_at, received_at, content_type, content_encoding, headers, body_sha256, secret_id, body)), \
               new as ( \
                 insert into event (source_id, event_id, type, resource_id, resource_kind, status, is_test, held, version, \
                   occurred_at, received_at, content_type, content_encoding, headers, body_sha256, body_size, secret_id) \
                 select source_id, event_id, type, resource_id, resource_kind, status, is_test, held, version, \
                   occurred_at, received_at, content_type, content_encoding, headers, body_sha256, length(body), \
                   secret_id \
                 from given \
                 on conflict (source_id, event_id) do nothing \
                 returning id, source_id, event_id), \
               kept as ( \
                 insert into event_body (event_id, body) \
                 select new.id, given.body from new join given \
                 on given.source_id = new.source_id and given.event_id = new.event_id) \
               select source_id, event_id from new";
    macro_rules! column {
        ($event:ident => $value:expr) => {
            events.iter().map(|$event| $value).collect::<Vec<_>>()
        };
    }
    let new: Vec<(i64, String)> = sqlx::query_as(sql)
        .bind(column!(event => event.source_id))
        .bind(column!(event => event.event_id.as_str()))
        .bind(column!(event => event.event_type.as_str()))
        .bind(column!(event => event.resource_id.as_deref()))
        .bind(column!(event => event.resource_kind.as_deref()))
        .bind(column!(event => event.status.as_deref()))
        .bind(column!(event => event.is_test))
        .bind(column!(event => event.held))
        .bind(column!(event => event.version.as_deref()))
        .bind(column!(event => event.occurred_at.map(Timestamp::micros)))
        .bind(column!(event => event.received_at.micros()))
        .bind(column!(event => event.content_type.as_deref()))
        .bind(column!(event => event.content_encoding.as_deref()))
        .bind(column!(event => event.headers.as_str()))
        .bind(column!(event => &event.body_sha256[..]))
        .bind(column!(event => event.secret_id.as_deref()))
        .bind(column!(event => &event.body[..]))
        .fetch_all(&mut **tx)
        .await?;
    let new: HashSet<(i64, &str)> = new.iter().map(|(source_id, id)| (*source_id, id.as_str())).collect();
    Ok(events.iter().map(|event| new.contains(&event.key())).collect())
}

pub(super) async fn known(
    tx: &mut Transaction<'static, Postgres>,
    keys: &[(i64, &str)],
) -> sqlx::Result<Vec<i64>> {
    let sql = "select place - 1 from unnest($1::bigint[], $2::text[]) \
                 with ordinality as given (source_id, event_id, place) \
               where exists (select 1 from event where event.source_id = given.source_id \
                 and event.event_id = given.event_id)";
    sqlx::query_scalar(sql)
        .bind(keys.iter().map(|(source_id, _)| *source_id).collect::<Vec<_>>())
        .bind(keys.iter().map(|(_, event_id)| *event_id).collect::<Vec<_>>())
        .fetch_all(&mut **tx)
        .await
}

pub(super) async fn count_repeats(
    tx: &mut Transaction<'static, Postgres>,
    repeats: &[Repeats<'_>],
) -> sqlx::Result<Vec<KnownEvent>> {
    let sql = "with seen as ( \
                 select event.id, given.times \
                 from unnest($1::bigint[], $2::text[], $3::bigint[]) as given (source_id, event_id, times) \
                 join event on event.source_id = given.source_id and event.event_id = given.event_id \
                 order by event.source_id, event.event_id for update of event) \
               update event set arrivals = event.arrivals + seen.times from seen where event.id = seen.id \
               returning event.id, event.source_id, event.event_id, event.arrivals, event.body_sha256, event.secret_id";
    sqlx::query_as(sql)
        .bind(repeats.iter().map(|repeat| repeat.source_id).collect::<Vec<_>>())
        .bind(repeats.iter().map(|repeat| repeat.event_id).collect::<Vec<_>>())
        .bind(repeats.iter().map(|repeat| repeat.times).collect::<Vec<_>>())
        .fetch_all(&mut **tx)
        .await
}
