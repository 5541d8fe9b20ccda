//! The languages, and when the browser has their texts.

#[cfg(not(feature = "ssr"))]
use leptos::wasm_split::wasm_split;
use serde::{Deserialize, Serialize};

use super::Texts;
#[cfg(not(feature = "ssr"))]
use crate::error::AppError;

/// A language of the dashboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
}

impl Lang {
    /// The code that HTML and forms use.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// The language of a code; English for others.
    pub fn of_code(code: &str) -> Self {
        if code == "es" { Self::Es } else { Self::En }
    }

    /// Its texts; in the browser, once they are loaded.
    pub fn texts(self) -> &'static Texts {
        match self {
            Self::En => &Texts::EN,
            #[cfg(feature = "ssr")]
            Self::Es => &Texts::ES,
            #[cfg(not(feature = "ssr"))]
            Self::Es => SPANISH.get().copied().unwrap_or(&Texts::EN),
        }
    }

    /// Loads its texts: only English is there from the beginning.
    ///
    /// # Errors
    /// They did not come.
    #[cfg(feature = "hydrate")]
    pub async fn load(self) -> Result<(), AppError> {
        if self == Self::Es {
            let _ = SPANISH.set(spanish().await?);
        }
        Ok(())
    }
}

#[cfg(not(feature = "ssr"))]
static SPANISH: std::sync::OnceLock<&'static Texts> = std::sync::OnceLock::new();

/// A chunk of its own for the browser, which needs one language.
#[cfg(not(feature = "ssr"))]
#[wasm_split(spanish, wasm_split_path = ::leptos::wasm_split, fallible)]
fn spanish() -> Result<&'static Texts, AppError> {
    Ok(&Texts::ES)
}
