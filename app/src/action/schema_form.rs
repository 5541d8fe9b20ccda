//! Shows a form that the server asks to have filled in. It stands in the page, with the same fields with and without
//! script.

use leptos::prelude::*;

use super::{ActionState, FormKind};
use crate::types::{Choice, Field, FormSchema, Kind};
use crate::ui::{IntoPart, Ui, dialog, payload};

/// The form; `back` is the page without it.
pub fn schema_form(
    ui: Ui,
    asked: FormSchema,
    form: FormKind,
    back: &'static str,
    doing: ActionState,
) -> AnyView {
    let class = if asked.is_danger { "button danger" } else { "button primary" };
    let help = (!asked.help.is_empty()).then(|| view! { <p>{asked.help}</p> });
    let content = view! {
        <div class="panel-body stack">{dialog::problem(ui, move || doing.error())} {help} {fields(ui, asked.fields, doing)}</div>
        <footer class="panel-foot">
            <a class="button" href=back>{ui.text.common.cancel}</a>
            <button class=class disabled=move || doing.is_pending()>{asked.act}</button>
        </footer>
    };
    view! {
        <section class="panel" aria-labelledby="asked-title">
            <header class="panel-head"><h2 id="asked-title">{asked.title}</h2></header>
            {doing.form(ui, form, content.part())}
        </section>
    }
    .part()
}

/// One after the other; those of one fold together.
fn fields(ui: Ui, fields: Vec<Field>, doing: ActionState) -> Vec<AnyView> {
    let mut shown = Vec::new();
    for of_fold in fields.chunk_by(|a, b| a.folded == b.folded) {
        let is_open = of_fold.iter().any(|field| !field.value.is_empty());
        let fold = of_fold.first().map(|field| field.folded.clone()).unwrap_or_default();
        let inner: Vec<_> = of_fold.iter().map(|field| self::field(ui, field.clone(), doing)).collect();
        shown.extend(match fold.is_empty() {
            true => inner,
            false => {
                let fold = view! { <details open=is_open><summary>{fold}</summary><div class="stack">{inner}</div></details> };
                vec![fold.part()]
            }
        });
    }
    shown
}

fn field(ui: Ui, field: Field, doing: ActionState) -> AnyView {
    let Field { name, kind, label, hint, value, example, required, choices, .. } = field;
    let sent = format!("form[{name}]");
    if kind == Kind::Hidden {
        return view! { <input type="hidden" name=sent value=value /> }.part();
    }
    let about = format!("{name}-about");
    let wrong = {
        let name = name.clone();
        move || doing.error().is_some_and(|error| error.error_of_field(&name).is_some()).then_some("true")
    };
    let input = match kind {
        Kind::Lines => payload::filled_textarea(name.clone(), sent, &value, about.clone()),
        Kind::Select => {
            view! { <select id=name.clone() name=sent aria-describedby=about.clone()>{options(&choices, &value)}</select> }.part()
        }
        Kind::Radio => radios(&sent, choices, &value),
        _ => {
            let kind = if kind == Kind::Secret { "password" } else { "text" };
            view! {
                <input
                    id=name.clone()
                    name=sent
                    type=kind
                    value=value
                    placeholder=example
                    required=required
                    autocomplete="off"
                    spellcheck="false"
                    aria-invalid=wrong
                    aria-describedby=about.clone()
                />
            }
            .part()
        }
    };
    let hint = (!hint.is_empty()).then(|| view! { <small>{hint}</small> });
    let label = match kind {
        Kind::Radio => view! { <span id=name.clone()>{label}</span> }.part(),
        _ => view! { <label for=name.clone()>{label}</label> }.part(),
    };
    let said = move || {
        let error = doing.error()?;
        let (member, wrong) = error.error_of_field(&name)?;
        let colon = if member.is_empty() { "" } else { ": " };
        Some(
            view! { <small class="error">{format!("{member}{colon}{}", ui.text.field_error(wrong))}</small> },
        )
    };
    view! { <div class="field">{label} {input} <span class="field" id=about>{hint} {said}</span></div> }
        .part()
}

fn options(choices: &[Choice], chosen: &str) -> Vec<AnyView> {
    let option = |choice: &Choice| {
        let is_chosen = choice.value == chosen;
        view! { <option value=choice.value.clone() selected=is_chosen>{choice.name.clone()}</option> }.part()
    };
    let mut shown = Vec::new();
    for of_group in choices.chunk_by(|a, b| a.group == b.group) {
        let options: Vec<_> = of_group.iter().map(option).collect();
        let group = of_group.first().map(|choice| choice.group.clone()).unwrap_or_default();
        shown.extend(match group.is_empty() {
            true => options,
            false => vec![view! { <optgroup label=group>{options}</optgroup> }.part()],
        });
    }
    shown
}

fn radios(name: &str, choices: Vec<Choice>, chosen: &str) -> AnyView {
    let choice = |choice: Choice| {
        let is_chosen = choice.value == chosen;
        view! {
            <label>
                <input type="radio" name=name.to_owned() value=choice.value checked=is_chosen />
                {choice.name}
            </label>
        }
    };
    let labelled = name.trim_start_matches("form[").trim_end_matches(']').to_owned();
    view! {
        <span class="segmented" role="radiogroup" aria-labelledby=labelled>{choices.into_iter().map(choice).collect_view()}</span>
    }
    .part()
}
