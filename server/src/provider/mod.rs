//! What each provider sends and answers.

pub mod envelope;
pub(crate) mod json;
pub mod paymos;
