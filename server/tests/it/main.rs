//! Integration tests: one binary, every storage and HTTP test on both databases.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod alert_store;
mod api;
mod audit;
mod browser;
mod cli;
mod db;
mod deliver;
mod destinations;
mod gate;
mod keys;
mod kill;
mod layers;
mod leaks;
mod ledger;
mod lists;
mod login;
mod pages;
mod plans;
mod processes;
mod prune;
mod receive;
mod reconcile;
mod rejections;
mod renewals;
mod resends;
mod sandbox;
mod sandbox_chain;
mod schemes;
mod secret_pages;
mod secrets;
mod soak;
mod source_pages;
mod stage;
mod story;
mod support;
