//! The simulated provider's account: who may ask its API, and whether a request is signed by them.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::Provider;
use crate::domain::secret::SecretValue;
use crate::provider::paymos::request::{SignedRequest, TIMESTAMP_HEADER};

/// Seconds that a request's time may be off.
const CLOCK_WINDOW: i64 = 60;
const LARGEST_BODY: usize = 64 << 10;

/// Credentials of the API.
#[derive(Debug, Clone)]
pub struct Account {
    /// The public half.
    pub key: String,
    /// The secret half.
    pub secret: SecretValue,
}

/// An answer that is not 2xx.
#[derive(Debug)]
pub struct Problem {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable word for the reason.
    pub code: &'static str,
    /// The reason.
    pub detail: String,
}

impl Problem {
    /// With its parts.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into() }
    }

    /// 400 `validation`.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "validation", detail)
    }

    /// 409 `invalid_state`.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "invalid_state", detail)
    }

    /// 404 `not_found`.
    pub fn not_found(id: &str) -> Self {
        let id: String = id.chars().take(80).collect();
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("there is no {id:?}"))
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        tracing::warn!(%error, "the sandbox's provider has no database");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the database does not answer")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({
            "type": format!("https://docs.paymos.example/problems/{}", self.code),
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.detail,
        });
        (self.status, [(header::CONTENT_TYPE, "application/problem+json")], body.to_string()).into_response()
    }
}

/// Lets through what the account has signed, with the body put back.
pub async fn signed_only(State(provider): State<Provider>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, LARGEST_BODY).await else {
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is over 64 KB")
            .into_response();
    };
    match check(&provider, &parts, &bytes) {
        Ok(()) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(problem) => problem.into_response(),
    }
}

fn check(provider: &Provider, parts: &axum::http::request::Parts, body: &Bytes) -> Result<(), Problem> {
    let refuse = |code, detail: &str| Problem::new(StatusCode::UNAUTHORIZED, code, detail);
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let authorization =
        text("authorization").ok_or_else(|| refuse("missing_credentials", "no Authorization"))?;
    let timestamp =
        text(TIMESTAMP_HEADER).ok_or_else(|| refuse("missing_timestamp", "no X-Request-Timestamp"))?;
    let time: i64 = timestamp.parse().map_err(|_| refuse("invalid_timestamp", "not Unix seconds"))?;
    let query = parts.uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let signed = SignedRequest {
        timestamp,
        method: parts.method.as_str(),
        path: parts.uri.path(),
        query: &query,
        body,
    };
    let account =
        provider.account().ok_or_else(|| refuse("no_account", "the sandbox has not started yet"))?;
    if !signed.is_signed_by(authorization, &account.key, &account.secret) {
        return Err(refuse("invalid_signature", "the key or the signature is not right"));
    }
    if time.abs_diff(provider.unix_now()) > CLOCK_WINDOW.unsigned_abs() {
        return Err(refuse("timestamp_expired", "X-Request-Timestamp is more than 60 seconds off"));
    }
    Ok(())
}
