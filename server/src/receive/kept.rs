//! Which headers of an arrival are kept: those that say how it was signed and sent, no cookies or credentials.

use axum::http::{HeaderMap, HeaderValue};

/// Beginnings of the names.
const KEPT: &[&str] =
    &["x-webhook-", "webhook-", "svix-", "stripe-", "paddle-", "user-agent", "x-request-id"];
/// Bytes of all of them together; senders need a few hundred.
const MOST: usize = 4096;

/// A value as text; bytes that are no UTF-8 are replaced.
pub(super) fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// A JSON list of pairs.
pub(super) fn headers(headers: &HeaderMap) -> String {
    let mut json = String::with_capacity(256);
    json.push('[');
    for (name, value) in headers {
        let name = name.as_str();
        if !KEPT.iter().any(|kept| name.starts_with(kept)) || json.len() + value.len() > MOST {
            continue;
        }
        json.push_str(if json.len() == 1 { "[\"" } else { ",[\"" });
        // A name is a token: nothing in it needs escaping.
        json.push_str(name);
        json.push_str("\",");
        let value = String::from_utf8_lossy(value.as_bytes());
        json.push_str(&serde_json::Value::from(value).to_string());
        json.push(']');
    }
    json.push(']');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_signs_is_kept_and_what_opens_is_not() {
        let mut map = HeaderMap::new();
        map.insert("x-webhook-id", HeaderValue::from_static("evt_1\"\\"));
        map.insert("authorization", HeaderValue::from_static("Bearer secret"));
        map.insert("cookie", HeaderValue::from_static("a=b"));
        map.append("user-agent", HeaderValue::from_bytes(b"\xff").unwrap());
        map.insert("x-webhook-long", HeaderValue::from_bytes(&[b'x'; 5000]).unwrap());
        let kept: Vec<(String, String)> = serde_json::from_str(&headers(&map)).unwrap();
        assert_eq!(
            kept,
            [("x-webhook-id".into(), "evt_1\"\\".into()), ("user-agent".into(), "\u{fffd}".into())]
        );
        assert_eq!(headers(&HeaderMap::new()), "[]");
    }
}
