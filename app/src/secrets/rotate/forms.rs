//! The body of each form.

use leptos::prelude::*;

use super::RotationForms;
use super::parts::{FormParts, of_one, of_ring, overlap, warning};
use crate::action::FormKind;
use crate::secrets::model::{scheme_name, successor};
use crate::secrets::{Holder, Keyring, Secret, TestFinding};
use crate::text::fill;
use crate::types::Timestamp;
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, time};

impl RotationForms {
    pub(super) fn source_form(self, ring: &Keyring) -> FormParts {
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

    pub(super) fn destination_form(self, ring: &Keyring) -> FormParts {
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

    pub(super) fn retire_form(self, ring: &Keyring, secret: &Secret, now: Timestamp) -> FormParts {
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
    pub(super) fn used(self, ring: &Keyring, secret: &Secret) -> Option<AnyView> {
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

    pub(super) fn extend_form(self, ring: &Keyring, secret: &Secret, now: Timestamp) -> FormParts {
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

    pub(super) fn undo_form(self, ring: &Keyring) -> FormParts {
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
}
