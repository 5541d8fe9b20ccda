//! The area of events: types and calls in `api` and `rpc`, pages in `view` and `detail`, the URL in `model`.

mod api;
mod detail;
mod model;
mod release;
mod rpc;
mod timeline;
mod view;

pub use api::*;
pub use detail::EventView;
pub use model::EventsQuery;
pub use rpc::*;
pub use view::EventsView;
