//! Every statement, once for both databases, beside the function that runs it.

mod placeholders;

pub mod attempt;
mod conditions;
pub mod delivery;
pub mod delivery_detail;
pub mod delivery_list;
pub mod destination;
pub mod event_list;
pub mod ledger;
pub mod sandbox;
pub mod secret;
pub mod source;
pub mod token;
