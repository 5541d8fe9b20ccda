//! Pages.
use leptos::prelude::*;
/// The page.
#[component]
pub fn ReconciliationView() -> impl IntoView {}
