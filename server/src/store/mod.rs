//! Every statement, once for both databases, beside the function that runs it.

pub mod attempt;
pub mod delivery;
pub mod destination;
pub mod ledger;
mod placeholders;
pub mod secret;
pub mod source;
pub mod token;
