//! Delivers events to destinations: claims due deliveries, makes attempts, and records what they led to.
//!
//! An attempt that a process claimed and did not finish is due again when its lease ends. A crash at any point loses
//! nothing and at worst repeats one POST with the same id. Each module imports only modules below it, in this order:
//! `deliverer`, `dispatcher`, `outcome`, `health`, `attempt`, `report`, `transport`; `destination_queue` and
//! `overdue_monitor` import none of them.

mod attempt;
mod deliverer;
mod destination_queue;
mod dispatcher;
mod health;
mod outcome;
mod overdue_monitor;
mod report;
mod transport;

pub use self::deliverer::Deliverer;
pub use self::transport::{HttpClient, Lookup, Network, ResponseSummary};
