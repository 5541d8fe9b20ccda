//! Any header values get a verdict, and without the secret it is never good.

#![no_main]

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use libfuzzer_sys::fuzz_target;
use server::domain::signature::{Scheme, verify};

const NAMES: [&str; 9] = [
    "x-webhook-signature",
    "stripe-signature",
    "paddle-signature",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
    "svix-id",
    "svix-timestamp",
    "svix-signature",
];

// A key that no input holds by chance.
const SECRET: &[u8] = b"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

// Lines are values, dealt out to the headers in turn.
fuzz_target!(|data: &[u8]| {
    let mut headers = HeaderMap::new();
    for (at, line) in data.split(|byte| *byte == b'\n').enumerate() {
        if let Ok(value) = HeaderValue::from_bytes(line) {
            headers.append(HeaderName::from_static(NAMES[at % NAMES.len()]), value);
        }
    }
    for scheme in Scheme::ALL {
        for tolerance in [None, Some(300), Some(i64::MAX)] {
            assert!(verify(*scheme, &[SECRET], &headers, data, 1_700_000_000, tolerance).is_err());
        }
        assert!(verify(*scheme, &[data], &HeaderMap::new(), data, i64::MIN, Some(0)).is_err());
    }
});
