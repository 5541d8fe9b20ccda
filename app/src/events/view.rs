//! Pages.
use leptos::prelude::*;
/// The page.
#[component]
pub fn EventsView() -> impl IntoView {}
/// The page.
#[component]
pub fn EventView() -> impl IntoView {}
