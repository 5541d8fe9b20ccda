//! `/sources/{slug}/secrets` and `/destinations/{slug}/secrets`.

use app::context::Viewer;
use app::secrets::{Extension, Holder, Secret, SecretList, TestResult};
use app::types::{Slug, Timestamp};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, NamePathPair, Query};
use super::fields::Fields;
use super::problems::{self, ApiError, FieldProblem};
use crate::domain::input_value::{self, InvalidValue};

/// Seconds that the old secrets go on to count: a day unless said otherwise, a week at most.
const OVERLAP_S: std::ops::RangeInclusive<i64> = 0..=604_800;
const A_DAY_S: i64 = 86_400;

/// A new secret of a source.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SourceSecretInput {
    /// What the provider signs with from now on.
    secret: String,
    /// Seconds that the secret which it replaces goes on to count, 0 to 604800; 86400 when left out.
    overlap_s: Option<i64>,
    /// Why; at most 500 characters, kept in the audit.
    reason: Option<String>,
}

/// A new secret of a destination; it is made here.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct DestinationSecretInput {
    /// Seconds that the secret which it replaces goes on to sign, 0 to 604800; 86400 when left out.
    overlap_s: Option<i64>,
    /// Why; at most 500 characters, kept in the audit.
    reason: Option<String>,
}

/// A later end of a secret: one of the two.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SecretExtensionInput {
    /// The new end: after the one that it has, and a week from now at most.
    expires_at: Option<Timestamp>,
    /// Seconds after the end that it has, 1 to 604800.
    extend_s: Option<i64>,
    /// Why; at most 500 characters, kept in the audit.
    reason: Option<String>,
}

/// Why something is done.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct ReasonInput {
    /// At most 500 characters, kept in the audit.
    reason: Option<String>,
}

/// The active secrets of a source, and what is odd about the new one.
#[derive(Serialize, ToSchema)]
pub(super) struct SourceRotationResult {
    /// Newest first.
    secrets: Vec<Secret>,
    /// What is taken, and may be a mistake all the same; left out when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<FieldProblem>,
}

/// The active secrets of a destination, and the value of the new one.
#[derive(Serialize, ToSchema)]
pub(super) struct RotationResult {
    /// Newest first.
    secrets: Vec<Secret>,
    /// What deliveries are signed with from now on; shown this once.
    secret: String,
}

fn reason(input: &mut Fields) -> String {
    input.optional("reason", input_value::text(0..=500)).unwrap_or_default()
}

fn extension(input: &mut Fields) -> Option<Extension> {
    let until = input.optional("expires_at", input_value::parsed).map(Extension::Until);
    let by = input.optional("extend_s", input_value::integer(1..=604_800)).map(Extension::By);
    match (until, by) {
        (Some(_), Some(_)) => {
            let message = "is given together with expires_at; accepted: one of the two";
            input.refuse("extend_s", InvalidValue::with_message("repeated", message));
            None
        }
        (None, None) => {
            let message = "is missing; accepted: this or extend_s";
            input.refuse("expires_at", InvalidValue::with_message("required", message));
            None
        }
        (until, by) => until.or(by),
    }
}

fn overlap(input: &mut Fields) -> i64 {
    input.optional("overlap_s", input_value::integer(OVERLAP_S)).unwrap_or(A_DAY_S)
}

/// Whose secrets a call is about. What can be done to those of both kinds is written here once; the calls below say where
/// it is found.
struct HolderSecrets<'a>(&'a ApiState, Holder, &'a Slug);

