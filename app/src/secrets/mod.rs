//! The area of secrets: types and calls in `api` and `rpc`; the page in `view`, its forms in `rotate`, its drawing in
//! `usage_timeline`, its advice in `model`.

mod api;
mod model;
mod rotate;
#[cfg(feature = "ssr")]
pub mod rotation_guide;
mod rpc;
mod usage_timeline;
mod view;

pub use api::*;
pub use model::scheme_name;
pub use rpc::*;
pub use view::SecretsView;
