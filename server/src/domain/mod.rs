//! The rules, without a database, a network or a clock: values in, values out.

pub mod audit;
pub mod delivery;
pub mod destination;
pub mod difference;
pub mod doctor;
pub mod filter;
pub mod input_value;
pub mod json;
pub mod ladder;
pub mod payment_timeline;
mod rejection_reason;
pub mod rejection_spike;
pub mod rungs;
pub mod secret;
pub mod secret_lint;
pub mod sign;
pub mod signature;
