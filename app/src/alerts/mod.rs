//! The area of alerts: types and calls in `api` and `rpc`, the page in `view`, the URL in `model`.

mod api;
mod facts;
mod model;
mod rpc;
mod view;

pub use api::*;
pub use facts::{Facts, Value};
pub use model::AlertsQuery;
pub use rpc::*;
pub use view::{AlertsView, count};
