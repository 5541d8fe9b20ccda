//! What went wrong inside: logged once, where it is handled, and told outside as a code only.

use app::error::AppError;

/// A failure with its cause. `AppError::from` is the one lossy door to the outside.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The database did not answer, or refused.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A sealed value does not open under the keys that we have.
    #[error("vault: {0}")]
    Vault(#[from] crate::vault::VaultError),
    /// A stored value breaks a rule of its type.
    #[error("stored {what} is not valid: {problem}")]
    Stored {
        /// Which value.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A part of the machine does not do its work.
    #[error("{what}: {problem}")]
    Other {
        /// Which part.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// What the caller asked for cannot be done; nothing to log.
    #[error(transparent)]
    App(#[from] AppError),
}

impl Failure {
    /// A stored value that breaks a rule.
    pub fn stored(what: &'static str, problem: impl std::fmt::Display) -> Self {
        Self::Stored { what, problem: problem.to_string() }
    }

    /// A part that does not do its work.
    pub fn other(what: &'static str, problem: impl std::fmt::Display) -> Self {
        Self::Other { what, problem: problem.to_string() }
    }
}

impl From<Failure> for AppError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::App(error) => error,
            Failure::Database(
                error @ (sqlx::Error::Io(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed),
            ) => {
                tracing::error!(%error, "the database does not answer");
                Self::Unavailable
            }
            other => {
                tracing::error!(error = %other, "a call failed");
                Self::Internal
            }
        }
    }
}
