//! The secret that was just created, shown once.

use leptos::prelude::*;

use super::RotationForms;
use crate::secrets::NewSecret;
use crate::text::fill;
use crate::ui::{IntoPart, icon, payload};

impl RotationForms {
    /// The secret that was just made, with a button to copy it. `brought`: by the page itself, without script.
    pub fn created_panel(self, brought: Option<NewSecret>) -> AnyView {
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
