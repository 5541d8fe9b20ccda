//! One attempt, from the claim to what is written down of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::deliveries::Latency;
use app::types::{AttemptError, Timestamp};
use bytes::Bytes;
use tokio::sync::mpsc::UnboundedSender;
use url::Url;

use super::client::{HttpClient, ResponseSummary};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::delivery::{Delivery, Ending};
use crate::domain::ladder;
use crate::domain::secret::{self, TimedSecret};
use crate::domain::sign::{self, Outgoing};
use crate::net::RetryAfter;
use crate::registry::{Destination, Registry};
use crate::store::attempt::{self, PayloadRow, Record};

/// Seconds that the clocks of two processes may differ.
const CLOCKS_DIFFER: i64 = 5;

/// What a job needs of the world.
#[derive(Debug)]
pub struct AttemptContext {
    /// Where large bodies are read.
    pub db: Db,
    /// What time it is.
    pub clock: SharedClock,
    /// Destinations and their secrets.
    pub registry: Arc<Registry>,
    /// The client.
    pub poster: HttpClient,
}

/// A claimed attempt.
#[derive(Debug)]
pub struct AttemptJob {
    /// What was claimed.
    pub claim: Claim,
    /// To this destination.
    pub destination_id: i64,
    /// What is delivered.
    pub payload: Arc<PayloadRow>,
    /// Where the report goes.
    pub reports: UnboundedSender<AttemptReport>,
}

/// What is ours while the lease lasts.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The delivery.
    pub delivery_id: i64,
    /// Why it is attempted.
    pub kind: ClaimKind,
    /// The lease.
    pub token: Arc<str>,
    /// Somebody had it before and wrote nothing down. Of a manual one its row knows.
    pub may_repeat: bool,
}

/// Why an attempt is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimKind {
    /// It is due.
    Scheduled {
        /// How it stood when it was claimed.
        was: Delivery,
        /// Until when it is ours.
        lease_until: Timestamp,
    },
    /// It was asked for.
    Manual {
        /// The row of the attempt that waits.
        attempt_id: i64,
    },
}

/// What became of a claim.
#[derive(Debug)]
pub struct AttemptReport {
    /// Which.
    pub claim: Claim,
    /// What.
    pub verdict: Outcome,
}

/// What became of it.
#[derive(Debug)]
pub enum Outcome {
    /// An attempt was made, or could not be and counts as one.
    Made(Box<Made>),
    /// Nothing was sent: it is for somebody else, or for later.
    Unused,
    /// It broke off inside. The lease runs out by itself, so that it is not tried in a tight circle.
    Lost,
}

/// An attempt that is over.
#[derive(Debug)]
pub struct Made {
    /// What is kept of it.
    pub record: Record,
    /// The destination as it was; none when it is deleted.
    pub destination: Option<Arc<Destination>>,
    /// Where the time went.
    pub latency: Latency,
    /// The secrets that signed.
    pub signed_with: Vec<String>,
}

