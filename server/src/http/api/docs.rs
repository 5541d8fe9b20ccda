//! `/api/docs`: a page that reads the document. Three small files of our own, so that it works without the network and
//! under a policy that allows nothing else.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::IntoResponse;
use axum::routing::get;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves the page, its script and its style.
pub(super) fn router() -> Router {
    Router::new()
        .route("/api/docs", get(async || file("text/html; charset=utf-8", include_str!("docs/index.html"))))
        .route(
            "/api/docs.js",
            get(async || file("text/javascript; charset=utf-8", include_str!("docs/docs.js"))),
        )
        .route("/api/docs.css", get(async || file("text/css; charset=utf-8", include_str!("docs/docs.css"))))
}

fn file(content_type: &'static str, text: &'static str) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text)
}
