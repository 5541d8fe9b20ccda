//! Verifying again: one by its button, all of a source after a question; without script a page state with the same
//! form.

use leptos::prelude::*;

use super::{RecentRejections, RejectionNumber};
use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::{ReverifyStatus, group_digits};
use crate::ui::{IntoPart, Ui, browser, dialog, format, icon};

const DIALOG: &str = "verify-dialog";

/// How many became what, and how many can never be verified.
fn describe_counts(ui: Ui, [stored, duplicate, rejected, not_kept]: [i64; 4]) -> String {
    let counts = [stored, duplicate, rejected].map(group_digits);
    let mut said = fill(ui.text.rejections.verified_all_counts, &counts.each_ref().map(String::as_str));
    if not_kept > 0 {
        said.push_str(&fill(ui.text.rejections.verified_all_not_kept, &[&group_digits(not_kept)]));
    }
    said
}

/// One for the page: buttons, the question, and what came of it.
#[derive(Clone, Copy)]
pub struct VerifyForm {
    ui: Ui,
    asked: RwSignal<Option<RecentRejections>>,
    doing: ActionState,
}

impl VerifyForm {
    /// Nothing asked yet.
    pub fn new(ui: Ui) -> Self {
        let doing = ActionState::new(&[FormKind::Verify, FormKind::VerifyAll]);
        let this = Self { ui, asked: RwSignal::new(None), doing };
        let text = ui.text;
        Effect::new(move |_| match this.doing.done() {
            Some(FormResult::Verified(done)) => {
                let (tone, title) = match done.status {
                    ReverifyStatus::Rejected => ("bad", text.rejections.verified_rejected),
                    ReverifyStatus::Stored => ("ok", text.rejections.verified_stored),
                    ReverifyStatus::Duplicate => ("ok", text.rejections.verified_duplicate),
                };
                let detail = done.event_id.or(done.message);
                ui.toasts.show(tone, title, detail.unwrap_or_default());
                ui.live.renew();
            }
            Some(FormResult::VerifiedAll(done)) => {
                browser::close_dialog(DIALOG);
                let tone = if done.rejected > 0 { "accent" } else { "ok" };
                let mut said =
                    describe_counts(ui, [done.stored, done.duplicate, done.rejected, done.not_kept()]);
                for still in done.still {
                    said.push_str(&format!(". {}: {}", group_digits(still.count), still.message));
                }
                ui.toasts.show(tone, text.rejections.verified_all, said);
                ui.live.renew();
            }
            _ => {}
        });
        this
    }

    /// What came of all of a source, where a form without script leads to.
    pub fn reverify_summary(self, counts: [i64; 4]) -> AnyView {
        let ui = self.ui;
        view! {
            <div class="note" data-tone="accent" role="status">
                {icon::icon("info")}
                <div>
                    <b>{ui.text.rejections.verified_all}</b>
                    <p>{describe_counts(ui, counts)}"."</p>
                </div>
            </div>
        }
        .part()
    }

    /// The button for the one that the page is about.
    pub fn one(self, id: RejectionNumber) -> AnyView {
        let ui = self.ui;
        let content = view! {
            <input type="hidden" name="id" value=id />
            <button class="button primary" disabled=move || self.doing.is_pending()>
                {icon::icon("check")}
                {ui.text.rejections.verify_again}
            </button>
        };
        ui.may_act
            .then(|| {
                view! {
                    {self.doing.form(ui, FormKind::Verify, content.part())}
                    {dialog::problem(ui, move || self.doing.error())}
                }
            })
            .part()
    }

    /// The link that asks about all of a source.
    pub fn all_link(self, lately: RecentRejections) -> AnyView {
        let text = self.ui.text;
        let name = format::name_with(text.rejections.verify_all_more, lately.source.as_str());
        let href = format!("/rejections?verify=all&of={}", lately.source);
        let open = move |event: web_sys::MouseEvent| {
            event.prevent_default();
            self.doing.clear();
            self.asked.set(Some(lately.clone()));
            browser::open_dialog(DIALOG);
        };
        self.ui
            .may_act
            .then(|| {
                view! {
                    <a class="button small" role="button" href=href aria-label=name on:click=open>
                        {text.rejections.verify_all_more}
                    </a>
                }
            })
            .part()
    }

    /// The question, once a page.
    pub fn dialog(self) -> AnyView {
        let title = move || self.asked.get().map(|lately| self.title(&lately)).unwrap_or_default();
        let body = move || {
            let leave = dialog::cancel_button(DIALOG, self.ui.text.common.cancel).part();
            self.asked.get().map(|lately| self.all_form(&lately, leave))
        };
        self.ui.may_act.then(|| dialog::dialog(self.ui, DIALOG, title, body.part())).part()
    }

    /// The same in the page.
    pub fn in_page(self, lately: &RecentRejections) -> AnyView {
        let leave = view! { <a class="button" href="/rejections">{self.ui.text.common.cancel}</a> }.part();
        self.ui
            .may_act
            .then(|| {
                view! {
                    <section class="panel" aria-labelledby="verify-here">
                        <header class="panel-head">
                            <h2 id="verify-here">{self.title(lately)}</h2>
                        </header>
                        {self.all_form(lately, leave)}
                    </section>
                }
            })
            .part()
    }

    fn title(self, lately: &RecentRejections) -> String {
        fill(
            self.ui.text.rejections.verify_all_title,
            &[&group_digits(lately.waiting), lately.source.as_str()],
        )
    }

    fn all_form(self, lately: &RecentRejections, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let content = view! {
            <input type="hidden" name="source" value=lately.source.to_string() />
            <div class="panel-body stack">
                <p>{text.rejections.verify_all_help}</p>
                {dialog::problem(self.ui, move || self.doing.error())}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.rejections.verify_all_now}
                </button>
            </footer>
        };
        self.doing.form(self.ui, FormKind::VerifyAll, content.part())
    }
}
