//! `/events`.

use app::events::{EventDetail, EventFilter, EventSummary};
use app::types::{EventNumber, Page, Slug, Timestamp};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::problems::ApiError;
use crate::domain::input_value;

/// Longest text of a filter.
const LONGEST: usize = 512;

/// Why somebody releases an event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct ReleaseInput {
    /// 1 to 500 characters; written down beside the token's name.
    reason: String,
}

/// List events
///
/// Newest first.
#[utoipa::path(get, path = "/events", params(
    ("source" = Option<Slug>, Query, description = "From this source"),
    ("type" = Option<String>, Query, description = "Of this type; `invoice.*` for all that begin so"),
    ("resource" = Option<String>, Query, description = "Of this resource"),
    ("event_id" = Option<String>, Query, description = "With this id at the provider"),
    ("held" = Option<bool>, Query, description = "Those that wait for a person to release them"),
    ("unrouted" = Option<bool>, Query, description = "Those alone that no destination took"),
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
        source: query.optional("source", input_value::parsed),
        r#type: query.optional("type", input_value::text(1..=LONGEST)),
        resource: query.optional("resource", input_value::text(1..=LONGEST)),
        event_id: query.optional("event_id", input_value::text(1..=LONGEST)),
        held: query.optional("held", input_value::switch).unwrap_or_default(),
        unrouted: query.optional("unrouted", input_value::switch).unwrap_or_default(),
        q: query.optional("q", input_value::text(1..=LONGEST)),
        from: query.optional("from", input_value::parsed),
        to: query.optional("to", input_value::parsed),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.events.list(filter, page).await?))
}

/// Read an event
///
/// With its arrivals, its deliveries, and what else happened to its resource.
#[utoipa::path(get, path = "/events/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The event", body = EventDetail)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(id): NamePath<EventNumber>,
    Query(query): Query,
) -> Result<Json<EventDetail>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.events.get(id).await?))
}

/// Where an event is to go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct DeliverInput {
    /// The name of the destination.
    destination: Slug,
    /// 1 to 500 characters; written down beside the token's name.
    reason: String,
}

/// A delivery that was made, or attempted by hand.
#[derive(Serialize, ToSchema)]
pub(super) struct StartedDelivery {
    /// Its number.
    delivery: i64,
}

/// Deliver an event to a destination
///
/// Whatever the destination subscribes to. The delivery goes on its ladder; one that there is already gets one attempt
/// by hand.
#[utoipa::path(post, path = "/events/{id}/deliver", params(("id" = i64, Path, description = "Its number")),
    request_body = DeliverInput, responses((status = 202, description = "It is queued", body = StartedDelivery),
    (status = 409, description = "It waits to be released", body = super::document::Problem)))]
pub(super) async fn deliver(
    State(api): State<ApiState>,
    NamePath(id): NamePath<EventNumber>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let destination: Option<Slug> = input.required("destination", input_value::parsed);
    let reason = input.required("reason", input_value::reason);
    let (destination, reason) = input.done(|| Some((destination?, reason?)))?;
    let delivery = api.backend.deliveries.deliver(&viewer, id, &destination, &reason).await?;
    Ok((StatusCode::ACCEPTED, Json(StartedDelivery { delivery })).into_response())
}

/// Release an event
///
/// It contradicts its source's mode and waits; now it goes to its destinations. One that does not wait stays as it is.
#[utoipa::path(post, path = "/events/{id}/release", params(("id" = i64, Path, description = "Its number")),
    request_body = ReleaseInput, responses((status = 200, description = "As it is now", body = EventDetail)))]
pub(super) async fn release(
    State(api): State<ApiState>,
    NamePath(id): NamePath<EventNumber>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Json<EventDetail>, ApiError> {
    let reason = input.required("reason", input_value::reason);
    let reason = input.done(|| reason)?;
    api.backend.events.release(&viewer, id, &reason).await?;
    Ok(Json(api.backend.events.get(id).await?))
}

/// Read the body of an event
///
/// The exact bytes that were received.
#[utoipa::path(get, path = "/events/{id}/body", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
pub(super) async fn body(
    State(api): State<ApiState>,
    NamePath(id): NamePath<EventNumber>,
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
