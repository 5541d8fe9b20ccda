//! Links that open a form, and the URL of a page that shows one.

use leptos::prelude::*;

use super::{OpenForm, RotationForms, of};
use crate::secrets::Keyring;
use crate::text::fill;
use crate::ui::{IntoPart, format, query};

impl RotationForms {
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

    /// What the URL asks, without script.
    pub fn form_from_url(search: &str, rings: &[Keyring]) -> Option<OpenForm> {
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
}
