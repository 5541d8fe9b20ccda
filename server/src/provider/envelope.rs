//! What an event says of itself, read from bytes that have been verified. Whatever cannot be read is left out: an
//! event is kept in any case.

use app::types::{Provider, Timestamp};
use axum::http::HeaderMap;
use sha2::{Digest, Sha256};

use super::json::{self, Members};
use super::paymos;

/// Longest id of an event that an index takes on every database.
pub(crate) const LONGEST_ID: usize = 512;
/// Longest type, resource id or status.
pub(crate) const LONGEST_NAME: usize = 256;
/// The type of an event that does not tell one.
pub const UNKNOWN_TYPE: &str = "unknown";

/// What an event says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The provider's id of it; of a body without one `sha256:` and the hash of its bytes.
    pub event_id: String,
    /// The provider's name of what happened, or `unknown`.
    pub event_type: String,
    /// When, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// What it happened to.
    pub resource: Option<Resource>,
    /// How that stands now.
    pub status: Option<String>,
    /// Whether it comes from the provider's sandbox.
    pub is_test: Option<bool>,
}

/// What an event happened to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// The provider's id of it.
    pub id: String,
}

/// What events happen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceKind {
    /// Somebody is to pay us.
    Invoice,
    /// We pay somebody: a payout or a refund.
    Withdrawal,
    /// Somebody paid into a payment channel.
    Deposit,
    /// Something else.
    Other,
}

/// Reads the envelope of a verified arrival.
pub fn read(provider: Provider, headers: &HeaderMap, body: &[u8]) -> Envelope {
    let text = json::text(body);
    let (id, mut envelope) = match provider {
        Provider::Paymos => paymos::envelope::read(&text),
        Provider::Stripe => read_stripe(&text),
        Provider::Paddle | Provider::StandardWebhooks | Provider::Hmac => read_any(&text),
    };
    // In Standard Webhooks the id is signed, and it is a header.
    let id = if provider == Provider::StandardWebhooks { signed_id(headers).or(id) } else { id };
    envelope.event_id = id.unwrap_or_else(|| format!("sha256:{}", hex::encode(Sha256::digest(body))));
    envelope
}

impl Envelope {
    /// Of members that were read; the id is filled in at the end.
    pub(super) fn new(event_type: Option<String>) -> Self {
        Self {
            event_id: String::new(),
            event_type: event_type.unwrap_or_else(|| UNKNOWN_TYPE.to_owned()),
            occurred_at: None,
            resource: None,
            status: None,
            is_test: None,
        }
    }
}

/// Unix seconds, as far as they are a time that can be written.
pub(super) fn unix(seconds: i64) -> Option<Timestamp> {
    (0..=253_402_300_799).contains(&seconds).then(|| Timestamp::from_unix(seconds))
}

/// The id of a body that is whole; a broken one may share its beginning with the one that it should have been.
pub(super) fn id_of<const N: usize>(members: &Members<'_, N>, places: &[usize]) -> Option<String> {
    if members.whole { places.iter().find_map(|at| members.name(*at, LONGEST_ID)) } else { None }
}

fn signed_id(headers: &HeaderMap) -> Option<String> {
    let value = headers.get("svix-id").or_else(|| headers.get("webhook-id"))?;
    value.to_str().ok().filter(|id| !id.trim().is_empty() && id.len() <= LONGEST_ID).map(str::to_owned)
}

fn read_stripe(text: &str) -> (Option<String>, Envelope) {
    let members = json::members(text, &["id", "type", "created", "livemode", "data"]);
    let object = members.inside(4, &["object"]).inside(0, &["id", "status"]);
    let mut envelope = Envelope::new(members.name(1, LONGEST_NAME));
    envelope.occurred_at = members.integer(2).and_then(unix);
    envelope.is_test = members.flag(3).map(|live| !live);
    envelope.resource = object.name(0, LONGEST_NAME).map(|id| Resource { kind: ResourceKind::Other, id });
    envelope.status = object.name(1, LONGEST_NAME);
    (id_of(&members, &[0]), envelope)
}

