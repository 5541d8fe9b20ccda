//! Resends of many deliveries at once.

mod api;

pub use api::*;
