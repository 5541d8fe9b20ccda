//! Whether an arrival was sent by who holds one of the secrets. One routine, a policy for each scheme; bytes in,
//! a verdict out, and nothing that was sent can make it panic.
//!
//! What all schemes share: a header must be there exactly once, unless the scheme says otherwise; a time is ASCII
//! digits and signed as a number, so leading zeros do not count; the window is closed on both sides and checked
//! before the signature; every signature of the header is compared with every secret, each in constant time; one that
//! cannot be right, by length or alphabet, is passed over.

mod claim;
mod custom;
mod key;
mod policy;
mod scheme;
mod signer;
mod tag;
mod template;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use axum::http::HeaderMap;
use subtle::{Choice, ConditionallySelectable};

pub use claim::{Candidate, Claim, Flaw, FlawKind};
pub use custom::{Custom, CustomParts, CustomTime};
pub use key::{Key, KeyForm};
pub use policy::{Algorithm, Encoding, Policy, Unit};
pub use scheme::{Scheme, UnknownScheme};
pub use signer::Draft;
pub use template::{Template, TemplateError};

use template::Values;

/// Why an arrival is refused; the words of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A header that the scheme needs is not there.
    MissingHeader,
    /// It is there twice, or not of the form.
    MalformedHeader,
    /// Older than the window.
    TimestampTooOld,
    /// Further in the future than the window.
    TimestampTooNew,
    /// No signature was made with one of the secrets over these bytes.
    SignatureMismatch,
    /// There is no secret that could verify anything.
    BadSecret,
}

impl Reason {
    /// The word of the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingHeader => "missing_header",
            Self::MalformedHeader => "malformed_header",
            Self::TimestampTooOld => "timestamp_too_old",
            Self::TimestampTooNew => "timestamp_too_new",
            Self::SignatureMismatch => "signature_mismatch",
            Self::BadSecret => "bad_secret",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What came in.
#[derive(Debug, Clone, Copy)]
pub struct Incoming<'h> {
    /// Its headers.
    pub headers: &'h HeaderMap,
    /// Its body, as it was received.
    pub body: &'h [u8],
    /// The URL at which the sender knows us, for schemes that sign it: not the one that was asked for, which proxies
    /// change.
    pub url: Option<&'h str>,
    /// The query that was asked for, for schemes that sign parameters.
    pub query: Option<&'h str>,
}

impl<'h> Incoming<'h> {
    /// With headers and a body.
    pub const fn new(headers: &'h HeaderMap, body: &'h [u8]) -> Self {
        Self { headers, body, url: None, query: None }
    }

    /// The first value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<Cow<'h, str>> {
        let mut pairs = url::form_urlencoded::parse(self.query?.as_bytes());
        pairs.find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// What an arrival was verified by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matched {
    /// Its place among the secrets that were given; the first that matched.
    pub secret: usize,
    /// When the sender signed it, in Unix seconds, by the sender's clock; none: the scheme has no time.
    pub signed_at: Option<i64>,
}

/// An arrival that is verified: its claims, each with the place of the secret that matched. Never empty.
#[derive(Debug)]
pub struct Verified<'h>(Vec<(Claim<'h>, usize)>);

impl<'h> Verified<'h> {
    /// The claims: one, or one for each item of the body where those are signed.
    pub fn claims(&self) -> &[(Claim<'h>, usize)] {
        &self.0
    }
}

/// Verifies `body` as it was received, at `now` in Unix seconds. `tolerance`: how many seconds the sender's clock
/// may be off, either way; none: no window.
///
/// # Errors
/// Why it is refused. No secrets at all refuse everything.
pub fn verify(
    scheme: Scheme,
    secrets: &[&[u8]],
    headers: &HeaderMap,
    body: &[u8],
    now: i64,
    tolerance: Option<i64>,
) -> Result<Matched, Reason> {
    let verified = scheme.policy().verify(secrets, &Incoming::new(headers, body), now, tolerance)?;
    let (claim, secret) = verified.0.first().ok_or(Reason::MissingHeader)?;
    Ok(Matched { secret: *secret, signed_at: claim.signed_at })
}

impl Policy {
    /// Verifies what came in, at `now` in Unix seconds, as `verify` does. Where the items of a body are signed, each
    /// of them must be good.
    ///
    /// # Errors
    /// Why it is refused. No secrets at all refuse everything.
    pub fn verify<'h>(
        &self,
        secrets: &[&[u8]],
        incoming: &Incoming<'h>,
        now: i64,
        tolerance: Option<i64>,
    ) -> Result<Verified<'h>, Reason> {
        let keys: Vec<(usize, Key<'_>)> = secrets
            .iter()
            .enumerate()
            .filter_map(|(place, secret)| Some((place, self.key.of(secret)?)))
            .collect();
        if keys.is_empty() {
            return Err(Reason::BadSecret);
        }
        let claims = self.read(incoming).map_err(|flaw| flaw.reason)?;
        let verified = claims.into_iter().map(|claim| {
            check_window(claim.signed_at, now, tolerance)?;
            let secret = self.find(&keys, &claim, incoming).ok_or(Reason::SignatureMismatch)?;
            Ok((claim, secret))
        });
        verified.collect::<Result<_, _>>().map(Verified)
    }

    /// Whether one of the signatures was made with this secret over what came in. Another form of the key, or another
    /// body in `incoming`, tells what would have been good.
    pub fn matches(&self, form: KeyForm, secret: &[u8], claim: &Claim<'_>, incoming: &Incoming<'_>) -> bool {
        form.of(secret).is_some_and(|key| bool::from(self.is_signed(&key, claim, incoming)))
    }

    /// The first secret that matches. No early end: how long it takes tells nothing of which secret or signature
    /// matched.
    fn find(&self, keys: &[(usize, Key<'_>)], claim: &Claim<'_>, incoming: &Incoming<'_>) -> Option<usize> {
        let (mut found, mut index) = (Choice::from(0), 0_u64);
        for (place, key) in keys {
            let matched = self.is_signed(key, claim, incoming);
            index.conditional_assign(&(*place as u64), matched & !found);
            found |= matched;
        }
        if bool::from(found) { usize::try_from(index).ok() } else { None }
    }

    fn is_signed(&self, key: &[u8], claim: &Claim<'_>, incoming: &Incoming<'_>) -> Choice {
        self.signed.iter().fold(Choice::from(0), |any, template| {
            let tag = self.algorithm.sign(key, template, &Values { claim, incoming });
            let tags = claim.signatures.iter().filter_map(|candidate| candidate.tag.as_ref());
            tags.fold(any, |any, one| any | tag.ct_eq(one))
        })
    }
}

fn check_window(signed_at: Option<i64>, now: i64, tolerance: Option<i64>) -> Result<(), Reason> {
    let (Some(signed_at), Some(tolerance)) = (signed_at, tolerance) else { return Ok(()) };
    match now.saturating_sub(signed_at) {
        age if age > tolerance => Err(Reason::TimestampTooOld),
        age if age < tolerance.saturating_neg() => Err(Reason::TimestampTooNew),
        _ => Ok(()),
    }
}
