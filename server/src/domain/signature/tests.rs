//! The vectors, and what holds for any bytes.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;

/// Schemes of the vectors that are not built yet. A row of any other scheme must pass.
const NOT_YET: &[&str] = &[
    "adyen_payload",
    "adyen_standard",
    "coinbase_commerce",
    "flutterwave_hmac",
    "flutterwave_static",
    "github_sha256",
    "mercadopago",
    "mollie",
    "paystack",
    "razorpay",
    "shopify",
    "square",
];

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    scheme: String,
    secrets: Vec<String>,
    headers: std::collections::BTreeMap<String, String>,
    body_base64: String,
    now: i64,
    tolerance_s: Option<i64>,
    expect: String,
    why: String,
}

fn outcome(vector: &Vector, scheme: Scheme) -> &'static str {
    let mut headers = HeaderMap::new();
    for (name, value) in &vector.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let secrets: Vec<&[u8]> = vector.secrets.iter().map(String::as_bytes).collect();
    let body = STANDARD.decode(&vector.body_base64).unwrap();
    verify(scheme, &secrets, &headers, &body, vector.now, vector.tolerance_s)
        .map_or_else(Reason::as_str, |_| "valid")
}

#[test]
fn every_vector_gives_what_it_expects() {
    let file = include_str!("../../../tests/data/vectors/signatures.json");
    let file: File = serde_json::from_str(file).unwrap();
    let (mut checked, mut wrong) = (std::collections::BTreeMap::new(), Vec::new());
    for vector in &file.vectors {
        let Ok(scheme) = vector.scheme.parse::<Scheme>() else {
            assert!(
                NOT_YET.contains(&vector.scheme.as_str()),
                "{}: unknown scheme {}",
                vector.id,
                vector.scheme
            );
            continue;
        };
        *checked.entry(scheme.as_str()).or_insert(0) += 1;
        let got = outcome(vector, scheme);
        if got != vector.expect {
            wrong.push(format!("{}: {got}, expected {} ({})", vector.id, vector.expect, vector.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let counts: Vec<_> = checked.into_iter().collect();
    assert_eq!(
        counts,
        [
            ("paddle", 22),
            ("paymos", 42),
            ("standard_webhooks", 25),
            ("standard_webhooks_raw_key", 1),
            ("stripe", 25),
            ("svix", 2)
        ]
    );
}

/// The headers of a body that a sender of the scheme signs with these keys.
fn signed(scheme: Scheme, keys: &[&[u8]], at: i64, body: &[u8]) -> HeaderMap {
    let hmac = |start: &str, key: &[u8]| {
        hmac_sha256(key).chain_update(start).chain_update(body).finalize().into_bytes()
    };
    let hex = |start: String, part: &str, separator: &str| {
        let parts = keys.iter().map(|key| format!("{separator}{part}={}", hex::encode(hmac(&start, key))));
        parts.collect::<String>()
    };
    let list = || {
        let parts =
            keys.iter().map(|key| format!("v1,{}", STANDARD.encode(hmac(&format!("msg_1.{at}."), key))));
        parts.collect::<Vec<_>>().join(" ")
    };
    let pairs: Vec<(&str, String)> = match scheme {
        Scheme::Paymos => {
            vec![("x-webhook-signature", format!("t={at}{}", hex(format!("{at}."), "v1", ",")))]
        }
        Scheme::Stripe => vec![("stripe-signature", format!("t={at}{}", hex(format!("{at}."), "v1", ",")))],
        Scheme::Paddle => vec![("paddle-signature", format!("ts={at}{}", hex(format!("{at}:"), "h1", ";")))],
        Scheme::StandardWebhooks | Scheme::StandardWebhooksRawKey => vec![
            ("webhook-id", "msg_1".to_owned()),
            ("webhook-timestamp", at.to_string()),
            ("webhook-signature", list()),
        ],
        Scheme::Svix => vec![
            ("svix-id", "msg_1".to_owned()),
            ("svix-timestamp", at.to_string()),
            ("svix-signature", list()),
        ],
    };
    pairs.into_iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
}

const SECRET: &[u8] = b"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &[u8] = b"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

fn key(scheme: Scheme, secret: &[u8]) -> Vec<u8> {
    scheme.policy().key.of(secret).unwrap().to_vec()
}

#[test]
fn the_window_is_closed_on_both_sides_whatever_the_numbers() {
    let cases = [
        (0, 300, Some(300), Ok(())),
        (0, 301, Some(300), Err(Reason::TimestampTooOld)),
        (300, 0, Some(300), Ok(())),
        (301, 0, Some(300), Err(Reason::TimestampTooNew)),
        (999_999_999_999_999_999, i64::MIN + 1, Some(i64::MAX), Err(Reason::TimestampTooNew)),
        (0, i64::MAX, None, Ok(())),
        (0, i64::MIN, Some(0), Err(Reason::TimestampTooNew)),
    ];
    for (signed_at, now, tolerance, expected) in cases {
        assert_eq!(check_window(signed_at, now, tolerance), expected, "{signed_at} {now} {tolerance:?}");
    }
}

#[test]
fn a_header_counts_only_when_it_is_there_once() {
    for scheme in Scheme::ALL {
        let good = signed(*scheme, &[&key(*scheme, SECRET)], 1000, b"{}");
        let verify = |headers: &HeaderMap| verify(*scheme, &[SECRET], headers, b"{}", 1000, Some(0));
        assert_eq!(verify(&good).map(|matched| matched.secret), Ok(0));
        for name in good.keys() {
            let mut twice = good.clone();
            twice.append(name, good[name].clone());
            assert_eq!(verify(&twice), Err(Reason::MalformedHeader), "{scheme:?} {name}");
            let mut without = good.clone();
            without.remove(name);
            assert_eq!(verify(&without), Err(Reason::MissingHeader), "{scheme:?} {name}");
        }
    }
}

#[test]
fn without_a_secret_nothing_verifies() {
    for scheme in Scheme::ALL {
        for blank in ["", " ", "\t\n"] {
            let headers = signed(*scheme, &[blank.as_bytes()], 1000, b"{}");
            for secrets in [&[][..], &[blank.as_bytes()][..], &[b"".as_slice(), b"  "][..]] {
                let got = verify(*scheme, secrets, &headers, b"{}", 1000, None);
                assert_eq!(got, Err(Reason::BadSecret), "{scheme:?} {secrets:?}");
            }
        }
    }
}

#[test]
fn signatures_past_the_thirty_second_are_not_looked_at() {
    let mac = hex::encode(hmac_sha256(SECRET).chain_update("1000.{}").finalize().into_bytes());
    let verify = |junk: usize| {
        let value = format!("t=1000{},v1={mac}", ",v1=00".repeat(junk));
        let headers =
            HeaderMap::from_iter([(HeaderName::from_static("x-webhook-signature"), value.parse().unwrap())]);
        verify(Scheme::Paymos, &[SECRET], &headers, b"{}", 1000, None).map(drop)
    };
    assert_eq!(verify(31), Ok(()));
    assert_eq!(verify(32), Err(Reason::SignatureMismatch));
}

fn schemes() -> impl Strategy<Value = Scheme> {
    prop::sample::select(Scheme::ALL)
}

proptest! {
    #[test]
    fn any_headers_and_any_body_get_a_verdict(
        scheme in schemes(),
        values in prop::collection::vec(prop::collection::vec(prop::sample::select((9_u8..=255).collect::<Vec<_>>()), 0..200), 3),
        structured in "(t|ts|v1|h1)=[0-9a-fA-F]{0,70}([,; ]{1,2}(t|v1|h1|v1a|)[=,]?[0-9a-zA-Z+/=]{0,70}){0,40}",
        body in prop::collection::vec(any::<u8>(), 0..100),
        now in any::<i64>(),
        tolerance in any::<Option<i64>>(),
    ) {
        for values in [values.as_slice(), &[structured.clone().into_bytes(), b"1000".to_vec(), structured.into_bytes()]] {
            let mut headers = HeaderMap::new();
            for (at, name) in ["x-webhook-signature", "stripe-signature", "paddle-signature", "webhook-id",
                "webhook-timestamp", "webhook-signature", "svix-id", "svix-timestamp", "svix-signature"].into_iter().enumerate() {
                if let Ok(value) = HeaderValue::from_bytes(&values[at % 3]) {
                    headers.append(name, value);
                }
            }
            prop_assert!(verify(scheme, &[SECRET], &headers, &body, now, tolerance).is_err());
        }
    }

    #[test]
    fn what_was_signed_verifies_with_every_active_secret(
        scheme in schemes(),
        body in prop::collection::vec(any::<u8>(), 0..300),
        at in 0_i64..4_000_000_000,
        skew in -300_i64..=300,
        both_sign in any::<bool>(),
    ) {
        let (key, other) = (key(scheme, SECRET), key(scheme, OTHER));
        let keys: &[&[u8]] = if both_sign { &[&other, &key] } else { &[&key] };
        let headers = signed(scheme, keys, at, &body);
        let got = verify(scheme, &[SECRET], &headers, &body, at + skew, Some(300));
        prop_assert_eq!(got, Ok(Matched { secret: 0, signed_at: at }));
        let got = verify(scheme, &[OTHER, SECRET], &headers, &body, at + skew, Some(300));
        prop_assert_eq!(got, Ok(Matched { secret: usize::from(!both_sign), signed_at: at }));
    }

    #[test]
    fn one_flipped_bit_and_it_does_not(
        scheme in schemes(),
        body in prop::collection::vec(any::<u8>(), 1..300),
        place in any::<prop::sample::Index>(),
        bit in 0_u8..8,
        what in 0..3,
    ) {
        let mut headers = signed(scheme, &[&key(scheme, SECRET)], 1000, &body);
        let (mut body, mut secret) = (body, SECRET.to_vec());
        match what {
            0 => {
                let at = place.index(body.len());
                body[at] ^= 1 << bit;
            }
            // The last character of base64 may hold bits that do not count; the prefix may be left away.
            1 => secret[6 + place.index(31)] ^= 1,
            _ => {
                let name = headers.keys().find(|name| name.as_str().ends_with("signature")).unwrap().clone();
                let mut value = headers[&name].as_bytes().to_vec();
                let at = value.len() - 1 - place.index(40);
                value[at] = if value[at] == b'0' { b'1' } else { b'0' };
                headers.insert(name, HeaderValue::from_bytes(&value).unwrap());
            }
        }
        prop_assert!(verify(scheme, &[&secret], &headers, &body, 1000, Some(300)).is_err());
    }
}
