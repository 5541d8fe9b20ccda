//! Errors of the API.

use app::error::{AppError, FieldError, Rule};
use app::types::Slug;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::error::Failure;
use crate::problem_details::Problem;

/// What a call answers when it does not do what it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError(Problem);

/// One field or query parameter that is not accepted, or accepted with a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FieldError)]
pub struct FieldProblem {
    /// Its name; inner ones after a dot.
    pub field: String,
    /// What is wrong, for machines.
    pub code: &'static str,
    /// The value, what is wrong with it, and what is accepted.
    pub message: String,
}

impl ApiError {
    /// Fields or query parameters that are not accepted.
    pub fn fields(problems: &[FieldProblem]) -> Self {
        let detail =
            problems.iter().map(|it| format!("{}: {}", it.field, it.message)).collect::<Vec<_>>().join("; ");
        Self(
            Problem::new(StatusCode::BAD_REQUEST, "invalid_input", "The input is not accepted")
                .detail(detail)
                .with("errors", json!(problems)),
        )
    }

    /// The request cannot be read at all.
    pub fn malformed(code: &'static str, detail: String) -> Self {
        Self(Problem::new(StatusCode::BAD_REQUEST, code, "The request cannot be read").detail(detail))
    }

    /// The body is of another type.
    pub fn media_type(given: &str) -> Self {
        let title = "The body is of a type that is not accepted";
        Self(
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", title)
                .detail(format!("Content-Type {given:?}; accepted: application/json")),
        )
    }

    /// The body is too large.
    pub fn too_large(limit: usize) -> Self {
        Self(
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "The body is too large")
                .with("limit", limit),
        )
    }

    /// No token, or one that is not good.
    pub fn unauthorized(code: &'static str, detail: &'static str) -> Self {
        Self(Problem::new(StatusCode::UNAUTHORIZED, code, "A token is needed").detail(detail))
    }

    /// The token's role is too small.
    pub fn forbidden(needed: app::types::Role) -> Self {
        Self(
            Problem::new(StatusCode::FORBIDDEN, "forbidden", "The token's role is too small")
                .detail(format!("This call needs the role {needed} or one above it."))
                .with("needed_role", needed.as_str()),
        )
    }

    /// No such path of the API.
    pub fn no_such_path() -> Self {
        Self(
            Problem::new(StatusCode::NOT_FOUND, "no_such_path", "There is no such path")
                .detail("The paths are listed at /api/docs."),
        )
    }

    /// The path is there, the method is not.
    pub fn no_such_method() -> Self {
        Self(
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "The path does not take this method",
            )
            .detail("The methods that it takes are in the Allow header."),
        )
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        let (code, title) = match &error {
            AppError::Invalid(errors) => {
                return Self::fields(&errors.iter().map(field_problem).collect::<Vec<_>>());
            }
            AppError::LoginRequired => ("unauthorized", "A token is needed"),
            AppError::Forbidden => ("forbidden", "The token's role is too small"),
            AppError::NotFound => ("not_found", "There is no such thing"),
            AppError::OnlyActiveSecret => ("only_active_secret", "The only active secret cannot be retired"),
            AppError::NothingToUndo => (
                "nothing_to_undo",
                "There is no rotation to undo: the secret that was replaced does not count any more",
            ),
            AppError::NoEnd => ("no_end", "The secret has no end that could be put off"),
            AppError::TooManySecrets => (
                "too_many_secrets",
                "16 secrets count already, the most that can: retire one first, or wait until one ends",
            ),
            AppError::AlreadyExists => ("already_exists", "The name is taken"),
            AppError::AlreadyRunning => ("already_running", "A reconciliation of this source is running"),
            AppError::NoCredentials => ("no_credentials", "The source has no API credentials"),
            AppError::EventHeld => (
                "event_held",
                "The event waits because it contradicts the mode of its source: release it first",
            ),
            AppError::Unavailable => ("unavailable", "The database does not answer"),
            AppError::Transport => ("malformed_request", "The request cannot be read"),
            AppError::Internal => ("internal", "Something went wrong inside"),
        };
        let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self(Problem::new(status, code, title))
    }
}

/// A rule that was broken behind the API, in words.
fn field_problem(error: &FieldError) -> FieldProblem {
    let (code, message) = match error.rule {
        Rule::OutOfReach { .. } => (
            "out_of_reach",
            "is further back than the provider's API lists events; accepted: at most {} days before now",
        ),
        Rule::ListsNoEvents => (
            "lists_no_events",
            "is for sources of Stripe and Paddle; accepted: false. The API of Paymos lists no events: resend them from \
             the dashboard of Paymos",
        ),
        Rule::Required => ("required", "must be given"),
        Rule::TooLong => ("too_long", "is too long"),
        Rule::Malformed => ("malformed", "is not of the accepted form"),
        Rule::OutOfRange => ("out_of_range", "is outside of the accepted range"),
        Rule::WhiteSpace => ("white_space", "begins or ends with white space"),
        Rule::NotBefore => ("not_before", "must be before the end"),
        Rule::NotTheName => ("not_the_name", "is not the name that it is about"),
        Rule::Repeated => ("repeated", "is the same as one that is there already"),
        Rule::ApiKey => (
            "api_key",
            "is an API key (sk_, pk_ or rk_), which signs no webhooks; accepted: the signing secret of the webhook \
             endpoint, such as whsec_…",
        ),
        Rule::VersionPrefix => {
            ("version_prefix", "begins with v1,; accepted: what comes after it, from whsec_ on")
        }
        Rule::TooShort => (
            "too_short",
            "is too short for a signing secret; accepted: all of what the provider shows, the beginning included",
        ),
        Rule::Undecodable => (
            "undecodable",
            "cannot be read as a key; accepted: the secret as the provider shows it, and nothing else",
        ),
        Rule::OfAnotherSource => (
            "of_another_source",
            "is the secret of {}; accepted: the one of this endpoint, for each endpoint at a provider has its own",
        ),
    };
    let filled = match error.rule {
        Rule::OutOfReach { days } => days.to_string(),
        _ => error.source.as_ref().map_or("another source".to_owned(), |slug| format!("the source {slug}")),
    };
    FieldProblem { field: error.field.clone(), code, message: message.replace("{}", &filled) }
}

/// What is told of a secret that was taken although other sources have it.
pub(super) fn shared(others: &[Slug]) -> Vec<FieldProblem> {
    let names: Vec<&str> = others.iter().map(Slug::as_str).collect();
    let message = format!(
        "is also the secret of {}; if that is not meant, rotate to the one of this endpoint",
        names.join(", ")
    );
    let warning = FieldProblem { field: "secret".to_owned(), code: "shared", message };
    if others.is_empty() { Vec::new() } else { vec![warning] }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        AppError::from(failure).into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.0.status;
        let mut response = self.0.into_response();
        let headers = response.headers_mut();
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}
