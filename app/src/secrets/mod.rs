//! The area of secrets: types and calls in `api` and `rpc`; the page in `view`, its forms in `rotate`, its drawing in
//! `lanes`, its advice in `model`.

mod api;
#[cfg(feature = "ssr")]
pub mod guide;
mod lanes;
mod model;
mod rotate;
mod rpc;
mod view;

pub use api::*;
pub use model::scheme_name;
pub use rpc::*;
pub use view::SecretsView;
