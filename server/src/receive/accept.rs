//! From what came in to the events that it is: one, or several where each item of a body is signed for itself.

use app::types::{Mode, Timestamp};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::stored_headers;
use crate::domain::signature::{Claim, Incoming, Reason};
use crate::registry::Source;
use crate::store::event::NewEvent;

/// One or more, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NonEmpty<T> {
    pub(crate) first: T,
    /// Mostly none, which costs nothing.
    pub(crate) more: Vec<T>,
}

impl<T> NonEmpty<T> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.more)
    }

    pub(crate) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> NonEmpty<U> {
        let first = to(&self.first);
        NonEmpty { first, more: self.more.iter().map(to).collect() }
    }

    /// It alone.
    pub(crate) const fn one(first: T) -> Self {
        Self { first, more: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        1 + self.more.len()
    }

    /// None of nothing.
    pub(crate) fn of(items: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut items = items.into_iter();
        Some(Self { first: items.next()?, more: items.collect() })
    }
}

/// When it came, and when it is taken in: the same, unless it is verified again later.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AcceptTimes {
    /// The clock window is that of this moment.
    pub(crate) arrived: Timestamp,
    /// The secrets are those of this moment, and the event is as if it had come now.
    pub(crate) now: Timestamp,
}

impl AcceptTimes {
    pub(crate) const fn at(now: Timestamp) -> Self {
        Self { arrived: now, now }
    }
}

/// The events, if all of them are signed with secrets of the source that are active now.
///
/// # Errors
/// Why it is refused.
pub(crate) fn accept(
    source: &Source,
    headers: &HeaderMap,
    query: Option<&str>,
    body: &Bytes,
    AcceptTimes { arrived, now }: AcceptTimes,
) -> Result<NonEmpty<NewEvent>, Reason> {
    // A source whose scheme is not known is refused, like one without a secret.
    let policy = source.policy.as_ref().ok_or(Reason::BadSecret)?;
    let incoming = Incoming { headers, body, url: source.url.as_deref(), query };
    let active = || source.secrets.iter().filter(|secret| secret.is_active(now));
    let keys: Vec<&[u8]> = active().map(|secret| secret.value.expose().as_bytes()).collect();
    let verified = policy.verify(&keys, &incoming, arrived.unix(), source.tolerance_s)?;
    let sha256 = Sha256::digest(body).into();
    let events = verified.claims().iter().map(|(claim, secret)| {
        let secret = active().nth(*secret).map(|secret| secret.id.clone());
        new_event(source, &incoming, claim, secret, body.clone(), sha256, now)
    });
    NonEmpty::of(events).ok_or(Reason::MissingHeader)
}

pub(super) fn new_event(
    source: &Source,
    incoming: &Incoming<'_>,
    claim: &Claim<'_>,
    secret_id: Option<String>,
    body: Bytes,
    body_sha256: [u8; 32],
    now: Timestamp,
) -> NewEvent {
    let envelope = source.reader.read(incoming, claim);
    let (kind, resource_id) = envelope.resource.map(|it| (it.kind, it.id)).unzip();
    let text = |name| incoming.headers.get(name).map(stored_headers::text);
    NewEvent {
        source_id: source.id,
        event_id: envelope.event_id,
        event_type: envelope.event_type,
        resource_id,
        resource_kind: kind.flatten(),
        status: envelope.status,
        is_test: envelope.is_test,
        held: envelope.is_test.is_some_and(|is_test| is_test != (source.mode == Mode::Test)),
        version: envelope.version,
        occurred_at: envelope.occurred_at,
        received_at: now,
        content_type: text(header::CONTENT_TYPE),
        content_encoding: text(header::CONTENT_ENCODING),
        headers: stored_headers::headers(incoming.headers, source.policy.as_ref()),
        body,
        body_sha256,
        secret_id,
    }
}
