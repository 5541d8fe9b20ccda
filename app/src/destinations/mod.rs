//! Destinations: where deliveries go, how they stand, and the ways to hold and let out what goes there.

mod api;
mod forms;
mod rpc;
mod view;

pub use api::*;
pub use rpc::*;
pub use view::DestinationsView;
