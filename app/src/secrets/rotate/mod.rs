//! Shows the forms that rotate, retire, extend and undo: as a dialog, or without script as a state of the page.

mod created;
mod forms;
mod links;
mod parts;

use leptos::prelude::*;

use super::{Holder, Keyring, NewSecret, Secret};
use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::{Slug, Timestamp};
use crate::ui::{IntoPart, Ui, browser, dialog};

pub use parts::of;

const DIALOG: &str = "secret-dialog";

/// What is asked: to rotate, or to retire one of several.
#[derive(Clone, PartialEq, Eq)]
pub enum OpenForm {
    /// A new secret for this one.
    Rotate(Keyring),
    /// End this one of its secrets.
    Retire(Keyring, Secret),
    /// Put the end of this one off.
    Extend(Keyring, Secret),
    /// Take the newest one back.
    Undo(Keyring),
}

/// One for the page: links, dialog, and the secret that was just made.
#[derive(Clone, Copy)]
pub struct RotationForms {
    ui: Ui,
    ask: RwSignal<Option<OpenForm>>,
    made: RwSignal<Option<NewSecret>>,
    doing: ActionState,
}

impl RotationForms {
    /// Nothing asked yet.
    pub fn new(ui: Ui) -> Self {
        let this = Self {
            ui,
            ask: RwSignal::new(None),
            made: RwSignal::new(None),
            doing: ActionState::new(&[
                FormKind::RotateSource,
                FormKind::RotateDestination,
                FormKind::Retire,
                FormKind::Extend,
                FormKind::Undo,
                FormKind::Test,
            ]),
        };
        let done = move |title: &'static str| {
            browser::close_dialog(DIALOG);
            ui.toasts.show("ok", title, "");
            ui.live.renew();
        };
        Effect::new(move |_| match this.doing.done() {
            Some(FormResult::Made(made)) => {
                this.made.set(Some(made));
                done(ui.text.rotation.done_title);
            }
            Some(FormResult::Rotated) => done(ui.text.rotation.done_title),
            Some(FormResult::Retired) => done(ui.text.rotation.retired_title),
            Some(FormResult::Extended) => done(ui.text.rotation.extended_title),
            Some(FormResult::Undone) => done(ui.text.rotation.undone_title),
            Some(FormResult::Tested) => done(ui.text.rotation.tested_title),
            _ => {}
        });
        this
    }

    /// Keeps a secret that the page brought, for the next renewal does not bring it again.
    pub fn keep_created(self, made: Option<NewSecret>) {
        if made.is_some() {
            self.made.set(made);
        }
    }

    fn open(self, event: &web_sys::MouseEvent, ask: &OpenForm) {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        self.doing.clear();
        self.ask.set(Some(ask.clone()));
        browser::open_dialog(DIALOG);
    }

    /// The dialog, once a page.
    pub fn dialog(self, now: Timestamp) -> AnyView {
        let title = move || self.ask.get().map(|ask| self.title(&ask)).unwrap_or_default();
        let body = move || {
            self.ask.get().map(|ask| {
                self.form(ask, dialog::cancel_button(DIALOG, self.ui.text.common.cancel).part(), now)
            })
        };
        self.ui.may_act.then(|| dialog::dialog(self.ui, DIALOG, title, body.part())).part()
    }

    /// The same in the page.
    pub fn in_page(self, ask: OpenForm, now: Timestamp) -> AnyView {
        let title = self.title(&ask);
        let leave = view! { <a class="button" href="/secrets">{self.ui.text.common.cancel}</a> };
        self.ui
            .may_act
            .then(|| {
                view! {
                    <section class="panel" aria-labelledby="asked-title">
                        <header class="panel-head">
                            <h2 id="asked-title">{title}</h2>
                        </header>
                        {self.form(ask, leave.part(), now)}
                    </section>
                }
            })
            .part()
    }

    fn title(self, ask: &OpenForm) -> String {
        match ask {
            OpenForm::Rotate(ring) => fill(self.ui.text.rotation.rotate_of, &[ring.slug.as_str()]),
            OpenForm::Retire(_, secret) => fill(self.ui.text.rotation.retire_title, &[&secret.fingerprint]),
            OpenForm::Extend(_, secret) => fill(self.ui.text.rotation.extend_title, &[&secret.fingerprint]),
            OpenForm::Undo(ring) => fill(self.ui.text.rotation.undo_title, &[ring.slug.as_str()]),
        }
    }

    fn form(self, ask: OpenForm, leave: AnyView, now: Timestamp) -> AnyView {
        let asked = match ask {
            OpenForm::Rotate(ring) if ring.holder == Holder::Source => self.source_form(&ring),
            OpenForm::Rotate(ring) => self.destination_form(&ring),
            OpenForm::Retire(ring, secret) => self.retire_form(&ring, &secret, now),
            OpenForm::Extend(ring, secret) => self.extend_form(&ring, &secret, now),
            OpenForm::Undo(ring) => self.undo_form(&ring),
        };
        let hidden =
            |(name, value): (&'static str, String)| view! { <input type="hidden" name=name value=value /> };
        let class = if asked.is_danger { "button danger" } else { "button primary" };
        let content = view! {
            {asked.hidden.into_iter().map(hidden).collect_view()}
            <div class="panel-body stack">
                {dialog::problem(self.ui, move || self.doing.error())} {asked.body} {parts::reason(self.ui)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class=class disabled=move || self.doing.is_pending()>
                    {asked.act}
                </button>
            </footer>
        };
        self.doing.form(self.ui, asked.form, content.part())
    }

    /// The button that asks a destination's server what it makes of signatures.
    pub fn test(self, slug: &Slug, word: &'static str) -> AnyView {
        if !self.ui.may_act {
            return ().part();
        }
        let content = view! {
            <input type="hidden" name="slug" value=slug.to_string() />
            <button class="button small" disabled=move || self.doing.is_pending()>
                {word}
            </button>
        };
        self.doing.form(self.ui, FormKind::Test, content.part())
    }
}
