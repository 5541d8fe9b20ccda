//! The gateway.

pub mod http;
