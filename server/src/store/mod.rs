//! Every statement, once for both databases, beside the function that runs it.

mod conditions;
mod placeholders;
pub mod prune;

pub mod alert;
pub mod arrival;
pub mod attempt;
pub mod audit;
pub mod claim;
pub mod delivery;
pub mod delivery_detail;
pub mod delivery_list;
pub mod delivery_match;
pub mod destination;
pub mod difference;
pub mod event;
pub mod event_list;
pub mod gate;
pub mod health;
pub mod ledger;
pub mod login_failure;
pub mod reconciliation;
pub mod resend;
pub mod resend_queue;
pub(crate) mod rows;
pub mod sandbox;
pub mod sealed;
pub mod secret;
pub mod secret_use;
pub mod session;
pub mod settle;
pub mod source;
pub mod token;
pub mod user;
