//! Events that wait for a person because they contradict their source's mode.

use app::types::{AlertKind, EventNumber, Timestamp};

use crate::db::Tx;
use crate::store::alert;

/// Lets one go on, and returns the provider's id of it; none: it does not wait, or is not there. The alert of its source ends with the last one.
///
/// # Errors
/// The database does not answer.
pub async fn release(
    tx: &mut Tx,
    id: EventNumber,
    actor: &str,
    now: Timestamp,
) -> sqlx::Result<Option<String>> {
    let sql = "update event set held = false, released_by = $2, released_at = $3 where id = $1 and held \
               returning source_id, event_id";
    let released: Option<(i64, String)> = crate::within!(tx, on => sqlx::query_as(sql)
        .bind(id)
        .bind(actor)
        .bind(now.micros())
        .fetch_optional(on).await)?;
    let Some((source_id, event_id)) = released else { return Ok(None) };
    let sql = "select slug from source where id = $1";
    let slug: String = crate::within!(tx, on => sqlx::query_scalar(sql).bind(source_id).fetch_one(on).await)?;
    // First the alert, then the look: who adds one that waits holds the alert until it can be seen.
    alert::lock(tx, AlertKind::ModeMismatch, &slug).await?;
    let sql = "select count(*) from (select 1 from event where source_id = $1 and held limit 1) as one";
    let waiting: i64 = crate::within!(tx, on => sqlx::query_scalar(sql).bind(source_id).fetch_one(on).await)?;
    if waiting == 0 {
        alert::resolve(tx, AlertKind::ModeMismatch, &slug, now).await?;
    }
    Ok(Some(event_id))
}
