//! The audit: who did what, when, to what, from where and why. Types in `api`, the list's URL in `model`, the page in
//! `view`, its call in `rpc`.

mod api;
mod model;
mod rpc;
mod view;

pub use api::*;
pub use model::AuditQuery;
pub use rpc::*;
pub use view::AuditView;
