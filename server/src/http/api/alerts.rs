//! `/alerts`.

use app::alerts::{Alert, AlertFilter};
use app::types::{AlertKind, AlertState, Page};
use axum::Json;
use axum::extract::State;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::problems::ApiError;
use crate::domain::input_value;

/// List alerts
///
/// Newest first.
#[utoipa::path(get, path = "/alerts", params(
    ("state" = Option<AlertState>, Query, description = "In this state"),
    ("kind" = Option<AlertKind>, Query, description = "Of this kind"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<Alert>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<Alert>>, ApiError> {
    let filter = AlertFilter {
        state: query.optional("state", input_value::parsed),
        kind: query.optional("kind", input_value::parsed),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.alerts.list(filter, page).await?))
}

/// Acknowledge an alert
///
/// Somebody has looked at it. One that is acknowledged or resolved already stays as it is.
#[utoipa::path(post, path = "/alerts/{id}/acknowledge", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "As it is now", body = Alert)))]
pub(super) async fn acknowledge(
    State(api): State<ApiState>,
    NamePath(id): NamePath<i64>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<Alert>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.backend.alerts.acknowledge(&viewer, id).await?))
}
