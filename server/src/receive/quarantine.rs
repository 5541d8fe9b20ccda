//! What is refused is kept to be examined, without ever being waited for: a request leaves it on its source's shelf,
//! and one task writes what lies there, now and then. A full shelf takes no more, so that a flood costs the database
//! the same few rows a second whatever comes, and one source's flood takes nothing from another's shelf. What is not
//! kept is counted and costs nothing else.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::types::Timestamp;
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderName};
use bytes::Bytes;
use metrics::counter;
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Limits;
use crate::client_address::find_client_address;
use crate::db::Db;
use crate::domain::signature::{Incoming, Policy, Reason};
use crate::net::CidrSet;
use crate::registry::Source;
use crate::store::rejection::{self, LEFT_OUT, NewRejection};

/// Headers whose values open something: also those that are a sender's secret itself, at whichever source they come in.
const CREDENTIALS: &[&str] = &["authorization", "cookie", "proxy-authorization", "verif-hash"];
/// Bytes of all headers together that are kept.
const MOST_HEADERS: usize = 16 * 1024;
/// Bytes of path and query.
const MOST_TARGET: usize = 2048;
/// How many times longer they are gathered while some find no room: most of those that are written then only push
/// others out.
const FLOOD: u32 = 4;

/// How much is kept of what is refused.
#[derive(Debug, Clone, Copy)]
pub struct QuarantineLimits {
    /// Rejections of one source.
    pub count: i64,
    /// Their bytes.
    pub bytes: i64,
    /// Bytes of one body.
    pub body: usize,
    /// Rejections of one source that wait to be written; more that come meanwhile are counted, and not kept.
    pub waiting: usize,
    /// Bytes of all that wait; one of each source may wait beyond them.
    pub waiting_bytes: usize,
    /// How long they are gathered.
    pub gather: Duration,
}

impl Default for QuarantineLimits {
    fn default() -> Self {
        Self {
            count: 1000,
            bytes: 16 << 20,
            body: 256 << 10,
            waiting: 32,
            waiting_bytes: 8 << 20,
            gather: Duration::from_millis(250),
        }
    }
}

/// A request that is refused.
pub(super) struct RefusedRequest<'a> {
    pub(super) source: &'a Source,
    pub(super) received_at: Timestamp,
    pub(super) reason: Reason,
    pub(super) parts: &'a Parts,
    pub(super) body: &'a Bytes,
    pub(super) proxies: &'a CidrSet,
}

/// The shelves.
#[derive(Debug)]
pub(super) struct Quarantine {
    shared: Arc<Shared>,
    /// The writer ends after this.
    _open: DropGuard,
}

#[derive(Debug)]
struct Shared {
    bounds: QuarantineLimits,
    shelves: Mutex<SourceBuffers>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct SourceBuffers {
    of_source: HashMap<i64, SourceBuffer>,
    bytes: usize,
    /// Those that found no room.
    dropped: u64,
}

#[derive(Debug, Default)]
struct SourceBuffer {
    rejections: Vec<NewRejection>,
    /// By minute: all that were refused.
    counts: BTreeMap<i64, i64>,
}

/// The shelves, and the task that has to run for them; it ends when they are gone and everything on them is written.
pub(super) fn open(limits: &Limits, db: Db) -> (Quarantine, impl Future<Output = ()> + Send + 'static) {
    let shared =
        Arc::new(Shared { bounds: limits.rejections, shelves: Mutex::default(), filled: Notify::new() });
    let closed = CancellationToken::new();
    let writer = write(Arc::clone(&shared), db, closed.clone());
    (Quarantine { shared, _open: closed.drop_guard() }, writer)
}

impl Quarantine {
    /// Counts it, and keeps it if there is room.
    pub(super) fn keep(&self, refused: &RefusedRequest<'_>) {
        let bounds = &self.shared.bounds;
        if self.shared.count(refused) {
            // A copy of all that came: not while others wait for the shelves.
            let rejection = row(refused, bounds.body);
            self.shared.lock().push(bounds, rejection);
        }
        self.shared.filled.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, SourceBuffers> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts it, and tells whether there is room for it.
    fn count(&self, refused: &RefusedRequest<'_>) -> bool {
        let mut shelves = self.lock();
        let shelf = shelves.of_source.entry(refused.source.id).or_default();
        *shelf.counts.entry(rejection::count::minute(refused.received_at)).or_default() += 1;
        let has_room = shelves.has_room(&self.bounds, refused.source.id);
        shelves.dropped += u64::from(!has_room);
        has_room
    }
}

impl SourceBuffers {
    /// An empty shelf always has: no source's flood hides what another refuses.
    fn has_room(&self, bounds: &QuarantineLimits, source_id: i64) -> bool {
        let on_shelf = self.of_source.get(&source_id).map_or(0, |shelf| shelf.rejections.len());
        on_shelf == 0 || (on_shelf < bounds.waiting && self.bytes < bounds.waiting_bytes)
    }

