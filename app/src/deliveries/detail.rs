//! One delivery.
use leptos::prelude::*;
/// The page.
#[component]
pub fn DeliveryView() -> impl IntoView {}
