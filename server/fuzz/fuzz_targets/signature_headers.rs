//! Any headers, query and body get a verdict, and without the secret it is never good.

#![no_main]

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use libfuzzer_sys::fuzz_target;
use server_fuzz::domain::signature::{Incoming, KeyForm, Scheme};

/// Every name that any scheme reads.
static NAMES: LazyLock<Vec<HeaderName>> = LazyLock::new(|| {
    let mut names: Vec<_> =
        Scheme::ALL.iter().flat_map(|scheme| scheme.policy().header_names().into_iter().cloned()).collect();
    names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
});

// Keys that no input holds by chance, nor by the corpus, in any of the forms.
const SECRETS: [&[u8]; 2] = [
    b"whsec_ml3InSiWQ8JQbYk4YXDVsqXqV5gbvEf8",
    b"557EEADE5A16B48DD1CD0EC63B2C8BC10A1F15701D40905D79B7195BAE2256DA",
];

// The first line is the query, the others are values: of one header where they begin with its place among the names
// and a colon, else of each in turn. The last one is the body too.
fuzz_target!(|data: &[u8]| {
    let mut headers = HeaderMap::new();
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').collect();
    for (at, line) in lines.iter().skip(1).enumerate() {
        let (place, value) = match line {
            [place, b':', value @ ..] => (usize::from(*place), value),
            line => (at, *line),
        };
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(NAMES[place % NAMES.len()].clone(), value);
        }
    }
    let query = lines.first().map(|query| String::from_utf8_lossy(query));
    for body in [data, lines.last().copied().unwrap_or_default()] {
        let incoming = Incoming { query: query.as_deref(), ..Incoming::new(&headers, body) };
        for scheme in Scheme::ALL {
            let policy = scheme.policy();
            for tolerance in [None, Some(300), Some(i64::MAX)] {
                assert!(policy.verify(&SECRETS, &incoming, 1_700_000_000, tolerance).is_err());
            }
            // The fuzzer's own bytes as the secret: any verdict, and no panic.
            let _ = policy.verify(&[body], &incoming, i64::MIN, Some(0));
            for claim in policy.read(&incoming).unwrap_or_default() {
                for form in KeyForm::ALL {
                    let _ = policy.matches(*form, data, &claim, &incoming);
                }
            }
        }
    }
});
