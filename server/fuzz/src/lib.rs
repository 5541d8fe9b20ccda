//! The parsers of the server and what they need, compiled alone: the whole server takes many minutes with
//! instrumentation, and these take one. The files are the server's own.

extern crate self as app;

pub mod domain;
mod paymos;
pub mod provider;
#[path = "../../../app/src/types/mod.rs"]
pub mod types;
