//! Keys. Letters do nothing in fields, and nothing that matters happens without a dialog.

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::{IntoPart, Ui, browser, dialog};
use crate::text::fill;

const DIALOG: &str = "keys-dialog";
const ROWS: &str = "main tbody th a[href]";

/// Listens to the keyboard, from after the first render on.
pub fn listen(ui: Ui) {
    let navigate = use_navigate();
    let after_g = StoredValue::new(false);
    Effect::new(move |_| {
        let navigate = navigate.clone();
        let handle = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
            let search = event.key() == "k" && (event.ctrl_key() || event.meta_key());
            let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
            if event.default_prevented() || !(search || plain) || browser::is_typing(event.target()) {
                return;
            }
            if browser::find("dialog[open]").is_some() {
                return;
            }
            let second = after_g.get_value();
            after_g.set_value(false);
            let done = match event.key().as_str() {
                "k" if search => focus(".search input"),
                "/" => focus(".search input"),
                key if second => match page_of_key(key) {
                    Some(path) => {
                        navigate(path, Default::default());
                        true
                    }
                    None => false,
                },
                "g" => {
                    after_g.set_value(true);
                    true
                }
                "j" => step(1),
                "k" => step(-1),
                "o" => click(&format!("{ROWS}:focus")),
                "x" => pick(false),
                "X" => pick(true),
                "r" => resend(),
                "f" => focus("#filters input, #filters select"),
                "[" => click("a[rel=prev]"),
                "]" => click("a[rel=next]"),
                "u" => click(".crumbs a"),
                "." => {
                    ui.live.toggle();
                    true
                }
                "?" => {
                    browser::open_dialog(DIALOG);
                    true
                }
                _ => false,
            };
            if done {
                event.prevent_default();
            }
        });
        on_cleanup(move || handle.remove());
    });
}

fn page_of_key(key: &str) -> Option<&'static str> {
    match key {
        "d" => Some("/deliveries"),
        "e" => Some("/events"),
        "r" => Some("/reconciliation"),
        "j" => Some("/rejections"),
        "a" => Some("/alerts"),
        "s" => Some("/secrets"),
        _ => None,
    }
}

fn focus(selector: &str) -> bool {
    browser::find(selector).is_some_and(|element| element.focus().is_ok())
}

fn click(selector: &str) -> bool {
    browser::find(selector).map(|element| element.click()).is_some()
}

/// Focuses the next or previous row's link; the first one when none has the focus.
fn step(by: i32) -> bool {
    let rows = browser::find_all(ROWS);
    let focused = document().active_element();
    let at = rows.iter().position(|row| Some(row.as_ref()) == focused.as_ref());
    let next = match at {
        Some(at) => at.saturating_add_signed(by as isize).min(rows.len().saturating_sub(1)),
        None => 0,
    };
    rows.get(next).is_some_and(|row| row.focus().is_ok())
}

/// Clicks the box of the row that has the focus; up to there, as with Shift held.
fn pick(up_to_here: bool) -> bool {
    let row = document().active_element().and_then(|element| element.closest("tr").ok().flatten());
    let pick = row.and_then(|row| row.query_selector(".pick").ok().flatten());
    let Some(pick) = pick.and_then(|pick| pick.dyn_into::<HtmlElement>().ok()) else { return false };
    if up_to_here {
        let _ = pick.set_attribute(browser::UP_TO_HERE, "");
    }
    pick.click();
    let _ = pick.remove_attribute(browser::UP_TO_HERE);
    true
}

/// Opens the dialog for the row that has the focus, or else for the delivery that the page is about.
fn resend() -> bool {
    let row = document().active_element().and_then(|element| element.closest("tr").ok().flatten());
    let button = match row {
        Some(row) => row.query_selector("[data-resend]").ok().flatten(),
        None => browser::find(".page-head [data-resend]").map(Into::into),
    };
    button.and_then(|button| button.dyn_into::<HtmlElement>().ok()).map(|button| button.click()).is_some()
}

/// The list of keys.
pub fn help(ui: Ui) -> AnyView {
    let text = ui.text;
    let then = |key: &str| fill(text.keys.then, &["g", key]);
    let keys = [
        ("/".to_owned(), text.keys.search),
        ("j".to_owned(), text.keys.next),
        ("k".to_owned(), text.keys.previous),
        ("o".to_owned(), text.keys.open),
        ("x".to_owned(), text.keys.pick),
        ("r".to_owned(), text.keys.resend),
        ("f".to_owned(), text.keys.filter),
        ("[ ]".to_owned(), text.keys.pages),
        (".".to_owned(), text.keys.pause),
        ("u".to_owned(), text.keys.up),
        (then("d"), text.deliveries.title),
        (then("e"), text.events.title),
        (then("r"), text.reconciliation.title),
        (then("j"), text.rejections.title),
        (then("a"), text.alerts.title),
        (then("s"), text.secrets.title),
        ("?".to_owned(), text.keys.help),
    ];
    let row = |(key, does): (String, &'static str)| {
        view! {
            <dt>
                <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
        }
    };
    let body = view! {
        <div class="panel-body">
            <dl class="facts">{keys.map(row).collect_view()}</dl>
        </div>
    };
    dialog::dialog(ui, DIALOG, move || text.keys.title.to_owned(), body.part()).part()
}
