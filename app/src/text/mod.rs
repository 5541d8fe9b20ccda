//! Every word that the dashboard says, per language: one struct of texts, so that a missing text does not compile.

use serde::{Deserialize, Serialize};

/// A language of the dashboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
}
