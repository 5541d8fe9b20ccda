//! Releasing an event that contradicts its source's mode: a note on its page with a dialog, or without script a page
//! state with the same form.

use leptos::prelude::*;

use super::EventDetail;
use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::{EventNumber, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, browser, dialog, icon, query, time};

const DIALOG: &str = "release-dialog";

/// One for the page.
#[derive(Clone, Copy)]
pub struct ReleaseForm {
    ui: Ui,
    asked: RwSignal<Option<(EventNumber, String)>>,
    doing: ActionState,
}

impl ReleaseForm {
    /// Nothing asked yet.
    pub fn new(ui: Ui) -> Self {
        let this = Self { ui, asked: RwSignal::new(None), doing: ActionState::new(&[FormKind::Release]) };
        Effect::new(move |_| {
            if let Some(FormResult::Released) = this.doing.done() {
                browser::close_dialog(DIALOG);
                ui.toasts.show("ok", ui.text.event.released_done, "");
                ui.live.expect(true);
                ui.live.renew();
            }
        });
        this
    }

    /// What is to be said of an event that waits, or waited.
    pub fn note(self, search: &str, event: &EventDetail, live: bool, now: Timestamp) -> AnyView {
        let text = self.ui.text;
        if let (Some(who), Some(at)) = (event.released_by.clone(), event.released_at) {
            let said = sentence(text.event.released, [time::exact(self.ui, at, now), who.part()]);
            return view! { <p class="muted">{said}</p> }.part();
        }
        if !event.held {
            return ().part();
        }
        let source = event.source.to_string();
        let why = fill(if live { text.event.held_test } else { text.event.held_live }, &[&source]);
        let asked = (event.id, source);
        let in_page = query::value(search, "release").is_some().then(|| self.in_page(asked.clone()));
        let href = format!("/events/{}?release=1", event.id);
        let open = move |click: web_sys::MouseEvent| {
            click.prevent_default();
            self.doing.clear();
            self.asked.set(Some(asked.clone()));
            browser::open_dialog(DIALOG);
        };
        let button = self.ui.may_act.then(|| {
            view! {
                <p class="row">
                    <a class="button" role="button" href=href on:click=open>
                        {text.event.release_more}
                    </a>
                </p>
            }
        });
        view! {
            <div class="note" data-tone="hold">
                {icon::icon("held")}
                <div>
                    <b>{text.event.held}</b>
                    <p>{why}</p>
                </div>
                {button}
            </div>
            {in_page}
        }
        .part()
    }

    /// The dialog, once a page.
    pub fn dialog(self) -> AnyView {
        let title = move || self.asked.get().map(|asked| self.title(&asked)).unwrap_or_default();
        let body = move || {
            let leave = dialog::cancel_button(DIALOG, self.ui.text.common.cancel);
            self.asked.get().map(|asked| self.form(&asked, "release-reason", leave))
        };
        self.ui.may_act.then(|| dialog::dialog(self.ui, DIALOG, title, body.part())).part()
    }

    fn in_page(self, asked: (EventNumber, String)) -> AnyView {
        let leave =
            view! { <a class="button" href=format!("/events/{}", asked.0)>{self.ui.text.common.cancel}</a> };
        let leave = leave.part();
        self.ui
            .may_act
            .then(|| {
                view! {
                    <section class="panel" aria-labelledby="release-here">
                        <header class="panel-head">
                            <h2 id="release-here">{self.title(&asked)}</h2>
                        </header>
                        {self.form(&asked, "release-reason-here", leave)}
                    </section>
                }
            })
            .part()
    }

    fn title(self, (id, _): &(EventNumber, String)) -> String {
        fill(self.ui.text.event.release_title, &[&id.to_string()])
    }

    fn form(self, (id, source): &(EventNumber, String), field: &'static str, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let content = view! {
            <input type="hidden" name="id" value=*id />
            <div class="panel-body stack">
                <p>{fill(text.event.release_help, &[source])}</p>
                {dialog::problem(self.ui, move || self.doing.error())}
                {dialog::reason("reason", text.common.reason, text.common.reason_hint, text.event.release_reason_hint, field)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.event.release_now}
                </button>
            </footer>
        };
        self.doing.form(self.ui, FormKind::Release, content.part())
    }
}
