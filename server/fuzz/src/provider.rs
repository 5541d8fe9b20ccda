//! What providers send.

#[path = "../../src/provider/envelope.rs"]
pub mod envelope;
#[path = "../../src/provider/field_paths.rs"]
pub mod field_paths;
#[path = "../../src/provider/presets.rs"]
pub mod presets;
#[path = "../../src/provider/settings.rs"]
pub mod settings;
#[path = "../../src/provider/tables.rs"]
mod tables;

pub(crate) use crate::domain::json;
use crate::paymos;
