//! The area of reconciliation: types and calls in `api` and `rpc`, the page in `view` with its tables in `differences` and `runs`, its forms in `forms`, the URL
//! in `model`.

mod api;
mod differences;
mod forms;
mod model;
mod rpc;
mod runs;
mod view;

pub use api::*;
pub use model::DifferencesQuery;
pub use rpc::*;
pub use view::ReconciliationView;
