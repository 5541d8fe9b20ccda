//! Sentences with moments and links in them: a text of the language, cut at its `{}`.

use leptos::prelude::*;

use super::IntoPart;

/// Puts views where a text has `{}`.
pub fn sentence(template: &'static str, parts: impl IntoIterator<Item = AnyView>) -> Vec<AnyView> {
    let mut parts = parts.into_iter();
    let mut out = Vec::new();
    for (index, words) in template.split("{}").enumerate() {
        if index > 0 {
            out.extend(parts.next());
        }
        if !words.is_empty() {
            out.push(words.part());
        }
    }
    out
}
