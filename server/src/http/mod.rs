//! The router and everything that is reached through it.

pub mod api;
pub mod assets;
pub mod health;
pub mod layers;
pub mod problem;
