//! The settings of a destination, as the API and the form give them.

use app::types::{Format, SignatureOrder, Slug};
use serde_json::{Value, json};

use crate::domain::ladder::Ladder;

/// What a destination is made of.
#[derive(Debug, Clone)]
pub struct NewDestination {
    /// Its name.
    pub slug: Slug,
    /// Where deliveries are posted.
    pub url: String,
    /// The headers that it reads.
    pub format: Format,
    /// Sources that it takes: slugs, or `*`.
    pub sources: Vec<String>,
    /// Types that it takes: names, `invoice.*`, or `*`.
    pub events: Vec<String>,
    /// When attempts are made.
    pub ladder: Ladder,
    /// How long an attempt may take.
    pub timeout_ms: i64,
    /// Attempts at the same time.
    pub max_in_flight: i64,
    /// Attempts a second; none: as fast as it answers.
    pub rate_per_s: Option<f64>,
    /// By how much of a gap the attempt after it may be late on purpose.
    pub jitter_percent: i64,
    /// In which order it is signed with several secrets.
    pub signature_order: SignatureOrder,
}

/// What is to change; none: stays.
#[derive(Debug, Clone, Default)]
pub struct DestinationChange {
    /// Where deliveries are posted.
    pub url: Option<String>,
    /// The headers that it reads.
    pub format: Option<Format>,
    /// Sources that it takes.
    pub sources: Option<Vec<String>>,
    /// Types that it takes.
    pub events: Option<Vec<String>>,
    /// When attempts are made.
    pub ladder: Option<Ladder>,
    /// How long an attempt may take.
    pub timeout_ms: Option<i64>,
    /// Attempts at the same time.
    pub max_in_flight: Option<i64>,
    /// Attempts a second.
    pub rate_per_s: Option<Option<f64>>,
    /// By how much of a gap the attempt after it may be late on purpose.
    pub jitter_percent: Option<i64>,
    /// In which order it is signed with several secrets.
    pub signature_order: Option<SignatureOrder>,
}

impl DestinationChange {
    /// What changes, for the audit.
    pub(super) fn audit_value(&self) -> Value {
        let mut told = serde_json::Map::new();
        let mut tell = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                told.insert(name.to_owned(), value);
            }
        };
        tell("url", self.url.as_ref().map(|url| json!(url)));
        tell("format", self.format.map(|format| json!(format)));
        tell("sources", self.sources.as_ref().map(|sources| json!(sources)));
        tell("events", self.events.as_ref().map(|events| json!(events)));
        tell("ladder", self.ladder.as_ref().map(|ladder| json!(ladder.to_string())));
        tell("timeout_ms", self.timeout_ms.map(|millis| json!(millis)));
        tell("max_in_flight", self.max_in_flight.map(|most| json!(most)));
        tell("rate_per_s", self.rate_per_s.map(|rate| json!(rate)));
        tell("jitter_percent", self.jitter_percent.map(|percent| json!(percent)));
        tell("signature_order", self.signature_order.map(|order| json!(order)));
        Value::Object(told)
    }
}
