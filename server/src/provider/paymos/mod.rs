//! Paymos.

pub mod client;
pub(crate) mod envelope;
pub mod request;
