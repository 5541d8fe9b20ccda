//! `/sources`.

use std::str::FromStr;

use app::types::{Mode, Page, Provider, Slug, Timestamp, UnknownWord};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, Named, Query};
use super::fields::{self, Fields, Refusal};
use super::problems::ApiError;
use crate::backend::sources::{NewApi, NewSource, SourceChange};
use crate::store::source::SourceRow;

/// Seconds of the widest clock window: a year.
const WIDEST: i64 = 31_536_000;

/// A source. Its secrets are never shown.
#[derive(Serialize, ToSchema)]
pub(super) struct Source {
    /// Its name, also in its receive URL.
    slug: Slug,
    /// Where its provider posts to.
    receive_url: String,
    /// Who sends.
    provider: Provider,
    /// Whether it carries real money.
    mode: Mode,
    /// Seconds that the sender's clock may be off, either way; null: no window.
    tolerance_s: Option<i64>,
    /// Where to reconcile.
    api: Option<SourceApi>,
    /// When it was made.
    created_at: Timestamp,
}

/// Where to reconcile; the secret half of the key is never shown.
#[derive(Serialize, ToSchema)]
struct SourceApi {
    /// Such as `https://api.paymos.io`.
    base_url: String,
    /// The public half of the key.
    key: String,
}

/// What a source is made of.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SourceInput {
    /// Its name, also in its receive URL; it cannot change.
    slug: Slug,
    /// Who sends.
    provider: Provider,
    /// Whether it carries real money.
    mode: Mode,
    /// What the provider signs with, as it shows it.
    secret: String,
    /// Seconds that the sender's clock may be off, either way, up to a year; null or left out: no window.
    tolerance_s: Option<i64>,
    /// For the provider `hmac`, which is not available yet: null or left out.
    #[schema(value_type = Option<Object>)]
    hmac: Option<()>,
    /// Where to reconcile; null or left out: nowhere.
    api: Option<SourceApiInput>,
}

/// What can change of a source. What is left out stays.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SourceChangeInput {
    /// Whether it carries real money.
    mode: Option<Mode>,
    /// Seconds that the sender's clock may be off; null: no window.
    tolerance_s: Option<i64>,
    /// Where to reconcile; null: nowhere.
    api: Option<SourceApiInput>,
}

/// Credentials of the provider's API.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
struct SourceApiInput {
    /// Such as `https://api.paymos.io`.
    base_url: String,
    /// The public half of the key.
    key: String,
    /// The secret half.
    secret: String,
}

fn shown(row: SourceRow, base: &str) -> Source {
    Source {
        receive_url: format!("{base}/webhooks/{}", row.slug),
        slug: row.slug,
        provider: row.provider,
        mode: row.mode,
        tolerance_s: row.tolerance_s,
        api: row.api.map(|api| SourceApi { base_url: api.base_url, key: api.key }),
        created_at: row.created_at,
    }
}

/// List sources
#[utoipa::path(get, path = "/sources", responses((status = 200, description = "All of them, in one page", body = Page<Source>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(query): Query,
) -> Result<Json<Page<Source>>, ApiError> {
    query.done(|| Some(()))?;
    let mut rows = api.sources.list().await?;
    rows.reverse();
    let items = rows.into_iter().map(|row| shown(row, &api.base)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Make a source
///
/// It receives at `receive_url` as soon as this is answered.
#[utoipa::path(post, path = "/sources", request_body = SourceInput, responses(
    (status = 201, description = "Made", body = Source),
    (status = 409, description = "The name is taken", body = super::document::Problem)))]
pub(super) async fn create(
    State(api): State<ApiState>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let slug = input.required("slug", fields::parsed);
    let provider = input.required("provider", provider);
    let mode = input.required("mode", fields::parsed);
    let secret = input.required("secret", fields::secret);
    let tolerance_s = tolerance(&mut input).flatten();
    if let Some(Some(())) = input.nullable("hmac", |_| Ok(())) {
        let message = "is for the provider hmac, which is not available yet; accepted: null";
        input.refuse("hmac", Refusal::in_words("malformed", message));
    }
    let credentials = credentials(&mut input).flatten();
    let new = input.done(|| {
        Some(NewSource {
            slug: slug?,
            provider: provider?,
            mode: mode?,
            secret: secret?,
            tolerance_s,
            api: credentials,
        })
    })?;
    let source = shown(api.sources.create(&viewer, new).await?, &api.base);
    let location = format!("/api/v1/sources/{}", source.slug);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(source)).into_response())
}

/// Read a source
#[utoipa::path(get, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 200, description = "The source", body = Source)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Query(query): Query,
) -> Result<Json<Source>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(shown(api.sources.get(&slug).await?, &api.base)))
}

/// Change a source
#[utoipa::path(patch, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    request_body = SourceChangeInput, responses((status = 200, description = "As it is now", body = Source)))]
pub(super) async fn change(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Json<Source>, ApiError> {
    let mode = input.optional("mode", fields::parsed);
    let tolerance_s = tolerance(&mut input);
    let credentials = credentials(&mut input);
    let change = input.done(|| Some(SourceChange { mode, tolerance_s, api: credentials }))?;
    Ok(Json(shown(api.sources.change(&viewer, &slug, change).await?, &api.base)))
}

/// Delete a source
///
/// It stops receiving; its events and their deliveries stay, and its name is free.
#[utoipa::path(delete, path = "/sources/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 204, description = "Deleted")))]
pub(super) async fn delete(
    State(api): State<ApiState>,
    Named(slug): Named<Slug>,
    Caller(viewer): Caller,
) -> Result<StatusCode, ApiError> {
    api.sources.delete(&viewer, &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A provider whose signatures can be verified.
fn provider(value: &serde_json::Value) -> Result<Provider, Refusal> {
    match fields::parsed::<Available>(value)? {
        Available(provider) => Ok(provider),
    }
}

struct Available(Provider);

impl FromStr for Available {
    type Err = UnknownWord;
    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let available = Provider::ALL.iter().filter(|provider| **provider != Provider::Hmac);
        match text.parse() {
            Ok(provider) if provider != Provider::Hmac => Ok(Self(provider)),
            _ => Err(UnknownWord {
                set: "provider that is available",
                value: text.chars().take(64).collect(),
                accepted: available.map(|it| it.as_str()).collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

fn tolerance(input: &mut Fields) -> Option<Option<i64>> {
    input.nullable("tolerance_s", fields::integer(0..=WIDEST))
}

fn credentials(input: &mut Fields) -> Option<Option<NewApi>> {
    input.nested("api", |api| {
        let base_url = api.required("base_url", fields::http_url);
        let key = api.required("key", fields::text(1..=200));
        let secret = api.required("secret", fields::secret);
        Some(NewApi { base_url: base_url?.trim_end_matches('/').to_owned(), key: key?, secret: secret? })
    })
}
