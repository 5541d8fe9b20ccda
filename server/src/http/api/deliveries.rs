//! `/deliveries`.

use app::deliveries::{DeliveryDetail, DeliveryFilter, DeliverySummary, MOST_NUMBERS};
use app::types::{DeliveryNumber, DeliveryState, Page, Slug, Timestamp};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::fields::Fields;
use super::problems::ApiError;
use crate::domain::input_value;

/// Longest text of a filter.
const LONGEST: usize = 512;

/// Why somebody resends.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct ResendInput {
    /// 1 to 500 characters; written down beside the token's name.
    reason: String,
    /// Another destination that gets the event too; left out: the delivery's own.
    destination: Option<Slug>,
}

/// List deliveries
///
/// Newest first.
#[utoipa::path(get, path = "/deliveries", params(
    ("id" = Option<Vec<i64>>, Query, style = Form, explode = false,
        description = "With one of these numbers, with commas between them, 200 at most"),
    ("state" = Option<Vec<DeliveryState>>, Query, style = Form, explode = false,
        description = "In one of these states, with commas between them"),
    ("destination" = Option<Slug>, Query, description = "To this destination"),
    ("source" = Option<Slug>, Query, description = "From this source"),
    ("type" = Option<String>, Query, description = "Of this type; `invoice.*` for all that begin so"),
    ("resource" = Option<String>, Query, description = "Of this resource"),
    ("event_id" = Option<String>, Query, description = "Of the event with this id at its provider"),
    ("overdue" = Option<bool>, Query, description = "Due and not yet attempted"),
    ("from" = Option<Timestamp>, Query, description = "Received at or after"),
    ("to" = Option<Timestamp>, Query, description = "Received before"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<DeliverySummary>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<DeliverySummary>>, ApiError> {
    let filter = filter(&mut query);
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.deliveries.list(filter, page).await?))
}

/// The filter, of a query or of a body.
pub(super) fn filter(fields: &mut Fields) -> DeliveryFilter {
    DeliveryFilter {
        id: fields.optional("id", input_value::numbers(MOST_NUMBERS)).unwrap_or_default(),
        state: fields.optional("state", input_value::parsed_list).unwrap_or_default(),
        destination: fields.optional("destination", input_value::parsed),
        source: fields.optional("source", input_value::parsed),
        r#type: fields.optional("type", input_value::text(1..=LONGEST)),
        resource: fields.optional("resource", input_value::text(1..=LONGEST)),
        event_id: fields.optional("event_id", input_value::text(1..=LONGEST)),
        overdue: fields.optional("overdue", input_value::switch).unwrap_or_default(),
        from: fields.optional("from", input_value::parsed),
        to: fields.optional("to", input_value::parsed),
    }
}

/// Read a delivery
///
/// With every attempt and its whole ladder.
#[utoipa::path(get, path = "/deliveries/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The delivery", body = DeliveryDetail)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(id): NamePath<DeliveryNumber>,
    Query(query): Query,
) -> Result<Json<DeliveryDetail>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.deliveries.get(id).await?))
}

/// Resend a delivery
///
/// One attempt at once, outside the ladder. If it fails, the delivery stays as it was. With another destination, the
/// event is delivered there as `POST /events/{id}/deliver` does.
#[utoipa::path(post, path = "/deliveries/{id}/resend", params(("id" = i64, Path, description = "Its number")),
    request_body = ResendInput, responses((status = 202, description = "The attempt is queued")))]
pub(super) async fn resend(
    State(api): State<ApiState>,
    NamePath(id): NamePath<DeliveryNumber>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let reason = input.required("reason", input_value::reason);
    let destination: Option<Slug> = input.optional("destination", input_value::parsed);
    let reason = input.done(|| reason)?;
    match destination {
        Some(destination) => {
            let event = api.backend.deliveries.get(id).await?.summary.event;
            api.backend.deliveries.deliver(&viewer, event, &destination, &reason).await?;
        }
        None => api.backend.deliveries.resend(&viewer, id, &reason).await?,
    }
    Ok((StatusCode::ACCEPTED, Json(json!({"status": "queued"}))).into_response())
}
