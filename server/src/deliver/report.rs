//! The values that travel between the dispatcher, attempts and outcomes: a claim, and the report of what it led to.

use std::sync::Arc;

use app::deliveries::Latency;
use app::types::Timestamp;

use crate::domain::delivery::Delivery;
use crate::registry::Destination;
use crate::store::attempt::Record;

/// A delivery that this process may attempt while its lease lasts.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The delivery.
    pub delivery_id: i64,
    /// Why the attempt is made.
    pub kind: ClaimKind,
    /// The token of the lease.
    pub token: Arc<str>,
    /// Whether an earlier claim ended without a record, so that this attempt may repeat one. A manual attempt has this
    /// in its row.
    pub may_repeat: bool,
}

/// Why an attempt is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimKind {
    /// The ladder scheduled it.
    Scheduled {
        /// The delivery as it was claimed.
        was: Delivery,
        /// The end of the lease.
        lease_until: Timestamp,
    },
    /// A person or a resend asked for it.
    Manual {
        /// The row of the queued attempt.
        attempt_id: i64,
    },
}

/// A claim and what it led to.
#[derive(Debug)]
pub struct AttemptReport {
    /// The claim.
    pub claim: Claim,
    /// What it led to.
    pub outcome: Outcome,
}

/// What a claim led to.
#[derive(Debug)]
pub enum Outcome {
    /// An attempt was made, or could not be made and counts as failed.
    Completed(Box<CompletedAttempt>),
    /// Nothing was sent. The claim is given back, for another process or a later time.
    Released,
    /// The attempt failed inside this process. The lease ends by itself, so that the attempt is not repeated at once.
    Abandoned,
}

/// A finished attempt.
#[derive(Debug)]
pub struct CompletedAttempt {
    /// What is stored of it.
    pub record: Record,
    /// The destination at the time of the attempt; none when it is deleted.
    pub destination: Option<Arc<Destination>>,
    /// The duration of each step.
    pub latency: Latency,
    /// Ids of the secrets that signed.
    pub signed_with: Vec<String>,
}
