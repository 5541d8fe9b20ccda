//! Sends one HTTP request to a destination and reads a bounded part of the response.
//!
//! Host names are resolved and their addresses checked before a connection is opened. The module does not know what is
//! sent: neither deliveries nor attempts.

mod address;
mod client;
mod connect;
mod resolve;

pub use self::client::{HttpClient, Network, ResponseSummary};
pub use self::resolve::Lookup;
