//! `/sources`.

use app::types::{Mode, Page, Provider, Slug, Timestamp};
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
use super::problems::{self, ApiError, FieldProblem};
use crate::backend::sources::{NewApi, NewSource, SourceChange, receive_url, settled};
use crate::domain::input_value::{self, InvalidValue};
use crate::provider::presets::{self, Preset};
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
    /// How the provider `hmac` signs, and where it writes what its events are.
    #[schema(value_type = Option<SourceHmac>)]
    hmac: Option<Value>,
    /// How the provider `standard_webhooks` is read, where it is not as the standard says.
    #[schema(value_type = Option<SourceStandardWebhooks>)]
    standard_webhooks: Option<Value>,
    /// Where to reconcile.
    api: Option<SourceApi>,
    /// When it was made.
    created_at: Timestamp,
}

/// A source that was made, and what is odd about it.
#[derive(Serialize, ToSchema)]
pub(super) struct CreatedSource {
    /// The source.
    #[serde(flatten)]
    source: Source,
    /// What is taken, and may be a mistake all the same; left out when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<FieldProblem>,
}

/// Where to reconcile; the secret half of the key is never shown.
#[derive(Serialize, ToSchema)]
struct SourceApi {
    /// Such as `https://api.paymos.io`.
    base_url: String,
    /// The public half of the key; of Stripe and Paddle a name for it.
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
    /// For the provider `hmac`, and only for it: how it signs.
    hmac: Option<SourceHmac>,
    /// For the provider `standard_webhooks`, and only for it; null or left out: as the standard says.
    standard_webhooks: Option<SourceStandardWebhooks>,
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
    /// For the provider `hmac`: replaces all that was there.
    hmac: Option<SourceHmac>,
    /// For the provider `standard_webhooks`: replaces all that was there; null: as the standard says.
    standard_webhooks: Option<SourceStandardWebhooks>,
    /// Where to reconcile; null: nowhere.
    api: Option<SourceApiInput>,
}

/// How a sender signs: a preset, or all of it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: provider::settings reads it")]
pub(super) struct SourceHmac {
    /// A sender that is known by name. With it only `url` and `event` are taken.
    #[schema(value_type = Option<PresetName>)]
    preset: Option<()>,
    /// The header with the signature, or up to four names of which the first that is there counts.
    #[schema(value_type = Option<Object>)]
    header: Option<()>,
    /// `sha256` (if left out), `sha512`, or `token`: the header carries the secret itself, and nothing is signed.
    algorithm: Option<String>,
    /// `hex` (if left out) or `base64`.
    encoding: Option<String>,
    /// What stands before the signature, such as `sha256=`.
    prefix: Option<String>,
    /// If the header is a list of parts, such as `t=…,v1=…`.
    parts: Option<SourceHmacParts>,
    /// If a time is signed.
    timestamp: Option<SourceHmacTimestamp>,
    /// What is signed: a text with `{body}`, `{timestamp}`, `{url}`, `{header:NAME}`, `{query:NAME}`; what stands in
    /// brackets is left out when a value in it is absent. `{body}` if left out.
    signed: Option<String>,
    /// How the secret becomes a key: `raw` (if left out), `base64` (behind `whsec_`, if that is there) or `hex`.
    key: Option<String>,
    /// The URL at which the provider knows the source, where that is signed; the receive URL if left out.
    url: Option<String>,
    /// Where the sender writes what its events are.
    event: Option<SourceEvent>,
}

/// The words of the presets. By hand: they are a table, and no words of a type.
struct PresetName;

impl utoipa::PartialSchema for PresetName {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .enum_values(Some(presets::ALL.iter().map(Preset::word)))
            .into()
    }
}

impl ToSchema for PresetName {
    fn name() -> std::borrow::Cow<'static, str> {
        "Preset".into()
    }
}

/// The parts of a header.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: provider::settings reads it")]
struct SourceHmacParts {
    /// Between them; `,` if left out.
    separator: Option<String>,
    /// Between label and value; `=` if left out.
    joint: Option<String>,
    /// The label of signatures; `v1` if left out. There may be several.
    signature: Option<String>,
    /// The label of the time, if that is one of the parts.
    timestamp: Option<String>,
}

/// The time that is signed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: provider::settings reads it")]
struct SourceHmacTimestamp {
    /// Its header, unless it is one of the parts.
    header: Option<String>,
    /// `s` (if left out), `ms` or `either`.
    unit: Option<String>,
}

/// How a sender of Standard Webhooks is read.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: provider::settings reads it")]
pub(super) struct SourceStandardWebhooks {
    /// How the secret becomes a key: `base64` (if left out), or `raw`: its text as it is, `whsec_` included.
    key: Option<String>,
    /// `any` (if left out): `svix-…`, else `webhook-…`; or only one of them: `webhook`, `svix`.
    headers: Option<String>,
    /// Where the sender writes what its events are. The id is the one of the header, which is signed.
    event: Option<SourceEvent>,
}

