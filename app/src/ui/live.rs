//! Pages renew themselves while they are seen and nobody is in the middle of something on them.

use leptos::prelude::*;

use super::{IntoPart, Ui, browser, format, icon, time};
use crate::text::fill;
use crate::types::Timestamp;

/// Seconds between renewals, and while something that the user started is still going on.
const CALM: u32 = 2;
const SOON: u32 = 1;

/// Why a page does not renew for the moment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Busy {
    Not,
    /// Somebody types, or a dialog or menu is open.
    Typing,
    /// Rows are picked.
    Picking,
}

/// When pages renew themselves, and whether they did.
#[derive(Clone, Copy)]
pub struct Live {
    tick: RwSignal<u32>,
    seconds: StoredValue<u32>,
    /// Something is awaited: look every second.
    soon: RwSignal<bool>,
    busy: RwSignal<Busy>,
    stopped: RwSignal<bool>,
    updated: RwSignal<Option<Timestamp>>,
    lost: RwSignal<bool>,
}

impl Live {
    /// Nothing renewed yet.
    pub fn new() -> Self {
        Self {
            tick: RwSignal::new(0),
            seconds: StoredValue::new(0),
            soon: RwSignal::new(false),
            busy: RwSignal::new(Busy::Not),
            stopped: RwSignal::new(false),
            updated: RwSignal::new(None),
            lost: RwSignal::new(false),
        }
    }

    /// Changes whenever a page should read its data again.
    pub fn tick(self) -> u32 {
        self.tick.get()
    }

    /// Renews now.
    pub fn renew(self) {
        self.tick.update(|tick| *tick = tick.wrapping_add(1));
    }

    /// Looks every second while something is awaited.
    pub fn expect(self, something: bool) {
        if self.soon.get_untracked() != something {
            self.soon.set(something);
        }
    }

    /// Pauses, or goes on.
    pub fn toggle(self) {
        self.stopped.update(|stopped| *stopped = !*stopped);
    }

    /// The data came, as of this moment.
    pub fn succeeded(self, at: Timestamp) {
        self.lost.set(false);
        self.updated.set(Some(at));
    }

    /// The data did not come; what is shown is older.
    pub fn failed(self) {
        self.lost.set(true);
    }

    pub(super) fn renew_when_due(self) {
        let seconds = self.seconds.get_value().wrapping_add(1);
        self.seconds.set_value(seconds);
        let busy = match () {
            () if browser::has_selection() => Busy::Picking,
            () if browser::has_focus_or_dialog() => Busy::Typing,
            () => Busy::Not,
        };
        if self.busy.get_untracked() != busy {
            self.busy.set(busy);
        }
        let every = if self.soon.get_untracked() { SOON } else { CALM };
        if seconds.is_multiple_of(every)
            && busy == Busy::Not
            && !self.stopped.get_untracked()
            && browser::visible()
        {
            self.renew();
        }
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

/// The line that says how old the page is.
pub fn line(ui: Ui, read: Timestamp) -> AnyView {
    let live = ui.live;
    let updated = move || live.updated.get().unwrap_or(read);
    let tone = move || match () {
        () if live.lost.get() => "bad",
        () if live.stopped.get() || live.busy.get() != Busy::Not => "wait",
        () => "ok",
    };
    let said = move || {
        let at = updated();
        match () {
            () if live.lost.get() => {
                fill(ui.text.live.lost_since, &[&format::time_of_day(at, ui.clock.utc_offset(at))])
            }
            () if ui.clock.ticks() => {
                fill(ui.text.live.updated, &[&format::relative(at, ui.clock.now(at), ui.text)])
            }
            () => fill(ui.text.live.read_at, &[&format!("{} UTC", format::time_of_day(at, 0))]),
        }
    };
    let paused = move || match () {
        () if live.stopped.get() => format!("· {}", ui.text.live.paused_by_hand),
        () => match live.busy.get() {
            Busy::Picking => format!("· {}", ui.text.live.paused_picked),
            Busy::Typing => format!("· {}", ui.text.live.paused_busy),
            Busy::Not => String::new(),
        },
    };
    view! {
        <p class="live" data-tone=tone>
            {icon::icon("live")}
            <span>
                <time datetime=move || updated().to_string() title=move || time::title(ui, updated())>{said}</time>
            </span>
            <span class="paused">{paused}</span>
        </p>
    }.part()
}
