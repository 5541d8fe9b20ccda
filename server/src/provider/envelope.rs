//! What an event says of itself, read from bytes that have been verified. Whatever cannot be read is left out: an
//! event is kept in any case.

use std::borrow::Cow;

use app::types::{Provider, Timestamp};
use sha2::{Digest, Sha256};

use super::field_paths::{FieldPaths, FieldValues, is_name};
use super::json::{self, MemberValues};
use super::paymos;
use super::tables;
use crate::domain::signature::{Claim, Incoming, Scheme};

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
    /// The version of its form, as the provider counts them.
    pub version: Option<String>,
}

/// What an event happened to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What it is, in the provider's word: `invoice`, `payment_intent`; none: it does not tell.
    pub kind: Option<Cow<'static, str>>,
    /// The provider's id of it.
    pub id: String,
}

/// How the envelope of a source's events is read.
#[derive(Debug, Clone)]
pub enum Reader {
    /// What it happened to depends on what happened.
    Paymos,
    /// Everything has its place.
    FieldPaths(Box<FieldPaths>),
}

impl Reader {
    /// Of a provider whose sources say nothing else.
    pub fn of(provider: Provider) -> Self {
        match provider {
            Provider::Paymos => Self::Paymos,
            provider => Self::FieldPaths(Box::new(tables::of(provider))),
        }
    }

    /// Of a preset.
    pub fn of_preset(preset: Scheme) -> Self {
        Self::FieldPaths(Box::new(tables::of_preset(preset)))
    }

    /// Reads the envelope of what has been verified. The id that was signed is the one that counts.
    pub fn read(&self, incoming: &Incoming<'_>, claim: &Claim<'_>) -> Envelope {
        let text = claim.item.map_or_else(|| json::text(incoming.body), Cow::Borrowed);
        let (id, mut envelope) = match self {
            Self::Paymos => paymos::envelope::read(&text),
            Self::FieldPaths(places) => from_places(places, incoming, &text),
        };
        let signed = claim.id.and_then(|id| std::str::from_utf8(id).ok());
        let signed = signed.filter(|id| is_name(id, LONGEST_ID));
        envelope.event_id = signed.map(str::to_owned).or(id).unwrap_or_else(|| {
            let bytes = claim.item.map_or(incoming.body, str::as_bytes);
            format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
        });
        envelope
    }
}

impl Envelope {
    /// Of members that were read; the id is filled in at the end.
    pub(crate) fn new(event_type: Option<String>) -> Self {
        Self {
            event_id: String::new(),
            event_type: event_type.unwrap_or_else(|| UNKNOWN_TYPE.to_owned()),
            occurred_at: None,
            resource: None,
            status: None,
            is_test: None,
            version: None,
        }
    }
}

/// Unix seconds, as far as they are a time that can be written.
pub(crate) fn unix(seconds: i64) -> Option<Timestamp> {
    (0..=253_402_300_799).contains(&seconds).then(|| Timestamp::from_unix(seconds))
}

/// The id of a body that is whole; a broken one may share its beginning with the one that it should have been.
pub(crate) fn id_of<const N: usize>(members: &MemberValues<'_, N>, places: &[usize]) -> Option<String> {
    if members.whole { places.iter().find_map(|at| members.name(*at, LONGEST_ID)) } else { None }
}

fn from_places(places: &FieldPaths, incoming: &Incoming<'_>, text: &str) -> (Option<String>, Envelope) {
    let reading = FieldValues::new(places, incoming, text);
    let mut envelope = Envelope::new(reading.name(&places.event_type, LONGEST_NAME));
    envelope.occurred_at = places.occurred_at.iter().find_map(|place| time(&reading.at(place)?));
    envelope.resource = reading.name(&places.resource, LONGEST_NAME).map(|id| {
        let told = reading.name(&places.kind, LONGEST_NAME);
        let kind = told.or_else(|| Some(envelope.event_type.split_once(['.', ':', '/'])?.0.to_owned()));
        Resource { kind: kind.filter(|kind| !kind.is_empty()).map(Cow::Owned), id }
    });
    envelope.status = reading.name(&places.status, LONGEST_NAME);
    envelope.is_test = reading.is_test(&places.test);
    envelope.version = reading.name(&places.version, LONGEST_NAME);
    (reading.id(&places.id, LONGEST_ID), envelope)
}

