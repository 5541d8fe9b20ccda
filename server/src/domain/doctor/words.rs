//! What the doctor says, in both languages: a short name, and a sentence that says what to do. Only the server says
//! it, so that the browser need not carry the words.

mod en;
mod es;

use app::text::Lang;
use app::types::{Mode, NotKept, RejectionReason, Timestamp};
use app::ui::format;

use super::{Finding, Interpretation, SecretEdit};
use crate::domain::signature::KeyForm;

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingText {
    /// A short name.
    pub title: String,
    /// What was found, and what to do.
    pub message: String,
}

/// Says it.
pub fn describe(finding: &Finding, lang: Lang) -> FindingText {
    let (title, message) = match lang {
        Lang::En => en::describe(finding),
        Lang::Es => es::describe(finding),
    };
    FindingText { title, message }
}

/// What is to be said of a rejection that cannot be verified again.
pub const fn not_kept(part: NotKept, lang: Lang) -> &'static str {
    match lang {
        Lang::En => en::not_kept(part),
        Lang::Es => es::not_kept(part),
    }
}

/// What is to be said of one that is refused still.
pub const fn still_refused(reason: RejectionReason, lang: Lang) -> &'static str {
    match lang {
        Lang::En => en::still_refused(reason),
        Lang::Es => es::still_refused(reason),
    }
}

/// `6 min 52 s`, as the page writes it.
fn length(seconds: i64) -> String {
    format::precisely(seconds)
}

/// `6 min 52 s (412 s)`: in seconds too, as the settings of a source have it.
fn seconds(seconds: i64) -> String {
    let long = length(seconds);
    if seconds < 60 { long } else { format!("{long} ({seconds} s)") }
}

/// `2026-11-24 10:00 UTC`.
fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}

/// A mode between brackets.
const fn mode(mode: Mode) -> &'static str {
    mode.as_str()
}
