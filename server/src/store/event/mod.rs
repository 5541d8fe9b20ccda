//! Rows of `event` and `event_body`: kept once, counted when they come again.
//!
//! The statements of a batch differ on the two databases: PostgreSQL takes columns as arrays, which it plans once
//! for every size; SQLite has no arrays, and hands every returned row from thread to thread.

pub mod arrival;
pub mod list;

mod postgres;
mod sqlite;

use std::borrow::Cow;

use app::types::Timestamp;
use bytes::Bytes;

use crate::db::Tx;

/// An event as it is kept.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// By which source.
    pub source_id: i64,
    /// The provider's id of it.
    pub event_id: String,
    /// The provider's name of what happened.
    pub event_type: String,
    /// What it happened to.
    pub resource_id: Option<String>,
    /// What that is, in the provider's word.
    pub resource_kind: Option<Cow<'static, str>>,
    /// How that stands now.
    pub status: Option<String>,
    /// Whether it comes from the provider's sandbox, as far as it tells.
    pub is_test: Option<bool>,
    /// That contradicts its source's mode: it waits for a person.
    pub held: bool,
    /// The version of its form.
    pub version: Option<String>,
    /// When, by the provider's clock.
    pub occurred_at: Option<Timestamp>,
    /// When it arrived.
    pub received_at: Timestamp,
    /// As received.
    pub content_type: Option<String>,
    /// As received: the body is kept as it came.
    pub content_encoding: Option<String>,
    /// Kept headers: a JSON list of pairs.
    pub headers: String,
    /// The exact bytes.
    pub body: Bytes,
    /// Their SHA-256.
    pub body_sha256: [u8; 32],
    /// Which secret verified it; none: it was not sent to us, but fetched from its provider.
    pub secret_id: Option<String>,
}

impl NewEvent {
    /// What makes it the same event.
    pub fn key(&self) -> (i64, &str) {
        (self.source_id, &self.event_id)
    }
}

/// How often a known event came again.
#[derive(Debug, Clone, Copy)]
pub struct Repeats<'a> {
    /// By which source.
    pub source_id: i64,
    /// The provider's id of it.
    pub event_id: &'a str,
    /// How often.
    pub times: i64,
}

/// An event that was there.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct KnownEvent {
    /// Its number.
    pub id: i64,
    /// Its source.
    pub source_id: i64,
    /// The provider's id of it.
    pub event_id: String,
    /// Arrivals so far, with the counted ones.
    pub arrivals: i64,
    /// The hash of the bytes that came first.
    pub body_sha256: Vec<u8>,
    /// Which secret verified them; none: they were fetched.
    pub secret_id: Option<String>,
}

/// Keeps those that are not known, each with its body. The keys must be in ascending order, each there once.
/// Tells which of them were new.
///
/// # Errors
/// The database does not answer, or refuses one of them.
pub async fn insert_new(tx: &mut Tx, events: &[&NewEvent]) -> sqlx::Result<Vec<bool>> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    match tx {
        Tx::Sqlite(tx) => sqlite::insert_new(tx, events).await,
        Tx::Postgres(tx) => postgres::insert_new(tx, events).await,
    }
}

/// Which of these keys are known, as their places: one index look-up each, and no lock.
///
/// # Errors
/// The database does not answer.
pub async fn known(tx: &mut Tx, keys: &[(i64, &str)]) -> sqlx::Result<Vec<usize>> {
    let places = match tx {
        Tx::Sqlite(tx) => sqlite::known(tx, keys).await,
        Tx::Postgres(tx) => postgres::known(tx, keys).await,
    }?;
    Ok(places.into_iter().filter_map(|place| usize::try_from(place).ok()).collect())
}

/// Counts repeats of events that are there. The keys must be in ascending order, each there once.
///
/// # Errors
/// The database does not answer.
pub async fn count_repeats(tx: &mut Tx, repeats: &[Repeats<'_>]) -> sqlx::Result<Vec<KnownEvent>> {
    match tx {
        Tx::Sqlite(tx) => sqlite::count_repeats(tx, repeats).await,
        Tx::Postgres(tx) => postgres::count_repeats(tx, repeats).await,
    }
}
