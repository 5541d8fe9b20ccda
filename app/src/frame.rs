//! What every page but the log-in has: the bar, the menu, the account, the place where messages show.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::{use_location, use_navigate};
use wasm_bindgen::JsCast;

use crate::alerts;
use crate::context::{self, Preferences, Reader, Viewer};
use crate::error::AppError;
use crate::text::{Lang, fill};
use crate::types::DeliveryNumber;
use crate::ui::{IntoPart, Ui, browser, empty, icon, keys, query, toast};

/// The frame around the pages of the router.
#[component]
pub fn Frame() -> impl IntoView {
    frame(context::ui(), view! { <Outlet /> }.part())
}

/// The frame around what is shown for an address that leads nowhere.
#[component]
pub fn Lost() -> impl IntoView {
    let ui = context::ui();
    context::set_status(&AppError::NotFound);
    frame(ui, empty::not_found(ui))
}

fn frame(ui: Ui, content: AnyView) -> AnyView {
    let reader = context::reader();
    let path = use_location().pathname;
    keys::listen(ui);
    // The menu that slides in has done its work once somebody went somewhere.
    Effect::new(move |_| {
        path.track();
        browser::hide_popover("nav");
    });
    view! {
        <div class="shell">
            <a class="skip" href="#main">
                {ui.text.frame.skip_link}
            </a>
            {bar(ui, &reader)}
            {nav(ui, path)}
            {account(ui, reader)}
            <main class="page" id="main" tabindex="-1">
                {content}
            </main>
            {toast::toast_region(ui)}
            {keys::help(ui)}
        </div>
    }
    .part()
}

fn bar(ui: Ui, reader: &Reader) -> AnyView {
    let text = ui.text;
    let navigate = use_navigate();
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(input) = browser::find(".search input") else { return };
        let typed =
            input.dyn_into::<web_sys::HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
        navigate(&search_target(&typed), Default::default());
    };
    let name = reader.viewer.as_ref().map(|viewer| viewer.name.clone()).unwrap_or_default();
    view! {
        <header class="bar">
            <button class="icon-button bar-menu" type="button" popovertarget="nav" aria-label=text.frame.menu>
                {icon::icon("menu")}
            </button>
            <a class="brand" href="/deliveries" aria-label=text.frame.home_label>
                {icon::mark()}
                <span>"Acuse"</span>
            </a>
            <form class="search" role="search" method="get" action="/search" on:submit=on_submit>
                <label class="visually-hidden" for="q">
                    {text.frame.search_label}
                </label>
                {icon::icon("search")}
                <input id="q" name="q" type="search" placeholder=text.frame.search_hint autocomplete="off" />
                <kbd class="end" aria-hidden="true">
                    "/"
                </kbd>
            </form>
            <button
                class="icon-button end"
                type="button"
                popovertarget="account"
                aria-label=fill(text.frame.account_of, &[&name])
            >
                {icon::icon("user")}
            </button>
        </header>
    }
    .part()
}

/// Where a search leads: to the delivery, payment or event that is meant, or to the events that begin so.
pub fn search_target(typed: &str) -> String {
    let typed = typed.trim();
    let to = |path: &str, name, value: &str| query::link(path, &query::write([(name, value.to_owned())]));
    let is_payment = ["inv_", "wdr_", "pcd_", "txn_", "pi_"].iter().any(|prefix| typed.starts_with(prefix));
    match typed.parse::<DeliveryNumber>() {
        Ok(number) if number > 0 => format!("/deliveries/{number}"),
        _ if typed.is_empty() => "/deliveries".to_owned(),
        _ if is_payment && typed.len() > 12 => to("/deliveries", "resource", typed),
        _ => to("/events", "q", typed),
    }
}

