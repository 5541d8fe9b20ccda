//! Sources: who sends webhooks, where each of them posts to, and the ways to make, change and delete one.

mod api;
mod rpc;
mod view;

pub use api::*;
pub use rpc::*;
pub use view::SourcesView;
