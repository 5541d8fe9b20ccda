//! What the rejections' pages and the REST API say to the server.

use serde::{Deserialize, Serialize};

use crate::types::{EventNumber, NotKept, Page, RejectionReason, ReverifyStatus, ShownBody, Slug, Timestamp};

/// The number of a rejection.
pub type RejectionNumber = i64;

/// One rejection in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct RejectionSummary {
    /// Its number.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: RejectionNumber,
    /// The source that refused it.
    pub source: Slug,
    /// When it arrived.
    pub received_at: Timestamp,
    /// Why it was refused.
    pub reason: RejectionReason,
    /// By how many seconds the time in its signature is ahead of ours; negative: behind. Null: it tells none.
    pub skew_s: Option<i64>,
    /// From which address it came.
    pub remote_address: Option<String>,
    /// Bytes of its body.
    pub body_size: i64,
    /// What became of it.
    pub status: ReverifyStatus,
    /// The event that it became, or that it was.
    #[cfg_attr(feature = "ssr", schema(value_type = Option<i64>))]
    pub event: Option<EventNumber>,
    /// Who had it taken in.
    pub verified_by: Option<String>,
    /// When.
    pub verified_at: Option<Timestamp>,
}

/// Which rejections. Empty fields do not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RejectionFilter {
    /// Refused by this source.
    pub source: Option<Slug>,
    /// For this reason.
    pub reason: Option<RejectionReason>,
    /// Received at or after.
    pub from: Option<Timestamp>,
    /// Received before.
    pub to: Option<Timestamp>,
}

/// Something that the doctor found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Finding {
    /// What kind of thing, for machines; it never changes.
    pub code: String,
    /// What was found and what to do, in words.
    pub message: String,
}

/// One rejection in full, examined now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct RejectionDetail {
    /// Its number.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub id: RejectionNumber,
    /// The source that refused it.
    pub source: Slug,
    /// When it arrived.
    pub received_at: Timestamp,
    /// Why it was refused.
    pub reason: RejectionReason,
    /// By how many seconds the time in its signature is ahead of ours; negative: behind. Null: it tells none.
    pub skew_s: Option<i64>,
    /// The cause first, then what else was seen.
    pub findings: Vec<Finding>,
    /// From which address it came.
    pub remote_address: Option<String>,
    /// Path and query of the request.
    pub target: String,
    /// Its headers; values that open something are left out.
    pub headers: Vec<(String, String)>,
    /// Bytes of its body.
    pub body_size: i64,
    /// Not all bytes of the body are kept: it cannot be examined whole, nor taken in.
    pub body_cut: bool,
    /// What is not kept, so that it cannot be verified again; null: it can.
    pub not_kept: Option<NotKept>,
    /// What became of it.
    pub status: ReverifyStatus,
    /// The event that it became, or that it was.
    #[cfg_attr(feature = "ssr", schema(value_type = Option<i64>))]
    pub event: Option<EventNumber>,
    /// Who had it taken in.
    pub verified_by: Option<String>,
    /// When.
    pub verified_at: Option<Timestamp>,
}

/// What came of verifying one again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReverifyResult {
    /// Whether it was taken in.
    pub status: ReverifyStatus,
    /// Why not; null when it was.
    pub reason: Option<RejectionReason>,
    /// What is not kept, so that it cannot be verified again at all; null: that is not why.
    pub not_kept: Option<NotKept>,
    /// Why not, in words, and what to do; null when it was.
    pub message: Option<String>,
    /// The provider's id of the event; null when it is refused still.
    pub event_id: Option<String>,
}

/// What came of verifying all of a source again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ReverifySummary {
    /// New events.
    pub stored: i64,
    /// Events that were known.
    pub duplicate: i64,
    /// Refused still.
    pub rejected: i64,
    /// Why these are, the most frequent first.
    pub still: Vec<StillFailing>,
}

