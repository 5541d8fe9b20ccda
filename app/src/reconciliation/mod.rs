//! The area of reconciliation: types and calls in `api`, components in `view`, pure view logic in `model`.

mod api;
mod view;

pub use api::*;
pub use view::*;
