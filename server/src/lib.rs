//! Acuse: receives payment webhooks, keeps them, and delivers them. `docs/ARCHITECTURE.md` is the map.

// The views' types are deep: rendering them goes as deep as they are.
#![recursion_limit = "256"]

pub mod backend;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod deliver;
pub mod directory;
pub mod doctor;
pub mod domain;
pub mod error;
pub mod gate;
pub mod gateway;
pub mod http;
pub mod keys;
pub mod ledger;
pub mod provider;
pub mod prune;
pub mod receive;
pub mod reconcile;
pub mod resend;
pub mod sandbox;
pub mod store;
pub mod telemetry;
pub mod users;
pub mod vault;
pub mod wake;
