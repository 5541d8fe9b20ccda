//! What only a browser can do. Called from effects and event handlers alone, which the server never runs.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlFormElement, HtmlInputElement};

use crate::types::Timestamp;

/// The browser's own clock.
pub fn now() -> Timestamp {
    Timestamp::from_micros((js_sys::Date::now() * 1000.0) as i64)
}

/// Seconds that the browser's zone is east of UTC at a moment.
pub fn east_seconds(at: Timestamp) -> i64 {
    let date = js_sys::Date::new(&JsValue::from_f64(at.micros() as f64 / 1000.0));
    -(date.get_timezone_offset() as i64) * 60
}

/// The address's path.
pub fn path() -> String {
    window().location().pathname().unwrap_or_default()
}

/// Posts a form: whether it went well, and the answer; none: there is none.
pub async fn post(path: &str, body: &str) -> Option<(bool, String)> {
    let request = web_sys::RequestInit::new();
    request.set_method("POST");
    request.set_body(&JsValue::from_str(body));
    let headers = web_sys::Headers::new().ok()?;
    headers.set("content-type", "application/x-www-form-urlencoded").ok()?;
    headers.set("accept", "application/json").ok()?;
    request.set_headers(&headers);
    let response = JsFuture::from(window().fetch_with_str_and_init(path, &request)).await.ok()?;
    let response: web_sys::Response = response.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((response.ok(), text.as_string()?))
}

/// Says on `<html>` that buttons do now what they say; a test that clicks earlier would test the server's page.
pub fn mark_hydrated() {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-hydrated", "");
    }
}

/// Whether the page can be seen.
pub fn visible() -> bool {
    document().visibility_state() == web_sys::VisibilityState::Visible
}

/// Whether somebody is in the middle of something that a renewal would disturb.
pub fn has_focus_or_dialog() -> bool {
    let open = "dialog[open], :popover-open, main details.menu[open]";
    let typing = "main :is(input:not([type=checkbox], [type=radio]), textarea, select):focus";
    // A form of the page itself would lose what was typed into it.
    let asked = "main form[method=post]:not(dialog form, details:not([open]) form) \
                 :is(input:not([type=hidden]), textarea, select)";
    [open, typing, asked].iter().any(|what| find(what).is_some())
}

/// Whether rows are picked.
pub fn has_selection() -> bool {
    find(".pick:checked").is_some()
}

/// On a box while it is clicked by a key that means what Shift means to the pointer.
pub const UP_TO_HERE: &str = "data-up-to-here";

/// Ticks every box that matches, or none.
pub fn check_all(selector: &str, checked: bool) {
    for found in find_all(selector) {
        if let Ok(input) = found.dyn_into::<HtmlInputElement>() {
            input.set_checked(checked);
        }
    }
}

/// The first element that matches.
pub fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Every element that matches, in the order of the page.
pub fn find_all(selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = document().query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|at| list.get(at)?.dyn_into().ok()).collect()
}

/// Opens the dialog with this id.
pub fn open_dialog(id: &str) {
    if let Some(dialog) =
        document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlDialogElement>().ok())
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Closes the dialog with this id.
pub fn close_dialog(id: &str) {
    if let Some(dialog) =
        document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlDialogElement>().ok())
    {
        dialog.close();
    }
}

/// Closes the menu that slides in on narrow screens.
pub fn hide_popover(id: &str) {
    if let Some(element) = document().get_element_by_id(id)
        && element.matches(":popover-open").unwrap_or(false)
        && let Ok(hide) = js_sys::Reflect::get(&element, &"hidePopover".into())
        && let Ok(hide) = hide.dyn_into::<js_sys::Function>()
    {
        let _ = hide.call0(&element);
    }
}

/// Sends a form as if its button had been pressed.
pub fn submit(form: &HtmlFormElement) {
    let _ = form.request_submit();
}

/// Copies a text; the clipboard is there on secure pages only.
pub fn copy(text: &str) {
    if window().is_secure_context() {
        let _ = window().navigator().clipboard().write_text(text);
    }
}

/// Loads a page anew from the server.
pub fn navigate(path: &str) {
    let _ = window().location().set_href(path);
}

/// What a form holds, as pairs; times are turned from the browser's zone into UTC.
pub fn form_pairs(form: &HtmlFormElement, local: bool) -> Vec<(String, String)> {
    let Ok(data) = web_sys::FormData::new_with_form(form) else { return Vec::new() };
    let Ok(Some(entries)) = js_sys::try_iter(&data) else { return Vec::new() };
    let mut pairs = Vec::new();
    for entry in entries.flatten() {
        let entry = js_sys::Array::from(&entry);
        let (Some(name), Some(value)) = (entry.get(0).as_string(), entry.get(1).as_string()) else {
            continue;
        };
        let is_time = form
            .query_selector(&format!("input[type=datetime-local][name='{name}']"))
            .is_ok_and(|found| found.is_some());
        let value = if is_time && local { to_utc(&value) } else { value };
        pairs.push((name, value));
    }
    pairs
}

/// A time of the browser's zone, as its inputs write it, in UTC.
pub fn to_utc(local: &str) -> String {
    let Ok(moment) = local.parse::<Timestamp>() else { return local.to_owned() };
    // The offset of the moment that is meant, found from that of the moment that is written.
    let guess = moment.plus_seconds(-east_seconds(moment));
    moment.plus_seconds(-east_seconds(guess)).to_string()
}

/// Shows a moment in an input for times: in the browser's zone, or in UTC.
pub fn set_time(input: &HtmlInputElement, at: Timestamp, local: bool) {
    let east = if local { east_seconds(at) } else { 0 };
    let shown = at.plus_seconds(east).to_string();
    input.set_value(shown.get(..16).unwrap_or_default());
}

/// Whether a key was pressed where it means a letter.
pub fn is_typing(target: Option<web_sys::EventTarget>) -> bool {
    target.and_then(|target| target.dyn_into::<Element>().ok()).is_some_and(|element| {
        element
            .matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
            .unwrap_or(false)
    })
}

/// Who looks at the page, as the server wrote it on the root element.
#[cfg(not(feature = "ssr"))]
pub fn reader() -> crate::viewer::Reader {
    use crate::viewer::{Preferences, Reader, Viewer};
    let root = document().document_element();
    let read = |name: &str| root.as_ref().and_then(|root| root.get_attribute(name)).unwrap_or_default();
    let viewer =
        read("data-role").parse().ok().map(|role| Viewer { name: read("data-viewer"), role, from: None });
    let preferences = Preferences {
        theme: read("data-theme"),
        contrast: read("data-contrast") == "more",
        lang: crate::text::Lang::of_code(&read("lang")),
        utc: read("data-zone") == "utc",
    };
    Reader {
        viewer,
        preferences,
        typed_email: read("data-email"),
        open_alerts: read("data-alerts").parse().unwrap_or(0),
    }
}
