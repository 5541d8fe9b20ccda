//! The area of deliveries: types and calls in `api`, components in `view`, pure view logic in `model`.

mod api;

pub use api::*;
