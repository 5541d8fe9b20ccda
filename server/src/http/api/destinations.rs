//! `/destinations`.

use app::types::{Format, Page, SignatureOrder, Slug, Timestamp};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, NamePath, Query};
use super::fields::Fields;
use super::problems::ApiError;
use crate::backend::destination_settings::{DestinationChange, NewDestination};
use crate::domain::destination::DestinationSettings;
use crate::domain::input_value::{self, InvalidValue};
use crate::domain::ladder::Ladder;
use crate::store::destination::DestinationRow;

const TIMEOUT_MS: std::ops::RangeInclusive<i64> = 1..=60_000;
const IN_FLIGHT: std::ops::RangeInclusive<i64> = 1..=1000;
const FASTEST: f64 = 10_000.0;
const JITTER: std::ops::RangeInclusive<i64> = 0..=100;

/// A destination. Its secrets are never shown again.
#[derive(Serialize, ToSchema)]
pub(super) struct Destination {
    /// Its name.
    slug: Slug,
    /// Where deliveries are posted.
    url: String,
    /// The headers that it reads.
    format: Format,
    /// Sources that it takes: slugs, or `*`.
    sources: Vec<String>,
    /// Types that it takes: names, `invoice.*`, or `*`.
    events: Vec<String>,
    /// Gaps between scheduled attempts.
    ladder: Vec<String>,
    /// Scheduled attempts: one more than gaps.
    max_attempts: u32,
    /// Milliseconds that an attempt may take.
    timeout_ms: i64,
    /// Attempts at the same time.
    max_in_flight: i64,
    /// Attempts a second; null: as fast as it answers.
    rate_per_s: Option<f64>,
    /// Percent of a gap by which the attempt after it may be late on purpose, so that many do not come at once.
    jitter_percent: i64,
    /// In which order a delivery carries one signature for each active secret.
    signature_order: SignatureOrder,
    /// Since when it is paused; null: it is not.
    paused_at: Option<Timestamp>,
    /// When it was made.
    created_at: Timestamp,
}

/// A destination that was just made, with its first secret.
#[derive(Serialize, ToSchema)]
pub(super) struct CreatedDestination {
    #[serde(flatten)]
    destination: Destination,
    /// What its deliveries are signed with; shown this once.
    secret: String,
}

/// What a destination is made of.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct DestinationInput {
    /// Its name; it cannot change.
    slug: Slug,
    /// Where deliveries are posted: http or https, without user and password.
    url: String,
    /// The headers that it reads.
    format: Format,
    /// Sources that it takes: slugs, or `*`, which is the default.
    sources: Option<Vec<String>>,
    /// Types that it takes: names, `invoice.*`, or `*`, which is the default.
    events: Option<Vec<String>>,
    /// Gaps between scheduled attempts, such as `1m`, `90s`, `2h`; N gaps make N + 1 attempts. Null or left out: eleven
    /// attempts over 16 h 03 min.
    ladder: Option<Vec<String>>,
    /// Milliseconds that an attempt may take, 1 to 60000; 10000 when left out.
    timeout_ms: Option<i64>,
    /// Attempts at the same time, 1 to 1000; 16 when left out.
    max_in_flight: Option<i64>,
    /// Attempts a second; null or left out: as fast as it answers.
    rate_per_s: Option<f64>,
    /// Percent of a gap by which the attempt after it may be late on purpose, 0 to 100; 0 when left out. Never earlier
    /// than its rung, and never past the next one.
    jitter_percent: Option<i64>,
    /// In which order a delivery carries one signature for each active secret: `newest_first` when left out;
    /// `oldest_first` for receivers that read only the last one and know the newest secret.
    signature_order: Option<SignatureOrder>,
}

/// What can change of a destination. What is left out stays.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct DestinationChangeInput {
    /// Where deliveries are posted.
    url: Option<String>,
    /// The headers that it reads.
    format: Option<Format>,
    /// Sources that it takes.
    sources: Option<Vec<String>>,
    /// Types that it takes.
    events: Option<Vec<String>>,
    /// Gaps between scheduled attempts; null: the default ones.
    ladder: Option<Vec<String>>,
    /// Milliseconds that an attempt may take.
    timeout_ms: Option<i64>,
    /// Attempts at the same time.
    max_in_flight: Option<i64>,
    /// Attempts a second; null: as fast as it answers.
    rate_per_s: Option<f64>,
    /// Percent of a gap by which the attempt after it may be late on purpose.
    jitter_percent: Option<i64>,
    /// In which order a delivery carries one signature for each active secret.
    signature_order: Option<SignatureOrder>,
}

impl From<DestinationRow> for Destination {
    fn from(row: DestinationRow) -> Self {
        let settings = row.settings;
        Self {
            slug: row.slug,
            url: settings.url,
            format: settings.format,
            sources: settings.sources,
            events: settings.events,
            ladder: settings.ladder.gaps(),
            max_attempts: settings.ladder.attempts(),
            timeout_ms: settings.timeout_ms,
            max_in_flight: settings.max_in_flight,
            rate_per_s: settings.rate_per_s,
            jitter_percent: settings.jitter_percent,
            signature_order: settings.signature_order,
            paused_at: row.paused_at,
            created_at: row.created_at,
        }
    }
}

/// List destinations
#[utoipa::path(get, path = "/destinations",
    responses((status = 200, description = "All of them, in one page", body = Page<Destination>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(query): Query,
) -> Result<Json<Page<Destination>>, ApiError> {
    query.done(|| Some(()))?;
    let mut rows = api.destinations.list().await?;
    rows.reverse();
    Ok(Json(Page { items: rows.into_iter().map(Destination::from).collect(), next_cursor: None }))
}

/// Make a destination
///
/// It takes the events that arrive from now on. The secret is shown this once.
#[utoipa::path(post, path = "/destinations", request_body = DestinationInput, responses(
    (status = 201, description = "Made", body = CreatedDestination),
    (status = 409, description = "The name is taken", body = super::document::Problem)))]
