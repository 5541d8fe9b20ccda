//! What the browser's tab says.

use leptos::prelude::*;
use leptos_meta::Title;

use super::IntoPart;

/// The title of a page, with the name of the product behind it. Where a page is written on the server it is said at
/// once: its head is put together after its body, when the signals that the title reads may be gone.
pub fn title(of: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    let text = move || format!("{} · Acuse", of());
    #[cfg(feature = "ssr")]
    let text = untrack(text);
    view! { <Title text /> }.part()
}
