//! Every word that the dashboard says, per language: one struct of texts, so that a missing text does not compile.

mod en;
mod es;
mod labels;
mod texts;

#[cfg(not(feature = "ssr"))]
use leptos::wasm_split::wasm_split;
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "ssr"))]
use crate::error::AppError;
pub use texts::Texts;

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
            Self::En => &en::EN,
            #[cfg(feature = "ssr")]
            Self::Es => &es::ES,
            #[cfg(not(feature = "ssr"))]
            Self::Es => SPANISH.get().copied().unwrap_or(&en::EN),
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
    Ok(&es::ES)
}

/// Puts values where a text has `{}`.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut out = String::with_capacity(template.len() + 32);
    for (index, part) in template.split("{}").enumerate() {
        if index > 0 {
            out.push_str(values.next().copied().unwrap_or_default());
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_in_order() {
        assert_eq!(fill("{} of {}", &["3", "11"]), "3 of 11");
        assert_eq!(fill("plain", &["unused"]), "plain");
        assert_eq!(fill("{}{}", &["a"]), "a");
    }

    #[test]
    fn both_languages_fill_in_as_much() {
        for ((name, english), (_, spanish)) in Lang::En.texts().all().into_iter().zip(Lang::Es.texts().all())
        {
            assert!(!english.is_empty() && !spanish.is_empty(), "{name}");
            assert_eq!(english.matches("{}").count(), spanish.matches("{}").count(), "{name}");
        }
    }

    #[test]
    fn months_and_days_are_complete() {
        for lang in [Lang::En, Lang::Es] {
            assert_eq!(lang.texts().months.split(' ').count(), 12);
            assert_eq!(lang.texts().weekdays.split(' ').count(), 7);
        }
    }
}
