//! Acuse: receives payment webhooks, keeps them, and delivers them. `docs/ARCHITECTURE.md` is the map.

// The views' types are deep: rendering them goes as deep as they are.
#![recursion_limit = "256"]

pub mod backend;
pub mod cli;
pub mod client_address;
pub mod clock;
pub mod config;
pub mod db;
pub mod deliver;
pub mod destination_lifecycle;
pub mod domain;
pub mod error;
pub mod gateway;
pub mod http;
pub mod keys;
pub mod ledger;
pub mod net;
pub mod notify;
pub mod problem_details;
pub mod provider;
pub mod receive;
pub mod reconcile;
pub mod registry;
pub mod rejection_analysis;
pub mod request_coalescing;
pub mod resend;
pub mod retention;
pub mod sandbox;
pub mod store;
pub mod telemetry;
pub mod users;
pub mod vault;
