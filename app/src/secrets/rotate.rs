//! Rotating and retiring: dialogs, or without script page states with the same forms.

use leptos::prelude::*;

use super::model::scheme_name;
use super::{Holder, Keyring, NewSecret, Secret};
use crate::act::{Doing, Done, Form};
use crate::text::fill;
use crate::types::Timestamp;
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, browser, dialog, icon, payload, query, time};

const DIALOG: &str = "secret-dialog";

/// What is asked: to rotate, or to retire one of several.
#[derive(Clone, PartialEq, Eq)]
pub enum Ask {
    /// A new secret for this one.
    Rotate(Keyring),
    /// End this one of its secrets.
    Retire(Keyring, Secret),
}

/// One for the page: links, dialog, and the secret that was just made.
#[derive(Clone, Copy)]
pub struct Rotating {
    ui: Ui,
    ask: RwSignal<Option<Ask>>,
    made: RwSignal<Option<NewSecret>>,
    doing: Doing,
}

impl Rotating {
    /// Nothing asked yet.
    pub fn new(ui: Ui) -> Self {
        let this = Self {
            ui,
            ask: RwSignal::new(None),
            made: RwSignal::new(None),
            doing: Doing::new(&[Form::RotateSource, Form::RotateDestination, Form::Retire]),
        };
        let done = move |title: &'static str| {
            browser::close_dialog(DIALOG);
            ui.toasts.show("ok", title, "");
            ui.live.renew();
        };
        Effect::new(move |_| match this.doing.done() {
            Some(Done::Made(made)) => {
                this.made.set(Some(made));
                done(ui.text.rotated_title);
            }
            Some(Done::Rotated) => done(ui.text.rotated_title),
            Some(Done::Retired) => done(ui.text.retired_title),
            _ => {}
        });
        this
    }

    /// Keeps a secret that the page brought, for the next renewal does not bring it again.
    pub fn keep(self, made: Option<NewSecret>) {
        if made.is_some() {
            self.made.set(made);
        }
    }

    /// The link that asks.
    pub fn link(self, ask: Ask) -> AnyView {
        let text = self.ui.text;
        let (word, name, pairs) = match &ask {
            Ask::Rotate(ring) => (
                text.rotate_more,
                fill(text.rotate_of, &[ring.slug.as_str()]),
                [("rotate", ring.slug.to_string()), ("of", of(ring.holder).to_owned())],
            ),
            Ask::Retire(ring, secret) => (
                text.retire_more,
                fill(text.retire_title, &[&secret.fingerprint]),
                [("retire", secret.id.clone()), ("of", format!("{}-{}", of(ring.holder), ring.slug))],
            ),
        };
        self.ui
            .may_act
            .then(|| {
                view! {
                    <a
                        class="button small"
                        role="button"
                        href=query::link("/secrets", &query::write(pairs))
                        aria-label=name
                        on:click=move |event| self.open(&event, &ask)
                    >
                        {word}
                    </a>
                }
            })
            .part()
    }

    fn open(self, event: &web_sys::MouseEvent, ask: &Ask) {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        self.doing.clear();
        self.ask.set(Some(ask.clone()));
        browser::open_dialog(DIALOG);
    }

    /// What the URL asks, without script.
    pub fn asked(search: &str, rings: &[Keyring]) -> Option<Ask> {
        let of_query = query::value(search, "of").unwrap_or_default();
        if let Some(slug) = query::value(search, "rotate") {
            let ring = rings.iter().find(|ring| ring.slug.as_str() == slug && of(ring.holder) == of_query)?;
            return Some(Ask::Rotate(ring.clone()));
        }
        let id = query::value(search, "retire")?;
        rings.iter().filter(|ring| ring.secrets.len() > 1).find_map(|ring| {
            let secret = ring.secrets.iter().find(|secret| secret.id == id)?;
            Some(Ask::Retire(ring.clone(), secret.clone()))
        })
    }

    /// The dialog, once a page.
    pub fn dialog(self, now: Timestamp) -> AnyView {
        let title = move || self.ask.get().map(|ask| self.title(&ask)).unwrap_or_default();
        let body = move || {
            self.ask.get().map(|ask| self.form(ask, dialog::leave(DIALOG, self.ui.text.cancel).part(), now))
        };
        self.ui.may_act.then(|| dialog::dialog(self.ui, DIALOG, title, body.part())).part()
    }

    /// The same in the page.
    pub fn in_page(self, ask: Ask, now: Timestamp) -> AnyView {
        let title = self.title(&ask);
        let leave = view! { <a class="button" href="/secrets">{self.ui.text.cancel}</a> };
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

    fn title(self, ask: &Ask) -> String {
        match ask {
            Ask::Rotate(ring) => fill(self.ui.text.rotate_of, &[ring.slug.as_str()]),
            Ask::Retire(_, secret) => fill(self.ui.text.retire_title, &[&secret.fingerprint]),
        }
    }

    fn form(self, ask: Ask, leave: AnyView, now: Timestamp) -> AnyView {
        match ask {
            Ask::Rotate(ring) if ring.holder == Holder::Source => self.source_form(&ring, leave).part(),
            Ask::Rotate(ring) => self.destination_form(&ring, leave).part(),
            Ask::Retire(ring, secret) => self.retire_form(&ring, &secret, leave, now).part(),
        }
    }

    fn source_form(self, ring: &Keyring, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let provider = scheme_name(&ring.scheme).to_owned();
        let slug = ring.slug.to_string();
        let error = move || self.doing.error();
        let is_wrong = move || error().is_some().then_some("true");
        let content = view! {
            <input type="hidden" name="slug" value=slug />
            <div class="panel-body stack">
                <ol class="steps">
                    <li>{fill(text.step_provider, &[&provider])}</li>
                    <li>{text.step_paste}</li>
                    <li>{text.step_watch}</li>
                </ol>
                {dialog::problem(self.ui, error)}
                <div class="field">
                    <label for="new-secret">{fill(text.new_secret_from, &[&provider])}</label>
                    <input
                        id="new-secret"
                        name="secret"
                        type="password"
                        autofocus
                        autocomplete="off"
                        spellcheck="false"
                        required
                        aria-invalid=is_wrong
                        aria-describedby="new-secret-hint"
                    />
                    <small id="new-secret-hint">{text.sealed_at_once}</small>
                </div>
                {overlap(self.ui)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.rotate}
                </button>
            </footer>
        };
        self.doing.form(self.ui, Form::RotateSource, content.part())
    }

    fn destination_form(self, ring: &Keyring, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let slug = ring.slug.to_string();
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="slug" value=slug />
            <div class="panel-body stack">
                <p>{text.destination_rotate_help}</p>
                {dialog::problem(self.ui, error)}
                {overlap(self.ui)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.make_new}
                </button>
            </footer>
        };
        self.doing.form(self.ui, Form::RotateDestination, content.part())
    }

    fn retire_form(self, ring: &Keyring, secret: &Secret, leave: AnyView, now: Timestamp) -> AnyView {
        let text = self.ui.text;
        let rest: Vec<&str> = ring
            .secrets
            .iter()
            .filter(|other| other.id != secret.id)
            .map(|other| other.fingerprint.as_str())
            .collect();
        let help = if ring.holder == Holder::Source {
            text.retire_source_help
        } else {
            text.retire_destination_help
        };
        let help = fill(help, &[ring.slug.as_str(), &rest.join(", "), &secret.fingerprint]);
        let used = match secret.last_used_at {
            Some(at) => sentence(text.retire_last_used, [time::relative(self.ui, at, now).part()]),
            None => vec![text.retire_never_used.part()],
        };
        let (holder, slug, id) = (of(ring.holder), ring.slug.to_string(), secret.id.clone());
        let button = fill(text.retire_this, &[&secret.fingerprint]);
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="holder" value=holder />
            <input type="hidden" name="slug" value=slug />
            <input type="hidden" name="id" value=id />
            <div class="panel-body stack">
                <p>{help}</p>
                <p>{used}</p>
                {dialog::problem(self.ui, error)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button danger" disabled=move || self.doing.is_pending()>
                    {button}
                </button>
            </footer>
        };
        self.doing.form(self.ui, Form::Retire, content.part())
    }

    /// The secret that was just made, with a button to copy it. `brought`: by the page itself, without script.
    pub fn made(self, brought: Option<NewSecret>) -> AnyView {
        let ui = self.ui;
        let text = ui.text;
        let card = move |made: NewSecret| {
            let to = made.destination.to_string();
            view! {
                <section class="slip" aria-labelledby="made-title">
                    <h2 id="made-title">{fill(text.made_title, &[&to])}</h2>
                    <p>{text.made_help} " " {fill(text.made_from, &[&to])}</p>
                    <p class="say-this" id="made-secret">
                        {payload::copyable(ui, text.secret, made.secret)}
                    </p>
                    <hr class="tear" />
                    <p class="row">
                        <a class="button small" href="/secrets" on:click=move |_| self.made.set(None)>
                            {icon::icon("check")}
                            {text.made_done}
                        </a>
                    </p>
                </section>
            }
        };
        (move || self.made.get().or(brought.clone()).map(card)).part()
    }
}

/// The word of a holder, as forms and URLs write it.
pub const fn of(holder: Holder) -> &'static str {
    match holder {
        Holder::Source => "source",
        Holder::Destination => "destination",
    }
}

/// How long both count.
fn overlap(ui: Ui) -> AnyView {
    let choice = |seconds: i64, word: &'static str| {
        view! {
            <label>
                <input type="radio" name="overlap_s" value=seconds.to_string() checked=seconds == 86_400 />
                {word}
            </label>
        }
    };
    view! {
        <fieldset class="field">
            <legend>{ui.text.both_count_for}</legend>
            <span class="segmented">
                {choice(3_600, "1 h")} {choice(86_400, "24 h")} {choice(259_200, "3 d")} {choice(604_800, "7 d")}
            </span>
        </fieldset>
    }.part()
}
