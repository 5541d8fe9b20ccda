//! Resends of many deliveries at once.

mod api;
mod model;
mod plan;
mod rpc;
mod view;

pub use api::*;
pub use model::ResendsQuery;
pub use plan::PlanView;
pub use rpc::*;
pub use view::{ResendView, ResendsView};
