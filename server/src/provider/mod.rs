//! What each provider sends and answers.

pub mod api;
pub mod envelope;
pub mod feed;
pub(crate) use crate::domain::json;
pub mod field_paths;
pub mod paymos;
pub mod preset_labels;
pub mod presets;
pub mod problem;
pub mod settings;
mod tables;
