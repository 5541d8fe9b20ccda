//! Rotating and retiring: dialogs, or without script page states with the same forms.

use leptos::prelude::*;

use super::model::{scheme_name, successor};
use super::{Holder, Keyring, NewSecret, Secret, TestFinding};
use crate::action::{ActionState, FormKind, FormResult};
use crate::text::fill;
use crate::types::{Slug, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, browser, dialog, format, icon, payload, query, time};

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
    pub fn keep(self, made: Option<NewSecret>) {
        if made.is_some() {
            self.made.set(made);
        }
    }

    /// The link that asks.
    pub fn link(self, ask: OpenForm) -> AnyView {
        let text = self.ui.text;
        let (word, name, pairs) = match &ask {
            OpenForm::Rotate(ring) => (
                text.rotation.more,
                fill(text.rotation.rotate_of, &[ring.slug.as_str()]),
                [("rotate", ring.slug.to_string()), ("of", of(ring.holder).to_owned())],
            ),
            OpenForm::Retire(ring, secret) => (
                text.rotation.retire_more,
                fill(text.rotation.retire_title, &[&secret.fingerprint]),
                [("retire", secret.id.clone()), ("of", format!("{}-{}", of(ring.holder), ring.slug))],
            ),
            OpenForm::Extend(ring, secret) => (
                text.rotation.extend_more,
                format::name_with(text.rotation.extend_more, &secret.fingerprint),
                [("extend", secret.id.clone()), ("of", format!("{}-{}", of(ring.holder), ring.slug))],
            ),
            OpenForm::Undo(ring) => (
                text.rotation.undo_more,
                fill(text.rotation.undo_title, &[ring.slug.as_str()]),
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

    fn open(self, event: &web_sys::MouseEvent, ask: &OpenForm) {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        self.doing.clear();
        self.ask.set(Some(ask.clone()));
        browser::open_dialog(DIALOG);
    }

    /// What the URL asks, without script.
    pub fn asked(search: &str, rings: &[Keyring]) -> Option<OpenForm> {
        let of_query = query::value(search, "of").unwrap_or_default();
        let ring = |slug: String| {
            rings.iter().find(|ring| ring.slug.as_str() == slug && of(ring.holder) == of_query).cloned()
        };
        if let Some(slug) = query::value(search, "rotate") {
            return ring(slug).map(OpenForm::Rotate);
        }
        if let Some(slug) = query::value(search, "undo") {
            return ring(slug).filter(|ring| ring.can_undo).map(OpenForm::Undo);
        }
        let retires = query::value(search, "retire");
        let id = retires.clone().or_else(|| query::value(search, "extend"))?;
        rings.iter().filter(|ring| ring.secrets.len() > 1).find_map(|ring| {
            let secret = ring.secrets.iter().find(|secret| secret.id == id)?.clone();
            let ring = ring.clone();
            Some(if retires.is_some() {
                OpenForm::Retire(ring, secret)
            } else {
                OpenForm::Extend(ring, secret)
            })
        })
    }

    /// The dialog, once a page.
    pub fn dialog(self, now: Timestamp) -> AnyView {
        let title = move || self.ask.get().map(|ask| self.title(&ask)).unwrap_or_default();
        let body = move || {
            self.ask
                .get()
                .map(|ask| self.form(ask, dialog::leave(DIALOG, self.ui.text.common.cancel).part(), now))
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
                {dialog::problem(self.ui, move || self.doing.error())} {asked.body} {why(self.ui)}
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

    fn source_form(self, ring: &Keyring) -> FormParts {
        let text = self.ui.text;
        let provider = scheme_name(&ring.scheme).to_owned();
        let is_wrong =
            move || self.doing.error().is_some_and(|error| error.names("secret")).then_some("true");
        let body = view! {
            <ol class="steps">
                {ring.guide.iter().map(|step| view! { <li>{step.clone()}</li> }).collect_view()}
            </ol>
            <div class="field">
                <label for="new-secret">{fill(text.rotation.new_secret_from, &[&provider])}</label>
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
                <small id="new-secret-hint">{text.rotation.sealed_at_once}</small>
            </div>
            {overlap(text.rotation.both_count_for, "overlap_s", 86_400)}
        };
        FormParts {
            form: FormKind::RotateSource,
            hidden: vec![("slug", ring.slug.to_string())],
            body: body.part(),
            act: text.rotation.title.to_owned(),
            is_danger: false,
        }
    }

    fn destination_form(self, ring: &Keyring) -> FormParts {
        let text = self.ui.text;
        let body = view! {
            <p>{text.rotation.destination_help}</p>
            {overlap(text.rotation.both_count_for, "overlap_s", 86_400)}
        };
        FormParts {
            form: FormKind::RotateDestination,
            hidden: vec![("slug", ring.slug.to_string())],
            body: body.part(),
            act: text.rotation.create.to_owned(),
            is_danger: false,
        }
    }

    fn retire_form(self, ring: &Keyring, secret: &Secret, now: Timestamp) -> FormParts {
        let text = self.ui.text;
        let rest: Vec<&str> = ring
            .secrets
            .iter()
            .filter(|other| other.id != secret.id)
            .map(|other| other.fingerprint.as_str())
            .collect();
        let help = if ring.holder == Holder::Source {
            text.rotation.retire_source_help
        } else {
            text.rotation.retire_destination_help
        };
        let help = fill(help, &[ring.slug.as_str(), &rest.join(", "), &secret.fingerprint]);
        let used = match secret.last_used_at {
            Some(at) => sentence(text.rotation.retire_last_used, [time::relative(self.ui, at, now).part()]),
            None => vec![text.rotation.retire_never_used.part()],
        };
        let successor = successor(ring, secret)
            .and_then(|successor| Some((successor.fingerprint.clone(), successor.expires_at?)));
        let successor = successor.map(|(successor, end)| {
            let parts = [successor.part(), time::exact(self.ui, end, now), secret.fingerprint.clone().part()];
            warning(sentence(text.rotation.retire_newest_warning, parts))
        });
        let used_lately = self.used(ring, secret);
        let sure = (successor.is_some() || used_lately.is_some()).then(|| {
            view! { <label class="row"><input type="checkbox" name="sure" value="true" required /> {text.rotation.retire_sure}</label> }
        });
        let body = view! {
            <p>{help}</p>
            <p>{used}</p>
            {successor}
            {used_lately}
            {sure}
        };
        FormParts {
            form: FormKind::Retire,
            hidden: of_one(ring, secret),
            body: body.part(),
            act: fill(text.rotation.retire_this, &[&secret.fingerprint]),
            is_danger: true,
        }
    }

    /// What would be lost at once: the numbers of the last hour, or that nobody has tried.
    fn used(self, ring: &Keyring, secret: &Secret) -> Option<AnyView> {
        let text = self.ui.text;
        let place = ring.secrets.iter().position(|other| other.id == secret.id);
        let times = place.and_then(|place| ring.uses.get(place)).map_or(0, |uses| uses.last_hour);
        let is_tested = ring.tested.as_ref().is_some_and(|tested| tested.finding == TestFinding::Ready);
        let words = match ring.holder {
            Holder::Source if times > 0 => {
                let times = text.counted(times, text.secrets.webhooks_one, text.secrets.webhooks_many);
                fill(text.rotation.used_warning, &[&secret.fingerprint, &times])
            }
            Holder::Destination if !is_tested && secret.expires_at.is_some() => {
                fill(text.rotation.untested_warning, &[ring.slug.as_str()])
            }
            _ => return None,
        };
        Some(warning(vec![words.part()]))
    }

    fn extend_form(self, ring: &Keyring, secret: &Secret, now: Timestamp) -> FormParts {
        let text = self.ui.text;
        let end = secret.expires_at.map(|at| time::exact(self.ui, at, now)).part();
        let body = view! {
            <p>{sentence(text.rotation.extend_help, [secret.fingerprint.clone().part(), end])}</p>
            {overlap(text.rotation.extend_by, "extend_s", 86_400)}
        };
        FormParts {
            form: FormKind::Extend,
            hidden: of_one(ring, secret),
            body: body.part(),
            act: text.rotation.extend.to_owned(),
            is_danger: false,
        }
    }

    fn undo_form(self, ring: &Keyring) -> FormParts {
        let text = self.ui.text;
        let fingerprint = |place: usize| {
            ring.secrets.get(place).map(|secret| secret.fingerprint.as_str()).unwrap_or_default()
        };
        let help = match ring.holder {
            Holder::Source => text.rotation.undo_source_help,
            Holder::Destination => text.rotation.undo_destination_help,
        };
        let help = fill(help, &[ring.slug.as_str(), fingerprint(1), fingerprint(0)]);
        let used = ring.secrets.first().and_then(|newest| self.used(ring, newest));
        let body = view! {
            <p>{help}</p>
            {used}
        };
        FormParts {
            form: FormKind::Undo,
            hidden: of_ring(ring),
            body: body.part(),
            act: text.rotation.undo.to_owned(),
            is_danger: true,
        }
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

    /// The secret that was just made, with a button to copy it. `brought`: by the page itself, without script.
    pub fn made(self, brought: Option<NewSecret>) -> AnyView {
        let ui = self.ui;
        let text = ui.text;
        let card = move |made: NewSecret| {
            let to = made.destination.to_string();
            view! {
                <section class="slip" aria-labelledby="made-title">
                    <h2 id="made-title">{fill(text.rotation.created_title, &[&to])}</h2>
                    <p>{text.rotation.created_help} " " {fill(text.rotation.created_next, &[&to])}</p>
                    <p class="say-this" id="made-secret">
                        {payload::copyable(ui, text.common.secret, made.secret)}
                    </p>
                    <hr class="tear" />
                    <p class="row">
                        <a class="button small" href="/secrets" on:click=move |_| self.made.set(None)>
                            {icon::icon("check")}
                            {text.rotation.created_done}
                        </a>
                    </p>
                </section>
            }
        };
        (move || self.made.get().or(brought.clone()).map(card)).part()
    }
}

/// What a form asks, around what all of them have.
struct FormParts {
    form: FormKind,
    hidden: Vec<(&'static str, String)>,
    body: AnyView,
    act: String,
    is_danger: bool,
}

/// Whose secrets a form is about.
fn of_ring(ring: &Keyring) -> Vec<(&'static str, String)> {
    vec![("holder", of(ring.holder).to_owned()), ("slug", ring.slug.to_string())]
}

/// Which secret a form is about.
fn of_one(ring: &Keyring, secret: &Secret) -> Vec<(&'static str, String)> {
    let mut fields = of_ring(ring);
    fields.push(("id", secret.id.clone()));
    fields
}

fn warning(words: Vec<AnyView>) -> AnyView {
    view! {
        <div class="note" data-tone="bad">
            {icon::icon("warn")}
            <p>{words}</p>
        </div>
    }
    .part()
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
            <span>{ui.text.rotation.reason_optional}</span>
            <input name="reason" maxlength="500" autocomplete="off" />
        </label>
    }
    .part()
}
