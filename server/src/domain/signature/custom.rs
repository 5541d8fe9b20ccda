//! A scheme by settings.

use axum::http::HeaderName;

use super::key::KeyForm;
use super::policy::{Algorithm, Encoding, Family, Layout, Parts, Place, Policy, Prefix, Unit};
use super::template::Template;

/// What can be told of a scheme.
#[derive(Debug, Clone)]
pub struct Custom {
    /// Where the signature stands; the first that is there counts. Not empty.
    pub headers: Vec<HeaderName>,
    /// How it is made.
    pub algorithm: Algorithm,
    /// How it is written.
    pub encoding: Encoding,
    /// How the secret becomes a key.
    pub key: KeyForm,
    /// What stands before it.
    pub prefix: Option<String>,
    /// If the header has parts.
    pub parts: Option<CustomParts>,
    /// If there is a time.
    pub time: Option<CustomTime>,
    /// What is signed.
    pub signed: Template,
}

/// Parts of a header, such as `t=…,v1=…`.
#[derive(Debug, Clone)]
pub struct CustomParts {
    /// Between them.
    pub separator: u8,
    /// Between label and value.
    pub joint: u8,
    /// The label of signatures.
    pub signature: String,
    /// The label of the time.
    pub timestamp: Option<String>,
}

/// When it was signed.
#[derive(Debug, Clone)]
pub struct CustomTime {
    /// Its header; none: it is one of the parts.
    pub header: Option<HeaderName>,
    /// What it is counted in.
    pub unit: Unit,
}

impl Custom {
    /// The policy.
    ///
    /// # Errors
    /// The field that contradicts another, and what is accepted.
    pub fn policy(self) -> Result<Policy, (&'static str, &'static str)> {
        self.check()?;
        let (time, unit) = self.time.map_or((None, Unit::Seconds), |time| (time.header, time.unit));
        let family = |signature| Family { signature, time: time.clone(), id: None };
        let families = self.headers.into_iter().map(family).collect();
        let layout = match self.parts {
            Some(parts) => Layout::Parts(Parts {
                separator: parts.separator,
                joint: parts.joint,
                trim: parts.separator != b' ',
                signature: parts.signature.into_bytes().into(),
                time: parts.timestamp.map(|label| label.into_bytes().into()),
                others_count: false,
            }),
            None => {
                let prefix = self.prefix.map_or(Prefix::None, |it| Prefix::Required(it.into_bytes().into()));
                Layout::Whole { prefix, several: false }
            }
        };
        Ok(Policy {
            place: Place::Headers { families, layout, unit },
            algorithm: self.algorithm,
            encoding: self.encoding,
            key: self.key,
            signed: vec![self.signed],
        })
    }

    fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let in_parts = self.parts.as_ref().is_some_and(|parts| parts.timestamp.is_some());
        let in_header = self.time.as_ref().is_some_and(|time| time.header.is_some());
        let rules = [
            (
                self.parts.is_some() && self.prefix.is_some(),
                "prefix",
                "does not go with parts; accepted: leave it out",
            ),
            (
                in_parts && in_header,
                "timestamp.header",
                "the time is one of the parts already; accepted: leave it out",
            ),
            (
                self.time.is_some() && !in_header && !in_parts,
                "timestamp.header",
                "is missing; accepted: the name of a header, or parts.timestamp for a part of the signature's header",
            ),
            (
                (in_header || in_parts) && !self.signed.has_time(),
                "signed",
                "a time that is not signed proves nothing; accepted: a template with {timestamp}",
            ),
            (
                self.signed.has_time() && !in_header && !in_parts,
                "signed",
                "has {timestamp}, and there is none; accepted: with timestamp.header or parts.timestamp",
            ),
            (
                self.algorithm == Algorithm::Token && (in_header || in_parts),
                "timestamp",
                "a token signs no time; accepted: leave it out",
            ),
            (
                self.algorithm != Algorithm::Token && !self.signed.has_body(),
                "signed",
                "what does not sign the body proves nothing of it; accepted: a template with {body}",
            ),
        ];
        rules.iter().find(|(broken, ..)| *broken).map_or(Ok(()), |(_, field, message)| Err((field, message)))
    }
}
