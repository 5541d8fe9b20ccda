//! The headers that a delivery carries, in the format that its destination reads.

use std::fmt::Write;

use app::types::{Format, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::secret::SecretValue;

/// `User-Agent` of everything that is delivered.
pub const USER_AGENT: &str = concat!("Acuse/", env!("CARGO_PKG_VERSION"));

/// What is about to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// The provider's id of the event.
    pub event_id: &'a str,
    /// The slug of the source.
    pub source: &'a str,
    /// Number of the delivery.
    pub delivery: i64,
    /// Which rung; none: by hand.
    pub n: Option<u32>,
    /// Our number of the event: later arrivals have larger ones.
    pub sequence: i64,
    /// When it happened, by the provider's clock; none: it does not tell.
    pub occurred_at: Option<Timestamp>,
    /// As received; none: there was none.
    pub content_type: Option<&'a str>,
    /// As received, since the body is: without it a compressed body could not be read.
    pub content_encoding: Option<&'a str>,
    /// As received.
    pub body: &'a [u8],
    /// The moment of the attempt.
    pub now: Timestamp,
}

/// Nothing is sent unsigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// None counts at this moment.
    #[error("no active secret to sign with: nothing was sent")]
    NoSecret,
    /// For `standard_webhooks` the key is what stands behind `whsec_`, in base64.
    #[error("no active secret is whsec_ and base64, as the format standard_webhooks needs: nothing was sent")]
    NotBase64,
}

/// Name and value of every header, signed with each of the secrets, in their order.
///
/// # Errors
/// There is no secret to sign with.
pub fn headers(
    format: Format,
    secrets: &[&SecretValue],
    outgoing: &Outgoing<'_>,
) -> Result<Vec<(&'static str, String)>, SignError> {
    if secrets.is_empty() {
        return Err(SignError::NoSecret);
    }
    let time = outgoing.now.unix().to_string();
    let id = header_text(outgoing.event_id);
    let mut headers = Vec::with_capacity(11);
    if let Some(content_type) = outgoing.content_type {
        headers.push(("Content-Type", content_type.to_owned()));
    }
    if let Some(content_encoding) = outgoing.content_encoding {
        headers.push(("Content-Encoding", content_encoding.to_owned()));
    }
    headers.push(("User-Agent", USER_AGENT.to_owned()));
    match format {
        Format::Paymos => {
            let signature = hex_signatures(&format!("t={time}"), ",v1=", b".", secrets, &time, outgoing.body);
            headers.push(("X-Webhook-Id", id));
            headers.push(("X-Webhook-Timestamp", time));
            headers.push(("X-Webhook-Signature", signature));
        }
        Format::Stripe => {
            let signature = hex_signatures(&format!("t={time}"), ",v1=", b".", secrets, &time, outgoing.body);
            headers.push(("Stripe-Signature", signature));
            headers.push(("Acuse-Event-Id", id));
        }
        Format::Paddle => {
            let signature =
                hex_signatures(&format!("ts={time}"), ";h1=", b":", secrets, &time, outgoing.body);
            headers.push(("Paddle-Signature", signature));
            headers.push(("Acuse-Event-Id", id));
        }
        Format::StandardWebhooks => {
            let signature = base64_signatures(secrets, &id, &time, outgoing.body)?;
            headers.push(("webhook-id", id));
            headers.push(("webhook-timestamp", time));
            headers.push(("webhook-signature", signature));
        }
    }
    headers.push(("Acuse-Delivery", outgoing.delivery.to_string()));
    headers.push(("Acuse-Attempt", outgoing.n.map_or_else(|| "manual".to_owned(), |n| n.to_string())));
    headers.push(("Acuse-Source", outgoing.source.to_owned()));
    headers.push(("Acuse-Sequence", outgoing.sequence.to_string()));
    if let Some(at) = outgoing.occurred_at {
        headers.push(("Acuse-Occurred-At", at.to_string()));
    }
    Ok(headers)
}

