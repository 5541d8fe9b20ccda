//! The area of secrets: types and calls in `api` and `rpc`, the page in `view` and `rotate`, advice in `model`.

mod api;
mod model;
mod rotate;
mod rpc;
mod view;

pub use api::*;
pub use rpc::*;
pub use view::SecretsView;
