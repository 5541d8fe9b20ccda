//! Why a key file or a sealed value is of no use.

use std::io;

/// Why something does not open.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The key file cannot be read or made.
    #[error("the key file {path} cannot be {done}: {error}")]
    File {
        /// Where.
        path: String,
        /// What was tried.
        done: &'static str,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The key file is not of the form.
    #[error("the key file {path}, line {line}: accepted is an id, a space and 32 bytes in base64")]
    Malformed {
        /// Where.
        path: String,
        /// Counted from 1.
        line: usize,
    },
    /// No key of that id is here.
    #[error("the master key {0:?} that secrets are sealed under is not in the key file")]
    UnknownKey(String),
    /// The key of that id is another one, or the bytes were changed.
    #[error(
        "a secret does not open under the master key {0:?}: the key file is not the one it was sealed with"
    )]
    WrongKey(String),
}
