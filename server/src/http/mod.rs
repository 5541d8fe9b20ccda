//! The router and everything that is reached through it.

pub mod api;
pub mod assets;
pub mod compression;
mod cookies;
mod encoding;
mod error_page;
mod event_body;
pub mod health;
pub mod layers;
mod login;
pub mod pages;
mod preferences;
pub mod request_metrics;
mod safe_redirect;
pub mod session_cache;
pub mod site;
