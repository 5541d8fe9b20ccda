//! What people type into forms. It may hold secrets, so it is never printed: every call of a page can be logged with its
//! arguments, by code that knows nothing of them.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// The fields of a form by name, as they were typed.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "std::collections::BTreeMap<String, String>")]
pub struct FormInput(Vec<(String, String)>);

impl FormInput {
    /// What stands in a field, without the white space around it; nothing where it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.exact(name).trim()
    }

    /// The fields for a URL, without what may be secret; blank ones too, since they were blanked.
    pub fn shown(&self) -> String {
        let mut query = String::new();
        for (name, value) in self.0.iter().filter(|(name, _)| !name.contains("secret")) {
            query.push('&');
            super::query::encode(name, &mut query);
            query.push('=');
            super::query::encode(value, &mut query);
        }
        query
    }

    /// What stands in a field to the last blank, for secrets.
    pub fn exact(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }
}

impl FromIterator<(String, String)> for FormInput {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}

impl From<std::collections::BTreeMap<String, String>> for FormInput {
    fn from(fields: std::collections::BTreeMap<String, String>) -> Self {
        fields.into_iter().collect()
    }
}

impl Serialize for FormInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl fmt::Debug for FormInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A secret that somebody pasted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pasted(String);

impl Pasted {
    /// The text, for checking and sealing it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Pasted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Pasted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pasted(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_typed_is_printed() {
        let typed: FormInput = [("slug", "shop"), ("secret", " whsec_very_secret")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        assert_eq!(format!("{typed:?}"), r#"{"slug", "secret"}"#);
        assert_eq!((typed.get("secret"), typed.exact("secret")), ("whsec_very_secret", " whsec_very_secret"));
        assert_eq!(typed.get("nothing"), "");
        let pasted = Pasted::from("whsec_very_secret".to_owned());
        assert_eq!(format!("{pasted:?}"), "Pasted(…)");
        let call = crate::secrets::RotateSource {
            slug: "shop".parse().unwrap(),
            secret: pasted,
            overlap_s: 60,
            reason: String::new(),
        };
        assert!(!format!("{call:?}").contains("whsec_"));
    }

    #[test]
    fn a_form_reads_back_what_it_wrote() {
        let text = r#"{"a":"1","b":""}"#;
        let typed: FormInput = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&typed).unwrap(), text);
    }
}
