//! The parts that pages are made of. A part takes [`Ui`] and data; it asks nobody for anything.

pub mod badge;
pub mod browser;
pub mod clock;
pub mod dialog;
pub mod empty;
pub mod filters;
pub mod format;
pub mod frozen_rows;
pub mod icon;
pub mod keys;
pub mod list_query;
pub mod live;
pub mod pager;
pub mod part;
pub mod payload;
pub mod sentence;
pub mod sparkline;
pub mod time;
pub mod title;
pub mod toast;

use leptos::prelude::*;

use crate::text::{Lang, Texts};
use crate::types::Role;
use crate::viewer::Reader;

pub use crate::types::query;
pub use clock::Clock;
pub use live::Live;
pub use part::IntoPart;
pub use toast::Toasts;

/// What every part may use. Made once a page load, taken by pages before they wait for anything.
#[derive(Clone, Copy)]
pub struct Ui {
    /// The words.
    pub text: &'static Texts,
    /// Their language.
    pub lang: Lang,
    /// The viewer may resend, acknowledge, compare and rotate.
    pub may_act: bool,
    /// The viewer may change sources and destinations.
    pub may_change: bool,
    /// What time it is, and in which zone.
    pub clock: Clock,
    /// When pages renew themselves.
    pub live: Live,
    /// Messages at the edge of the page.
    pub toasts: Toasts,
    /// How many alerts are open, as far as the page knows.
    pub alerts: RwSignal<i64>,
}

impl Ui {
    /// For this reader.
    pub fn new(reader: &Reader) -> Self {
        let lang = reader.preferences.lang;
        Self {
            text: lang.texts(),
            lang,
            may_act: reader.viewer.as_ref().is_some_and(|viewer| viewer.role >= Role::Support),
            may_change: reader.viewer.as_ref().is_some_and(|viewer| viewer.role >= Role::Admin),
            clock: Clock::new(reader.preferences.utc),
            live: Live::new(),
            toasts: Toasts::new(),
            alerts: RwSignal::new(reader.open_alerts),
        }
    }

    /// Makes time pass and pages renew, in the browser alone: the first render must be the server's.
    pub fn start(self) {
        Effect::new(move |_| {
            self.clock.localise();
            let beat = move || {
                self.clock.tick();
                self.live.renew_when_due();
            };
            set_interval(beat, std::time::Duration::from_secs(1));
        });
    }
}
