//! What each provider sends and answers.

pub mod api;
pub mod envelope;
pub mod feed;
pub(crate) use crate::domain::json;
pub mod paymos;
pub mod places;
pub mod preset_words;
pub mod presets;
pub mod problem;
pub mod settings;
mod tables;
