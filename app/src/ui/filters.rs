//! Filter forms: plain GET forms whose fields are the URL's query. Script only spares the page load and the button.

use leptos::ev::{Event, SubmitEvent};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use wasm_bindgen::JsCast;
use web_sys::{HtmlFormElement, HtmlInputElement};

use super::{IntoPart, Ui, browser, icon, query};
use crate::types::{Limit, Timestamp};

/// A filter form for the list at `path`; `fields` are its fields, `limit` the rows of a page to keep.
pub fn form(ui: Ui, path: &'static str, label: &'static str, fields: AnyView) -> AnyView {
    let navigate = use_navigate();
    let on_submit = move |event: SubmitEvent| {
        let Some(form) = sent(&event) else { return };
        event.prevent_default();
        let mut pairs = browser::form_pairs(&form, ui.clock.is_local());
        // What is asked for anyway need not be said.
        let usual = Limit::default().get().to_string();
        pairs.retain(|(name, value)| !value.trim().is_empty() && (name != "limit" || *value != usual));
        let query = query::write(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())));
        browser::hide_popover("filters");
        navigate(&query::link(path, &query), NavigateOptions { scroll: false, ..Default::default() });
    };
    view! {
        <button class="button filters-open" type="button" popovertarget="filters">
            {icon::icon("filter")}
            {ui.text.filters.title}
        </button>
        <form
            class="filters"
            id="filters"
            popover="auto"
            method="get"
            action=path
            role="search"
            aria-label=label
            on:submit=on_submit
            on:change=changed
        >
            {fields}
            <button class="button">{ui.text.filters.apply}</button>
            <a class="button quiet" href=path>
                {ui.text.filters.clear}
            </a>
        </form>
    }
    .part()
}

/// The form that is being sent.
pub fn sent(event: &SubmitEvent) -> Option<HtmlFormElement> {
    event.target().and_then(|target| target.dyn_into().ok())
}

/// Applies a filter as soon as it is chosen.
pub fn changed(event: Event) {
    let target = event.target();
    let form = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let form = match form.as_ref().and_then(|field| field.get_attribute("form")) {
        Some(id) => document().get_element_by_id(&id),
        None => form.and_then(|field| field.closest("form").ok().flatten()),
    };
    if let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) {
        browser::submit(&form);
    }
}

/// After a render: fields show what the URL says, and times are in the browser's zone. Not while somebody types.
pub fn remove_empty_filters(ui: Ui) {
    let typing = browser::find("#filters :focus:not([type=checkbox])").is_some();
    let Some(form) = browser::find("#filters").and_then(|form| form.dyn_into::<HtmlFormElement>().ok())
    else {
        return;
    };
    if typing {
        return;
    }
    form.reset();
    for select in browser::find_all("select[form=filters]") {
        let Ok(select) = select.dyn_into::<web_sys::HtmlSelectElement>() else { continue };
        if let Ok(Some(chosen)) = select.query_selector("option[selected]") {
            select.set_value(&chosen.get_attribute("value").unwrap_or_default());
        }
    }
    if ui.clock.is_local() {
        for input in browser::find_all("#filters input[type=datetime-local]") {
            let Ok(input) = input.dyn_into::<HtmlInputElement>() else { continue };
            if let Some(at) = input.get_attribute("value").and_then(|value| value.parse().ok()) {
                browser::set_time(&input, at, true);
            }
        }
    }
}

/// A chip: one value of a field that takes many.
pub fn chip(
    name: &'static str,
    value: &'static str,
    (tone, shape, word): super::badge::BadgeLook,
    count: Option<String>,
    checked: bool,
) -> AnyView {
    view! {
        <label class="chip" data-tone=tone>
            <input type="checkbox" name=name value=value checked=checked />
            {icon::icon(shape)}
            {word}
            {count.map(|count| view! { " "<span class="count">{count}</span> })}
        </label>
    }
    .part()
}

/// A field to type in.
pub fn input(
    name: &'static str,
    label: &'static str,
    example: &'static str,
    value: Option<String>,
) -> AnyView {
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input id=name name=name placeholder=example value=value autocomplete="off" spellcheck="false" />
        </div>
    }
    .part()
}

/// A field to choose in; the first choice is any.
pub fn select(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    choices: Vec<(String, String)>,
    chosen: Option<String>,
) -> AnyView {
    // What the URL asks for stays to be seen although there is no such choice.
    let unknown = chosen.clone().filter(|chosen| choices.iter().all(|(value, _)| value != chosen));
    let option = |(value, word): (String, String)| {
        let selected = chosen.as_ref() == Some(&value);
        view! { <option value=value selected=selected>{word}</option> }
    };
    let choices = unknown.map(|value| (value.clone(), value)).into_iter().chain(choices);
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <select id=name name=name>
                <option value="">{any}</option>
                {choices.map(option).collect_view()}
            </select>
        </div>
    }
    .part()
}

/// A moment to choose. In UTC, and so labelled, until the browser shows it in its own zone.
pub fn moment(
    ui: Ui,
    id: &'static str,
    name: &'static str,
    label: &'static str,
    at: Option<Timestamp>,
) -> AnyView {
    let value = at.map(|at| at.to_string().get(..16).unwrap_or_default().to_owned());
    let zone = move || if ui.clock.is_local() { "" } else { ui.text.filters.utc_hint };
    view! {
        <div class="field">
            <label for=id>{label}" "<small>{zone}</small></label>
            <input id=id name=name type="datetime-local" value=value />
        </div>
    }
    .part()
}

/// What of the URL was not understood.
pub fn ignored(ui: Ui, pairs: &[(String, String)]) -> AnyView {
    let named: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", short(name), short(value))).collect();
    (!named.is_empty())
        .then(|| {
            view! {
                <div class="note" data-tone="wait" role="status">
                    {icon::icon("warn")}
                    <p>{crate::text::fill(ui.text.filters.ignored, &[&named.join(", ")])}</p>
                </div>
            }
        })
        .part()
}

fn short(text: &str) -> String {
    let mut letters = text.chars();
    let head: String = letters.by_ref().take(40).collect();
    if letters.next().is_some() { format!("{head}…") } else { head }
}
