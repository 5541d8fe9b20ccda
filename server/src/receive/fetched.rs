//! Takes in what a provider's API lists and no webhook brought: by the same way as an arrival, but for the signature.
//! That it is the provider's was for TLS to say.

use std::sync::Arc;

use app::error::AppError;
use app::types::Timestamp;
use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;
use futures_util::future::join_all;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Receiver;
use super::accept::{NonEmpty, new_event};
use super::answer::Outcome;
use crate::domain::signature::{Claim, Incoming};
use crate::error::Failure;
use crate::registry::Source;
use crate::store::event::NewEvent;

/// The header that is kept of what came this way. One that is sent to us is not kept.
pub const FETCHED_FROM: &str = "acuse-fetched-from";

/// The event that an API's answer holds, as if it had come now.
pub fn fetched(source: &Source, host: &str, body: Bytes, now: Timestamp) -> NewEvent {
    let headers =
        HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    let incoming = Incoming::new(&headers, &body);
    let sha256 = Sha256::digest(&body).into();
    let claim = Claim::unsigned(None, None);
    let event = new_event(source, &incoming, &claim, None, body.clone(), sha256, now);
    NewEvent { headers: json!([[FETCHED_FROM, host]]).to_string(), ..event }
}

impl Receiver {
    /// Stores them as any other arrivals; each by itself, so that one that cannot be stored is alone. Returns how many
    /// were new.
    ///
    /// # Errors
    /// `Unavailable`: not all of them could be stored.
    pub async fn take_fetched(&self, source: &Arc<Source>, events: Vec<NewEvent>) -> Result<i64, Failure> {
        let store = |event| self.0.inbox.store(Arc::clone(source), NonEmpty::one(event));
        let outcomes = join_all(events.into_iter().map(store)).await;
        let outcomes: Option<Vec<_>> = outcomes.into_iter().collect();
        let outcomes = outcomes.ok_or(AppError::Unavailable)?;
        let new = outcomes.iter().filter(|outcome| outcome.first == Outcome::Stored).count();
        Ok(i64::try_from(new).unwrap_or(i64::MAX))
    }
}
