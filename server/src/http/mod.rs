//! The router and everything that is reached through it.

pub mod api;
pub mod assets;
mod cookies;
mod event_body;
pub mod health;
pub mod layers;
mod local;
mod login;
pub mod lookers;
pub mod measure;
pub mod pages;
mod preferences;
pub mod problem;
pub mod site;
