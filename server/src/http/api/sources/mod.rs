//! Serves `/sources`.

mod input;
mod schema;
mod settings_schema;

use app::types::{Page, Provider, Slug};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use self::input::{SettingsPatch, credentials, tolerance};
use self::schema::{CreatedSource, Source, SourceChangeInput, SourceInput};
use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::problems::{self, ApiError};
use crate::backend::sources::{NewSource, SourceChange, receive_url};
use crate::domain::input_value;

/// List sources
#[utoipa::path(get, path = "/sources", responses((status = 200, description = "All of them, in one page", body = Page<Source>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(query): Query,
) -> Result<Json<Page<Source>>, ApiError> {
    query.done(|| Some(()))?;
    let mut rows = api.sources.list().await?;
    rows.reverse();
    let items = rows.into_iter().map(|row| Source::from_row(row, &api.base)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Make a source
///
/// It receives at `receive_url` as soon as this is answered.
#[utoipa::path(post, path = "/sources", request_body = SourceInput, responses(
    (status = 201, description = "Made", body = CreatedSource),
    (status = 409, description = "The name is taken", body = super::document::Problem)))]
pub(super) async fn create(
    State(api): State<ApiState>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let slug = input.required("slug", input_value::parsed);
    let provider = input.required("provider", input_value::parsed::<Provider>);
    let mode = input.required("mode", input_value::parsed);
    let secret = input.required("secret", input_value::secret);
    let tolerance_s = tolerance(&mut input).flatten();
    let given = SettingsPatch::take(&mut input).or_none();
    let receive_url = slug.as_ref().map(|slug| receive_url(&api.base, slug));
    let settings = provider.and_then(|it| given.settings(it, receive_url.as_deref(), &mut input));
    let credentials = credentials(&mut input).flatten();
    let new = input.done(|| {
        Some(NewSource {
            slug: slug?,
            provider: provider?,
            mode: mode?,
            secret: secret?,
            tolerance_s,
            settings: settings?,
            api: credentials,
        })
    })?;
    let (row, shared_with) = api.sources.create(&viewer, new).await?;
    let location = format!("/api/v1/sources/{}", row.slug);
    let made =
        CreatedSource { source: Source::from_row(row, &api.base), warnings: problems::shared(&shared_with) };
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(made)).into_response())
}

/// Read a source
#[utoipa::path(get, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 200, description = "The source", body = Source)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Query(query): Query,
) -> Result<Json<Source>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(Source::from_row(api.sources.get(&slug).await?, &api.base)))
}

/// Change a source
#[utoipa::path(patch, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    request_body = SourceChangeInput, responses((status = 200, description = "As it is now", body = Source)))]
pub(super) async fn change(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Json<Source>, ApiError> {
    let mode = input.optional("mode", input_value::parsed);
    let tolerance_s = tolerance(&mut input);
    let given = SettingsPatch::take(&mut input);
    let credentials = credentials(&mut input);
    let settings = if given.is_empty() {
        None
    } else {
        // Of one that is not there nothing can be said; the change itself tells so.
        let row = api.sources.get(&slug).await.ok();
        row.and_then(|row| given.settings(row.provider, Some(&receive_url(&api.base, &slug)), &mut input))
    };
    let change = input.done(|| Some(SourceChange { mode, tolerance_s, settings, api: credentials }))?;
    Ok(Json(Source::from_row(api.sources.change(&viewer, &slug, change).await?, &api.base)))
}

/// Delete a source
///
/// It stops receiving; its events and their deliveries stay, and its name is free.
#[utoipa::path(delete, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 204, description = "Deleted")))]
pub(super) async fn delete(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
) -> Result<StatusCode, ApiError> {
    api.sources.delete(&viewer, &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}
