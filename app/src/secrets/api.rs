//! What the secrets page and the REST API say to the server. Values never travel but once, when they are made.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{Slug, Timestamp};

/// One secret, by everything but its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Secret {
    /// `sec_…`.
    pub id: String,
    /// A short hash of the value, to tell secrets apart.
    pub fingerprint: String,
    /// Who made or pasted it.
    pub created_by: String,
    /// From when it counts.
    pub created_at: Timestamp,
    /// Until when it counts; null: no end.
    pub expires_at: Option<Timestamp>,
    /// When it last verified an arrival or signed an attempt.
    pub last_used_at: Option<Timestamp>,
    /// How many arrivals it verified, or attempts it signed.
    pub matches: i64,
}

/// The active secrets of one source or destination, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct SecretList {
    /// Newest first.
    pub secrets: Vec<Secret>,
}

/// Whose secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A source: the provider made the secret, both verify.
    Source,
    /// A destination: we made it, both sign.
    Destination,
}

/// A source or destination with its active secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyring {
    /// Which of the two.
    pub holder: Holder,
    /// Its name.
    pub slug: Slug,
    /// Its provider or format, as a word of the contract.
    pub scheme: String,
    /// Active ones, newest first.
    pub secrets: Vec<Secret>,
}

/// What the secrets page shows; those in a rotation first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretsPage {
    /// Every source and destination.
    pub keyrings: Vec<Keyring>,
    /// Made a moment ago without script, and shown this once.
    pub made: Option<NewSecret>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// A secret that was just made for a destination; shown this once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSecret {
    /// Whose.
    pub destination: Slug,
    /// The value.
    pub secret: String,
}

impl fmt::Debug for NewSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSecret").field("destination", &self.destination).finish_non_exhaustive()
    }
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::context::Viewer;
    use crate::error::AppError;

    /// What the server does for the secrets page and API. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Secrets: Send + Sync {
        /// The page.
        async fn page(&self) -> Result<SecretsPage, AppError>;
        /// The active secrets of one; `NotFound`.
        async fn list(&self, holder: Holder, slug: &Slug) -> Result<SecretList, AppError>;
        /// A source's new secret beside the old ones; they end after the overlap (0 to 604 800 s).
        async fn rotate_source(
            &self,
            viewer: &Viewer,
            slug: &Slug,
            secret: &str,
            overlap_s: i64,
        ) -> Result<SecretList, AppError>;
        /// A destination's new secret, made here, beside the old ones.
        async fn rotate_destination(
            &self,
            viewer: &Viewer,
            slug: &Slug,
            overlap_s: i64,
        ) -> Result<(SecretList, NewSecret), AppError>;
        /// Ends one now; `OnlyActiveSecret` for the only one.
        async fn retire(
            &self,
            viewer: &Viewer,
            holder: Holder,
            slug: &Slug,
            id: &str,
        ) -> Result<(), AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Secrets;
