//! Reading one delivery: what its page shows beside the row of the list.

use app::deliveries::Attempt;
use app::types::Timestamp;

use crate::db::Db;
use crate::domain::ladder::Ladder;
use crate::error::Failure;

/// The most attempts that one page shows; a ladder has 31 at most, the rest are by hand.
const ATTEMPTS: i64 = 500;

/// What the event and the destination know of a delivery.
#[derive(Debug)]
pub struct DeliveryContext {
    /// When it happened, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// The status that the event tells.
    pub status: Option<String>,
    /// As received.
    pub content_type: Option<String>,
    /// Bytes of the body.
    pub body_size: i64,
    /// How often the event arrived.
    pub arrivals: i64,
    /// Where it goes.
    pub url: String,
    /// When it is attempted.
    pub ladder: Ladder,
}

/// Reads them.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn context(db: &Db, id: i64) -> Result<Option<DeliveryContext>, Failure> {
    type Row = (Option<i64>, Option<String>, Option<String>, i64, i64, String, String);
    let sql = "select e.occurred_at, e.status, e.content_type, e.body_size, e.arrivals, t.url, t.ladder \
               from delivery d join event e on e.id = d.event_id join destination t on t.id = d.destination_id \
               where d.id = $1";
    let row: Option<Row> = crate::read!(db, on => sqlx::query_as(sql).bind(id).fetch_optional(on).await)?;
    row.map(|(occurred_at, status, content_type, body_size, arrivals, url, ladder)| {
        Ok(DeliveryContext {
            occurred_at: occurred_at.map(Timestamp::from_micros),
            status,
            content_type,
            body_size,
            arrivals,
            url,
            ladder: ladder.parse().map_err(|error| Failure::stored("destination.ladder", error))?,
        })
    })
    .transpose()
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: i64,
    n: Option<i64>,
    trigger_kind: String,
    actor: Option<String>,
    reason: Option<String>,
    queued_at: i64,
    started_at: Option<i64>,
    duration_ms: Option<i64>,
    latency: Option<String>,
    url: Option<String>,
    status: Option<i64>,
    error: Option<String>,
    detail: Option<String>,
    request_headers: Option<String>,
    response_headers: Option<String>,
    response_body: Option<Vec<u8>>,
    response_truncated: bool,
    may_repeat: bool,
}

impl TryFrom<Raw> for Attempt {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let headers = |what, text: Option<String>| match text {
            Some(text) => serde_json::from_str(&text).map_err(|error| Failure::stored(what, error)),
            None => Ok(Vec::new()),
        };
        Ok(Self {
            id: raw.id,
            n: raw.n.and_then(|n| u32::try_from(n).ok()),
            trigger: raw
                .trigger_kind
                .parse()
                .map_err(|error| Failure::stored("attempt.trigger_kind", error))?,
            actor: raw.actor,
            reason: raw.reason,
            queued_at: Timestamp::from_micros(raw.queued_at),
            started_at: raw.started_at.map(Timestamp::from_micros),
            duration_ms: raw.duration_ms,
            latency: raw
                .latency
                .map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(|error| Failure::stored("attempt.latency", error))?,
            status: raw.status.and_then(|status| u16::try_from(status).ok()),
            error: raw
                .error
                .map(|error| error.parse())
                .transpose()
                .map_err(|error| Failure::stored("attempt.error", error))?,
            detail: raw.detail,
            url: raw.url,
            request_headers: headers("attempt.request_headers", raw.request_headers)?,
            response_headers: headers("attempt.response_headers", raw.response_headers)?,
            response_body: raw.response_body.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            response_truncated: raw.response_truncated,
            may_repeat: raw.may_repeat,
        })
    }
}

/// Every attempt, oldest first; those that wait last.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn attempts(db: &Db, id: i64) -> Result<Vec<Attempt>, Failure> {
    let sql = "select id, n, trigger_kind, actor, reason, queued_at, started_at, duration_ms, latency, url, status, error, detail, \
               request_headers, response_headers, response_body, response_truncated, may_repeat \
               from attempt where delivery_id = $1 order by id desc limit $2";
    let rows: Vec<Raw> =
        crate::read!(db, on => sqlx::query_as(sql).bind(id).bind(ATTEMPTS).fetch_all(on).await)?;
    let mut attempts = rows.into_iter().map(Attempt::try_from).collect::<Result<Vec<_>, _>>()?;
    attempts.sort_by_key(|attempt| (attempt.started_at.is_none(), attempt.started_at, attempt.id));
    Ok(attempts)
}
