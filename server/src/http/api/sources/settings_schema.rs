//! What the settings of a source look like: how its sender signs, and where it writes what its events are.

use utoipa::ToSchema;

use crate::provider::presets::{self, Preset};

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
#[expect(dead_code, reason = "a schema: provider::field_paths reads it")]
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
