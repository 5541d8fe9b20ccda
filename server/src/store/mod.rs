//! Every statement, once for both databases, beside the function that runs it.

mod list_planner;
mod placeholders;
pub mod retention;

pub mod alert;
pub mod attempt;
pub mod audit;
pub mod delivery;
pub mod destination;
pub mod event;
pub mod held_event;
pub mod ledger;
pub mod reconciliation;
pub mod rejection;
pub mod resend;
pub(crate) mod rows;
pub mod sandbox_setting;
pub mod sealed_value;
pub mod secret;
pub mod source;
pub mod user;
