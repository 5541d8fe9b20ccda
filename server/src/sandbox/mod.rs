//! The sandbox: a provider and a shop over real HTTP.

pub mod provider;
