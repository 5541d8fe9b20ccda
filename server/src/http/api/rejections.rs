//! `/rejections`.

use app::rejections::{
    RejectionDetail, RejectionFilter, RejectionNumber, RejectionSummary, ReverifyResult, ReverifySummary,
};
use app::text::Lang;
use app::types::{Page, RejectionReason, Slug, Timestamp};
use axum::Json;
use axum::extract::State;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::problems::ApiError;
use crate::domain::input_value;

/// List rejections
///
/// Newest first. What is refused is kept up to a number and size for each source; the oldest go first.
#[utoipa::path(get, path = "/rejections", params(
    ("source" = Option<Slug>, Query, description = "Refused by this source"),
    ("reason" = Option<RejectionReason>, Query, description = "For this reason"),
    ("from" = Option<Timestamp>, Query, description = "Received at or after"),
    ("to" = Option<Timestamp>, Query, description = "Received before"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<RejectionSummary>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<RejectionSummary>>, ApiError> {
    let filter = RejectionFilter {
        source: query.optional("source", input_value::parsed),
        reason: query.optional("reason", input_value::parsed),
        from: query.optional("from", input_value::parsed),
        to: query.optional("to", input_value::parsed),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.rejections.list(filter, page).await?))
}

/// Read a rejection
///
/// It is examined now: the findings name the cause first, each with a code that never changes and a sentence that says
/// what to do.
#[utoipa::path(get, path = "/rejections/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "The rejection", body = RejectionDetail)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(id): NamePath<RejectionNumber>,
    Query(query): Query,
) -> Result<Json<RejectionDetail>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.rejections.get(id).await?))
}

/// Verify a rejection again
///
/// With today's secrets, at the time of its arrival. What is good is taken in as if it had just arrived; of what is not,
/// `message` says why, and `not_kept` whether it can be verified at all.
#[utoipa::path(post, path = "/rejections/{id}/reverify", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "What came of it", body = ReverifyResult)))]
pub(super) async fn reverify(
    State(api): State<ApiState>,
    NamePath(id): NamePath<RejectionNumber>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<ReverifyResult>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.backend.rejections.reverify(&viewer, id, Lang::En).await?))
}

/// Verify all rejections of a source again
///
/// Those that wait, each as if it were verified alone; `still` says why some are refused, by reason.
#[utoipa::path(post, path = "/sources/{slug}/rejections/reverify",
    params(("slug" = Slug, Path, description = "The source")),
    responses((status = 200, description = "How many were taken in", body = ReverifySummary)))]
pub(super) async fn reverify_all(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<ReverifySummary>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.backend.rejections.reverify_all(&viewer, &slug, Lang::En).await?))
}
