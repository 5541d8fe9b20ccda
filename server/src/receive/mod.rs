//! The receiver: `POST /webhooks/{source}`. Caps the body, verifies its bytes, and answers 200 when they are on disk.
//!
//! A plain handler with its own state: no session, no cookie, no redirect. What is verified goes through the inbox,
//! which writes the arrivals of many requests in one transaction.

mod accept;
mod answer;
mod batch;
mod body;
mod fetched;
mod inbox;
mod quarantine;
mod rate_limit;
pub mod rejection_spike;
mod reverify;
mod stored_headers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::types::{Slug, Timestamp};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::signature::Reason;
use crate::net::CidrSet;
use crate::notify::Notifiers;
use crate::registry::{Registry, Source};
use crate::store::event::NewEvent;
use accept::{AcceptTimes, NonEmpty, accept};
use inbox::Inbox;
use quarantine::{Quarantine, RefusedRequest};
use rate_limit::RateLimit;

pub use fetched::{FETCHED_FROM, fetched};
pub use quarantine::QuarantineLimits;
pub use reverify::ReverifyResult;

/// How often arrivals that are not good may make us look for changes of other processes.
const RELOAD_EVERY: Duration = Duration::from_secs(1);

/// How much the receiver holds, and how long.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Arrivals that wait for the database.
    pub queue: usize,
    /// Bytes of their bodies.
    pub queue_bytes: usize,
    /// Arrivals of one transaction.
    pub batch: usize,
    /// How long a batch may take before its requests are told to come again.
    pub commit: Duration,
    /// How long a body may take to come in.
    pub body: Duration,
    /// How much is kept of what is refused.
    pub rejections: QuarantineLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            queue: 4096,
            queue_bytes: 64 << 20,
            batch: 512,
            commit: Duration::from_secs(8),
            body: Duration::from_secs(30),
            rejections: QuarantineLimits::default(),
        }
    }
}

/// Takes arrivals. Cheap to clone; the inbox ends when the last clone is gone.
#[derive(Debug, Clone)]
pub struct Receiver(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    inbox: Inbox,
    quarantine: Quarantine,
    pace: RateLimit,
    clock: SharedClock,
    registry: Arc<Registry>,
    limits: Limits,
    reloaded: std::sync::Mutex<Option<Instant>>,
    tasks: TaskTracker,
    metrics: answer::Metrics,
}

#[derive(Debug, Clone)]
struct Endpoint {
    receiver: Receiver,
    max_body: usize,
    trusted_proxies: CidrSet,
}

impl Receiver {
    /// Starts the inbox. After `shutdown` it goes on until nobody holds the receiver any more.
    pub fn start(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        shutdown: CancellationToken,
    ) -> Self {
        Self::start_with(Limits::default(), db, clock, registry, notifiers, shutdown)
    }

    /// The same with other limits.
    pub fn start_with(
        limits: Limits,
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        shutdown: CancellationToken,
    ) -> Self {
        let tasks = TaskTracker::new();
        let (quarantine, keep) = quarantine::open(&limits, db.clone());
        tasks.spawn(keep);
        let (inbox, run) = inbox::open(limits, db, notifiers, shutdown);
        tasks.spawn(run);
        tasks.close();
        Self(Arc::new(Inner {
            inbox,
            quarantine,
            pace: RateLimit::new(Instant::now()),
            clock,
            registry,
            limits,
            reloaded: std::sync::Mutex::new(None),
            tasks,
            metrics: answer::Metrics::default(),
        }))
    }

    /// Gives the receiver back and waits until everything that it took is written. The other clones must be gone.
    pub async fn finish(self) {
        let tasks = self.0.tasks.clone();
        drop(self);
        tasks.wait().await;
    }
}

/// Serves everything under `/webhooks`, bodies up to `max_body` bytes.
pub fn router(receiver: Receiver, max_body: usize) -> Router {
    router_behind(receiver, max_body, CidrSet::default())
}

