//! `/differences`.

use app::reconciliation::{Difference, DifferenceFilter};
use app::types::{DifferenceKind, DifferenceState, Page, Slug};
use axum::Json;
use axum::extract::State;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::problems::ApiError;
use crate::domain::input_value;

/// What somebody found out about a difference.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct NoteInput {
    /// 1 to 500 characters; written down beside the token's name.
    note: String,
}

/// List differences
///
/// What reconciliations found, newest first.
#[utoipa::path(get, path = "/differences", params(
    ("source" = Option<Slug>, Query, description = "Of this source"),
    ("kind" = Option<DifferenceKind>, Query, description = "Of this kind"),
    ("state" = Option<DifferenceState>, Query, description = "In this state"),
    ("resource" = Option<String>, Query, description = "Of this resource"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<Difference>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<Difference>>, ApiError> {
    let filter = DifferenceFilter {
        source: query.optional("source", input_value::parsed),
        kind: query.optional("kind", input_value::parsed),
        state: query.optional("state", input_value::parsed),
        resource: query.optional("resource", input_value::text(1..=512)),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.reconciliations.differences(filter, page).await?))
}

/// Acknowledge a difference
///
/// Somebody has looked at it, and says what they found.
#[utoipa::path(post, path = "/differences/{id}/acknowledge", params(("id" = i64, Path, description = "Its number")),
    request_body = NoteInput, responses((status = 200, description = "As it is now", body = Difference)))]
pub(super) async fn acknowledge(
    State(api): State<ApiState>,
    NamePath(id): NamePath<i64>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Json<Difference>, ApiError> {
    let note = input.required("note", input_value::reason);
    let note = input.done(|| note)?;
    Ok(Json(api.backend.reconciliations.acknowledge(&viewer, id, &note).await?))
}
