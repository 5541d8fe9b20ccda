//! Comparing now, and acknowledging: dialogs, or without script page states with the same forms.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::Difference;
use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::{Slug, Timestamp};
use crate::ui::{IntoPart, Ui, browser, dialog, icon};

const COMPARE: &str = "compare-dialog";
const ACKNOWLEDGE: &str = "acknowledge-dialog";
/// The window that is offered: long enough for what was made before a weekend.
const OFFERED_SECONDS: i64 = 3 * 86_400;

/// One for the page: links, dialogs and what came of them.
#[derive(Clone, Copy)]
pub struct Forms {
    ui: Ui,
    sources: RwSignal<Vec<Slug>>,
    has_feed: RwSignal<bool>,
    asked: RwSignal<Option<Difference>>,
    doing: ActionState,
}

impl Forms {
    /// Nothing asked yet.
    pub fn new(ui: Ui) -> Self {
        let this = Self {
            ui,
            sources: RwSignal::new(Vec::new()),
            has_feed: RwSignal::new(false),
            asked: RwSignal::new(None),
            doing: ActionState::new(&[FormKind::Compare, FormKind::Acknowledge]),
        };
        Effect::new(move |_| match this.doing.done() {
            Some(FormResult::Comparing) => {
                browser::close_dialog(COMPARE);
                ui.toasts.show(
                    "accent",
                    ui.text.reconciliation.compare_started,
                    ui.text.reconciliation.compare_started_help,
                );
                ui.live.expect(true);
                ui.live.renew();
            }
            Some(FormResult::Noted) => {
                browser::close_dialog(ACKNOWLEDGE);
                ui.toasts.show("ok", ui.text.reconciliation.note_done, "");
                ui.live.renew();
            }
            _ => {}
        });
        this
    }

