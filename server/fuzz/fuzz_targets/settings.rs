//! Any settings are accepted or named, and what is accepted gives a verdict on anything.

#![no_main]

use app::types::Provider;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use libfuzzer_sys::fuzz_target;
use server_fuzz as app;
use server_fuzz::domain::signature::{Draft, Incoming};
use server_fuzz::provider::settings::Settings;

// The first line is the settings, the second a header, the rest a body.
fuzz_target!(|data: &[u8]| {
    let mut lines = data.splitn(3, |byte| *byte == b'\n');
    let [settings, header, body] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let Ok(given) = serde_json::from_slice(settings) else { return };
    for provider in [Provider::Hmac, Provider::StandardWebhooks] {
        let settings = match Settings::read(provider, Some(&given)) {
            Ok(settings) => settings,
            Err(problems) => {
                assert!(!problems.is_empty());
                continue;
            }
        };
        let mut headers = HeaderMap::new();
        for name in settings.policy.header_names() {
            headers.append(name.clone(), HeaderValue::from_bytes(header).unwrap_or(HeaderValue::from_static("t=1,v1=00")));
        }
        let incoming = Incoming { url: settings.url.as_deref(), query: Some("a=b"), ..Incoming::new(&headers, body) };
        let _ = settings.policy.verify(&[b"whsec_c2VjcmV0"], &incoming, 0, Some(i64::MAX));
        for claim in settings.policy.read(&incoming).unwrap_or_default() {
            let _ = settings.reader.read(&incoming, &claim);
        }
        // What it signs itself it accepts.
        let empty = HeaderMap::new();
        let plain = Incoming { headers: &empty, ..incoming };
        let secret: &[u8] = b"6b6579206f662074686973207465737421";
        let signed = settings.policy.sign(&[secret], &Draft { id: "msg_1", stamp: 1_700_000_000, incoming: plain });
        let signed: Option<HeaderMap> = signed
            .into_iter()
            .map(|(name, value): (HeaderName, String)| Some((name, HeaderValue::from_str(&value).ok()?)))
            .collect();
        let names = settings.policy.header_names().len();
        if let Some(signed) = signed.filter(|signed| signed.len() == names) {
            let incoming = Incoming { headers: &signed, ..incoming };
            let verdict = settings.policy.verify(&[secret], &incoming, 1_700_000_000, None);
            assert!(verdict.is_ok(), "{given}: {verdict:?}");
        }
    }
});
