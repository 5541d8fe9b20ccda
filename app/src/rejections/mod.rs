//! The area of rejections: types and calls in `api` and `rpc`, pages in `view` and `detail`, the URL in `model`, what
//! people do about them in `verify`.

mod api;
mod detail;
mod model;
mod rpc;
mod verify;
mod view;

pub use api::*;
pub use detail::RejectionView;
pub use model::RejectionsQuery;
pub use rpc::*;
pub use view::RejectionsView;
