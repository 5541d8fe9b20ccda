//! What the forms of secrets share: hidden fields, warnings, the overlap and the reason.

use leptos::prelude::*;

use crate::action::FormKind;
use crate::secrets::{Holder, Keyring, Secret};
use crate::ui::{IntoPart, Ui, icon};

/// What a form asks, around what all of them have.
pub(super) struct FormParts {
    pub(super) form: FormKind,
    pub(super) hidden: Vec<(&'static str, String)>,
    pub(super) body: AnyView,
    pub(super) act: String,
    pub(super) is_danger: bool,
}

/// Whose secrets a form is about.
pub(super) fn of_ring(ring: &Keyring) -> Vec<(&'static str, String)> {
    vec![("holder", of(ring.holder).to_owned()), ("slug", ring.slug.to_string())]
}

/// Which secret a form is about.
pub(super) fn of_one(ring: &Keyring, secret: &Secret) -> Vec<(&'static str, String)> {
    let mut fields = of_ring(ring);
    fields.push(("id", secret.id.clone()));
    fields
}

pub(super) fn warning(words: Vec<AnyView>) -> AnyView {
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
pub(super) fn overlap(legend: &'static str, name: &'static str, usual: i64) -> AnyView {
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

/// An optional reason, in the person's own words.
pub(super) fn reason(ui: Ui) -> AnyView {
    view! {
        <label class="field">
            <span>{ui.text.rotation.reason_optional}</span>
            <input name="reason" maxlength="500" autocomplete="off" />
        </label>
    }
    .part()
}
