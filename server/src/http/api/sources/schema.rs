//! What requests and answers about sources look like.

use app::types::{Mode, Provider, Slug, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::settings_schema::{SourceHmac, SourceStandardWebhooks};
use crate::backend::sources::receive_url;
use crate::http::api::problems::FieldProblem;
use crate::store::source::SourceRow;

/// A source. Its secrets are never shown.
#[derive(Serialize, ToSchema)]
pub(in crate::http::api) struct Source {
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
    pub(super) source: Source,
    /// What is taken, and may be a mistake all the same; left out when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(super) warnings: Vec<FieldProblem>,
}

/// Where to reconcile; the secret half of the key is never shown.
#[derive(Serialize, ToSchema)]
pub(super) struct SourceApi {
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

/// Credentials of the provider's API.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a schema: the fields are read one by one, to name all that is wrong")]
pub(super) struct SourceApiInput {
    /// `https://api.paymos.io`, `https://api.stripe.com`, `https://api.paddle.com`, or that of the provider's sandbox.
    base_url: String,
    /// The public half of the key; of Stripe and Paddle, whose keys have no halves, only a name for it.
    key: String,
    /// The secret half; of Stripe and Paddle the key, which is sent as a Bearer token and needs to read events only.
    secret: String,
}

impl Source {
    /// As the API shows a stored source.
    pub(super) fn from_row(row: SourceRow, base: &str) -> Self {
        let settings: Option<Value> = row.settings.and_then(|text| serde_json::from_str(&text).ok());
        let of = |provider| settings.clone().filter(|_| row.provider == provider);
        Self {
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
}
