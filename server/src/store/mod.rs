//! Every statement, once for both databases, beside the function that runs it.

mod placeholders;

pub mod attempt;
pub mod delivery;
pub mod destination;
pub mod ledger;
pub mod sandbox;
pub mod secret;
pub mod source;
pub mod token;
