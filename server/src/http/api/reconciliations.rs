//! `/reconciliations`.

use app::reconciliation::{Comparison, Reconciliation};
use app::types::{Page, Slug, Timestamp};
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
use crate::domain::input_value::{self, InvalidValue};

/// What a reconciliation looks at.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct ReconciliationInput {
    /// Made at the provider at or after; of Stripe at most 30 days ago, of Paddle 90.
    from: Timestamp,
    /// Made at the provider before.
    to: Timestamp,
    /// Whether events that never came are taken in, as if they came now: of Stripe and Paddle, whose APIs list events.
    /// False when left out.
    backfill: Option<bool>,
}

/// A reconciliation that was started.
#[derive(Serialize, ToSchema)]
pub(super) struct ReconciliationStarted {
    /// Its number.
    id: i64,
}

/// Reconcile a source
///
/// Asks the provider for everything of a window, in the background, and reports what differs: of Paymos by invoice, of
/// Stripe and Paddle by event, whatever its type. Corrects nothing, unless a backfill is asked for: then events that
/// never came are stored and delivered with the bytes that the provider's API gives.
#[utoipa::path(post, path = "/sources/{slug}/reconciliations", params(("slug" = Slug, Path, description = "The source")),
    request_body = ReconciliationInput, responses((status = 202, description = "It runs", body = ReconciliationStarted),
    (status = 409, description = "One of this source runs, or it has no API credentials", body = super::document::Problem)))]
pub(super) async fn start(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let from: Option<Timestamp> = input.required("from", input_value::parsed);
    let to: Option<Timestamp> = input.required("to", input_value::parsed);
    if let (Some(from), Some(to)) = (from, to)
        && from >= to
    {
        let message = format!("{from} is not before to, {to}; accepted: a time before it");
        input.refuse("from", InvalidValue::with_message("not_before", message));
    }
    let backfill = input.optional("backfill", input_value::switch).unwrap_or(false);
    let asked = input.done(|| Some(Comparison { from: from?, to: to?, backfill }))?;
    let id = api.backend.reconciliations.start(&viewer, &slug, asked).await?;
    let location = format!("/api/v1/reconciliations/{id}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(ReconciliationStarted { id }))
        .into_response())
}

/// List reconciliations
///
/// Newest first.
#[utoipa::path(get, path = "/reconciliations", params(
    ("source" = Option<Slug>, Query, description = "Of this source"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<Reconciliation>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<Reconciliation>>, ApiError> {
    let source = query.optional("source", input_value::parsed);
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.reconciliations.list(source, page).await?))
}

/// Read a reconciliation
#[utoipa::path(get, path = "/reconciliations/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "How it stands", body = Reconciliation)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(id): NamePath<i64>,
    Query(query): Query,
) -> Result<Json<Reconciliation>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.reconciliations.get(id).await?))
}