impl AttemptJob {
    /// Makes the attempt.
    pub async fn run(&self, tools: &AttemptContext) -> Outcome {
        let started_at = tools.clock.now();
        let destination = tools.registry.snapshot().destinations.get(&self.destination_id).cloned();
        if let ClaimKind::Scheduled { lease_until, .. } = self.claim.kind {
            let goes_on = destination.as_ref().is_some_and(|destination| {
                // What outlives its lease would be sent twice; and another process's clock may be ahead.
                let ends_by = started_at.plus_millis(destination.timeout_ms).plus_seconds(CLOCKS_DIFFER);
                !destination.paused && ends_by < lease_until
            });
            if !goes_on {
                return Outcome::Unused;
            }
        }
        let Some(destination) = destination else {
            return Outcome::Made(Box::new(unsent(
                started_at,
                None,
                "the destination was deleted: nothing was sent",
            )));
        };
        let body = match self.body(tools).await {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, delivery.id = self.claim.delivery_id, "a body could not be read");
                return Outcome::Lost;
            }
        };
        let made = self.send(tools, destination, started_at, body).await;
        Outcome::Made(Box::new(made))
    }

    async fn body(&self, tools: &AttemptContext) -> sqlx::Result<Bytes> {
        match &self.payload.body {
            Some(body) => Ok(body.clone()),
            None => attempt::body(&tools.db, self.payload.id).await.map(Bytes::from),
        }
    }

    async fn send(
        &self,
        tools: &AttemptContext,
        destination: Arc<Destination>,
        started_at: Timestamp,
        body: Bytes,
    ) -> Made {
        let active = active(&destination.secrets, started_at);
        let headers = match self.headers(&destination, &active, started_at, &body) {
            Ok(headers) => headers,
            Err(error) => return unsent(started_at, Some(Arc::clone(&destination)), &error.to_string()),
        };
        let limit = Duration::from_millis(u64::try_from(destination.timeout_ms).unwrap_or(10_000));
        let begun = Instant::now();
        let heard = tools.poster.post(&destination.url, &headers, body, limit).await;
        let took = begun.elapsed();
        let ended_at = tools.clock.now();
        let latency = heard.latency;
        let signed_with = active.iter().map(|secret| secret.id.clone()).collect();
        let record = record(&destination, headers, heard, started_at, ended_at, took);
        Made { record, destination: Some(destination), latency, signed_with }
    }

    fn headers(
        &self,
        destination: &Destination,
        active: &[&TimedSecret],
        now: Timestamp,
        body: &[u8],
    ) -> Result<Vec<(&'static str, String)>, sign::SignError> {
        let outgoing = Outgoing {
            event_id: &self.payload.event_id,
            source: &self.payload.source,
            delivery: self.claim.delivery_id,
            n: match &self.claim.kind {
                ClaimKind::Scheduled { was, .. } => Some(was.attempts + 1),
                ClaimKind::Manual { .. } => None,
            },
            sequence: self.payload.id,
            occurred_at: self.payload.occurred_at,
            content_type: self.payload.content_type.as_deref(),
            content_encoding: self.payload.content_encoding.as_deref(),
            body,
            now,
        };
        sign::headers(destination.format, &destination.signing(active), &outgoing)
    }
}

/// The secrets that sign. One that was made a moment ago, by a process whose clock is ahead, signs when there is no
/// other.
fn active(secrets: &[TimedSecret], now: Timestamp) -> Vec<&TimedSecret> {
    let active = secret::active(secrets, now);
    if active.is_empty() { secret::active(secrets, now.plus_seconds(CLOCKS_DIFFER)) } else { active }
}

/// An attempt that could not be made. It counts as a failed one: somebody has to look at it.
pub fn unsent(now: Timestamp, destination: Option<Arc<Destination>>, detail: &str) -> Made {
    let error = Some(AttemptError::Blocked);
    let record = Record {
        ending: Ending {
            started_at: now,
            ended_at: now,
            status: None,
            error,
            retry_after: None,
            jitter: chance(),
        },
        duration_ms: 0,
        latency: None,
        url: destination.as_ref().map(|destination| without_password(&destination.url)),
        detail: Some(detail.to_owned()),
        request_headers: "[]".to_owned(),
        response_headers: None,
        response_body: None,
        response_truncated: false,
    };
    Made { record, destination, latency: Latency::default(), signed_with: Vec::new() }
}

fn record(
    destination: &Destination,
    headers: Vec<(&'static str, String)>,
    heard: ResponseSummary,
    started_at: Timestamp,
    ended_at: Timestamp,
    took: Duration,
) -> Record {
    let asked = heard.retry_after.as_deref().and_then(RetryAfter::parse);
    Record {
        ending: Ending {
            started_at,
            ended_at,
            status: heard.status,
            error: heard.error,
            retry_after: asked.map(|asked| asked.time(ended_at)),
            jitter: chance(),
        },
        duration_ms: i64::try_from(took.as_millis()).unwrap_or(i64::MAX),
        latency: serde_json::to_string(&heard.latency).ok(),
        url: Some(without_password(&destination.url)),
        detail: heard.detail,
        request_headers: json(&headers),
        response_headers: heard.status.map(|_| json(&heard.headers)),
        response_body: heard.status.map(|_| heard.body),
        response_truncated: heard.truncated,
    }
}

fn chance() -> u32 {
    rand::random_range(0..=ladder::WHOLE)
}

fn json<T: serde::Serialize>(headers: &T) -> String {
    serde_json::to_string(headers).unwrap_or_else(|_| "[]".to_owned())
}

/// The URL as people may see it: a password in it is a secret.
fn without_password(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut parsed) if parsed.password().is_some() => {
            let _ = parsed.set_password(Some("***"));
            parsed.into()
        }
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_password_in_a_url_is_not_kept() {
        assert_eq!(super::without_password("https://a:b@x.test/p?q"), "https://a:***@x.test/p?q");
        assert_eq!(super::without_password("https://x.test/p"), "https://x.test/p");
    }
}
