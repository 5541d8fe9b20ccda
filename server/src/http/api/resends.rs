//! `/resends`.

use app::resends::{NewResend, Resend, ResendPlan};
use app::types::Page;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::deliveries::filter;
use super::extract::{Input, NamePath, Query};
use super::problems::ApiError;
use crate::domain::input_value::{self, InvalidValue};

/// Attempts a second at most.
const FASTEST: f64 = 10_000.0;

/// What is to be resent.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct ManyInput {
    /// Which deliveries: the parameters of `GET /deliveries` but for `limit` and `cursor`.
    #[schema(value_type = Object)]
    filter: Value,
    /// 1 to 500 characters; written down beside the token's name. Not needed for a dry run.
    reason: Option<String>,
    /// Only says what would be resent.
    dry_run: Option<bool>,
    /// Attempts a second at most; null or left out: as fast as the destinations take them.
    rate_per_s: Option<f64>,
}

/// A resend that was started.
#[derive(Serialize, ToSchema)]
pub(super) struct ResendStarted {
    /// Its number.
    id: i64,
}

/// Resend many deliveries
///
/// Every delivery that matches at this moment gets exactly one attempt by hand, in the background and outside its
/// ladder. A dry run says how many there are.
#[utoipa::path(post, path = "/resends", request_body = ManyInput, responses(
    (status = 200, description = "What a resend would do", body = ResendPlan),
    (status = 202, description = "It runs", body = ResendStarted)))]
pub(super) async fn start(
    State(api): State<ApiState>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let dry_run = input.optional("dry_run", input_value::switch).unwrap_or_default();
    let mut is_given = false;
    let filter = input.nested("filter", |inner| {
        is_given = true;
        let filter = filter(inner);
        let empty = matches!((filter.from, filter.to), (Some(from), Some(to)) if from >= to);
        if empty {
            inner.refuse(
                "from",
                InvalidValue::with_message("not_before", "is not before to; accepted: a time before it"),
            );
        }
        Some(filter)
    });
    if !is_given {
        input.refuse("filter", InvalidValue::with_message("required", "is missing; accepted: an object"));
    }
    let reason = match dry_run {
        true => input.optional("reason", input_value::reason).or_else(|| Some(String::new())),
        false => input.required("reason", input_value::reason),
    };
    let rate_per_s = input.nullable("rate_per_s", input_value::positive(FASTEST)).flatten();
    let new = input.done(|| Some(NewResend { filter: filter??, reason: reason?, rate_per_s }))?;
    if dry_run {
        return Ok(Json(api.backend.resends.plan(new.filter).await?).into_response());
    }
    let id = api.backend.resends.start(&viewer, new).await?;
    let location = format!("/api/v1/resends/{id}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(ResendStarted { id })).into_response())
}

/// List resends
///
/// Newest first.
#[utoipa::path(get, path = "/resends", params(
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<Resend>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<Resend>>, ApiError> {
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(api.backend.resends.list(page).await?))
}

/// Read a resend
#[utoipa::path(get, path = "/resends/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "How it stands", body = Resend)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(id): NamePath<i64>,
    Query(query): Query,
) -> Result<Json<Resend>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.resends.get(id).await?))
}

/// Cancel a resend
///
/// What has not run does not run any more; what has, stands.
#[utoipa::path(delete, path = "/resends/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "How it stands now", body = Resend)))]
pub(super) async fn cancel(
    State(api): State<ApiState>,
    NamePath(id): NamePath<i64>,
    Caller(viewer): Caller,
) -> Result<Json<Resend>, ApiError> {
    Ok(Json(api.backend.resends.cancel(&viewer, id).await?))
}
