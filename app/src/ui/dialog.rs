//! Dialogs: native ones. They say what will happen before they ask; their button names the act.

use leptos::prelude::*;

use super::{IntoPart, Ui, browser, icon};
use crate::error::AppError;

/// A dialog; `title` may change with what it is about. The body brings its own form, panel bodies and foot.
pub fn dialog(
    ui: Ui,
    id: &'static str,
    title: impl Fn() -> String + Send + Sync + 'static,
    body: AnyView,
) -> AnyView {
    let title_id = format!("{id}-title");
    view! {
        <dialog class="dialog" id=id aria-labelledby=title_id.clone()>
            <header class="panel-head">
                <h2 id=title_id.clone()>{title}</h2>
                <button
                    class="icon-button end"
                    type="button"
                    command="close"
                    commandfor=id
                    aria-label=ui.text.common.close
                    on:click=move |_| browser::close_dialog(id)
                >
                    {icon::icon("close")}
                </button>
            </header>
            {body}
        </dialog>
    }
    .part()
}

/// The button that leaves a dialog without doing anything.
pub fn cancel_button(id: &'static str, word: &'static str) -> AnyView {
    view! {
        <button
            class="button"
            type="button"
            command="close"
            commandfor=id
            on:click=move |_| browser::close_dialog(id)
        >
            {word}
        </button>
    }
    .part()
}

/// Why what a form asked for was not done; takes the focus, so that it is heard.
pub fn problem(ui: Ui, error: impl Fn() -> Option<AppError> + Send + Sync + 'static) -> AnyView {
    let said = move |error: AppError| {
        view! {
            <div class="note" data-tone="bad" tabindex="-1">
                {icon::icon("failed")}
                <p>{ui.text.error(&error)}</p>
            </div>
        }
    };
    view! { <div role="alert">{move || error().map(said)}</div> }.part()
}

/// A field for a reason or a note that is kept, with its hint.
pub fn reason(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    example: &'static str,
    id: &'static str,
) -> AnyView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <textarea
                id=id
                name=name
                required
                autofocus
                maxlength="500"
                placeholder=example
                aria-describedby=hint_id.clone()
            ></textarea>
            <small id=hint_id>{hint}</small>
        </div>
    }
    .part()
}
