//! A body as people read it.

use serde::{Deserialize, Serialize};

use super::BodyOddity;

/// The beginning of a body as text, and what the text does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownBody {
    /// At most 64 KB; bytes that are no UTF-8 are replaced, and what is no text is a dump.
    pub text: String,
    /// There is more of it.
    pub is_cut: bool,
    /// What is to be said of it.
    pub oddities: Vec<BodyOddity>,
}