/// Where a sender writes what its events are. Each place is a JSON pointer such as `/data/id`, `header:NAME`,
/// `query:NAME`, an array of these of which the first that is there counts, or an array in that array, whose values
/// are joined with colons. What is left out is looked for under the usual names.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: provider::places reads it")]
#[schema(as = SourceEvent)]
struct SourceEvent {
    /// The id: one for each event, the same when it is sent again. Without one, an event is known by its bytes.
    #[schema(value_type = Option<Object>)]
    id: Option<()>,
    /// What happened.
    #[schema(value_type = Option<Object>)]
    r#type: Option<()>,
    /// When: Unix seconds or milliseconds, or RFC 3339.
    #[schema(value_type = Option<Object>)]
    occurred_at: Option<()>,
    /// The id of what it happened to.
    #[schema(value_type = Option<Object>)]
    resource: Option<()>,
    /// What that is.
    #[schema(value_type = Option<Object>)]
    kind: Option<()>,
    /// How that stands now.
    #[schema(value_type = Option<Object>)]
    status: Option<()>,
    /// The version of the form.
    #[schema(value_type = Option<Object>)]
    version: Option<()>,
    /// What tells that it comes from the provider's sandbox: `{"at": "/livemode", "is": "false"}`, or `begins`.
    #[schema(value_type = Option<Object>)]
    test: Option<()>,
}

/// Credentials of the provider's API.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
struct SourceApiInput {
    /// `https://api.paymos.io`, `https://api.stripe.com`, `https://api.paddle.com`, or that of the provider's sandbox.
    base_url: String,
    /// The public half of the key; of Stripe and Paddle, whose keys have no halves, only a name for it.
    key: String,
    /// The secret half; of Stripe and Paddle the key, which is sent as a Bearer token and needs to read events only.
    secret: String,
}

fn shown(row: SourceRow, base: &str) -> Source {
    let settings: Option<Value> = row.settings.and_then(|text| serde_json::from_str(&text).ok());
    let of = |provider| settings.clone().filter(|_| row.provider == provider);
    Source {
        hmac: of(Provider::Hmac),
        standard_webhooks: of(Provider::StandardWebhooks),
        receive_url: receive_url(base, &row.slug),
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
    let made = CreatedSource { source: shown(row, &api.base), warnings: problems::shared(&shared_with) };
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
    Ok(Json(shown(api.sources.get(&slug).await?, &api.base)))
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
    Ok(Json(shown(api.sources.change(&viewer, &slug, change).await?, &api.base)))
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

/// The settings as they were given; the outer none: left out.
struct SettingsPatch {
    hmac: Option<Option<Value>>,
    standard_webhooks: Option<Option<Value>>,
}

impl SettingsPatch {
    fn take(input: &mut Fields) -> Self {
        let mut take = |name| input.nullable(name, |value| Ok(value.clone()));
        Self { hmac: take("hmac"), standard_webhooks: take("standard_webhooks") }
    }

    /// What is left out is none.
    fn or_none(self) -> Self {
        Self { hmac: self.hmac.or(Some(None)), standard_webhooks: self.standard_webhooks.or(Some(None)) }
    }

    const fn is_empty(&self) -> bool {
        self.hmac.is_none() && self.standard_webhooks.is_none()
    }

    /// Those of this provider, checked; the inner none: it has none; the outer: left out, or not accepted.
    fn settings(
        self,
        provider: Provider,
        receive_url: Option<&str>,
        input: &mut Fields,
    ) -> Option<Option<Value>> {
        let both = [
            ("hmac", Provider::Hmac, self.hmac),
            ("standard_webhooks", Provider::StandardWebhooks, self.standard_webhooks),
        ];
        let (mut name, mut own) = ("hmac", Some(None));
        for (field, of, given) in both {
            if of == provider {
                (name, own) = (field, given);
            } else if given.flatten().is_some() {
                let message = format!("is for the provider {of}; accepted: null");
                input.refuse(field, InvalidValue::in_words("malformed", message));
            }
        }
        match settled(provider, own?, receive_url) {
            Ok(settings) => Some(settings),
            Err(problems) => {
                for problem in problems {
                    let dot = if problem.field.is_empty() { "" } else { "." };
                    let field = format!("{name}{dot}{}", problem.field);
                    input.refuse(&field, InvalidValue::in_words(problem.code, problem.message));
                }
                None
            }
        }
    }
}

fn tolerance(input: &mut Fields) -> Option<Option<i64>> {
    input.nullable("tolerance_s", input_value::integer(0..=WIDEST))
}

fn credentials(input: &mut Fields) -> Option<Option<NewApi>> {
    input.nested("api", |api| {
        let base_url = api.required("base_url", input_value::http_url);
        let key = api.required("key", public_half);
        let secret = api.required("secret", input_value::secret);
        Some(NewApi { base_url: base_url?.trim_end_matches('/').to_owned(), key: key?, secret: secret? })
    })
}

/// The public half of a key. The message does not repeat what was given: it may be the other half.
fn public_half(value: &Value) -> Result<String, InvalidValue> {
    let message = "is not accepted; accepted: a string of 1 to 200 characters";
    input_value::text(1..=200)(value).map_err(|_| InvalidValue::in_words("malformed", message))
}
