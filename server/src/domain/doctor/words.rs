//! What the doctor says, in both languages: a short name, and a sentence that says what to do. Only the server says
//! it, so that the browser need not carry the words.

mod en;
mod es;

use app::text::Lang;
use app::types::{Mode, Timestamp};

use super::{Edit, Finding, Reading};
use crate::domain::signature::KeyForm;

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// A short name.
    pub title: String,
    /// What was found, and what to do.
    pub message: String,
}

/// Says it.
pub fn said(finding: &Finding, lang: Lang) -> Said {
    let (title, message) = match lang {
        Lang::En => en::said(finding),
        Lang::Es => es::said(finding),
    };
    Said { title, message }
}

/// `6 min 52 s (412 s)`: in two units, and in seconds.
fn seconds(seconds: i64) -> String {
    let (first, second) = match seconds {
        ..60 => return format!("{seconds} s"),
        60..3600 => ((seconds / 60, "min"), (seconds % 60, "s")),
        3600..86_400 => ((seconds / 3600, "h"), (seconds % 3600 / 60, "min")),
        _ => ((seconds / 86_400, "d"), (seconds % 86_400 / 3600, "h")),
    };
    let second = if second.0 > 0 { format!(" {} {}", second.0, second.1) } else { String::new() };
    format!("{} {}{second} ({seconds} s)", first.0, first.1)
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
