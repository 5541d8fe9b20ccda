//! What the secrets page and the REST API say to the server. Values never travel but once, when they are made.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{AttemptError, Slug, Timestamp};

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
    /// Other sources that have the same one now.
    pub shared_with: Vec<Slug>,
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

/// How far the end of a secret is put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// So many seconds after the end that it has.
    By(i64),
    /// To this moment.
    Until(Timestamp),
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
    /// How often each of them was of use lately, in the same order.
    pub uses: Vec<UsageCounts>,
    /// The time that the bars span; none while nothing rotates.
    pub span: Option<Span>,
    /// Whether the newest can be taken back.
    pub can_undo: bool,
    /// Where to click at the other end, in three steps.
    pub guide: Vec<String>,
    /// What the destination's server last answered to signatures, since the newest secret was made.
    pub tested: Option<TestResult>,
}

/// How often a secret was of use lately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageCounts {
    /// In the last 3600 seconds; of one that could be retired.
    pub last_hour: i64,
    /// In each bar of the span.
    pub bars: Vec<i64>,
}

/// The time of a rotation, from a while before it to its end, in bars of equal width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Where the first bar begins.
    pub from: Timestamp,
    /// When the newest secret began to count.
    pub rotated: Timestamp,
    /// When the last of the old ones ends.
    pub end: Timestamp,
    /// Seconds of a bar.
    pub bar_s: i64,
}

/// What a destination's server answered to one signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Probe {
    /// The status of the answer; null: there was none.
    pub status: Option<u16>,
    /// Why it counts as a failure; null: it does not.
    pub error: Option<AttemptError>,
    /// How long it took.
    pub duration_ms: i64,
}

/// What follows from the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TestFinding {
    /// It takes both signatures, and the new one alone: the old secret may be retired.
    Ready,
    /// It reads the list of signatures, and knows the old secret only.
    OldOnly,
    /// It knows the new secret, and does not read a list of signatures.
    NewButNoList,
    /// It knows the old secret, and does not read a list: it takes no delivery until the rotation is over.
    OldAndNoList,
    /// It takes none of them.
    TakesNone,
    /// It takes a signature that is wrong: it does not look at them.
    NotVerified,
}

/// A test of what a destination's server makes of signatures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct TestResult {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
    /// Signed with every active secret, newest first, as deliveries are.
    pub all: Probe,
    /// Signed with the newest only.
    pub newest: Probe,
    /// Signed with the one before it only; null: there is none, or it did not matter.
    pub old: Option<Probe>,
    /// Signed with a secret that nobody has.
    pub wrong: Probe,
    /// What follows from that.
    pub finding: TestFinding,
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
    use crate::error::AppError;
    use crate::text::Lang;
    use crate::viewer::Viewer;

    /// What the server does for the secrets page and API. Who may is asked before.
    #[async_trait::async_trait]
    pub trait Secrets: Send + Sync {
        /// The page.
        async fn page(&self, lang: Lang) -> Result<SecretsPage, AppError>;
        /// The active secrets of one; `NotFound`.
        async fn list(&self, holder: Holder, slug: &Slug) -> Result<SecretList, AppError>;
        /// A source's new secret beside the one that it replaces, which ends after the overlap (0 to 604 800 s).
        async fn rotate_source(
            &self,
            viewer: &Viewer,
            slug: &Slug,
            secret: &str,
            overlap_s: i64,
            reason: &str,
        ) -> Result<SecretList, AppError>;
        /// The same for a destination; the new secret is made here.
        async fn rotate_destination(
            &self,
            viewer: &Viewer,
            slug: &Slug,
            overlap_s: i64,
            reason: &str,
        ) -> Result<(SecretList, NewSecret), AppError>;
        /// Ends one now; `OnlyActiveSecret` for the only one. When it was the one without an end, the newest of the
        /// others takes its place: a holder is never left with secrets that all end.
        async fn retire(
            &self,
            viewer: &Viewer,
            holder: Holder,
            slug: &Slug,
            id: &str,
            reason: &str,
        ) -> Result<(), AppError>;
        /// Puts the end of one off, to a week from now at most; `NoEnd` for the one that has none.
        async fn extend(
            &self,
            viewer: &Viewer,
            holder: Holder,
            slug: &Slug,
            id: &str,
            extension: Extension,
            reason: &str,
        ) -> Result<SecretList, AppError>;
        /// Takes the newest one back: the one that it replaced goes on without an end. `NothingToUndo` when that one
        /// does not count any more.
        async fn undo(
            &self,
            viewer: &Viewer,
            holder: Holder,
            slug: &Slug,
            reason: &str,
        ) -> Result<SecretList, AppError>;
        /// Posts events that are none to a destination, each signed in another way, and tells what its server makes of
        /// them.
        async fn test(&self, viewer: &Viewer, slug: &Slug) -> Result<TestResult, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Secrets;
