//! Signs as a sender of a scheme does.

use axum::http::HeaderName;

use super::claim::Claim;
use super::policy::{Layout, Place, Policy, Prefix};
use super::template::Values;
use super::{Incoming, KeyForm};

/// What is to be signed.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// Of the event, for schemes that sign it.
    pub id: &'a str,
    /// The time, in the scheme's unit.
    pub stamp: i64,
    /// Headers that are signed, the body, the URL and the query.
    pub incoming: Incoming<'a>,
}

impl Policy {
    /// The headers that a sender adds, with one signature for each of the secrets that is usable, in their order, as
    /// far as the scheme has place for them. None, where the signatures stand in the body.
    pub fn sign(&self, secrets: &[&[u8]], draft: &Draft<'_>) -> Vec<(HeaderName, String)> {
        let Place::Headers { families, layout, .. } = &self.place else { return Vec::new() };
        let Some(family) = families.first() else { return Vec::new() };
        let claim = Claim { stamp: Some(draft.stamp), ..Claim::unsigned(Some(draft.id.as_bytes()), None) };
        let signatures = secrets.iter().filter_map(|secret| self.signature(secret, &claim, &draft.incoming));
        let value = match layout {
            Layout::Whole { prefix, several } => {
                let prefix = match prefix {
                    Prefix::None => "".into(),
                    Prefix::Required(prefix) | Prefix::Optional(prefix) => String::from_utf8_lossy(prefix),
                };
                let values: Vec<_> = signatures
                    .take(if *several { usize::MAX } else { 1 })
                    .map(|signature| format!("{prefix}{signature}"))
                    .collect();
                values.join(",")
            }
            Layout::Parts(parts) => {
                let joint = char::from(parts.joint);
                let label = String::from_utf8_lossy(&parts.signature);
                let time = parts.time.as_deref().map(String::from_utf8_lossy);
                let time = time.map(|time| format!("{time}{joint}{}", draft.stamp));
                let signatures = signatures.map(|signature| format!("{label}{joint}{signature}"));
                let parts_of_it: Vec<_> = time.into_iter().chain(signatures).collect();
                parts_of_it.join(&char::from(parts.separator).to_string())
            }
        };
        let id = family.id.iter().map(|name| (name.clone(), draft.id.to_owned()));
        let time = family.time.iter().map(|name| (name.clone(), draft.stamp.to_string()));
        id.chain(time).chain([(family.signature.clone(), value)]).collect()
    }

    /// The signature of an item of a body, where those are signed; none: the secret is not usable.
    pub fn sign_item(&self, secret: &[u8], item: &str) -> Option<String> {
        let claim = Claim::unsigned(None, Some(item));
        let headers = axum::http::HeaderMap::new();
        self.signature(secret, &claim, &Incoming::new(&headers, b""))
    }

    fn signature(&self, secret: &[u8], claim: &Claim<'_>, incoming: &Incoming<'_>) -> Option<String> {
        if self.algorithm == super::Algorithm::Token {
            return KeyForm::Raw.of(secret).map(|key| String::from_utf8_lossy(&key).into_owned());
        }
        let (key, template) = (self.key.of(secret)?, self.signed.first()?);
        Some(self.encode(&self.algorithm.sign(&key, template, &Values { claim, incoming })))
    }
}
