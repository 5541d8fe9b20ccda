//! What a page can be told to have gone wrong: a closed set of codes, never a text from the server. Without script
//! the code travels in the URL, where anybody can write anything.

use leptos::prelude::{FromServerFnError, ServerFnErrorErr};
use leptos::server_fn::codec::JsonEncoding;
use serde::{Deserialize, Serialize};

use crate::types::Slug;

/// Why a call did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "code", content = "fields")]
pub enum AppError {
    /// Nobody is logged in.
    #[error("not logged in")]
    LoginRequired,
    /// The role is too small.
    #[error("not allowed for this role")]
    Forbidden,
    /// There is no such thing.
    #[error("not found")]
    NotFound,
    /// What was given breaks a rule.
    #[error("invalid input")]
    Invalid(Vec<FieldError>),
    /// The only active secret cannot be retired.
    #[error("the only active secret cannot be retired")]
    OnlyActiveSecret,
    /// The rotation cannot be undone: what it replaced does not count any more.
    #[error("there is no rotation to undo")]
    NothingToUndo,
    /// The secret goes on anyway: only one in its overlap can be extended.
    #[error("the secret has no end to put off")]
    NoEnd,
    /// As many secrets count as can.
    #[error("too many secrets count at the same time")]
    TooManySecrets,
    /// The name is taken.
    #[error("the name is taken")]
    AlreadyExists,
    /// A reconciliation of that source runs already.
    #[error("a reconciliation of this source is running")]
    AlreadyRunning,
    /// The source has no API credentials to reconcile with.
    #[error("the source has no API credentials")]
    NoCredentials,
    /// The event waits because it contradicts its source's mode: it goes nowhere before somebody releases it.
    #[error("the event waits to be released")]
    EventHeld,
    /// The database does not answer.
    #[error("the database does not answer")]
    Unavailable,
    /// The request did not reach the server, or its answer did not come back.
    #[error("the server could not be reached")]
    Transport,
    /// Something else; it is in the server's log.
    #[error("internal error")]
    Internal,
}

/// One field that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// The field's name in the form or in JSON.
    pub field: String,
    /// The rule.
    pub rule: Rule,
    /// The source that it is about, where the rule is about another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Slug>,
}

impl FieldError {
    /// A field that breaks a rule.
    pub fn new(field: &str, rule: Rule) -> Self {
        Self { field: field.to_owned(), rule, source: None }
    }
}

/// A rule that a field can break; its text is in `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Must be given.
    Required,
    /// Too long.
    TooLong,
    /// Not of the form that is asked for.
    Malformed,
    /// Outside its bounds.
    OutOfRange,
    /// White space around it: the commonest paste error.
    WhiteSpace,
    /// From must be before to.
    NotBefore,
    /// The same as one that is there already.
    Repeated,
    /// A key of a provider's API in place of a signing secret.
    ApiKey,
    /// `v1,` stands before the secret.
    VersionPrefix,
    /// Too short for a key.
    TooShort,
    /// It cannot be read as a key.
    Undecodable,
    /// Another source has it.
    OfAnotherSource,
    /// Not the name that has to be typed before something is lost.
    NotTheName,
    /// Longer ago than a provider lists its events.
    OutOfReach {
        /// How many days it does.
        days: u16,
    },
    /// The provider's API lists no events.
    ListsNoEvents,
}

impl AppError {
    /// One field that breaks one rule.
    pub fn field(field: &str, rule: Rule) -> Self {
        Self::Invalid(vec![FieldError::new(field, rule)])
    }

    /// Whether it is about this field.
    pub fn names(&self, field: &str) -> bool {
        matches!(self, Self::Invalid(fields) if fields.iter().any(|error| error.field == field))
    }

    /// What is wrong with this field, and with which member of it, where it has any.
    pub fn error_of_field(&self, field: &str) -> Option<(&str, &FieldError)> {
        let Self::Invalid(fields) = self else { return None };
        fields.iter().find_map(|error| {
            let member = error.field.strip_prefix(field)?;
            let is_of_it = member.is_empty() || member.starts_with('.');
            is_of_it.then(|| (member.trim_start_matches('.'), error))
        })
    }

    /// The status of an answer that fails with it.
    pub const fn status(&self) -> u16 {
        match self {
            Self::LoginRequired => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::OnlyActiveSecret
            | Self::NothingToUndo
            | Self::NoEnd
            | Self::TooManySecrets
            | Self::AlreadyExists
            | Self::AlreadyRunning
            | Self::NoCredentials
            | Self::EventHeld => 409,
            Self::Invalid(_) => 422,
            Self::Unavailable => 503,
            Self::Transport => 400,
            Self::Internal => 500,
        }
    }
}

impl FromServerFnError for AppError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_)
            | ServerFnErrorErr::UnsupportedRequestMethod(_)
            | ServerFnErrorErr::Serialization(_)
            | ServerFnErrorErr::Deserialization(_) => Self::Transport,
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => Self::Invalid(Vec::new()),
            _ => Self::Internal,
        }
    }
}
