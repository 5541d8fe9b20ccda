//! The status of a server function that failed: by itself it is 500 for everything. A plain form is left alone: it
//! is on its way back to its page, with the code in the URL.

use app::error::AppError;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;

/// Bytes of an error at most.
const LARGEST: usize = 64 * 1024;

pub(super) async fn statuses(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let failed = response.status() == StatusCode::INTERNAL_SERVER_ERROR
        && response.headers().contains_key("serverfnerror");
    if !failed {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, LARGEST).await else {
        return Response::from_parts(parts, Body::empty());
    };
    if let Ok(error) = serde_json::from_slice::<AppError>(&bytes) {
        parts.status = StatusCode::from_u16(error.status()).unwrap_or(parts.status);
    }
    Response::from_parts(parts, Body::from(bytes))
}