impl ReverifySummary {
    /// How many of those that are refused still cannot be verified at all.
    pub fn not_kept(&self) -> i64 {
        self.still.iter().filter(|still| still.not_kept.is_some()).map(|still| still.count).sum()
    }

    /// The counts as a URL has them, for the page that comes after a form without script.
    pub fn written(&self) -> String {
        [self.stored, self.duplicate, self.rejected, self.not_kept()].map(|count| count.to_string()).join(".")
    }
}

/// Rejections that are refused still, all for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct StillFailing {
    /// How many.
    pub count: i64,
    /// Why.
    pub reason: RejectionReason,
    /// What is not kept, so that they cannot be verified again at all; null: that is not why.
    pub not_kept: Option<NotKept>,
    /// Why, in words, and what to do.
    pub message: String,
}

/// How many were refused lately, by source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentRejections {
    /// The source.
    pub source: Slug,
    /// In the last 24 hours, also those that were not kept.
    pub day: i64,
    /// In 24 hours of the seven days before, on average.
    pub usual: i64,
    /// Those that are kept and wait.
    pub waiting: i64,
}

/// What the list page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectionsPage {
    /// The rows: those that were asked for by number, or those that match.
    pub page: Page<RejectionSummary>,
    /// How many match that are newer than the first row, up to 100; asked with rows by number alone.
    pub newer: usize,
    /// For the filter.
    pub sources: Vec<Slug>,
    /// Sources that refused something lately, or whose rejections wait.
    pub lately: Vec<RecentRejections>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// What the page of one rejection shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectionPage {
    /// The rejection; what the doctor says is in the reader's language.
    pub rejection: RejectionDetail,
    /// The short name of each finding, and its tone.
    pub titles: Vec<(String, FindingKind)>,
    /// Seconds that the source allows; none: no window.
    pub tolerance_s: Option<i64>,
    /// Why it cannot be verified again, in the reader's language; none: it can.
    pub cannot: Option<String>,
    /// The body, for people.
    pub body: ShownBody,
    /// SHA-256 of its bytes in hexadecimal digits, to compare with what was sent; none: not all of them are kept.
    pub body_sha256: Option<String>,
    /// The server's time when it was read.
    pub now: Timestamp,
}

/// What a finding means for the arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// It was refused for that.
    Cause,
    /// It may have to do with it.
    Hint,
    /// That is as it should be.
    Good,
}

#[cfg(feature = "ssr")]
mod backend {
    use super::*;
    use crate::error::AppError;
    use crate::text::Lang;
    use crate::types::PageRequest;
    use crate::viewer::Viewer;

    /// What the server does for the rejections' pages and API.
    #[async_trait::async_trait]
    pub trait Rejections: Send + Sync {
        /// One page of those that match, newest first.
        async fn list(
            &self,
            filter: RejectionFilter,
            page: PageRequest,
        ) -> Result<Page<RejectionSummary>, AppError>;
        /// The list page. When rows are held, these and how many are newer.
        async fn page(
            &self,
            filter: RejectionFilter,
            page: PageRequest,
            held: Vec<RejectionNumber>,
        ) -> Result<RejectionsPage, AppError>;
        /// One, examined; `NotFound`.
        async fn get(&self, id: RejectionNumber) -> Result<RejectionDetail, AppError>;
        /// One, examined, with its body as text; `NotFound`.
        async fn detail_page(&self, id: RejectionNumber, lang: Lang) -> Result<RejectionPage, AppError>;
        /// Verifies one with today's secrets at the time of its arrival, and takes it in if it is good; `NotFound`.
        async fn reverify(
            &self,
            viewer: &Viewer,
            id: RejectionNumber,
            lang: Lang,
        ) -> Result<ReverifyResult, AppError>;
        /// The same with all of a source that wait; `NotFound`.
        async fn reverify_all(
            &self,
            viewer: &Viewer,
            source: &Slug,
            lang: Lang,
        ) -> Result<ReverifySummary, AppError>;
    }
}
#[cfg(feature = "ssr")]
pub use backend::Rejections;
