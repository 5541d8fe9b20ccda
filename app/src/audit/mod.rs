//! The audit: who did what, when, to what, from where and why.

mod api;

pub use api::*;
