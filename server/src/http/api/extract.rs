//! The parts of a request, with problems for those that cannot be read.

use std::str::FromStr;

use app::error::AppError;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;

use super::fields::Fields;
use super::problems::ApiError;

/// Bytes of a body.
const LARGEST: usize = 64 * 1024;

/// The body, a JSON object; no body is one without members.
pub struct Input(pub Fields);

impl<S: Send + Sync> FromRequest<S> for Input {
    type Rejection = ApiError;
    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let bytes = read(body).await?;
        if bytes.is_empty() {
            return Ok(Self(Fields::of_body(serde_json::Map::new())));
        }
        let given = parts.headers.get(CONTENT_TYPE).map_or("", |value| value.to_str().unwrap_or("?"));
        if !is_json(given) {
            return Err(ApiError::media_type(given));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(members)) => Ok(Self(Fields::of_body(members))),
            Ok(_) => {
                Err(ApiError::malformed("malformed_json", "The body is JSON, but not an object.".to_owned()))
            }
            Err(error) => {
                Err(ApiError::malformed("malformed_json", format!("The body is not JSON: {error}.")))
            }
        }
    }
}

async fn read(body: Body) -> Result<bytes::Bytes, ApiError> {
    match Limited::new(body, LARGEST).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::too_large(LARGEST)),
        Err(_) => Err(ApiError::malformed("malformed_body", "The body broke off.".to_owned())),
    }
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// The query.
pub struct Query(pub Fields);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(Fields::of_query(parts.uri.query().unwrap_or_default())))
    }
}

/// The part of the path that names a thing. One that cannot be a name names nothing: 404.
pub struct NamePath<T>(pub T);

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for NamePath<T> {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let not_found = || ApiError::from(AppError::NotFound);
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| not_found())?;
        text.parse().map(Self).map_err(|_| not_found())
    }
}

/// The same for a path with two names.
pub struct NamePathPair<A, B>(pub A, pub B);

impl<S: Send + Sync, A: FromStr, B: FromStr> FromRequestParts<S> for NamePathPair<A, B> {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let not_found = || ApiError::from(AppError::NotFound);
        let Path((a, b)) =
            Path::<(String, String)>::from_request_parts(parts, state).await.map_err(|_| not_found())?;
        match (a.parse(), b.parse()) {
            (Ok(a), Ok(b)) => Ok(Self(a, b)),
            _ => Err(not_found()),
        }
    }
}