impl HolderSecrets<'_> {
    async fn list(self, query: Fields) -> Result<Json<SecretList>, ApiError> {
        let Self(api, holder, slug) = self;
        query.done(|| Some(()))?;
        Ok(Json(api.backend.secrets.list(holder, slug).await?))
    }

    async fn retire(self, viewer: &Viewer, id: &str, mut query: Fields) -> Result<StatusCode, ApiError> {
        let Self(api, holder, slug) = self;
        let reason = reason(&mut query);
        query.done(|| Some(()))?;
        api.backend.secrets.retire(viewer, holder, slug, id, &reason).await?;
        Ok(StatusCode::NO_CONTENT)
    }

    async fn extend(
        self,
        viewer: &Viewer,
        id: &str,
        mut input: Fields,
    ) -> Result<Json<SecretList>, ApiError> {
        let Self(api, holder, slug) = self;
        let (extension, reason) = (extension(&mut input), reason(&mut input));
        let extension = input.done(|| extension)?;
        Ok(Json(api.backend.secrets.extend(viewer, holder, slug, id, extension, &reason).await?))
    }

    async fn undo(self, viewer: &Viewer, mut input: Fields) -> Result<Json<SecretList>, ApiError> {
        let Self(api, holder, slug) = self;
        let reason = reason(&mut input);
        input.done(|| Some(()))?;
        Ok(Json(api.backend.secrets.undo(viewer, holder, slug, &reason).await?))
    }
}

/// List the active secrets of a source
#[utoipa::path(get, path = "/sources/{slug}/secrets", params(("slug" = Slug, Path, description = "The source")),
    responses((status = 200, description = "Newest first, without their values", body = SecretList)))]
pub(super) async fn list_of_source(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Query(query): Query,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Source, &slug).list(query).await
}

/// Rotate the secret of a source
///
/// The new one verifies at once; the one that it replaces until the overlap is over, and those that were replaced before
/// until the ends that they have.
#[utoipa::path(post, path = "/sources/{slug}/secrets", params(("slug" = Slug, Path, description = "The source")),
    request_body = SourceSecretInput,
    responses((status = 201, description = "The active ones", body = SourceRotationResult),
    (status = 409, description = "16 count already", body = super::document::Problem)))]
pub(super) async fn rotate_source(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let secret = input.required("secret", input_value::secret);
    let (overlap_s, reason) = (overlap(&mut input), reason(&mut input));
    let secret = input.done(|| secret)?;
    let SecretList { secrets } =
        api.backend.secrets.rotate_source(&viewer, &slug, secret.expose(), overlap_s, &reason).await?;
    let warnings = problems::shared(secrets.first().map_or(&[], |new| &new.shared_with));
    Ok((StatusCode::CREATED, Json(SourceRotationResult { secrets, warnings })).into_response())
}

/// Retire a secret of a source now
///
/// When it is the one without an end, the newest of the others goes on without one.
#[utoipa::path(delete, path = "/sources/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The source"), ("id" = String, Path, description = "The secret"),
    ("reason" = Option<String>, Query, description = "Why; at most 500 characters, kept in the audit")),
    responses((status = 204, description = "It does not count any more"),
    (status = 409, description = "It is the only active one", body = super::document::Problem)))]
pub(super) async fn retire_of_source(
    State(api): State<ApiState>,
    NamePathPair(slug, id): NamePathPair<Slug, String>,
    Caller(viewer): Caller,
    Query(query): Query,
) -> Result<StatusCode, ApiError> {
    HolderSecrets(&api, Holder::Source, &slug).retire(&viewer, &id, query).await
}

/// Extend a secret of a source
///
/// Puts the end of one that was replaced off.
#[utoipa::path(patch, path = "/sources/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The source"), ("id" = String, Path, description = "The secret")),
    request_body = SecretExtensionInput,
    responses((status = 200, description = "The active ones", body = SecretList),
    (status = 409, description = "It has no end", body = super::document::Problem)))]
pub(super) async fn extend_of_source(
    State(api): State<ApiState>,
    NamePathPair(slug, id): NamePathPair<Slug, String>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Source, &slug).extend(&viewer, &id, input).await
}

/// Undo the rotation of a source
///
/// Takes the newest secret back; the one that it replaced goes on without an end.
#[utoipa::path(post, path = "/sources/{slug}/secrets/undo",
    params(("slug" = Slug, Path, description = "The source")), request_body = ReasonInput,
    responses((status = 200, description = "The active ones", body = SecretList),
    (status = 409, description = "What was replaced does not count any more", body = super::document::Problem)))]