pub(super) async fn create(
    State(api): State<ApiState>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Response, ApiError> {
    let slug = input.required("slug", input_value::parsed);
    let url = input.required("url", input_value::http_url);
    let format = input.required("format", input_value::parsed);
    let change = settings(&api, &mut input).await?;
    let every = || vec!["*".to_owned()];
    let new = input.done(|| {
        let settings = DestinationSettings {
            url: url?,
            format: format?,
            sources: change.sources.unwrap_or_else(every),
            events: change.events.unwrap_or_else(every),
            ladder: change.ladder.unwrap_or_default(),
            timeout_ms: change.timeout_ms.unwrap_or(10_000),
            max_in_flight: change.max_in_flight.unwrap_or(16),
            rate_per_s: change.rate_per_s.flatten(),
            jitter_percent: change.jitter_percent.unwrap_or(0),
            signature_order: change.signature_order.unwrap_or(SignatureOrder::NewestFirst),
        };
        Some(NewDestination { slug: slug?, settings })
    })?;
    let (row, secret) = api.destinations.create(&viewer, new).await?;
    let location = format!("/api/v1/destinations/{}", row.slug);
    let made = CreatedDestination { destination: row.into(), secret: secret.expose().to_owned() };
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, "no-store".to_owned())];
    Ok((StatusCode::CREATED, headers, Json(made)).into_response())
}

/// Read a destination
#[utoipa::path(get, path = "/destinations/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 200, description = "The destination", body = Destination)))]
pub(super) async fn get(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Query(query): Query,
) -> Result<Json<Destination>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(api.destinations.get(&slug).await?.into()))
}

/// Change a destination
#[utoipa::path(patch, path = "/destinations/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    request_body = DestinationChangeInput,
    responses((status = 200, description = "As it is now", body = Destination)))]
pub(super) async fn change(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(mut input): Input,
) -> Result<Json<Destination>, ApiError> {
    let url = input.optional("url", input_value::http_url);
    let format = input.optional("format", input_value::parsed);
    let change = settings(&api, &mut input).await?;
    let change = input.done(|| Some(DestinationChange { url, format, ..change }))?;
    Ok(Json(api.destinations.change(&viewer, &slug, change).await?.into()))
}

/// Delete a destination
///
/// What it has not taken is cancelled; its deliveries stay to be read, and its name is free.
#[utoipa::path(delete, path = "/destinations/{slug}", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 204, description = "Deleted")))]
pub(super) async fn delete(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
) -> Result<StatusCode, ApiError> {
    api.destinations.delete(&viewer, &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause a destination
///
/// Its deliveries are held; no attempt of their ladders is used up.
#[utoipa::path(post, path = "/destinations/{slug}/pause", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 200, description = "As it is now", body = Destination)))]
pub(super) async fn pause(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<Destination>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.destinations.pause(&viewer, &slug).await?.into()))
}

/// Resume a destination
///
/// What was held is let out at once, at the pace of the destination.
#[utoipa::path(post, path = "/destinations/{slug}/resume", params(("slug" = Slug, Path, description = "Its name")),
    responses((status = 200, description = "As it is now", body = Destination)))]
pub(super) async fn resume(
    State(api): State<ApiState>,
    NamePath(slug): NamePath<Slug>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<Destination>, ApiError> {
    input.done(|| Some(()))?;
    Ok(Json(api.destinations.resume(&viewer, &slug).await?.into()))
}

/// What making and changing have in common.
async fn settings(api: &ApiState, input: &mut Fields) -> Result<DestinationChange, ApiError> {
    let accepted = "names of sources, or \"*\"";
    let sources = input.optional("sources", input_value::list(accepted, input_value::slug_or_star));
    let unknown = api.destinations.unknown_sources(sources.as_deref().unwrap_or_default()).await?;
    if !unknown.is_empty() {
        let message = format!(
            "{} is no source; accepted: names of sources that there are, or \"*\"",
            unknown.join(", ")
        );
        input.refuse("sources", InvalidValue::with_message("unknown_source", message));
    }
    let accepted = "names of types, beginnings of them such as \"invoice.*\", or \"*\"";
    Ok(DestinationChange {
        url: None,
        format: None,
        sources,
        events: input.optional("events", input_value::list(accepted, input_value::event_pattern)),
        ladder: input.nullable("ladder", ladder).map(Option::unwrap_or_default),
        timeout_ms: input.optional("timeout_ms", input_value::integer(TIMEOUT_MS)),
        max_in_flight: input.optional("max_in_flight", input_value::integer(IN_FLIGHT)),
        rate_per_s: input.nullable("rate_per_s", input_value::positive(FASTEST)),
        jitter_percent: input.optional("jitter_percent", input_value::integer(JITTER)),
        signature_order: input.optional("signature_order", input_value::parsed),
    })
}

fn ladder(value: &Value) -> Result<Ladder, InvalidValue> {
    let accepted = "an array of gaps such as \"1m\", \"90s\", \"2h\", or null";
    let gaps = value
        .as_array()
        .and_then(|gaps| gaps.iter().map(Value::as_str).collect::<Option<Vec<_>>>())
        .ok_or_else(|| InvalidValue::new("malformed", value, accepted))?;
    Ladder::parse(&gaps).map_err(|error| InvalidValue::with_message("malformed", error.to_string()))
}
