//! Compresses what pages and scripts read: HTML, JSON and CSS.
//!
//! The length of a compressed answer tells whether its parts repeat each other. Where an answer holds a secret beside
//! text that a stranger chooses, the stranger reads the secret out of the lengths of many answers (the attack is called
//! BREACH). So an answer stays as it is when
//! - the request does more than look: answers to actions hold new secrets;
//! - it shows a new secret ([`HoldsSecret`]), or is the log-in, which repeats what the URL says;
//! - another site makes the browser send the request, because BREACH needs thousands of those. Browsers say so in
//!   `Sec-Fetch-Site`; a stranger cannot make the calls of a script, which carry a token.
//!
//! No answer holds a token against forged requests: those are refused by `Sec-Fetch-Site` and `Origin`.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, ETAG};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

use super::encoding::Encoding;
use super::layers::guard::is_look;

/// Bytes of an answer that is worth it: a smaller one fits into one packet either way.
const SMALLEST: u64 = 1024;

/// Level of brotli and gzip alike; docs/PERFORMANCE.md compares them.
const LEVEL: CompressionLevel = CompressionLevel::Precise(5);

/// Media types that are compressed. Never an event stream, whose parts have to leave at once.
const TYPES: [&str; 5] =
    ["text/html", "text/css", "text/javascript", "application/json", "application/problem+json"];

/// Marks an answer that shows a new secret.
#[derive(Debug, Clone, Copy)]
pub struct HoldsSecret;

/// Puts the compression around routes.
pub fn compress(router: Router) -> Router {
    let layer =
        CompressionLayer::new().quality(LEVEL).compress_when(SizeAbove::new(SMALLEST).and(is_compressible));
    router.layer(layer).layer(from_fn(negotiate))
}

/// Leaves exactly one coding in the request, so that these answers follow the same rules as the assets.
async fn negotiate(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let encoding =
        if may_compress(&parts) { Encoding::negotiate(&parts.headers) } else { Encoding::Identity };
    parts.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(encoding.name()));
    next.run(Request::from_parts(parts, body)).await
}

/// Whether the request allows it.
fn may_compress(parts: &Parts) -> bool {
    let site = parts.headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    is_look(parts) && parts.uri.path() != "/login" && matches!(site, None | Some(b"same-origin" | b"none"))
}

/// Whether the answer allows it. One with a tag does not: a tag names exact bytes.
fn is_compressible(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    TYPES.contains(&media_type) && !headers.contains_key(ETAG) && extensions.get::<HoldsSecret>().is_none()
}
