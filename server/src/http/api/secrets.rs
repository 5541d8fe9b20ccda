//! `/sources/{slug}/secrets` and `/destinations/{slug}/secrets`.

use app::secrets::{Holder, Secret, SecretList};
use app::types::Slug;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, Named, NamedTwice, Query};
use super::fields::{self, Fields};
use super::problems::ApiError;

/// Seconds that the old secrets go on to count: a day unless said otherwise, a week at most.
const OVERLAP_S: std::ops::RangeInclusive<i64> = 0..=604_800;
const A_DAY_S: i64 = 86_400;

/// A new secret of a source.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SourceSecretInput {
    /// What the provider signs with from now on.
    secret: String,
    /// Seconds that the old secrets go on to count, 0 to 604800; 86400 when left out.
    overlap_s: Option<i64>,
}

/// A new secret of a destination; it is made here.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct DestinationSecretInput {
    /// Seconds that the old secrets go on to sign, 0 to 604800; 86400 when left out.
    overlap_s: Option<i64>,
}

/// The active secrets of a destination, and the value of the new one.
#[derive(Serialize, ToSchema)]
pub(super) struct Rotated {
    /// Newest first.
    secrets: Vec<Secret>,
    /// What deliveries are signed with from now on; shown this once.
    secret: String,
}

fn overlap(input: &mut Fields) -> i64 {
    input.optional("overlap_s", fields::integer(OVERLAP_S)).unwrap_or(A_DAY_S)
}

/// List the active secrets of a source
#[utoipa::path(get, path = "/sources/{slug}/secrets", params(("slug" = Slug, Path, description = "The source")),
    responses((status = 200, description = "Newest first, without their values", body = SecretList)))]
pub(super) async fn list_of_source(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Query(query): Query,
) -> Result<Json<SecretList>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.secrets.list(Holder::Source, &slug).await?))
}

/// Rotate the secret of a source
///
/// The new one verifies at once, the old ones until the overlap is over.
#[utoipa::path(post, path = "/sources/{slug}/secrets", params(("slug" = Slug, Path, description = "The source")),
    request_body = SourceSecretInput, responses((status = 201, description = "The active ones", body = SecretList)))]
pub(super) async fn rotate_source(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let secret = input.required("secret", fields::secret);
    let overlap_s = overlap(&mut input);
    let secret = input.done(|| secret)?;
    let list = api.backend.secrets.rotate_source(&viewer, &slug, secret.expose(), overlap_s).await?;
    Ok((StatusCode::CREATED, Json(list)).into_response())
}

/// Retire a secret of a source now
#[utoipa::path(delete, path = "/sources/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The source"), ("id" = String, Path, description = "The secret")),
    responses((status = 204, description = "It does not count any more"),
    (status = 409, description = "It is the only active one", body = super::document::Problem)))]
pub(super) async fn retire_of_source(
    State(api): State<ApiState>,
    NamedTwice(slug, id): NamedTwice<Slug, String>,
    Caller(viewer): Caller,
) -> Result<StatusCode, ApiError> {
    api.backend.secrets.retire(&viewer, Holder::Source, &slug, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the active secrets of a destination
#[utoipa::path(get, path = "/destinations/{slug}/secrets",
    params(("slug" = Slug, Path, description = "The destination")),
    responses((status = 200, description = "Newest first, without their values", body = SecretList)))]
pub(super) async fn list_of_destination(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Query(query): Query,
) -> Result<Json<SecretList>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.backend.secrets.list(Holder::Destination, &slug).await?))
}

/// Rotate the secret of a destination
///
/// Deliveries carry a signature by the new one at once, and by the old ones until the overlap is over.
#[utoipa::path(post, path = "/destinations/{slug}/secrets",
    params(("slug" = Slug, Path, description = "The destination")), request_body = DestinationSecretInput,
    responses((status = 201, description = "The active ones, and the value of the new one", body = Rotated)))]
pub(super) async fn rotate_destination(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let overlap_s = overlap(&mut input);
    input.done(|| Some(()))?;
    let (list, made) = api.backend.secrets.rotate_destination(&viewer, &slug, overlap_s).await?;
    let rotated = Rotated { secrets: list.secrets, secret: made.secret };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(rotated)).into_response())
}

/// Retire a secret of a destination now
#[utoipa::path(delete, path = "/destinations/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The destination"), ("id" = String, Path, description = "The secret")),
    responses((status = 204, description = "It does not sign any more"),
    (status = 409, description = "It is the only active one", body = super::document::Problem)))]
pub(super) async fn retire_of_destination(
    State(api): State<ApiState>,
    NamedTwice(slug, id): NamedTwice<Slug, String>,
    Caller(viewer): Caller,
) -> Result<StatusCode, ApiError> {
    api.backend.secrets.retire(&viewer, Holder::Destination, &slug, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
