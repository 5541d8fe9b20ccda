//! Which headers of an arrival are kept: those that say how it was signed and sent, no cookies or credentials.

use axum::http::{HeaderMap, HeaderValue};

use crate::domain::signature::Policy;

/// Beginnings of the names, beside those that the scheme of the source reads.
const KEPT: &[&str] = &[
    "x-webhook-",
    "webhook-",
    "svix-",
    "stripe-",
    "paddle-",
    "x-github-",
    "x-shopify-",
    "shopify-",
    "x-razorpay-",
    "user-agent",
    "x-request-id",
    "content-encoding",
];
/// Bytes of all of them together; senders need a few hundred.
const MOST: usize = 4096;

/// A value as text; bytes that are no UTF-8 are replaced.
pub(super) fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// A JSON list of pairs.
pub(super) fn headers(headers: &HeaderMap, policy: Option<&Policy>) -> String {
    let mut json = String::with_capacity(256);
    json.push('[');
    for (name, value) in headers {
        let reads = policy.is_some_and(|policy| policy.signs_in(name));
        let name = name.as_str();
        let kept = reads || KEPT.iter().any(|kept| name.starts_with(kept));
        if !kept || json.len() + value.len() > MOST {
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
    use crate::domain::signature::Scheme;

    #[test]
    fn what_signs_is_kept_and_what_opens_is_not() {
        let mut map = HeaderMap::new();
        map.insert("x-webhook-id", HeaderValue::from_static("evt_1\"\\"));
        map.insert("authorization", HeaderValue::from_static("Bearer secret"));
        map.insert("cookie", HeaderValue::from_static("a=b"));
        map.append("user-agent", HeaderValue::from_bytes(b"\xff").unwrap());
        map.insert("x-webhook-long", HeaderValue::from_bytes(&[b'x'; 5000]).unwrap());
        let kept: Vec<(String, String)> = serde_json::from_str(&headers(&map, None)).unwrap();
        assert_eq!(
            kept,
            [("x-webhook-id".into(), "evt_1\"\\".into()), ("user-agent".into(), "\u{fffd}".into())]
        );
        assert_eq!(headers(&HeaderMap::new(), None), "[]");
    }

    #[test]
    fn what_the_scheme_reads_is_kept_unless_it_is_the_secret_itself() {
        let map =
            HeaderMap::from_iter([("cko-signature", "00"), ("verif-hash", "token")].map(|(name, value)| {
                (axum::http::HeaderName::from_static(name), HeaderValue::from_static(value))
            }));
        assert_eq!(headers(&map, Some(Scheme::CheckoutCom.policy())), r#"[["cko-signature","00"]]"#);
        assert_eq!(headers(&map, Some(Scheme::FlutterwaveStatic.policy())), "[]");
    }
}
