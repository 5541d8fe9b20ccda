//! Any body has an envelope that a database can keep.

#![no_main]

use std::sync::LazyLock;

use app::types::Provider;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use libfuzzer_sys::fuzz_target;
use server_fuzz as app;
use server_fuzz::domain::signature::{Claim, Incoming, Scheme};
use server_fuzz::provider::envelope::Reader;

static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| {
    let providers = Provider::ALL.iter().map(|provider| Reader::of(*provider));
    providers.chain(Scheme::ALL.iter().map(|preset| Reader::of_preset(*preset))).collect()
});

const NAMES: [&str; 4] = ["x-github-delivery", "x-shopify-topic", "x-shopify-triggered-at", "x-razorpay-event-id"];

// The first line is the value of some headers, and a query.
fuzz_target!(|data: &[u8]| {
    let (line, body) = match data.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (&b""[..], data),
    };
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(line) {
        headers.extend(NAMES.map(|name| (HeaderName::from_static(name), value.clone())));
    }
    let query = String::from_utf8_lossy(line);
    for body in [data, body] {
        let incoming = Incoming { query: Some(&query), ..Incoming::new(&headers, body) };
        let item = std::str::from_utf8(body).ok();
        for claim in [Claim::unsigned(None, None), Claim::unsigned(Some(line), None), Claim::unsigned(None, item)] {
            for reader in READERS.iter() {
                let envelope = reader.read(&incoming, &claim);
                let resource = envelope.resource.as_ref();
                let names = [
                    Some(envelope.event_id.as_str()),
                    Some(&envelope.event_type),
                    envelope.status.as_deref(),
                    envelope.version.as_deref(),
                    resource.map(|resource| resource.id.as_str()),
                    resource.and_then(|resource| resource.kind.as_deref()),
                ];
                for name in names.into_iter().flatten() {
                    assert!(!name.is_empty() && name.len() <= 512 && !name.contains('\0'), "{name:?}");
                }
            }
        }
    }
});
