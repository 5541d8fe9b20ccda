//! One attempt: checks the lease, signs, posts, and builds the record of the result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::deliveries::Latency;
use app::types::{AttemptError, Timestamp};
use bytes::Bytes;
use tokio::sync::mpsc::UnboundedSender;
use url::Url;

use super::report::{AttemptReport, Claim, ClaimKind, CompletedAttempt, Outcome};
use super::transport::{HttpClient, ResponseSummary};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::delivery::Ending;
use crate::domain::ladder;
use crate::domain::secret::{self, TimedSecret};
use crate::domain::sign::{self, Outgoing};
use crate::net::RetryAfter;
use crate::registry::{Destination, Registry};
use crate::store::attempt::{self, PayloadRow, Record};

/// Seconds that the clocks of two processes may differ.
const MAX_CLOCK_SKEW_S: i64 = 5;

/// What every attempt needs.
#[derive(Debug)]
pub struct AttemptContext {
    /// The database, for bodies too large to be claimed with their events.
    pub db: Db,
    /// The clock.
    pub clock: SharedClock,
    /// Destinations and their secrets.
    pub registry: Arc<Registry>,
    /// Sends the requests.
    pub http_client: HttpClient,
}

/// A claimed attempt that is to be made.
#[derive(Debug)]
pub struct AttemptJob {
    /// The claim.
    pub claim: Claim,
    /// The destination.
    pub destination_id: i64,
    /// The event that is delivered.
    pub payload: Arc<PayloadRow>,
    /// Where the report goes.
    pub report_sender: UnboundedSender<AttemptReport>,
}

impl AttemptJob {
    /// Makes the attempt. Nothing is sent when the destination is paused or the lease would end too early.
    pub async fn run(&self, context: &AttemptContext) -> Outcome {
        let started_at = context.clock.now();
        let destination = context.registry.snapshot().destinations.get(&self.destination_id).cloned();
        if let ClaimKind::Scheduled { lease_until, .. } = self.claim.kind {
            let may_start = destination.as_ref().is_some_and(|destination| {
                // An attempt that outlives its lease could be sent twice, and the clock of another process may be ahead.
                let ends_by = started_at
                    .plus_millis(destination.row.settings.timeout_ms)
                    .plus_seconds(MAX_CLOCK_SKEW_S);
                !destination.is_paused() && ends_by < lease_until
            });
            if !may_start {
                return Outcome::Released;
            }
        }
        let Some(destination) = destination else {
            return Outcome::Completed(Box::new(build_unsent_attempt(
                started_at,
                None,
                "the destination was deleted: nothing was sent",
            )));
        };
        let body = match self.load_body(context).await {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, delivery.id = self.claim.delivery_id, "a body could not be read");
                return Outcome::Abandoned;
            }
        };
        let made = self.sign_and_send(context, destination, started_at, body).await;
        Outcome::Completed(Box::new(made))
    }

    async fn load_body(&self, context: &AttemptContext) -> sqlx::Result<Bytes> {
        match &self.payload.body {
            Some(body) => Ok(body.clone()),
            None => attempt::body(&context.db, self.payload.id).await.map(Bytes::from),
        }
    }

    async fn sign_and_send(
        &self,
        context: &AttemptContext,
        destination: Arc<Destination>,
        started_at: Timestamp,
        body: Bytes,
    ) -> CompletedAttempt {
        let active = signing_secrets(&destination.secrets, started_at);
        let headers = match self.sign_headers(&destination, &active, started_at, &body) {
            Ok(headers) => headers,
            Err(error) => {
                return build_unsent_attempt(started_at, Some(Arc::clone(&destination)), &error.to_string());
            }
        };
        let limit =
            Duration::from_millis(u64::try_from(destination.row.settings.timeout_ms).unwrap_or(10_000));
        let begun = Instant::now();
        let response = context.http_client.post(&destination.row.settings.url, &headers, body, limit).await;
        let took = begun.elapsed();
        let ended_at = context.clock.now();
        let latency = response.latency;
        let signed_with = active.iter().map(|secret| secret.id.clone()).collect();
        let record = build_record(&destination, headers, response, started_at, ended_at, took);
        CompletedAttempt { record, destination: Some(destination), latency, signed_with }
    }

    fn sign_headers(
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
        sign::headers(destination.row.settings.format, &destination.signing(active), &outgoing)
    }
}

/// The active secrets. When there is none, a secret counts that another process, whose clock is ahead, created just now.
fn signing_secrets(secrets: &[TimedSecret], now: Timestamp) -> Vec<&TimedSecret> {
    let active = secret::active(secrets, now);
    if active.is_empty() { secret::active(secrets, now.plus_seconds(MAX_CLOCK_SKEW_S)) } else { active }
}

/// An attempt that could not be made. It counts as failed, so that a person looks at it.
pub fn build_unsent_attempt(
    now: Timestamp,
    destination: Option<Arc<Destination>>,
    detail: &str,
) -> CompletedAttempt {
    let error = Some(AttemptError::Blocked);
    let record = Record {
        ending: Ending {
            started_at: now,
            ended_at: now,
            status: None,
            error,
            retry_after: None,
            jitter: random_jitter(),
        },
        duration_ms: 0,
        latency: None,
        url: destination.as_ref().map(|destination| without_password(&destination.row.settings.url)),
        detail: Some(detail.to_owned()),
        request_headers: "[]".to_owned(),
        response_headers: None,
        response_body: None,
        response_truncated: false,
    };
    CompletedAttempt { record, destination, latency: Latency::default(), signed_with: Vec::new() }
}

fn build_record(
    destination: &Destination,
    headers: Vec<(&'static str, String)>,
    response: ResponseSummary,
    started_at: Timestamp,
    ended_at: Timestamp,
    took: Duration,
) -> Record {
    let asked = response.retry_after.as_deref().and_then(RetryAfter::parse);
    Record {
        ending: Ending {
            started_at,
            ended_at,
            status: response.status,
            error: response.error,
            retry_after: asked.map(|asked| asked.time(ended_at)),
            jitter: random_jitter(),
        },
        duration_ms: i64::try_from(took.as_millis()).unwrap_or(i64::MAX),
        latency: serde_json::to_string(&response.latency).ok(),
        url: Some(without_password(&destination.row.settings.url)),
        detail: response.detail,
        request_headers: json(&headers),
        response_headers: response.status.map(|_| json(&response.headers)),
        response_body: response.status.map(|_| response.body),
        response_truncated: response.truncated,
    }
}

fn random_jitter() -> u32 {
    rand::random_range(0..=ladder::WHOLE)
}

fn json<T: serde::Serialize>(headers: &T) -> String {
    serde_json::to_string(headers).unwrap_or_else(|_| "[]".to_owned())
}

/// The URL with its password masked.
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
    fn masks_the_password_of_a_url() {
        assert_eq!(super::without_password("https://a:b@x.test/p?q"), "https://a:***@x.test/p?q");
        assert_eq!(super::without_password("https://x.test/p"), "https://x.test/p");
    }
}