/// The text as a header can carry it: what is no visible ASCII is percent-encoded, byte for byte of its UTF-8; all
/// else stays as it is. Every id that a provider is known to send passes unchanged.
fn header_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_graphic() {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn hex_signatures(
    start: &str,
    label: &str,
    separator: &[u8],
    secrets: &[&SecretValue],
    time: &str,
    body: &[u8],
) -> String {
    let mut header = start.to_owned();
    for secret in secrets {
        header.push_str(label);
        header.push_str(&hex::encode(mac(secret.expose().as_bytes(), &[time.as_bytes(), separator, body])));
    }
    header
}

fn base64_signatures(
    secrets: &[&SecretValue],
    id: &str,
    time: &str,
    body: &[u8],
) -> Result<String, SignError> {
    let keys = secrets.iter().filter_map(|secret| standard_key(secret));
    let signatures: Vec<_> = keys
        .map(|key| mac(&key, &[id.as_bytes(), b".", time.as_bytes(), b".", body]))
        .map(|tag| format!("v1,{}", STANDARD.encode(tag)))
        .collect();
    if signatures.is_empty() { Err(SignError::NotBase64) } else { Ok(signatures.join(" ")) }
}

fn standard_key(secret: &SecretValue) -> Option<Zeroizing<Vec<u8>>> {
    let encoded = secret.expose().strip_prefix("whsec_")?;
    STANDARD.decode(encoded).ok().filter(|key| !key.is_empty()).map(Zeroizing::new)
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // A key of any length is accepted, so that the other arm is never taken.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName};
    use proptest::prelude::*;

    use super::*;
    use crate::domain::signature::{Scheme, verify};

    const BODY: &[u8] = br#"{"event_id":"evt_123","event_type":"invoice.paid","version":1,"occurred_at":1700000000,"data":{"invoice_id":"inv_123"}}"#;

    fn outgoing<'a>(event_id: &'a str, now: i64, body: &'a [u8]) -> Outgoing<'a> {
        Outgoing {
            event_id,
            source: "paymos",
            delivery: 7,
            n: Some(3),
            sequence: 41,
            occurred_at: Some(Timestamp::from_unix(1_699_999_990)),
            content_type: Some("application/json; charset=utf-8"),
            content_encoding: Some("gzip"),
            body,
            now: Timestamp::from_unix(now),
        }
    }

    fn signed(format: Format, secrets: &[&str], outgoing: &Outgoing<'_>) -> Vec<(&'static str, String)> {
        let secrets: Vec<_> = secrets.iter().map(|text| SecretValue::new(*text)).collect();
        headers(format, &secrets.iter().collect::<Vec<_>>(), outgoing).unwrap()
    }

    fn value<'a>(headers: &'a [(&'static str, String)], name: &str) -> &'a str {
        headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()).unwrap()
    }

    const OLD: &str = "8f62822925c2d12af1b822edcc1e9392ce064c20d003cbbc11f131485348005b";
    const NEW: &str = "802d6499ee15ecb2c3e1d9d39e2753530c62283694e41ed75c2c6a6141e055ff";

    #[test]
    fn paymos_has_one_v1_a_secret_newest_first() {
        let headers = signed(
            Format::Paymos,
            &["whsec_new_secret", "whsec_test_secret"],
            &outgoing("evt_123", 1_700_000_000, BODY),
        );
        assert_eq!(value(&headers, "X-Webhook-Id"), "evt_123");
        assert_eq!(value(&headers, "X-Webhook-Timestamp"), "1700000000");
        assert_eq!(value(&headers, "X-Webhook-Signature"), format!("t=1700000000,v1={NEW},v1={OLD}"));
    }

    #[test]
    fn stripe_signs_as_paymos_does() {
        let headers =
            signed(Format::Stripe, &["whsec_test_secret"], &outgoing("evt_123", 1_700_000_000, BODY));
        assert_eq!(value(&headers, "Stripe-Signature"), format!("t=1700000000,v1={OLD}"));
        assert_eq!(value(&headers, "Acuse-Event-Id"), "evt_123");
    }

    #[test]
    fn paddle_matches_the_vendors_vector() {
        let headers = signed(
            Format::Paddle,
            &["VALID_SECRET"],
            &outgoing("evt_1", 1_698_796_800, br#"{"data": ["1", "2"]}"#),
        );
        let expected = "ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9";
        assert_eq!(value(&headers, "Paddle-Signature"), expected);
        let two = signed(Format::Paddle, &["b", "VALID_SECRET"], &outgoing("evt_1", 1_698_796_800, BODY));
        assert_eq!(value(&two, "Paddle-Signature").matches(";h1=").count(), 2);
    }

    #[test]
    fn standard_webhooks_matches_the_vendors_vector() {
        let outgoing = outgoing("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        let old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let known = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        let headers = signed(Format::StandardWebhooks, &[old], &outgoing);
        assert_eq!(value(&headers, "webhook-signature"), known);
        assert_eq!(value(&headers, "webhook-id"), "msg_p5jXN8AQM9LWM0D4loKWxJek");
        assert_eq!(value(&headers, "webhook-timestamp"), "1614265330");
        let two =
            signed(Format::StandardWebhooks, &["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", old], &outgoing);
        let (new, old) = value(&two, "webhook-signature").split_once(' ').unwrap();
        assert!(new.starts_with("v1,") && new != known && old == known);
    }

    #[test]
    fn every_format_says_what_it_is_about() {
        for format in Format::ALL {
            let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
            let headers = signed(*format, &[secret], &outgoing("e", 1, b""));
            assert_eq!(value(&headers, "Acuse-Delivery"), "7");
            assert_eq!(value(&headers, "Acuse-Attempt"), "3");
            assert_eq!(value(&headers, "Acuse-Source"), "paymos");
            assert_eq!(value(&headers, "Acuse-Sequence"), "41");
            assert_eq!(value(&headers, "Acuse-Occurred-At"), "2023-11-14T22:13:10Z");
            assert_eq!(value(&headers, "User-Agent"), USER_AGENT);
            assert_eq!(value(&headers, "Content-Type"), "application/json; charset=utf-8");
            assert_eq!(value(&headers, "Content-Encoding"), "gzip");
            let untold = Outgoing { n: None, occurred_at: None, ..outgoing("e", 1, b"") };
            let by_hand = signed(*format, &[secret], &untold);
            assert_eq!(value(&by_hand, "Acuse-Attempt"), "manual");
            assert!(by_hand.iter().all(|(name, _)| *name != "Acuse-Occurred-At"));
            assert!(!format!("{headers:?}").contains("MfKQ9r8"), "a secret in a header");
        }
    }

    #[test]
    fn without_a_usable_secret_nothing_is_signed() {
        let outgoing = outgoing("e", 1, b"");
        for format in Format::ALL {
            assert_eq!(headers(*format, &[], &outgoing), Err(SignError::NoSecret));
        }
        for bad in ["pdl_x", "whsec_", "whsec_not base64"] {
            let secret = SecretValue::new(bad);
            let result = headers(Format::StandardWebhooks, &[&secret], &outgoing);
            assert_eq!(result, Err(SignError::NotBase64), "{bad}");
        }
    }

    #[test]
    fn an_id_that_no_header_carries_is_percent_encoded() {
        for (id, carried) in [
            ("evt_1%2", "evt_1%2"),
            ("sha256:00ff", "sha256:00ff"),
            ("a\r\nX: y", "a%0D%0AX:%20y"),
            ("evt_ü\0", "evt_%C3%BC%00"),
        ] {
            assert_eq!(header_text(id), carried);
        }
    }

    /// The headers as a receiver gets them.
    fn received(headers: Vec<(&'static str, String)>) -> HeaderMap {
        let headers = headers.into_iter();
        headers.map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())).collect()
    }

    proptest! {
        #[test]
        fn what_is_delivered_verifies_with_each_active_secret_and_with_no_flipped_bit(
            format in prop::sample::select(Format::ALL),
            id in "[!-~]{1,40}",
            body in prop::collection::vec(any::<u8>(), 1..300),
            both in any::<bool>(),
            place in any::<prop::sample::Index>(),
            bit in 0_u8..8,
        ) {
            let (new, old) = ("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
            let signing: &[&str] = if both { &[new, old] } else { &[new] };
            let headers = received(signed(format, signing, &outgoing(&id, 1_700_000_000, &body)));
            let verify = |secret: &str, body: &[u8]| {
                let scheme = Scheme::of_format(format);
                verify(scheme, &[secret.as_bytes()], &headers, body, 1_700_000_300, Some(300)).is_ok()
            };
            prop_assert!(verify(new, &body));
            prop_assert_eq!(verify(old, &body), both);
            prop_assert!(!verify("whsec_wrong2FVsBQIhrscChlQIMV+b5sSYspob7oD", &body));
            let mut other = body.clone();
            let at = place.index(other.len());
            other[at] ^= 1 << bit;
            prop_assert!(!verify(new, &other));
        }

        #[test]
        fn any_id_and_body_make_headers_that_can_be_sent(id in any::<String>(), body in any::<Vec<u8>>()) {
            for format in Format::ALL {
                let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
                for (_, value) in signed(*format, &[secret], &outgoing(&id, 1, &body)) {
                    prop_assert!(value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()));
                }
            }
        }
    }
}
