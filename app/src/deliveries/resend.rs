//! Resending by hand: a dialog, or without script a page state with the same form.

use leptos::prelude::*;

use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::DeliveryNumber;
use crate::ui::{IntoPart, Ui, browser, dialog, icon};

const DIALOG: &str = "resend-dialog";

/// What is to be resent, and to where.
pub type ResendTarget = (DeliveryNumber, String);

/// One for a page: the links, the dialog and what came of it.
#[derive(Clone, Copy)]
pub struct ResendForm {
    ui: Ui,
    target: RwSignal<Option<ResendTarget>>,
    doing: ActionState,
}

impl ResendForm {
    /// None in question yet. After one is queued, the page looks for its end.
    pub fn new(ui: Ui) -> Self {
        let this = Self { ui, target: RwSignal::new(None), doing: ActionState::new(&[FormKind::Resend]) };
        Effect::new(move |_| {
            if let Some(FormResult::Resent(id)) = this.doing.done() {
                let help = fill(ui.text.resends.queued_help, &[&id.to_string()]);
                browser::close_dialog(DIALOG);
                ui.toasts.show("accent", ui.text.resends.queued, help);
                ui.live.expect(true);
                ui.live.renew();
            }
        });
        this
    }

    /// The link to resend one of many: an icon whose name says which.
    pub fn small(self, target: ResendTarget) -> AnyView {
        let name = fill(self.ui.text.resends.resend_delivery, &[&target.0.to_string()]);
        self.ui
            .may_act
            .then(|| {
                view! {
                    <a
                        class="icon-button small"
                        href=format!("/deliveries/{}?resend=1", target.0)
                        data-resend
                        aria-label=name
                        title=self.ui.text.resends.resend
                        on:click=move |event| self.ask(&event, &target)
                    >
                        {icon::icon("resend")}
                    </a>
                }
            })
            .part()
    }

    /// The button to resend what the page is about.
    pub fn large(self, target: ResendTarget, primary: bool) -> AnyView {
        self.ui
            .may_act
            .then(|| {
                view! {
                    <a
                        class=if primary { "button primary" } else { "button" }
                        href=format!("/deliveries/{}?resend=1", target.0)
                        data-resend
                        role="button"
                        on:click=move |event| self.ask(&event, &target)
                    >
                        {icon::icon("resend")}
                        {self.ui.text.resends.resend_more}
                    </a>
                }
            })
            .part()
    }

    fn ask(self, event: &web_sys::MouseEvent, target: &ResendTarget) {
        // A new tab is the reader's business: there the page state with the form opens.
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        self.target.set(Some(target.clone()));
        self.doing.clear();
        browser::open_dialog(DIALOG);
    }

    /// The dialog, once a page.
    pub fn dialog(self) -> AnyView {
        let text = self.ui.text;
        let title = move || match self.target.get() {
            Some((id, to)) => fill(text.resends.resend_title, &[&id.to_string(), &to]),
            None => text.resends.resend.to_owned(),
        };
        let id = move || self.target.get().map(|(id, _)| id.to_string()).unwrap_or_default();
        let leave = dialog::cancel_button(DIALOG, text.common.cancel).part();
        let body = view! { {self.form(id, "reason", leave)} };
        self.ui.may_act.then(|| dialog::dialog(self.ui, DIALOG, title, body.part())).part()
    }

    /// The same form in the page, for `?resend=1`.
    pub fn in_page(self, (id, to): ResendTarget) -> AnyView {
        let text = self.ui.text;
        let leave =
            view! { <a class="button" href=format!("/deliveries/{id}")>{text.common.cancel}</a> }.part();
        self.ui
            .may_act
            .then(|| {
                view! {
                    <section class="panel" aria-labelledby="resend-here">
                        <header class="panel-head">
                            <h2 id="resend-here">{fill(text.resends.resend_title, &[&id.to_string(), &to])}</h2>
                        </header>
                        {self.form(move || id.to_string(), "reason-here", leave)}
                    </section>
                }
            })
            .part()
    }

    fn form(
        self,
        id: impl Fn() -> String + Send + Sync + 'static,
        field: &'static str,
        leave: AnyView,
    ) -> AnyView {
        let text = self.ui.text;
        let content = view! {
            <input type="hidden" name="id" value=id />
            <div class="panel-body stack">
                <p>{text.resends.resend_help}</p>
                {dialog::problem(self.ui, move || self.doing.error())}
                {dialog::reason("reason", text.common.reason, text.common.reason_hint, text.resends.reason_hint, field)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.resends.resend_now}
                </button>
            </footer>
        };
        self.doing.form(self.ui, FormKind::Resend, content.part())
    }
}
