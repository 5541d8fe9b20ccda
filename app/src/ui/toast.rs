//! Messages about what the user just did. Errors stay; others leave after 8 seconds unless pointed at or focused.

use std::time::Duration;

use leptos::prelude::*;

use super::{IntoPart, Ui, browser, icon};

/// What happened.
#[derive(Clone, PartialEq, Eq)]
pub struct Toast {
    /// `ok`, `bad` or `accent`.
    pub tone: &'static str,
    /// The sentence in bold.
    pub title: String,
    /// More of it; may be empty.
    pub detail: String,
}

/// The newest message; one is enough to read at a time.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Option<Toast>>,
    number: StoredValue<u32>,
}

impl Toasts {
    /// None.
    pub fn new() -> Self {
        Self { shown: RwSignal::new(None), number: StoredValue::new(0) }
    }

    /// Shows one in place of the one before.
    pub fn show(self, tone: &'static str, title: impl Into<String>, detail: impl Into<String>) {
        let number = self.number.get_value().wrapping_add(1);
        self.number.set_value(number);
        self.shown.set(Some(Toast { tone, title: title.into(), detail: detail.into() }));
        if tone != "bad" {
            self.remove_after(number);
        }
    }

    fn remove_after(self, number: u32) {
        set_timeout(
            move || {
                if self.number.try_get_value() != Some(number) {
                    return;
                }
                if browser::find(".toasts:hover, .toasts:focus-within").is_some() {
                    self.remove_after(number);
                } else {
                    self.shown.set(None);
                }
            },
            Duration::from_secs(8),
        );
    }
}

impl Default for Toasts {
    fn default() -> Self {
        Self::new()
    }
}

/// The corner where they show. Always there, so that screen readers hear what comes into it.
pub fn toast_region(ui: Ui) -> AnyView {
    let toasts = ui.toasts;
    let note = move |toast: Toast| {
        view! {
            <div class="note" data-tone=toast.tone>
                {icon::icon(if toast.tone == "bad" { "failed" } else { "check" })}
                <div>
                    <b>{toast.title}</b>
                    <p>{toast.detail}</p>
                </div>
                <button
                    class="icon-button small"
                    type="button"
                    aria-label=ui.text.common.close
                    on:click=move |_| toasts.shown.set(None)
                >
                    {icon::icon("close")}
                </button>
            </div>
        }
    };
    view! { <div class="toasts" role="status">{move || toasts.shown.get().map(note)}</div> }.part()
}
