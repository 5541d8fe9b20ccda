//! What holds for any bytes, and for all words. Each finding has a test with a real request of its own.

use app::text::Lang;
use app::types::{Mode, Timestamp};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;
use crate::domain::signature::Scheme;

/// One of each.
fn all() -> Vec<Finding> {
    let text = || "x".to_owned();
    let at = Timestamp::from_unix(1_796_040_000);
    let mut all = vec![
        Finding::SourceGone,
        Finding::NoScheme,
        Finding::NoActiveSecret,
        Finding::UnusableSecret(KeyForm::Base64),
        Finding::BodyNotWhole(1, 2),
        Finding::TokenNotKept(text()),
        Finding::TokenUnknown(text(), 2),
        Finding::HeaderMissing(text()),
        Finding::OtherScheme(text(), "stripe"),
        Finding::HeaderRepeated(text(), 2),
        Finding::HeaderMalformed(text(), FlawKind::NoTime, 3),
        Finding::NoSignaturesInBody,
        Finding::SignatureUnreadable(text(), 1, 2),
        Finding::TimeAhead(412, 300),
        Finding::TimeBehind(412, 300),
        Finding::TimeInMilliseconds(1),
        Finding::SignatureGood(text()),
        Finding::GoodNow(text()),
        Finding::ExpiredSecret(text(), at),
        Finding::OtherSourceSecret(text(), "shop".parse().unwrap(), Mode::Test),
        Finding::OtherReading(
            text(),
            Interpretation { edit: SecretEdit::WithoutPrefix, form: KeyForm::Raw },
            KeyForm::Hex,
        ),
        Finding::OtherUrl(text(), text()),
        Finding::EmptyBody,
        Finding::Unpacked(text()),
        Finding::TimeRight(-3, 300),
        Finding::Proxy(text(), text()),
        Finding::NothingMatches(3),
    ];
    let changes = body::before(b"\xef\xbb\xbf {\"a\": \"b/c\",\r\n\"d\":1}\r\n").into_iter();
    all.extend(changes.map(|(change, _)| Finding::BodyChanged(change, text())));
    for body in [&b"YT1i"[..], b"\"a=b\""] {
        all.extend(body::before(body).into_iter().map(|(change, _)| Finding::BodyChanged(change, text())));
    }
    all
}

#[test]
fn every_finding_has_a_code_of_its_own_and_words_in_both_languages() {
    let mut codes = std::collections::BTreeMap::new();
    for finding in all() {
        let words = [Lang::En, Lang::Es].map(|lang| describe(&finding, lang));
        for FindingText { title, message } in &words {
            assert!(!title.is_empty() && !title.ends_with('.'), "{title}");
            assert!(message.ends_with('.') && !message.contains("  ") && !message.contains('{'), "{message}");
        }
        assert_ne!(words[0], words[1]);
        let title = words[0].title.clone();
        if let Some(before) = codes.insert(finding.code(), title.clone()) {
            assert_eq!(before, title, "{}", finding.code());
        }
    }
    assert!(codes.len() >= 37, "{codes:?}");
}

proptest! {
    #[test]
    fn any_request_is_examined_and_none_is_left_without_a_finding(
        scheme in prop::sample::select(Scheme::ALL),
        values in prop::collection::vec(("[a-z-]{1,20}", "[ -~]{0,80}"), 0..4),
        own in "(t|ts|v1|h1)=[0-9a-f]{0,70}([,;](t|v1|h1)=[0-9a-f]{0,64}){0,3}",
        body in prop::collection::vec(any::<u8>(), 0..100),
        secret in "(whsec_)?[0-9a-zA-Z+/]{0,40}",
        arrived_at in 0..4_000_000_000_i64,
        tolerance in prop::option::of(0..600_i64),
    ) {
        let mut headers = HeaderMap::new();
        for (name, value) in &values {
            headers.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        for name in scheme.policy().header_names() {
            headers.append(name, HeaderValue::from_str(&own).unwrap());
        }
        let secrets = [
            CandidateSecret { name: "a".to_owned(), value: &secret, whose: SecretOwner::Own },
            CandidateSecret { name: "b".to_owned(), value: "other", whose: SecretOwner::Ended(Timestamp::from_unix(0)) },
        ];
        let findings = examine(&Case {
            policy: scheme.policy(),
            incoming: Incoming { url: Some("https://shop.example/hook"), ..Incoming::new(&headers, &body) },
            target: "/webhooks/shop",
            cut_from: None,
            left_out: None,
            arrived_at,
            tolerance,
            secrets: &secrets,
        });
        prop_assert!(!findings.is_empty());
    }
}
