//! Moments: how far they are, and exactly when. The tooltip has the date and the zone.

use leptos::prelude::*;

use super::{IntoPart, Ui, format};
use crate::types::Timestamp;

/// Date, time and zone of a moment, for a tooltip.
pub fn title(ui: Ui, at: Timestamp) -> String {
    format::full(at, ui.clock.utc_offset(at), ui.text)
}

/// `in 2 min 41 s`, counting.
pub fn relative(ui: Ui, at: Timestamp, page: Timestamp) -> AnyView {
    let said = move || format::relative(at, ui.clock.now(page), ui.text);
    view! { <time datetime=at.to_string() title=move || title(ui, at)>{said}</time> }.part()
}

/// `2 min 41 s` until then, counting; `now` once it has come.
pub fn remaining(ui: Ui, at: Timestamp, page: Timestamp) -> AnyView {
    let said = move || left(ui, at, page);
    view! { <time datetime=at.to_string() title=move || title(ui, at)>{said}</time> }.part()
}

/// The text of [`remaining`].
pub fn left(ui: Ui, at: Timestamp, page: Timestamp) -> String {
    match at.seconds_since(ui.clock.now(page)) {
        ..=0 => ui.text.time.now.to_owned(),
        seconds => format::duration(seconds),
    }
}

/// `14:09:07`, with the day when it is not today.
pub fn exact(ui: Ui, at: Timestamp, page: Timestamp) -> AnyView {
    let said = move || format::exact(at, ui.clock.now(page), ui.clock.utc_offset(at), ui.text);
    view! { <time datetime=at.to_string() title=move || title(ui, at)>{said}</time> }.part()
}

/// Relative, and the exact time in a second line.
pub fn both(ui: Ui, at: Timestamp, page: Timestamp) -> AnyView {
    let said = move || format::exact(at, ui.clock.now(page), ui.clock.utc_offset(at), ui.text);
    view! {
        {relative(ui, at, page)}
        <small>{said}</small>
    }
    .part()
}
