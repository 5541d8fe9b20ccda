//! The settings of a destination, as the API and the form give them.

use app::types::{Format, SignatureOrder, Slug};
use serde_json::{Value, json};

use crate::domain::destination::DestinationSettings;
use crate::domain::ladder::Ladder;

/// What a destination is made of.
#[derive(Debug, Clone)]
pub struct NewDestination {
    /// Its name.
    pub slug: Slug,
    /// What it is set to.
    pub settings: DestinationSettings,
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
    /// Writes what changes.
    pub(super) fn apply_to(self, settings: &mut DestinationSettings) {
        fn set<T>(setting: &mut T, change: Option<T>) {
            if let Some(value) = change {
                *setting = value;
            }
        }
        set(&mut settings.url, self.url);
        set(&mut settings.format, self.format);
        set(&mut settings.sources, self.sources);
        set(&mut settings.events, self.events);
        set(&mut settings.ladder, self.ladder);
        set(&mut settings.timeout_ms, self.timeout_ms);
        set(&mut settings.max_in_flight, self.max_in_flight);
        set(&mut settings.rate_per_s, self.rate_per_s);
        set(&mut settings.jitter_percent, self.jitter_percent);
        set(&mut settings.signature_order, self.signature_order);
    }

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