    /// The primary action of the page.
    pub fn compare_link(self, sources: Vec<Slug>, has_feed: bool) -> AnyView {
        let ui = self.ui;
        let open = move |event: web_sys::MouseEvent| {
            event.prevent_default();
            self.doing.clear();
            self.sources.set(sources.clone());
            self.has_feed.set(has_feed);
            browser::open_dialog(COMPARE);
            // The dialog offers the last days, in the zone that is shown.
            let to = ui.clock.now_untracked().unwrap_or_else(browser::now);
            for (id, at) in [("compare-from", to.plus_seconds(-OFFERED_SECONDS)), ("compare-to", to)] {
                let input =
                    document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlInputElement>().ok());
                if let Some(input) = input {
                    browser::set_time(&input, at, ui.clock.is_local());
                }
            }
        };
        ui.may_act
            .then(|| {
                view! {
                    <a class="button primary" role="button" href="/reconciliation?compare=1" on:click=open>
                        {icon::icon("reconciliation")}
                        {ui.text.reconciliation.compare_now_more}
                    </a>
                }
            })
            .part()
    }

    /// The action of a difference that nobody has looked at.
    pub fn acknowledge_link(self, difference: Difference) -> AnyView {
        let text = self.ui.text;
        let href = format!("/reconciliation?acknowledge={}", difference.id);
        let name = fill(text.reconciliation.acknowledge_title, &[&difference.resource_id]);
        let open = move |event: web_sys::MouseEvent| {
            event.prevent_default();
            self.doing.clear();
            self.asked.set(Some(difference.clone()));
            browser::open_dialog(ACKNOWLEDGE);
        };
        self.ui
            .may_act
            .then(|| {
                view! {
                    <a class="button small" role="button" href=href aria-label=name on:click=open>
                        {text.reconciliation.acknowledge_more}
                    </a>
                }
            })
            .part()
    }

    /// Both dialogs, once a page.
    pub fn dialogs(self) -> AnyView {
        let text = self.ui.text;
        let compare = move || {
            let leave = dialog::cancel_button(COMPARE, text.common.cancel).part();
            self.compare_form("compare", self.sources.get(), self.has_feed.get(), None, leave)
        };
        let title = move || match self.asked.get() {
            Some(difference) => fill(text.reconciliation.acknowledge_title, &[&difference.resource_id]),
            None => text.common.acknowledge.to_owned(),
        };
        let id = move || self.asked.get().map(|difference| difference.id).unwrap_or_default();
        let leave = dialog::cancel_button(ACKNOWLEDGE, text.common.cancel).part();
        let acknowledge = self.acknowledge_form("note", id, leave);
        self.ui
            .may_act
            .then(|| {
                view! {
                    {dialog::dialog(self.ui, COMPARE, || text.reconciliation.compare_title.to_owned(), compare.part())}
                    {dialog::dialog(self.ui, ACKNOWLEDGE, title, acknowledge.part())}
                }
            })
            .part()
    }

    /// The form to compare, in the page.
    pub fn compare_in_page(self, sources: Vec<Slug>, has_feed: bool, now: Timestamp) -> AnyView {
        let text = self.ui.text;
        let leave = view! { <a class="button" href="/reconciliation">{text.common.cancel}</a> }.part();
        let form = self.compare_form("here", sources, has_feed, Some(now), leave);
        in_page(text.reconciliation.compare_title.to_owned(), form.part()).part()
    }

    /// The form to acknowledge, in the page.
    pub fn acknowledge_in_page(self, id: i64, title: String) -> AnyView {
        let text = self.ui.text;
        let leave = view! { <a class="button" href="/reconciliation">{text.common.cancel}</a> }.part();
        in_page(title, self.acknowledge_form("note-here", move || id, leave).part()).part()
    }

    fn compare_form(
        self,
        prefix: &'static str,
        sources: Vec<Slug>,
        has_feed: bool,
        now: Option<Timestamp>,
        leave: AnyView,
    ) -> AnyView {
        let ui = self.ui;
        let text = ui.text;
        let error = move || self.doing.error();
        let option = |slug: Slug| view! { <option value=slug.to_string()>{slug.to_string()}</option> };
        let moment = |name: &'static str, label: &'static str, at: Option<Timestamp>| {
            let id = format!("{prefix}-{name}");
            let zone = move || if ui.clock.is_local() { "" } else { text.filters.utc_hint };
            let value = at.map(|at| at.to_string().get(..16).unwrap_or_default().to_owned());
            view! {
                <div class="field">
                    <label for=id.clone()>{label} " " <small>{zone}</small></label>
                    <input id=id.clone() name=name type="datetime-local" required value=value />
                </div>
            }
        };
        let backfill = has_feed.then(|| {
            view! {
                <div class="field">
                    <label class="row">
                        <input type="checkbox" name="backfill" value="true" />
                        {text.reconciliation.backfill}
                    </label>
                    <small>{text.reconciliation.backfill_help}</small>
                </div>
            }
        });
        let content = view! {
            <div class="panel-body stack">
                {dialog::problem(ui, error)}
                <div class="field">
                    <label for=format!("{prefix}-source")>{text.filters.source}</label>
                    <select id=format!("{prefix}-source") name="source" required>
                        {sources.into_iter().map(option).collect_view()}
                    </select>
                </div>
                <div class="row">
                    {moment("from", text.filters.from_time, now.map(|now| now.plus_seconds(-OFFERED_SECONDS)))}
                    {moment("to", text.filters.to_time, now)}
                </div>
                {backfill}
                <p class="faint">{text.reconciliation.compare_help}</p>
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.reconciliation.compare_now}
                </button>
            </footer>
        };
        self.doing.form(ui, FormKind::Compare, content.part())
    }

    fn acknowledge_form(
        self,
        field: &'static str,
        id: impl Fn() -> i64 + Send + Sync + 'static,
        leave: AnyView,
    ) -> AnyView {
        let text = self.ui.text;
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="id" value=move || id().to_string() />
            <div class="panel-body stack">
                <p>{text.reconciliation.acknowledge_help}</p>
                {dialog::problem(self.ui, error)}
                {dialog::reason("note", text.reconciliation.note, text.common.reason_hint, "", field)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.common.acknowledge}
                </button>
            </footer>
        };
        self.doing.form(self.ui, FormKind::Acknowledge, content.part())
    }
}

fn in_page(title: String, form: AnyView) -> AnyView {
    view! {
        <section class="panel" aria-labelledby="form-title">
            <header class="panel-head">
                <h2 id="form-title">{title}</h2>
            </header>
            {form}
        </section>
    }
    .part()
}
