//! Paymos.

pub mod client;
pub mod problem;
pub mod request;
