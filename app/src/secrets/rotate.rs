//! Rotating and retiring: dialogs, or without script page states with the same forms.

use leptos::prelude::*;

use super::model::scheme_name;
use super::{Finding, Holder, Keyring, NewSecret, Secret};
use crate::act::{Doing, Done, Form};
use crate::text::fill;
use crate::types::{Slug, Timestamp, group_digits};
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
    /// Put the end of this one off.
    Extend(Keyring, Secret),
    /// Take the newest one back.
    Undo(Keyring),
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
            doing: Doing::new(&[
                Form::RotateSource,
                Form::RotateDestination,
                Form::Retire,
                Form::Extend,
                Form::Undo,
                Form::Test,
            ]),
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
            Some(Done::Extended) => done(ui.text.extended_title),
            Some(Done::Undone) => done(ui.text.undone_title),
            Some(Done::Tested) => done(ui.text.tested_title),
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
            Ask::Extend(ring, secret) => (
                text.extend_more,
                fill(text.extend_title, &[&secret.fingerprint]),
                [("extend", secret.id.clone()), ("of", format!("{}-{}", of(ring.holder), ring.slug))],
            ),
            Ask::Undo(ring) => (
                text.undo_more,
                fill(text.undo_title, &[ring.slug.as_str()]),
                [("undo", ring.slug.to_string()), ("of", of(ring.holder).to_owned())],
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
        let ring = |slug: String| {
            rings.iter().find(|ring| ring.slug.as_str() == slug && of(ring.holder) == of_query).cloned()
        };
        if let Some(slug) = query::value(search, "rotate") {
            return ring(slug).map(Ask::Rotate);
        }
        if let Some(slug) = query::value(search, "undo") {
            return ring(slug).filter(|ring| ring.can_undo).map(Ask::Undo);
        }
        let retires = query::value(search, "retire");
        let id = retires.clone().or_else(|| query::value(search, "extend"))?;
        rings.iter().filter(|ring| ring.secrets.len() > 1).find_map(|ring| {
            let secret = ring.secrets.iter().find(|secret| secret.id == id)?.clone();
            let ring = ring.clone();
            Some(if retires.is_some() { Ask::Retire(ring, secret) } else { Ask::Extend(ring, secret) })
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
            Ask::Extend(_, secret) => fill(self.ui.text.extend_title, &[&secret.fingerprint]),
            Ask::Undo(ring) => fill(self.ui.text.undo_title, &[ring.slug.as_str()]),
        }
    }

    fn form(self, ask: Ask, leave: AnyView, now: Timestamp) -> AnyView {
        match ask {
            Ask::Rotate(ring) if ring.holder == Holder::Source => self.source_form(&ring, leave).part(),
            Ask::Rotate(ring) => self.destination_form(&ring, leave).part(),
            Ask::Retire(ring, secret) => self.retire_form(&ring, &secret, leave, now).part(),
            Ask::Extend(ring, secret) => self.extend_form(&ring, &secret, leave, now).part(),
            Ask::Undo(ring) => self.undo_form(&ring, leave).part(),
        }
    }

    fn source_form(self, ring: &Keyring, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let provider = scheme_name(&ring.scheme).to_owned();
        let slug = ring.slug.to_string();
        let error = move || self.doing.error();
        let is_wrong = move || error().is_some_and(|error| error.names("secret")).then_some("true");
        let content = view! {
            <input type="hidden" name="slug" value=slug />
            <div class="panel-body stack">
                <ol class="steps">
                    {ring.guide.iter().map(|step| view! { <li>{step.clone()}</li> }).collect_view()}
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
                {overlap(text.both_count_for, "overlap_s", 86_400)}
                {why(self.ui)}
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
                {overlap(text.both_count_for, "overlap_s", 86_400)}
                {why(self.ui)}
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
        let heir =
            ring.secrets.iter().find(|other| other.id != secret.id).filter(|_| secret.expires_at.is_none());
        let heir = heir.map(|heir| fill(text.goes_on, &[&heir.fingerprint]));
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="holder" value=holder />
            <input type="hidden" name="slug" value=slug />
            <input type="hidden" name="id" value=id />
            <div class="panel-body stack">
                <p>{help} " " {heir}</p>
                <p>{used}</p>
                {self.warning(ring, secret)}
                {dialog::problem(self.ui, error)}
                {why(self.ui)}
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

    /// What would be lost at once: the numbers of the last hour, or that nobody has tried.
    fn warning(self, ring: &Keyring, secret: &Secret) -> AnyView {
        let text = self.ui.text;
        let place = ring.secrets.iter().position(|other| other.id == secret.id);
        let times = place.and_then(|place| ring.uses.get(place)).map_or(0, |uses| uses.last_hour);
        let is_tested = ring.tested.as_ref().is_some_and(|tested| tested.finding == Finding::Ready);
        let words = match ring.holder {
            Holder::Source if times > 0 => {
                fill(text.used_warning, &[&secret.fingerprint, &group_digits(times)])
            }
            Holder::Destination if !is_tested && secret.expires_at.is_some() => {
                fill(text.untested_warning, &[ring.slug.as_str()])
            }
            _ => return ().part(),
        };
        view! {
            <div class="note" data-tone="bad">
                {icon::icon("warn")}
                <p>{words}</p>
            </div>
        }
        .part()
    }

    fn extend_form(self, ring: &Keyring, secret: &Secret, leave: AnyView, now: Timestamp) -> AnyView {
        let text = self.ui.text;
        let (holder, slug, id) = (of(ring.holder), ring.slug.to_string(), secret.id.clone());
        let end = secret.expires_at.map(|at| time::exact(self.ui, at, now)).part();
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="holder" value=holder />
            <input type="hidden" name="slug" value=slug />
            <input type="hidden" name="id" value=id />
            <div class="panel-body stack">
                <p>{sentence(text.extend_help, [secret.fingerprint.clone().part(), end])}</p>
                {dialog::problem(self.ui, error)}
                {overlap(text.extend_by, "extend_s", 86_400)}
                {why(self.ui)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button primary" disabled=move || self.doing.is_pending()>
                    {text.extend}
                </button>
            </footer>
        };
        self.doing.form(self.ui, Form::Extend, content.part())
    }

    fn undo_form(self, ring: &Keyring, leave: AnyView) -> AnyView {
        let text = self.ui.text;
        let (holder, slug) = (of(ring.holder), ring.slug.to_string());
        let fingerprint = |place: usize| {
            ring.secrets.get(place).map(|secret| secret.fingerprint.as_str()).unwrap_or_default()
        };
        let help = match ring.holder {
            Holder::Source => text.undo_source_help,
            Holder::Destination => text.undo_destination_help,
        };
        let help = fill(help, &[&slug, fingerprint(1), fingerprint(0)]);
        let warning = ring.secrets.first().map(|newest| self.warning(ring, newest));
        let error = move || self.doing.error();
        let content = view! {
            <input type="hidden" name="holder" value=holder />
            <input type="hidden" name="slug" value=slug />
            <div class="panel-body stack">
                <p>{help}</p>
                {warning}
                {dialog::problem(self.ui, error)}
                {why(self.ui)}
            </div>
            <footer class="panel-foot">
                {leave}
                <button class="button danger" disabled=move || self.doing.is_pending()>
                    {text.undo}
                </button>
            </footer>
        };
        self.doing.form(self.ui, Form::Undo, content.part())
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
        self.doing.form(self.ui, Form::Test, content.part())
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

/// How long both count, or for how much longer.
fn overlap(legend: &'static str, name: &'static str, usual: i64) -> AnyView {
    let choice = |seconds: i64, word: &'static str| {
        view! {
            <label>
                <input type="radio" name=name value=seconds.to_string() checked=seconds == usual />
                {word}
            </label>
        }
    };
    view! {
        <fieldset class="field">
            <legend>{legend}</legend>
            <span class="segmented">
                {choice(3_600, "1 h")} {choice(86_400, "24 h")} {choice(259_200, "3 d")} {choice(604_800, "7 d")}
            </span>
        </fieldset>
    }.part()
}

/// Why, in their words.
fn why(ui: Ui) -> AnyView {
    view! {
        <label class="field">
            <span>{ui.text.reason_optional}</span>
            <input name="reason" maxlength="500" autocomplete="off" />
        </label>
    }
    .part()
}