/// The same behind proxies whose `X-Forwarded-For` is believed.
pub fn router_behind(receiver: Receiver, max_body: usize, trusted_proxies: CidrSet) -> Router {
    let endpoint = Arc::new(Endpoint { receiver, max_body, trusted_proxies });
    // All paths below are ours, so that none of them is answered with a page or a redirect.
    Router::new()
        .route("/webhooks/{*source}", any(receive))
        .route("/webhooks", any(receive))
        .route("/webhooks/", any(receive))
        .with_state(endpoint)
}

async fn receive(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    if request.method() != Method::POST {
        return answer::method_not_allowed();
    }
    let receiver = &*endpoint.receiver.0;
    let Some(source) = receiver.source(request.uri().path()).await else {
        return answer::no_such_source();
    };
    let (parts, body) = request.into_parts();
    let body = match receiver.read(&parts.headers, body, endpoint.max_body).await {
        Ok(body) => body,
        Err(error) => return answer::unreadable(error, endpoint.max_body),
    };
    receiver.take(source, parts, body, &endpoint.trusted_proxies).await
}

impl Inner {
    async fn read(&self, headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, body::BodyError> {
        if body::announced(headers).is_some_and(|length| length > most as u64) {
            return Err(body::BodyError::TooLarge);
        }
        match tokio::time::timeout(self.limits.body, body::read(body, most)).await {
            Ok(result) => result,
            Err(_) => Err(body::BodyError::TooSlow),
        }
    }

    /// The source of the path; looks once more in the database for one that another process may have made.
    async fn source(&self, path: &str) -> Option<Arc<Source>> {
        let slug: Slug = path.strip_prefix("/webhooks/")?.parse().ok()?;
        if let Some(source) = self.registry.source(&slug) {
            return Some(source);
        }
        if self.reload().await { self.registry.source(&slug) } else { None }
    }

    async fn take(&self, source: Arc<Source>, parts: Parts, body: Bytes, proxies: &CidrSet) -> Response {
        let now = self.clock.now();
        let (source, events) = match self.accept(Arc::clone(&source), &parts, &body, now).await {
            Ok(accepted) => accepted,
            Err(reason) => {
                self.metrics.rejected();
                self.quarantine.keep(&RefusedRequest {
                    source: &source,
                    received_at: now,
                    reason,
                    parts: &parts,
                    body: &body,
                    proxies,
                });
                // Who has to wait holds nothing of what it sent.
                drop((source, parts, body));
                self.pace.acquire().await;
                return answer::refused(reason);
            }
        };
        let ids = events.map(|event| event.event_id.clone());
        match self.inbox.store(source, events).await {
            Some(outcomes) => answer::stored(&outcomes, &ids),
            None => {
                self.metrics.unavailable();
                answer::unavailable()
            }
        }
    }

    /// The events that it is. Looks once more in the database for secrets that another process may have changed.
    async fn accept(
        &self,
        source: Arc<Source>,
        parts: &Parts,
        body: &Bytes,
        now: Timestamp,
    ) -> Result<(Arc<Source>, NonEmpty<NewEvent>), Reason> {
        let accepted =
            |source: &Source| accept(source, &parts.headers, parts.uri.query(), body, AcceptTimes::at(now));
        let reason = match accepted(&source) {
            Ok(events) => return Ok((source, events)),
            Err(reason) => reason,
        };
        if !self.reload().await {
            return Err(reason);
        }
        let source = self.registry.source(&source.slug).ok_or(reason)?;
        let events = accepted(&source)?;
        Ok((source, events))
    }

    /// Reads sources and secrets again, once in a while. Tells whether it did.
    async fn reload(&self) -> bool {
        {
            let mut last = self.reloaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if last.is_some_and(|last| last.elapsed() < RELOAD_EVERY) {
                return false;
            }
            *last = Some(Instant::now());
        }
        match self.registry.reload().await {
            Ok(()) => true,
            Err(error) => {
                tracing::error!(%error, "sources and secrets could not be read again");
                false
            }
        }
    }
}
