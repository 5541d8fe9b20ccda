//! The name of a source or destination in URLs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// 1 to 64 of `a-z`, `0-9` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(value_type = String, pattern = "^[a-z0-9-]{1,64}$"))]
pub struct Slug(String);

/// Not a slug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a slug; accepted: 1 to 64 of a-z, 0-9 and -")]
pub struct SlugError(String);

impl Slug {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Slug {
    type Err = SlugError;
    fn from_str(text: &str) -> Result<Self, SlugError> {
        let good = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(good) {
            Ok(Self(text.to_owned()))
        } else {
            Err(SlugError(text.chars().take(80).collect()))
        }
    }
}

impl TryFrom<String> for Slug {
    type Error = SlugError;
    fn try_from(text: String) -> Result<Self, SlugError> {
        text.parse()
    }
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Slug;

    #[test]
    fn takes_exactly_the_letters_of_the_contract() {
        for good in ["a", "shop-eu", "0", &"x".repeat(64)] {
            assert_eq!(good.parse::<Slug>().unwrap().as_str(), good);
        }
        for bad in ["", "A", "a_b", "a b", "é", "a/b", &"x".repeat(65)] {
            assert!(bad.parse::<Slug>().is_err(), "{bad:?}");
        }
    }
}
