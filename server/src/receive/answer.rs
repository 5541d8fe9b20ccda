//! What a sender is told.

use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use metrics::{Counter, counter};

use super::accept::NonEmpty;
use super::body::BodyError;
use crate::domain::signature::Reason;
use crate::problem_details::Problem;

/// What became of a verified arrival that is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is new.
    Stored,
    /// It was known.
    Duplicate,
}

/// Arrivals that were not stored. The handles are taken at the first use: the recorder comes after the receiver.
#[derive(Default)]
pub(super) struct Metrics {
    rejected: OnceLock<Counter>,
    unavailable: OnceLock<Counter>,
}

impl Metrics {
    pub(super) fn rejected(&self) {
        self.rejected.get_or_init(|| arrivals("rejected")).increment(1);
    }

    pub(super) fn unavailable(&self) {
        self.unavailable.get_or_init(|| arrivals("unavailable")).increment(1);
    }
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

/// The counter of that outcome.
pub(super) fn arrivals(outcome: &'static str) -> Counter {
    counter!("acuse_arrivals_total", "outcome" => outcome)
}

/// Of one event its outcome and id; of several also those of each, and at the top `stored` when one of them was.
pub(super) fn stored(outcomes: &NonEmpty<Outcome>, ids: &NonEmpty<String>) -> Response {
    let any_new = outcomes.iter().any(|outcome| *outcome == Outcome::Stored);
    let mut json = pair(if any_new { Outcome::Stored } else { Outcome::Duplicate }, &ids.first);
    if !ids.more.is_empty() {
        let each: Vec<_> =
            outcomes.iter().zip(ids.iter()).map(|(outcome, id)| pair(*outcome, id) + "}").collect();
        json = format!(r#"{json},"events":[{}]"#, each.join(","));
    }
    json.push('}');
    let mut response = Response::new(Body::from(json));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The beginning of an object.
fn pair(outcome: Outcome, event_id: &str) -> String {
    let status = match outcome {
        Outcome::Stored => "stored",
        Outcome::Duplicate => "duplicate",
    };
    format!(r#"{{"status":"{status}","event_id":{}"#, serde_json::Value::from(event_id))
}

pub(super) fn method_not_allowed() -> Response {
    let problem =
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Only POST is taken here");
    with(problem, header::ALLOW, "POST")
}

pub(super) fn no_such_source() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "no_such_source", "There is no source of this name").into_response()
}

pub(super) fn unreadable(why: BodyError, most: usize) -> Response {
    let problem = match why {
        BodyError::TooLarge => {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "The body is too large")
                .detail(format!("At most {most} bytes are taken."))
                .with("limit", most)
        }
        BodyError::TooSlow => {
            Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", "The body did not come in time")
        }
        BodyError::Broken => {
            Problem::new(StatusCode::BAD_REQUEST, "body_broken", "The body broke off or is not valid HTTP")
        }
    };
    problem.into_response()
}

/// Written once for each reason: a flood asks for nothing else.
pub(super) fn refused(reason: Reason) -> Response {
    static BODIES: [OnceLock<Bytes>; 6] = [const { OnceLock::new() }; 6];
    let problem = || refusal(reason).to_json().to_string().into();
    // The variants are numbered from zero on.
    let body = BODIES.get(reason as usize).map_or_else(problem, |body| body.get_or_init(problem).clone());
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let kind = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn refusal(reason: Reason) -> Problem {
    let detail = match reason {
        Reason::MissingHeader => {
            "A header that carries the signature is missing, or the signature in the body."
        }
        Reason::MalformedHeader => {
            "A header that carries the signature is there twice, or is not of its form, or the body is not where it is signed."
        }
        Reason::TimestampTooOld => "It was signed too long ago.",
        Reason::TimestampTooNew => "It was signed in the future.",
        Reason::SignatureMismatch => "No signature matches these bytes and an active secret of the source.",
        Reason::BadSecret => "The source has no secret that can verify it.",
    };
    Problem::new(StatusCode::UNAUTHORIZED, "signature_refused", "The signature is not good")
        .detail(detail)
        .with("reason", reason.as_str())
}

pub(super) fn unavailable() -> Response {
    let problem = Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "not_stored",
        "It could not be written to disk; please send it again",
    );
    with(problem, header::RETRY_AFTER, "5")
}

fn with(problem: Problem, name: HeaderName, value: &'static str) -> Response {
    ([(name, HeaderValue::from_static(value))], problem).into_response()
}
