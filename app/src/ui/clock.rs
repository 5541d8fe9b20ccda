//! The time as the server tells it, counted on by the browser, and the zone to show it in.
//!
//! Until a page has hydrated, now is the moment at which the server read its data, and the zone is UTC: then the
//! browser renders what the server rendered. Both become the browser's afterwards.

use leptos::prelude::*;

use super::browser;
use crate::types::Timestamp;

/// One for all parts of a page, so that they tick together.
#[derive(Clone, Copy)]
pub struct Clock {
    now: RwSignal<Option<Timestamp>>,
    /// Microseconds that the server's clock is ahead of the browser's.
    ahead: RwSignal<i64>,
    local: RwSignal<bool>,
    utc: bool,
}

impl Clock {
    /// Not ticking yet; `utc` keeps it in UTC.
    pub fn new(utc: bool) -> Self {
        Self { now: RwSignal::new(None), ahead: RwSignal::new(0), local: RwSignal::new(false), utc }
    }

    /// The present, or the moment at which the page was read while nothing ticks.
    pub fn now(self, page: Timestamp) -> Timestamp {
        self.now.get().unwrap_or(page)
    }

    /// Whether time passes on this page: it does not without script.
    pub fn ticks(self) -> bool {
        self.now.get().is_some()
    }

    /// The same, without following it.
    pub fn now_untracked(self) -> Option<Timestamp> {
        self.now.get_untracked()
    }

    /// Seconds east of UTC in which to show a moment.
    pub fn utc_offset(self, at: Timestamp) -> i64 {
        if self.local.get() { browser::east_seconds(at) } else { 0 }
    }

    /// Whether the zone is the browser's.
    pub fn is_local(self) -> bool {
        self.local.get()
    }

    /// The server said what time it is.
    pub fn sync(self, server: Timestamp) {
        self.ahead.set(server.micros() - browser::now().micros());
        self.now.set(Some(server));
    }

    pub(super) fn localise(self) {
        if !self.utc {
            self.local.set(true);
        }
    }

    pub(super) fn tick(self) {
        let moment = browser::now().micros() + self.ahead.get_untracked();
        if self.now.get_untracked().is_some() {
            self.now.set(Some(Timestamp::from_micros(moment)));
        }
    }
}