    fn push(&mut self, bounds: &QuarantineLimits, rejection: NewRejection) {
        if self.has_room(bounds, rejection.source_id) {
            self.bytes += rejection.size();
            self.of_source.entry(rejection.source_id).or_default().rejections.push(rejection);
        } else {
            self.dropped += 1;
        }
    }
}

async fn write(shared: Arc<Shared>, db: Db, closed: CancellationToken) {
    let (mut is_last, mut is_flood) = (false, false);
    while !is_last {
        tokio::select! {
            () = shared.filled.notified() => {
                let gather = shared.bounds.gather * if is_flood { FLOOD } else { 1 };
                let _ = tokio::time::timeout(gather, closed.cancelled()).await;
            }
            () = closed.cancelled() => is_last = true,
        }
        let shelves = mem::take(&mut *shared.lock());
        is_flood = shelves.dropped > 0;
        let mut dropped = shelves.dropped;
        if let Err(error) = write_all(&db, &shared.bounds, &shelves).await {
            let rejections: usize = shelves.of_source.values().map(|shelf| shelf.rejections.len()).sum();
            tracing::error!(%error, rejections, "rejections could not be kept");
            dropped += rejections as u64;
        }
        if dropped > 0 {
            counter!("acuse_rejections_dropped_total").increment(dropped);
        }
    }
}

async fn write_all(db: &Db, bounds: &QuarantineLimits, shelves: &SourceBuffers) -> sqlx::Result<()> {
    if shelves.of_source.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin_write().await?;
    // In the order of their numbers: two processes wait for each other and never in a circle.
    for (source_id, shelf) in shelves.of_source.iter().collect::<BTreeMap<_, _>>() {
        for (minute, count) in &shelf.counts {
            rejection::count::add(&mut tx, *source_id, *minute, *count).await?;
        }
        if !shelf.rejections.is_empty() {
            rejection::insert(&mut tx, &shelf.rejections).await?;
            rejection::trim(&mut tx, *source_id, bounds.count, bounds.bytes).await?;
        }
    }
    tx.commit().await
}

fn row(refused: &RefusedRequest<'_>, most_body: usize) -> NewRejection {
    let RefusedRequest { source, parts, .. } = refused;
    let body = &refused.body[..refused.body.len().min(most_body)];
    let target = parts.uri.path_and_query().map_or("", PathAndQuery::as_str);
    let remote = find_client_address(refused.proxies, &parts.extensions, &parts.headers);
    NewRejection {
        source_id: source.id,
        received_at: refused.received_at,
        reason: refused.reason,
        signed_at: signed_at(refused),
        remote_address: remote.map(|address| address.to_string()),
        target: target.get(..MOST_TARGET).unwrap_or(target).to_owned(),
        headers: all_headers(&parts.headers, source.policy.as_ref()),
        // A copy: the bytes are a part of the connection's buffer, and would hold all of it.
        body: Bytes::copy_from_slice(body),
        body_size: i64::try_from(refused.body.len()).unwrap_or(i64::MAX),
    }
}

/// The time that the signature tells, as far as it can be read.
fn signed_at(refused: &RefusedRequest<'_>) -> Option<i64> {
    let RefusedRequest { source, parts, body, .. } = refused;
    let incoming =
        Incoming { headers: &parts.headers, body, url: source.url.as_deref(), query: parts.uri.query() };
    source.policy.as_ref()?.read(&incoming).ok()?.first()?.signed_at
}

/// A JSON list of pairs, each byte of a value as one character, so that any value comes back as it was. A header that
/// is the secret itself is not kept. Those that the scheme reads come first: what is too much is cut off at the end.
fn all_headers(headers: &HeaderMap, policy: Option<&Policy>) -> String {
    let mut tokens = policy.map(Policy::header_names).unwrap_or_default();
    if policy.is_some_and(|policy| tokens.iter().any(|name| policy.signs_in(name))) {
        tokens.clear();
    }
    let (mut pairs, mut size) = (Vec::new(), 0);
    let reads = |name: &HeaderName| policy.is_some_and(|policy| policy.signs_in(name));
    let (first, others): (Vec<_>, Vec<_>) = headers.iter().partition(|(name, _)| reads(name));
    for (name, value) in first.into_iter().chain(others) {
        let value: String = match CREDENTIALS.contains(&name.as_str()) || tokens.contains(&name) {
            true => LEFT_OUT.to_owned(),
            false => value.as_bytes().iter().copied().map(char::from).collect(),
        };
        size += name.as_str().len() + value.len();
        if size > MOST_HEADERS {
            break;
        }
        pairs.push((name.as_str(), value));
    }
    // Texts can always be written.
    serde_json::to_string(&pairs).unwrap_or_else(|_| "[]".to_owned())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;
    use crate::domain::signature::Scheme;

    #[test]
    fn headers_are_kept_byte_for_byte_but_for_what_opens_something() {
        let mut map = HeaderMap::new();
        map.append("x-a", HeaderValue::from_bytes(b"\"\xff\xc3\xbc\t").unwrap());
        map.append("x-a", HeaderValue::from_static("2"));
        map.insert("cookie", HeaderValue::from_static("session=secret"));
        map.insert("authorization", HeaderValue::from_static("Bearer secret"));
        let kept: Vec<(String, String)> = serde_json::from_str(&all_headers(&map, None)).unwrap();
        assert_eq!(
            kept,
            [("x-a", "\"\u{ff}\u{c3}\u{bc}\t"), ("x-a", "2"), ("cookie", "…"), ("authorization", "…")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        map.insert("verif-hash", HeaderValue::from_static("token"));
        let kept = all_headers(&map, Some(Scheme::FlutterwaveStatic.policy()));
        assert!(kept.contains("verif-hash") && !kept.contains("token"), "{kept}");
        assert!(
            !all_headers(&map, Some(Scheme::Paymos.policy())).contains("token"),
            "at another source neither"
        );
        map.insert("x-large", HeaderValue::from_bytes(&[b'x'; MOST_HEADERS]).unwrap());
        map.insert("x-webhook-signature", HeaderValue::from_static("t=1,v1=2"));
        let kept = all_headers(&map, Some(Scheme::Paymos.policy()));
        assert!(!kept.contains("x-large") && kept.contains("t=1,v1=2"), "{kept}");
    }
}