/// The names that most senders use.
fn read_any(text: &str) -> (Option<String>, Envelope) {
    let names = &["event_id", "id", "event_type", "type", "occurred_at", "timestamp", "created", "data"];
    let members = json::members(text, names);
    let data = members.inside(7, &["id", "status"]);
    let mut envelope = Envelope::new(members.name(2, LONGEST_NAME).or_else(|| members.name(3, LONGEST_NAME)));
    envelope.occurred_at = [4, 5, 6].into_iter().find_map(|at| {
        let written = || members.name(at, LONGEST_NAME)?.parse().ok();
        members.integer(at).and_then(unix).or_else(written)
    });
    envelope.resource = data.name(0, LONGEST_NAME).map(|id| Resource { kind: ResourceKind::Other, id });
    envelope.status = data.name(1, LONGEST_NAME);
    (id_of(&members, &[0, 1]), envelope)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_body(provider: Provider, body: &str) -> Envelope {
        read(provider, &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn the_common_names_are_read_for_every_provider() {
        let paddle = read_body(
            Provider::Paddle,
            r#"{"event_id":"evt_01","event_type":"transaction.paid","occurred_at":"2026-11-30T12:00:00.5Z",
                "notification_id":"ntf_1","data":{"id":"txn_1","status":"paid"}}"#,
        );
        assert_eq!((paddle.event_id.as_str(), paddle.event_type.as_str()), ("evt_01", "transaction.paid"));
        assert_eq!(paddle.occurred_at, "2026-11-30T12:00:00.5Z".parse().ok());
        assert_eq!(paddle.resource.map(|resource| resource.id).as_deref(), Some("txn_1"));
        let stripe = read_body(
            Provider::Stripe,
            r#"{"id":"evt_1","type":"payment_intent.succeeded","created":1700000000,"livemode":false,
                "data":{"object":{"id":"pi_1","status":"succeeded"}}}"#,
        );
        assert_eq!((stripe.event_id.as_str(), stripe.status.as_deref()), ("evt_1", Some("succeeded")));
        assert_eq!(
            (stripe.is_test, stripe.occurred_at),
            (Some(true), Some(Timestamp::from_unix(1_700_000_000)))
        );
        let other = read_body(Provider::Hmac, r#"{"id":820982911946154508,"type":"order"}"#);
        assert_eq!((other.event_id.as_str(), other.event_type.as_str()), ("820982911946154508", "order"));
    }

    #[test]
    fn standard_webhooks_take_the_id_from_the_signed_header() {
        let headers = HeaderMap::from_iter([(
            axum::http::HeaderName::from_static("webhook-id"),
            "msg_1".parse().unwrap(),
        )]);
        let body = br#"{"id":"body_1","type":"a.b"}"#;
        assert_eq!(read(Provider::StandardWebhooks, &headers, body).event_id, "msg_1");
        assert_eq!(read(Provider::Hmac, &headers, body).event_id, "body_1");
    }

    proptest! {
        #[test]
        fn any_bytes_have_an_id_that_can_be_kept(
            body in prop::collection::vec(any::<u8>(), 0..200),
            json in r#"\{("(id|event_id|type|data|occurred_at)": ?("[a-z\\u0]{0,20}"|-?[0-9]{0,30}|\{|\[|null|\}),?){0,6}\}?"#,
        ) {
            for provider in Provider::ALL {
                for body in [body.as_slice(), json.as_bytes()] {
                    let envelope = read(*provider, &HeaderMap::new(), body);
                    prop_assert!(!envelope.event_id.is_empty() && envelope.event_id.len() <= LONGEST_ID);
                    prop_assert!(!envelope.event_id.contains('\0') && !envelope.event_type.is_empty());
                    prop_assert_eq!(&read(*provider, &HeaderMap::new(), body), &envelope);
                }
            }
        }
    }
}
