//! What each provider sends and answers.

pub mod paymos;
