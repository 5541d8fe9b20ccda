//! Errors as the API and the receiver tell them: RFC 9457, with a `code` that stays the same for good.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// One error as `application/problem+json`. Add headers such as `Retry-After` in the way of axum:
/// `([(header::RETRY_AFTER, "1")], problem)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The status of the answer, also in the body.
    pub status: StatusCode,
    /// What kind of error, for machines; never changes.
    pub code: &'static str,
    /// What kind of error, in words; the same for every error of that code.
    pub title: Cow<'static, str>,
    /// What happened this time. Nothing secret.
    pub detail: Option<Cow<'static, str>>,
    /// More members, such as `reason` or `errors`.
    pub extra: Map<String, Value>,
}

impl Problem {
    /// Without a detail.
    pub fn new(status: StatusCode, code: &'static str, title: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, title: title.into(), detail: None, extra: Map::new() }
    }

    /// With what happened this time.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// With one more member.
    #[must_use]
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(member.to_owned(), value.into());
        self
    }

    /// The body of the answer.
    pub fn to_json(&self) -> Value {
        let mut body = self.extra.clone();
        body.insert("status".to_owned(), json!(self.status.as_u16()));
        body.insert("code".to_owned(), json!(self.code));
        body.insert("title".to_owned(), json!(self.title));
        if let Some(detail) = &self.detail {
            body.insert("detail".to_owned(), json!(detail));
        }
        Value::Object(body)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.to_json().to_string()));
        *response.status_mut() = self.status;
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extra_members_do_not_hide_those_of_the_standard() {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "signature_refused", "Not good")
            .detail("It was too old.")
            .with("reason", "timestamp_too_old")
            .with("status", 200);
        assert_eq!(
            problem.to_json(),
            json!({"status": 401, "code": "signature_refused", "title": "Not good", "detail": "It was too old.",
                   "reason": "timestamp_too_old"})
        );
        let response = problem.into_response();
        assert_eq!(response.status(), 401);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    }
}
