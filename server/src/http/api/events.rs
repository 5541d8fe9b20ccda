//! `/events`.

use app::events::{EventDetail, EventFilter, EventSummary};
use app::types::{EventNumber, Page, Slug, Timestamp};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::ApiState;
use super::extract::{Named, Query};
use super::fields;
use super::problems::ApiError;

/// Longest text of a filter.
const LONGEST: usize = 512;

/// List events
///
/// Newest first.
#[utoipa::path(get, path = "/events", params(
    ("source" = Option<Slug>, Query, description = "From this source"),
    ("type" = Option<String>, Query, description = "Of this type; `invoice.*` for all that begin so"),
    ("resource" = Option<String>, Query, description = "Of this resource"),
    ("event_id" = Option<String>, Query, description = "With this id at the provider"),
    ("q" = Option<String>, Query, description = "Event id, type or resource that begins so"),
    ("from" = Option<Timestamp>, Query, description = "Received at or after"),
    ("to" = Option<Timestamp>, Query, description = "Received before"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<EventSummary>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<EventSummary>>, ApiError> {
    let filter = EventFilter {
        source: query.optional("source", fields::parsed),
        r#type: query.optional("type", fields::text(1..=LONGEST)),
        resource: query.optional("resource", fields::text(1..=LONGEST)),
        event_id: query.optional("event_id", fields::text(1..=LONGEST)),
        q: query.optional("q", fields::text(1..=LONGEST)),
        from: query.optional("from", fields::parsed),
        to: query.optional("to", fields::parsed),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.events.list(filter, page).await?))
}

/// Read an event
///
/// With its arrivals and its deliveries.
#[utoipa::path(get, path = "/events/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The event", body = EventDetail)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    Named(id): Named<EventNumber>,
    Query(query): Query,
) -> Result<Json<EventDetail>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.events.get(id).await?))
}

/// Read the body of an event
///
/// The exact bytes that were received.
#[utoipa::path(get, path = "/events/{id}/body", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
pub(super) async fn body(
    State(api): State<ApiState>,
    Named(id): Named<EventNumber>,
    Query(query): Query,
) -> Result<Response, ApiError> {
    query.done(|| Some(()))?;
    let bytes = api.backend.events.body(id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"event-{id}.bin\"")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}
