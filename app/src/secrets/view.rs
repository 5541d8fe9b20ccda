//! Pages.
use leptos::prelude::*;
/// The page.
#[component]
pub fn SecretsView() -> impl IntoView {}
