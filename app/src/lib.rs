//! The dashboard of Acuse, compiled twice: for the browser (`hydrate`) and for the server (`ssr`). Wire types, the
//! server functions, and the traits that the server implements. Nothing here touches a database or the network.

// Views are types as deep as their elements, and the browser's optimised half looks through all of them.
#![recursion_limit = "256"]

#[cfg(all(target_arch = "wasm32", feature = "ssr"))]
compile_error!("the feature ssr is for the server, not for wasm32");

mod action;
pub mod alerts;
pub mod audit;
mod call;
pub mod comment;
pub mod context;
pub mod deliveries;
pub mod destinations;
pub mod error;
pub mod events;
mod frame;
pub mod login;
mod page_data;
pub mod reconciliation;
pub mod rejections;
pub mod resends;
mod route_chunks;
mod routes;
pub mod secrets;
#[cfg(feature = "ssr")]
mod shell;
pub mod sources;
pub mod text;
pub mod types;
pub mod ui;
pub mod viewer;

pub use routes::App;
#[cfg(feature = "ssr")]
pub use shell::shell;

/// Takes over the page that the server rendered, once the code for it is there.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub async fn hydrate() {
    console_error_panic_hook::set_once();
    // Without its words the page stays as the server sent it, and works as it does without script.
    if ui::browser::reader().preferences.lang.load().await.is_err() {
        return;
    }
    route_chunks::load(&ui::browser::path()).await;
    leptos::mount::hydrate_body(App);
    ui::browser::mark_hydrated();
}
