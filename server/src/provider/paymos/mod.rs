//! Paymos.

pub mod client;
pub(crate) mod envelope;
pub mod problem;
pub mod request;
