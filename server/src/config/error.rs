//! The one line that stops a start.

/// A setting that is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}={value:?} {problem}; accepted: {accepted}")]
pub struct ConfigError {
    /// The environment variable, also when the value came by its flag.
    pub variable: &'static str,
    /// What was given, without passwords.
    pub value: String,
    /// What is wrong with it, to be read after the value.
    pub problem: String,
    /// What would be right.
    pub accepted: &'static str,
}

impl ConfigError {
    /// A value, cut when it is very long, and kept to one line by its quotes.
    pub fn new(
        variable: &'static str,
        value: &str,
        problem: impl Into<String>,
        accepted: &'static str,
    ) -> Self {
        Self { variable, value: value.chars().take(200).collect(), problem: problem.into(), accepted }
    }
}
