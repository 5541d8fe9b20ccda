//! The vectors, and what holds for any bytes.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;

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
    #[serde(default)]
    extra: Extra,
}

/// What some schemes sign beside headers and body.
#[derive(Deserialize, Default)]
struct Extra {
    notification_url: Option<String>,
    #[serde(default)]
    query: std::collections::BTreeMap<String, String>,
}

fn outcome(vector: &Vector, scheme: Scheme) -> &'static str {
    let mut headers = HeaderMap::new();
    for (name, value) in &vector.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let secrets: Vec<&[u8]> = vector.secrets.iter().map(String::as_bytes).collect();
    let body = STANDARD.decode(&vector.body_base64).unwrap();
    let query: String =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&vector.extra.query).finish();
    let url = vector.extra.notification_url.as_deref();
    let incoming = Incoming { url, query: Some(&query), ..Incoming::new(&headers, &body) };
    let verdict = scheme.policy().verify(&secrets, &incoming, vector.now, vector.tolerance_s);
    verdict.map_or_else(Reason::as_str, |_| "valid")
}

#[test]
fn every_vector_gives_what_it_expects() {
    let files = [
        include_str!("../../../tests/data/vectors/signatures.json"),
        include_str!("../../../tests/data/vectors/more.json"),
    ];
    let files = files.map(|file| serde_json::from_str::<File>(file).unwrap());
    assert_eq!(files[0].vectors.len(), 153);
    let (mut checked, mut wrong) = (std::collections::BTreeMap::new(), Vec::new());
    for vector in files.iter().flat_map(|file| &file.vectors) {
        let scheme: Scheme = vector.scheme.parse().unwrap();
        let counts: &mut (usize, usize) = checked.entry(scheme.as_str()).or_default();
        match vector.expect.as_str() {
            "valid" => counts.0 += 1,
            _ => counts.1 += 1,
        }
        let got = outcome(vector, scheme);
        if got != vector.expect {
            wrong.push(format!("{}: {got}, expected {} ({})", vector.id, vector.expect, vector.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for scheme in Scheme::ALL {
        let (valid, refused) = checked.get(scheme.as_str()).copied().unwrap_or_default();
        assert!(valid > 0 && refused > 0, "{scheme}: {valid} valid, {refused} refused");
    }
}

/// An arrival that a sender of the scheme signs with these secrets.
struct Sent {
    headers: HeaderMap,
    body: Vec<u8>,
}

const URL: &str = "https://gateway.example/webhooks/shop";
const QUERY: &str = "type=payment&data.id=PAY%2D1";

impl Sent {
    fn new(scheme: Scheme, secrets: &[&[u8]], at: i64, body: &[u8]) -> Self {
        let policy = scheme.policy();
        let mut headers = HeaderMap::new();
        if scheme == Scheme::MercadoPago {
            headers.insert("x-request-id", HeaderValue::from_static("request-1"));
        }
        if scheme == Scheme::AdyenStandard {
            // What is free of it stands in a field.
            let field = serde_json::Value::from(hex::encode(body));
            let item = |more: &str| {
                format!(r#"{{"pspReference":{field},"amount":{{"value":1130}},"success":"true"{more}}}"#)
            };
            let signature = policy.sign_item(secrets[0], &item("")).unwrap();
            let item = item(&format!(r#","additionalData":{{"hmacSignature":"{signature}"}}"#));
            let body =
                format!(r#"{{"live":"false","notificationItems":[{{"NotificationRequestItem":{item}}}]}}"#);
            return Self { headers, body: body.into_bytes() };
        }
        let incoming = Incoming { url: Some(URL), query: Some(QUERY), ..Incoming::new(&headers, body) };
        let signed = policy.sign(secrets, &Draft { id: "msg_1", stamp: at, incoming });
        signed.into_iter().for_each(|(name, value)| drop(headers.insert(name, value.parse().unwrap())));
        Self { headers, body: body.to_vec() }
    }

    fn verify(
        &self,
        scheme: Scheme,
        secrets: &[&[u8]],
        now: i64,
        tolerance: Option<i64>,
    ) -> Result<Matched, Reason> {
        let incoming =
            Incoming { url: Some(URL), query: Some(QUERY), ..Incoming::new(&self.headers, &self.body) };
        let verified = scheme.policy().verify(secrets, &incoming, now, tolerance)?;
        let (claim, secret) = &verified.claims()[0];
        Ok(Matched { secret: *secret, signed_at: claim.signed_at })
    }
}

/// Two secrets that the scheme can read.
fn secrets(scheme: Scheme) -> (&'static [u8], &'static [u8]) {
    match scheme.policy().key_form() {
        KeyForm::Hex => (b"44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056", b"00ff00FF"),
        KeyForm::Raw | KeyForm::Base64 => (SECRET, OTHER),
    }
}

const SECRET: &[u8] = b"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &[u8] = b"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

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
        assert_eq!(
            check_window(Some(signed_at), now, tolerance),
            expected,
            "{signed_at} {now} {tolerance:?}"
        );
    }
}

#[test]
fn a_header_counts_only_when_it_is_there_once() {
    for scheme in Scheme::ALL {
        let (secret, _) = secrets(*scheme);
        let sent = Sent::new(*scheme, &[secret], 1000, b"{}");
        let verify = |headers: HeaderMap| {
            Sent { headers, body: sent.body.clone() }
                .verify(*scheme, &[secret], 1000, Some(0))
                .map(|it| it.secret)
        };
        assert_eq!(verify(sent.headers.clone()), Ok(0), "{scheme}");
        for name in sent.headers.keys() {
            let mut twice = sent.headers.clone();
            twice.append(name, sent.headers[name].clone());
            // Mollie sends a line for each of its secrets.
            let expected = if *scheme == Scheme::Mollie { Ok(0) } else { Err(Reason::MalformedHeader) };
            assert_eq!(verify(twice), expected, "{scheme} {name}");
            let mut without = sent.headers.clone();
            without.remove(name);
            // Mercado Pago leaves out of the signed text what it does not send.
            let expected =
                if name == "x-request-id" { Reason::SignatureMismatch } else { Reason::MissingHeader };
            assert_eq!(verify(without), Err(expected), "{scheme} {name}");
        }
    }
}

#[test]
fn without_a_secret_nothing_verifies() {
    for scheme in Scheme::ALL {
        let (secret, _) = secrets(*scheme);
        let sent = Sent::new(*scheme, &[secret], 1000, b"{}");
        for secrets in [&[][..], &[b"".as_slice()], &[b" "], &[b"\t\n"], &[b"", b"  "]] {
            assert_eq!(
                sent.verify(*scheme, secrets, 1000, None),
                Err(Reason::BadSecret),
                "{scheme} {secrets:?}"
            );
        }
    }
}

#[test]
fn signatures_past_the_thirty_second_are_not_looked_at() {
    let good = Sent::new(Scheme::Paymos, &[SECRET], 1000, b"{}");
    let (time, mac) = good.headers["x-webhook-signature"].to_str().unwrap().split_once(',').unwrap();
    let verify = |junk: usize| {
        let value = format!("{time}{},{mac}", ",v1=00".repeat(junk));
        let headers =
            HeaderMap::from_iter([(HeaderName::from_static("x-webhook-signature"), value.parse().unwrap())]);
        verify(Scheme::Paymos, &[SECRET], &headers, b"{}", 1000, None).map(drop)
    };
    assert_eq!(verify(31), Ok(()));
    assert_eq!(verify(32), Err(Reason::SignatureMismatch));
}

/// Items of which each is signed; `None` leaves the signature out.
fn adyen(items: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let items = items.iter().map(|(reference, secret)| {
        let fields = format!(r#""pspReference":"{reference}","eventCode":"REFUND","success":"true""#);
        let policy = Scheme::AdyenStandard.policy();
        let signed = secret.map(|secret| policy.sign_item(secret, &format!("{{{fields}}}")).unwrap());
        // JSON may escape a slash.
        let signed =
            signed.map(|it| format!(r#","additionalData":{{"hmacSignature":"{}"}}"#, it.replace('/', "\\/")));
        format!(r#"{{"NotificationRequestItem":{{{fields}{}}}}}"#, signed.unwrap_or_default())
    });
    format!(r#"{{"live":"true","notificationItems":[{}]}}"#, items.collect::<Vec<_>>().join(",")).into_bytes()
}

#[test]
fn every_item_is_signed_for_itself() {
    let (new, old) = secrets(Scheme::AdyenStandard);
    let verify = |body: &[u8]| {
        let headers = HeaderMap::new();
        let verified =
            Scheme::AdyenStandard.policy().verify(&[new, old], &Incoming::new(&headers, body), 0, None)?;
        let items = verified.claims().iter().map(|(claim, secret)| (claim.item.unwrap().len() > 40, *secret));
        Ok(items.collect::<Vec<_>>())
    };
    assert_eq!(verify(&adyen(&[("1", Some(new)), ("2", Some(old))])), Ok(vec![(true, 0), (true, 1)]));
    let mixed = adyen(&[("1", Some(new)), ("2", Some(b"00"))]);
    assert_eq!(verify(&mixed), Err(Reason::SignatureMismatch));
    assert_eq!(verify(&adyen(&[("1", Some(new)), ("2", None)])), Err(Reason::MissingHeader));
    let mut swapped = String::from_utf8(adyen(&[("1", Some(new)), ("2", Some(new))])).unwrap();
    swapped = swapped.replace(r#"ence":"1""#, r#"ence":"0""#);
    assert_eq!(verify(swapped.as_bytes()), Err(Reason::SignatureMismatch));
    let many = adyen(&vec![("1", Some(new)); 1001]);
    for body in [
        b"".as_slice(),
        b"[]",
        b"{}",
        br#"{"notificationItems":[]}"#,
        br#"{"notificationItems":{"0":1}}"#,
        br#"{"notificationItems":[{"NotificationRequestItem":"x"}]}"#,
        br#"{"notificationItems":[7]}"#,
        b"\xff",
        &many,
    ] {
        assert_eq!(verify(body), Err(Reason::MalformedHeader), "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn what_an_unsigned_header_says_is_not_the_id() {
    let mut sent = Sent::new(Scheme::StandardWebhooks, &[SECRET], 1000, b"{}");
    sent.headers.insert("svix-id", HeaderValue::from_static("msg_forged"));
    let incoming = Incoming::new(&sent.headers, &sent.body);
    let verified = Scheme::Svix.policy().verify(&[SECRET], &incoming, 1000, Some(0)).unwrap();
    assert_eq!(verified.claims()[0].0.id, Some(b"msg_1".as_slice()));
}

#[test]
fn mercado_pago_signs_seconds_or_milliseconds_and_the_id_in_either_case() {
    for (stamp, query) in [
        (1_700_000_000, "data.id=PAY-1"),
        (1_700_000_000_000, "data.id=PAY-1"),
        (1_700_000_000_999, "data.id=pay-1"),
        (1_700_000_000, ""),
        (1_700_000_000, "id=1&data.id=&data.id=PAY-1"),
    ] {
        let headers = HeaderMap::new();
        let incoming = Incoming { query: Some(query), ..Incoming::new(&headers, b"{}") };
        let policy = Scheme::MercadoPago.policy();
        let signed = policy.sign(&[b"mp"], &Draft { id: "", stamp, incoming });
        let headers =
            HeaderMap::from_iter(signed.into_iter().map(|(name, value)| (name, value.parse().unwrap())));
        for asked in [query.to_owned(), query.replace("pay", "PAY")] {
            let incoming = Incoming { query: Some(&asked), ..Incoming::new(&headers, b"{}") };
            let verified = policy.verify(&[b"mp"], &incoming, 1_700_000_000, Some(0)).unwrap();
            assert_eq!(verified.claims()[0].0.signed_at, Some(1_700_000_000), "{query}");
        }
    }
}

#[test]
fn a_flaw_says_where_it_is() {
    let read = |scheme: Scheme, header: &'static str, value: &str| {
        let headers = HeaderMap::from_iter([(HeaderName::from_static(header), value.parse().unwrap())]);
        let flaw = scheme.policy().read(&Incoming::new(&headers, b"")).unwrap_err();
        (flaw.kind, flaw.at, flaw.header.map(|name| name.to_string()))
    };
    let header = "x-webhook-signature";
    let of = |kind, at| (kind, at, Some(header.to_owned()));
    assert_eq!(read(Scheme::Paymos, header, "v1=00"), of(FlawKind::NoTime, None));
    assert_eq!(read(Scheme::Paymos, header, "v0=1, t=17x,v1=00"), of(FlawKind::NotATime, Some(10)));
    assert_eq!(read(Scheme::Paymos, header, "t=1, t=2,v1=00"), of(FlawKind::TwoTimes, Some(5)));
    assert_eq!(read(Scheme::Paymos, header, "t=1"), of(FlawKind::NoSignature, None));
    assert_eq!(read(Scheme::Github, "x-hub-signature-256", "sha1=00").0, FlawKind::NoPrefix);
    assert_eq!(read(Scheme::Stripe, header, "t=1").0, FlawKind::Absent);
    assert_eq!(read(Scheme::AdyenStandard, header, "").0, FlawKind::NotTheBody);
}

#[test]
fn another_reading_of_key_or_body_can_be_tried() {
    let sent = Sent::new(Scheme::StandardWebhooksRawKey, &[SECRET], 1000, b"{}\n");
    let (policy, incoming) = (Scheme::Svix.policy(), Incoming::new(&sent.headers, b"{}\r\n"));
    let claims = policy.read(&incoming).unwrap();
    let tried = |form, body| policy.matches(form, SECRET, &claims[0], &Incoming { body, ..incoming });
    assert_eq!(
        [
            tried(KeyForm::Base64, b"{}\n"),
            tried(KeyForm::Raw, b"{}\r\n"),
            tried(KeyForm::Raw, b"{}\n"),
            tried(KeyForm::Hex, b"{}\n")
        ],
        [false, false, true, false]
    );
}

/// Every bit of what is signed, of the signature and of the key, one after the other. What stays the same all the same,
/// by the rules of the scheme, is the case of hexadecimal digits.
#[test]
fn any_flipped_bit_fails() {
    let body = b"{\"id\":\"evt_1\",\"amount\":1130,\"note\":\"caf\xc3\xa9\"}";
    let is_case = |bytes: &[u8], at: usize, bit: u8| bit == 5 && bytes[at].is_ascii_alphabetic();
    let flipped = |bytes: &[u8], at: usize, bit: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << bit;
        bytes
    };
    for scheme in Scheme::ALL {
        let (secret, _) = secrets(*scheme);
        let policy = scheme.policy();
        let sent = Sent::new(*scheme, &[secret], 1000, body);
        let passes = |headers: &HeaderMap, body: &[u8], secret: &[u8]| {
            let incoming = Incoming { url: Some(URL), query: Some(QUERY), ..Incoming::new(headers, body) };
            policy.verify(&[secret], &incoming, 1000, Some(300)).is_ok()
        };
        assert!(passes(&sent.headers, &sent.body, secret), "{scheme}");
        let mut tried = 0;
        for (name, value) in &sent.headers {
            let value = value.as_bytes();
            for (at, bit) in (0..value.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let Ok(other) = HeaderValue::from_bytes(&flipped(value, at, bit)) else { continue };
                let mut headers = sent.headers.clone();
                headers.insert(name, other);
                let passed = passes(&headers, &sent.body, secret);
                let same = *scheme == Scheme::Paymos && at >= 10 && is_case(value, at, bit);
                assert!(!passed || same, "{scheme} {name} byte {at} bit {bit}");
                tried += 1;
            }
        }
        if policy.signs_body() && *scheme != Scheme::AdyenStandard {
            for (at, bit) in (0..body.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                assert!(!passes(&sent.headers, &flipped(body, at, bit), secret), "{scheme} body {at} {bit}");
            }
        }
        for (at, bit) in (0..secret.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let passed = passes(&sent.headers, &sent.body, &flipped(secret, at, bit));
            let same = policy.key_form() == KeyForm::Hex && is_case(secret, at, bit);
            assert!(!passed || same, "{scheme} secret {at} {bit}");
        }
        assert!(tried > 100 || *scheme == Scheme::AdyenStandard, "{scheme}: {tried}");
    }
}

#[test]
fn any_flipped_bit_of_a_signed_item_fails() {
    let (secret, _) = secrets(Scheme::AdyenStandard);
    let sent = Sent::new(Scheme::AdyenStandard, &[secret], 1000, b"reference");
    // What is signed of the item that was verified; what stands around it is not.
    let signed = |body: &[u8]| {
        let incoming = Incoming::new(&sent.headers, body);
        let verified = Scheme::AdyenStandard.policy().verify(&[secret], &incoming, 1000, Some(300)).ok()?;
        let item: serde_json::Value = serde_json::from_str(verified.claims()[0].0.item?).ok()?;
        let fields = ["/pspReference", "/amount/value", "/success", "/additionalData/hmacSignature"];
        Some(fields.map(|field| item.pointer(field).cloned()))
    };
    let before = signed(&sent.body);
    assert!(before.iter().flatten().all(Option::is_some) && before.is_some());
    for (at, bit) in (0..sent.body.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut body = sent.body.clone();
        body[at] ^= 1 << bit;
        let after = signed(&body);
        assert!(after.is_none() || after == before, "byte {at} bit {bit}");
    }
}

fn schemes() -> impl Strategy<Value = Scheme> {
    prop::sample::select(Scheme::ALL)
}

/// Every name that any scheme reads.
fn names() -> Vec<HeaderName> {
    let names = Scheme::ALL.iter().flat_map(|scheme| scheme.policy().header_names().into_iter().cloned());
    names.collect::<std::collections::HashSet<_>>().into_iter().collect()
}

proptest! {
    #[test]
    fn any_headers_and_any_body_get_a_verdict(
        scheme in schemes(),
        values in prop::collection::vec(prop::collection::vec(prop::sample::select((9_u8..=255).collect::<Vec<_>>()), 0..200), 3),
        structured in "(t|ts|v1|h1|sha256)=[0-9a-fA-F]{0,70}([,; ]{1,2}(t|v1|h1|v1a|)[=,]?[0-9a-zA-Z+/=]{0,130}){0,40}",
        body in prop::collection::vec(any::<u8>(), 0..100),
        items in r#"\{"notificationItems":\[(\{"NotificationRequestItem":(\{("additionalData":\{"hmacSignature":"?[a-zA-Z0-9+/=\\]{0,60}"?\}|"success":[0-9a-z"]{0,9}|),?\}|x)?\},?){0,4}\]?\}?"#,
        query in ".{0,60}",
        now in any::<i64>(),
        tolerance in any::<Option<i64>>(),
        several in 1_usize..3,
    ) {
        let (secret, _) = secrets(scheme);
        for values in [values.as_slice(), &[structured.clone().into_bytes(), b"1000".to_vec(), structured.into_bytes()]] {
            let mut headers = HeaderMap::new();
            for _ in 0..several {
                for (at, name) in names().iter().enumerate() {
                    if let Ok(value) = HeaderValue::from_bytes(&values[at % 3]) {
                        headers.append(name, value);
                    }
                }
            }
            for body in [body.as_slice(), items.as_bytes()] {
                let incoming = Incoming { query: Some(&query), ..Incoming::new(&headers, body) };
                prop_assert!(scheme.policy().verify(&[secret], &incoming, now, tolerance).is_err());
            }
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
        let (secret, other) = secrets(scheme);
        let signing: &[&[u8]] = if both_sign { &[other, secret] } else { &[secret] };
        let sent = Sent::new(scheme, signing, at, &body);
        // Where the header has place for one signature, only the first secret signs.
        let place_for_both = both_sign && (scheme.policy().has_time() || scheme == Scheme::Mollie);
        let first_only = both_sign && !place_for_both;
        let signed_at = scheme.policy().has_time().then_some(at);
        let got = sent.verify(scheme, &[secret], at + skew, Some(300));
        let expected = if first_only { Err(Reason::SignatureMismatch) } else { Ok(Matched { secret: 0, signed_at }) };
        prop_assert_eq!(got, expected);
        let got = sent.verify(scheme, &[other, secret], at + skew, Some(300));
        prop_assert_eq!(got, Ok(Matched { secret: usize::from(!both_sign), signed_at }));
    }

    #[test]
    fn one_flipped_bit_and_it_does_not(
        scheme in schemes(),
        body in prop::collection::vec(any::<u8>(), 1..300),
        place in any::<prop::sample::Index>(),
        bit in 0_u8..8,
        what in 0..4,
    ) {
        let (secret, _) = secrets(scheme);
        let policy = scheme.policy();
        let mut sent = Sent::new(scheme, &[secret], 1000, &body);
        let (mut url, mut query, mut secret) = (URL.to_owned(), QUERY.to_owned(), secret.to_vec());
        match what {
            0 if policy.signs_body() => {
                let at = place.index(sent.body.len());
                sent.body[at] ^= 1 << bit;
            }
            0 | 1 if scheme == Scheme::MercadoPago => query = query.replace('P', "Q"),
            0 | 1 if scheme == Scheme::Square => url.push('/'),
            0 | 1 if scheme == Scheme::AdyenStandard => {
                // A digit of the amount.
                let at = sent.body.windows(4).position(|it| it == b"1130").unwrap();
                sent.body[at + place.index(4)] ^= 4;
            }
            // The prefix may be left away, and so may the case of hexadecimal digits.
            3 if !sent.headers.is_empty() => {
                let name = sent.headers.keys().find(|name| {
                    name.as_str().ends_with("signature") || name.as_str().contains("hmac") || *name == "verif-hash" || *name == "x-hub-signature-256"
                }).unwrap().clone();
                let mut value = sent.headers[&name].as_bytes().to_vec();
                let at = value.len() - 1 - place.index(38);
                value[at] = if value[at] == b'0' { b'1' } else { b'0' };
                sent.headers.insert(name, HeaderValue::from_bytes(&value).unwrap());
            }
            _ => {
                let at = 6 + place.index(secret.len() - 7);
                secret[at] = if secret[at] == b'0' { b'1' } else { b'0' };
            }
        }
        let incoming = Incoming { url: Some(&url), query: Some(&query), ..Incoming::new(&sent.headers, &sent.body) };
        prop_assert!(policy.verify(&[&secret], &incoming, 1000, Some(300)).is_err());
    }
}