pub(super) async fn undo_of_source(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Source, &slug).undo(&viewer, input).await
}

/// List the active secrets of a destination
#[utoipa::path(get, path = "/destinations/{slug}/secrets",
    params(("slug" = Slug, Path, description = "The destination")),
    responses((status = 200, description = "Newest first, without their values", body = SecretList)))]
pub(super) async fn list_of_destination(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Query(query): Query,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Destination, &slug).list(query).await
}

/// Rotate the secret of a destination
///
/// Deliveries carry a signature by the new one at once; by the one that it replaces until the overlap is over, and by
/// those that were replaced before until the ends that they have.
#[utoipa::path(post, path = "/destinations/{slug}/secrets",
    params(("slug" = Slug, Path, description = "The destination")), request_body = DestinationSecretInput,
    responses((status = 201, description = "The active ones, and the value of the new one", body = RotationResult),
    (status = 409, description = "16 count already", body = super::document::Problem)))]
pub(super) async fn rotate_destination(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let (overlap_s, reason) = (overlap(&mut input), reason(&mut input));
    input.done(|| Some(()))?;
    let (list, made) = api.backend.secrets.rotate_destination(&viewer, &slug, overlap_s, &reason).await?;
    let rotated = RotationResult { secrets: list.secrets, secret: made.secret };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(rotated)).into_response())
}

/// Retire a secret of a destination now
///
/// When it is the one without an end, the newest of the others goes on without one.
#[utoipa::path(delete, path = "/destinations/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The destination"), ("id" = String, Path, description = "The secret"),
    ("reason" = Option<String>, Query, description = "Why; at most 500 characters, kept in the audit")),
    responses((status = 204, description = "It does not count any more"),
    (status = 409, description = "It is the only active one", body = super::document::Problem)))]
pub(super) async fn retire_of_destination(
    State(api): State<ApiState>,
    NamePathPair(slug, id): NamePathPair<Slug, String>,
    Caller(viewer): Caller,
    Query(query): Query,
) -> Result<StatusCode, ApiError> {
    HolderSecrets(&api, Holder::Destination, &slug).retire(&viewer, &id, query).await
}

/// Extend a secret of a destination
///
/// Puts the end of one that was replaced off.
#[utoipa::path(patch, path = "/destinations/{slug}/secrets/{id}",
    params(("slug" = Slug, Path, description = "The destination"), ("id" = String, Path, description = "The secret")),
    request_body = SecretExtensionInput,
    responses((status = 200, description = "The active ones", body = SecretList),
    (status = 409, description = "It has no end", body = super::document::Problem)))]
pub(super) async fn extend_of_destination(
    State(api): State<ApiState>,
    NamePathPair(slug, id): NamePathPair<Slug, String>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Destination, &slug).extend(&viewer, &id, input).await
}

/// Undo the rotation of a destination
///
/// Takes the newest secret back; the one that it replaced goes on without an end.
#[utoipa::path(post, path = "/destinations/{slug}/secrets/undo",
    params(("slug" = Slug, Path, description = "The destination")), request_body = ReasonInput,
    responses((status = 200, description = "The active ones", body = SecretList),
    (status = 409, description = "What was replaced does not count any more", body = super::document::Problem)))]
pub(super) async fn undo_of_destination(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<SecretList>, ApiError> {
    HolderSecrets(&api, Holder::Destination, &slug).undo(&viewer, input).await
}

/// Test what a destination makes of signatures
///
/// Posts events that are none, with the type `acuse.test`: signed with all active secrets, with the newest only, and with
/// one that nobody has.
#[utoipa::path(post, path = "/destinations/{slug}/secrets/test",
    params(("slug" = Slug, Path, description = "The destination")),
    responses((status = 200, description = "What its server answered, and what follows from that", body = TestResult)))]
pub(super) async fn test_of_destination(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<TestResult>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.backend.secrets.test(&viewer, &slug).await?))
}