/// Unix seconds, or milliseconds if they would be far in the future, or RFC 3339.
fn time(text: &str) -> Option<Timestamp> {
    match text.parse::<i64>() {
        Ok(number) if number >= 100_000_000_000 => {
            unix(number / 1000).map(|time| time.plus_millis(number % 1000))
        }
        Ok(number) => unix(number),
        Err(_) => text.parse().ok(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use axum::http::{HeaderMap, HeaderName};
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn claim<'h>(id: Option<&'h [u8]>, item: Option<&'h str>) -> Claim<'h> {
        Claim::unsigned(id, item)
    }

    fn read_with(reader: &Reader, headers: &[(&'static str, &str)], query: &str, body: &[u8]) -> Envelope {
        let headers =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let headers = HeaderMap::from_iter(headers);
        let incoming = Incoming { query: Some(query), ..Incoming::new(&headers, body) };
        reader.read(&incoming, &claim(None, None))
    }

    /// Id, type, time, kind and id of the resource, status, test flag, version.
    fn told(envelope: &Envelope) -> String {
        let time = envelope.occurred_at.map(|time| time.to_string());
        let resource = envelope.resource.as_ref();
        let kind = resource.and_then(|resource| resource.kind.as_deref());
        [
            Some(envelope.event_id.as_str()),
            Some(&envelope.event_type),
            time.as_deref(),
            kind,
            resource.map(|resource| resource.id.as_str()),
            envelope.status.as_deref(),
            envelope.is_test.map(|test| if test { "test" } else { "live" }),
            envelope.version.as_deref(),
        ]
        .map(|part| part.unwrap_or("-"))
        .join(" ")
    }

    #[derive(serde::Deserialize)]
    struct Row {
        scheme: String,
        headers: std::collections::BTreeMap<String, String>,
        query: String,
        body: String,
        expect: serde_json::Value,
    }

    /// The reader of the sources that have such a scheme.
    fn reader(scheme: Scheme) -> Reader {
        match scheme {
            Scheme::Paymos => Reader::of(Provider::Paymos),
            Scheme::Stripe => Reader::of(Provider::Stripe),
            Scheme::Paddle => Reader::of(Provider::Paddle),
            Scheme::StandardWebhooks | Scheme::StandardWebhooksRawKey | Scheme::Svix => {
                Reader::of(Provider::StandardWebhooks)
            }
            preset => Reader::of_preset(preset),
        }
    }

    #[test]
    fn every_scheme_has_its_envelope() {
        let file: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/data/envelopes.json")).unwrap();
        let rows: Vec<Row> = serde_json::from_value(file["rows"].clone()).unwrap();
        let mut seen = std::collections::HashSet::new();
        for row in rows {
            let scheme: Scheme = row.scheme.parse().unwrap();
            seen.insert(scheme);
            let headers = row.headers.iter().map(|(name, value)| {
                (HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap())
            });
            let headers = HeaderMap::from_iter(headers);
            let incoming =
                Incoming { query: Some(&row.query), ..Incoming::new(&headers, row.body.as_bytes()) };
            let items = scheme.policy().read(&incoming).unwrap_or_default();
            let id = ["webhook-id", "svix-id"].iter().find_map(|name| headers.get(*name));
            let claim = claim(id.map(|id| id.as_bytes()), items.first().and_then(|claim| claim.item));
            let envelope = reader(scheme).read(&incoming, &claim);
            let resource = envelope.resource.as_ref();
            let mut told = serde_json::json!({
                "event_id": envelope.event_id,
                "type": envelope.event_type,
                "occurred_at": envelope.occurred_at,
                "resource_kind": resource.and_then(|resource| resource.kind.as_deref()),
                "resource_id": resource.map(|resource| &resource.id),
                "status": envelope.status,
                "is_test": envelope.is_test,
                "version": envelope.version,
            });
            if row.expect.get("event_id").is_none() {
                let id = format!("sha256:{}", hex::encode(Sha256::digest(&row.body)));
                assert_eq!(told["event_id"].take(), id, "{scheme}");
                told.as_object_mut().unwrap().remove("event_id");
            }
            assert_eq!(told, row.expect, "{scheme}");
        }
        assert_eq!(seen.len(), Scheme::ALL.len());
    }

    #[test]
    fn what_is_odd_is_read_as_far_as_it_goes() {
        let of = |reader: &Reader, query, body: &str| told(&read_with(reader, &[], query, body.as_bytes()));
        let paddle = Reader::of(Provider::Paddle);
        assert_eq!(
            of(&paddle, "", r#"{"event_id":"evt_02","event_type":"x","notification_id":"ntfsimevt_1"}"#),
            "evt_02 x - - - - test -"
        );
        let any = Reader::of(Provider::Hmac);
        assert_eq!(
            of(&any, "", r#"{"id":820982911946154508,"type":"order"}"#),
            "820982911946154508 order - - - - - -"
        );
        // The id in the body is not signed, the one of the query is.
        assert_eq!(
            of(
                &Reader::of_preset(Scheme::MercadoPago),
                "data.id=123&type=payment",
                r#"{"id":9,"type":"payment","live_mode":true,"data":{"id":"666"}}"#
            ),
            "9 payment - payment 123 - live -"
        );
    }

    #[test]
    fn an_item_of_adyen_has_its_own_envelope() {
        let item = r#"{"pspReference":"881","originalReference":"791","eventCode":"REFUND","success":"true","eventDate":"2026-11-30T12:00:00+01:00"}"#;
        let body =
            format!(r#"{{"live":"false","notificationItems":[{{"NotificationRequestItem":{item}}}]}}"#);
        let (headers, reader) = (HeaderMap::new(), Reader::of_preset(Scheme::AdyenStandard));
        let incoming = Incoming::new(&headers, body.as_bytes());
        let envelope = reader.read(&incoming, &claim(None, Some(item)));
        assert_eq!(told(&envelope), "881:REFUND:true REFUND 2026-11-30T11:00:00Z - 791 true test -");
        // Two items without an id are not the same event.
        let ids = ["{}", "{ }"].map(|item| reader.read(&incoming, &claim(None, Some(item))).event_id);
        assert!(ids[0].starts_with("sha256:") && ids[0] != ids[1]);
    }

    #[test]
    fn the_id_that_was_signed_counts() {
        let headers = HeaderMap::new();
        let incoming = Incoming::new(&headers, br#"{"id":"body_1","type":"a.b"}"#);
        let reader = Reader::of(Provider::StandardWebhooks);
        assert_eq!(reader.read(&incoming, &claim(Some(b"msg_1"), None)).event_id, "msg_1");
        for unusable in [b"\xff".as_slice(), b" ", b"a\0b", &[b'x'; 513]] {
            assert_eq!(reader.read(&incoming, &claim(Some(unusable), None)).event_id, "body_1");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_an_id_that_can_be_kept(
            body in prop::collection::vec(any::<u8>(), 0..200),
            json in r#"\{("(id|event_id|type|data|occurred_at)": ?("[a-z\\u0]{0,20}"|-?[0-9]{0,30}|\{|\[|null|\}),?){0,6}\}?"#,
        ) {
            let readers = Provider::ALL.iter().map(|provider| Reader::of(*provider));
            for reader in readers.chain(Scheme::ALL.iter().map(|preset| Reader::of_preset(*preset))) {
                for body in [body.as_slice(), json.as_bytes()] {
                    let envelope = read_with(&reader, &[], "", body);
                    prop_assert!(!envelope.event_id.is_empty() && envelope.event_id.len() <= LONGEST_ID);
                    prop_assert!(!envelope.event_id.contains('\0') && !envelope.event_type.is_empty());
                    prop_assert_eq!(&read_with(&reader, &[], "", body), &envelope);
                }
            }
        }
    }
}
