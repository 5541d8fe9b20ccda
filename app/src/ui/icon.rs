//! The drawings: 16 by 16, strokes of 1.5, in the colour of the text. The sprite is in the page once, the shell's
//! last element; a part refers to it by name.

use leptos::prelude::*;

use super::IntoPart;

/// One drawing, for the eye alone: its word stands beside it.
pub fn icon(name: &'static str) -> AnyView {
    view! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" inner_html=reference(name)></svg> }
        .part()
}

/// The same with the colour of a tone.
pub fn toned(name: &'static str, tone: &'static str) -> AnyView {
    view! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" data-tone=tone inner_html=reference(name)></svg> }.part()
}

fn reference(name: &str) -> String {
    format!("<use href=\"#i-{name}\"/>")
}

/// The mark.
pub fn mark() -> AnyView {
    view! { <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" inner_html="<use href=\"#i-mark\"/>"></svg> }.part()
}

/// Every drawing that `icon` may name, for the shell.
#[cfg(feature = "ssr")]
pub const SPRITE: &str = include_str!("sprite.svg");
