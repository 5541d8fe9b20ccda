//! Lets a request run to its end although its client goes away: a render that is dropped half-way reads what is
//! gone. What panics answers 500, what takes too long 503.

use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;

use crate::http::pages::plain;

/// How long an answer may take.
const LONGEST: Duration = Duration::from_secs(30);

pub(super) async fn detach(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    match tokio::spawn(tokio::time::timeout(LONGEST, next.run(request))).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            tracing::error!(path, "an answer took too long");
            plain(StatusCode::SERVICE_UNAVAILABLE)
        }
        Err(error) => {
            tracing::error!(path, %error, "a request panicked");
            plain(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}