fn nav(ui: Ui, path: Memo<String>) -> AnyView {
    let text = ui.text;
    let entry = move |to: &'static str, shape: &'static str, word: &'static str| {
        let current = move || path.with(|path| path.starts_with(to)).then_some("page");
        view! {
            <li>
                <a href=to aria-current=current>
                    {icon::icon(shape)}
                    {word} {(to == "/alerts").then(|| alerts::count(ui))}
                </a>
            </li>
        }
    };
    view! {
        <nav class="nav" id="nav" popover="auto" aria-label=text.frame.main_menu>
            <ul>
                {entry("/deliveries", "deliveries", text.deliveries.title)}
                {entry("/events", "events", text.events.title)}
                {entry("/resends", "resend", text.resends.title)}
            </ul>
            <ul>
                {entry("/reconciliation", "reconciliation", text.reconciliation.title)}
                {entry("/rejections", "rejections", text.rejections.title)} {entry("/alerts", "alerts", text.alerts.title)}
            </ul>
            <ul>
                {entry("/secrets", "key", text.secrets.title)} {entry("/sources", "sources", text.sources.title)}
                {entry("/destinations", "destinations", text.destinations.title)}
            </ul>
            <ul>{entry("/audit", "acknowledged", text.audit.title)}</ul>
        </nav>
    }
    .part()
}

fn account(ui: Ui, reader: Reader) -> AnyView {
    let text = ui.text;
    let Reader { viewer, preferences, .. } = reader;
    let (name, role) = match &viewer {
        Some(Viewer { name, role, .. }) => (name.clone(), text.role(*role)),
        None => (String::new(), ""),
    };
    let Preferences { theme, contrast, lang, utc } = preferences;
    let radio = |name: &'static str, value: &'static str, word: &'static str, checked: bool| {
        view! {
            <label>
                <input type="radio" name=name value=value checked=checked />
                {word}
            </label>
        }
    };
    view! {
        <div class="pop stack" id="account" popover="auto" role="group" aria-label=text.frame.account>
            <p>
                <b>{name}</b>
                <br />
                <span class="faint">{role}</span>
            </p>
            <form class="stack" method="post" action="/account/preferences">
                <fieldset class="field">
                    <legend>{text.frame.theme}</legend>
                    <span class="segmented">
                        {radio("theme", "", text.frame.theme_system, theme.is_empty())}
                        {radio("theme", "light", text.frame.theme_light, theme == "light")}
                        {radio("theme", "dark", text.frame.theme_dark, theme == "dark")}
                    </span>
                </fieldset>
                <label class="choice">
                    <input type="hidden" name="contrast" value="" />
                    <input type="checkbox" name="contrast" value="more" checked=contrast />
                    {text.frame.high_contrast}
                </label>
                <fieldset class="field">
                    <legend>{text.frame.times_in}</legend>
                    <span class="segmented">
                        {radio("zone", "local", text.frame.zone_local, !utc)} {radio("zone", "utc", "UTC", utc)}
                    </span>
                </fieldset>
                <fieldset class="field">
                    <legend>{text.frame.language}</legend>
                    <span class="segmented">
                        {radio("lang", "en", "English", lang == Lang::En)}
                        {radio("lang", "es", "Español", lang == Lang::Es)}
                    </span>
                </fieldset>
                <p class="row">
                    <button class="button small">{text.frame.save}</button>
                </p>
            </form>
            <form method="post" action="/logout">
                <button class="button quiet small">{text.frame.log_out}</button>
            </form>
        </div>
    }
    .part()
}

#[cfg(test)]
mod tests {
    use super::search_target;

    #[test]
    fn a_search_leads_to_what_is_meant() {
        for (typed, target) in [
            ("", "/deliveries"),
            (" 482131 ", "/deliveries/482131"),
            ("-5", "/events?q=-5"),
            ("inv_74BPZFhr9qy9Uz2fbRkdJX", "/deliveries?resource=inv_74BPZFhr9qy9Uz2fbRkdJX"),
            ("inv_74", "/events?q=inv_74"),
            ("invoice.paid", "/events?q=invoice.paid"),
            ("evt_1&x", "/events?q=evt_1%26x"),
            ("99999999999999999999", "/events?q=99999999999999999999"),
        ] {
            assert_eq!(search_target(typed), target, "{typed}");
        }
    }
}
