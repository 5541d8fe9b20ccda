//! How a request to the Paymos API is signed. Not the signature of its webhooks: nothing is shared with it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::domain::secret::SecretValue;

/// The header that carries the time of signing.
pub const TIMESTAMP_HEADER: &str = "X-Request-Timestamp";
/// What the `Authorization` header begins with.
pub const SCHEME: &str = "HMAC-SHA256 ";

/// What is signed of a request, exactly as it is sent.
#[derive(Debug, Clone, Copy)]
pub struct SignedRequest<'a> {
    /// Unix seconds, as in the header.
    pub timestamp: &'a str,
    /// In any case.
    pub method: &'a str,
    /// Percent-encoded, below the base URL.
    pub path: &'a str,
    /// With its leading `?`, or empty.
    pub query: &'a str,
    /// Empty: the request has none.
    pub body: &'a [u8],
}

impl SignedRequest<'_> {
    /// The five lines that are signed. The last one is empty without a body: never the hash of no bytes.
    pub fn canonical(&self) -> String {
        let hash = if self.body.is_empty() { String::new() } else { hex::encode(Sha256::digest(self.body)) };
        let method = self.method.to_ascii_uppercase();
        format!("{}\n{method}\n{}\n{}\n{hash}", self.timestamp, self.path, self.query)
    }

    /// The signature in base64.
    pub fn signature(&self, secret: &SecretValue) -> String {
        let bytes = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes())
            .map(|mac| mac.chain_update(self.canonical()).finalize().into_bytes());
        // A key of HMAC may have any length: there is no error.
        bytes.map(|bytes| STANDARD.encode(bytes)).unwrap_or_default()
    }

    /// The value of the `Authorization` header.
    pub fn authorization(&self, key: &str, secret: &SecretValue) -> String {
        format!("{SCHEME}{key}:{}", self.signature(secret))
    }

    /// Whether an `Authorization` header is the one of this key and secret.
    pub fn is_signed_by(&self, authorization: &str, key: &str, secret: &SecretValue) -> bool {
        let given = authorization.strip_prefix(SCHEME).and_then(|rest| rest.split_once(':'));
        given.is_some_and(|(named, signature)| {
            let right = self.signature(secret);
            named == key && bool::from(signature.as_bytes().ct_eq(right.as_bytes()))
        })
    }
}

/// Percent-encodes all but the unreserved letters of RFC 3986.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The query with its leading `?`: keys in order, and the values of a repeated key too. Empty without parameters.
pub fn query(parameters: &[(&str, String)]) -> String {
    let mut sorted: Vec<_> = parameters.iter().collect();
    sorted.sort();
    let pairs: Vec<_> =
        sorted.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct File {
        vectors: Vec<Vector>,
    }

    #[derive(serde::Deserialize)]
    struct Vector {
        id: String,
        api_key: String,
        api_secret: String,
        timestamp: String,
        method: String,
        path: String,
        query: String,
        body_base64: String,
        canonical: String,
        signature: String,
        authorization: String,
    }

    #[test]
    fn every_vector_of_the_vendor_holds() {
        let text = include_str!("../../../tests/data/vectors/paymos-requests.json");
        let file: File = serde_json::from_str(text).unwrap();
        assert!(file.vectors.len() >= 6);
        for row in file.vectors {
            let body = STANDARD.decode(&row.body_base64).unwrap();
            let signed = SignedRequest {
                timestamp: &row.timestamp,
                method: &row.method,
                path: &row.path,
                query: &row.query,
                body: &body,
            };
            let secret = SecretValue::new(row.api_secret);
            assert_eq!(signed.canonical(), row.canonical, "{}", row.id);
            assert_eq!(signed.signature(&secret), row.signature, "{}", row.id);
            assert_eq!(signed.authorization(&row.api_key, &secret), row.authorization, "{}", row.id);
            assert!(signed.is_signed_by(&row.authorization, &row.api_key, &secret), "{}", row.id);
            assert!(!signed.is_signed_by(&row.authorization, "pk_other", &secret), "{}", row.id);
            let later = SignedRequest { timestamp: "1700000001", ..signed };
            assert!(!later.is_signed_by(&row.authorization, &row.api_key, &secret), "{}", row.id);
        }
    }

    #[test]
    fn a_query_is_sorted_and_encoded() {
        assert_eq!(query(&[]), "");
        let parameters =
            [("status", "paid_over"), ("project_id", "prj/a"), ("limit", "50"), ("status", "paid")];
        let parameters = parameters.map(|(key, value)| (key, value.to_owned()));
        assert_eq!(query(&parameters), "?limit=50&project_id=prj%2Fa&status=paid&status=paid_over");
        assert_eq!(encode("a b/*~"), "a%20b%2F%2A~");
        assert_eq!(encode("a b/тест"), "a%20b%2F%D1%82%D0%B5%D1%81%D1%82");
    }

    #[test]
    fn what_is_no_header_of_this_scheme_is_refused() {
        let signed = SignedRequest { timestamp: "1", method: "GET", path: "/v1/time", query: "", body: b"" };
        let secret = SecretValue::new("sk_test_secret");
        for bad in ["", "HMAC-SHA256", "HMAC-SHA256 pk", "HMAC-SHA256 pk:", "Bearer pk:x", "HMAC-SHA256 pk:é"]
        {
            assert!(!signed.is_signed_by(bad, "pk", &secret), "{bad:?}");
        }
    }
}
