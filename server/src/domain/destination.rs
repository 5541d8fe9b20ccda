//! What a destination is set to: where deliveries go, which events it takes, and when and how fast attempts are made.

use app::types::{Format, SignatureOrder, Slug};

use super::filter;
use super::ladder::Ladder;

/// The settings of a destination.
#[derive(Debug, Clone, PartialEq)]
pub struct DestinationSettings {
    /// Where deliveries are posted.
    pub url: String,
    /// The headers that it reads.
    pub format: Format,
    /// Sources that it takes: slugs, or `*`.
    pub sources: Vec<String>,
    /// Types that it takes: names, `invoice.*`, or `*`.
    pub events: Vec<String>,
    /// When attempts are made, without the jitter.
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

impl DestinationSettings {
    /// Whether it is subscribed to such an event.
    pub fn takes(&self, source: &Slug, event_type: &str) -> bool {
        filter::takes(&self.sources, source.as_str()) && filter::takes(&self.events, event_type)
    }

    /// When attempts are made, each late by up to the jitter.
    pub fn ladder_with_jitter(&self) -> Ladder {
        self.ladder.clone().with_jitter(u32::try_from(self.jitter_percent).unwrap_or(0))
    }
}
