//! Whether an arrival was sent by who holds one of the secrets. One routine, a policy for each scheme; bytes in,
//! a verdict out, and nothing that was sent can make it panic.
//!
//! What all schemes share: a header must be there exactly once; a time is ASCII digits and signed as a number, so
//! leading zeros do not count; the window is closed on both sides and checked before the signature; every signature
//! of the header is compared with every secret, each in constant time; one that cannot be right, by length or
//! alphabet, is passed over.

mod header;
mod key;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use app::types::Provider;
use axum::http::HeaderMap;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use header::{Claim, Grammar};
use key::KeyForm;

/// How a sender signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `X-Webhook-Signature: t=…,v1=…`.
    Paymos,
    /// `Stripe-Signature: t=…,v1=…`: the same but for the case of the hex.
    Stripe,
    /// `Paddle-Signature: ts=…;h1=…`.
    Paddle,
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,…`; the key in base64.
    StandardWebhooks,
    /// The same, by senders that take the secret's text as the key.
    StandardWebhooksRawKey,
    /// The same under the names `svix-…`, which win over `webhook-…`.
    Svix,
}

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

/// What an arrival was verified by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matched {
    /// Its place among the secrets that were given; the first that matched.
    pub secret: usize,
    /// When the sender signed it, in Unix seconds, by the sender's clock.
    pub signed_at: i64,
}

/// What tells one scheme from another.
struct Policy {
    grammar: Grammar,
    key: KeyForm,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: &[Self] = &[
        Self::Paymos,
        Self::Stripe,
        Self::Paddle,
        Self::StandardWebhooks,
        Self::StandardWebhooksRawKey,
        Self::Svix,
    ];

    /// Its name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paymos => "paymos",
            Self::Stripe => "stripe",
            Self::Paddle => "paddle",
            Self::StandardWebhooks => "standard_webhooks",
            Self::StandardWebhooksRawKey => "standard_webhooks_raw_key",
            Self::Svix => "svix",
        }
    }

    /// The scheme of a provider's sources; none: it cannot be verified yet, so everything is refused.
    pub const fn of(provider: Provider) -> Option<Self> {
        match provider {
            Provider::Paymos => Some(Self::Paymos),
            Provider::Stripe => Some(Self::Stripe),
            Provider::Paddle => Some(Self::Paddle),
            Provider::StandardWebhooks => Some(Self::StandardWebhooks),
            Provider::Hmac => None,
        }
    }

    const fn policy(self) -> Policy {
        match self {
            Self::Paymos => Policy { grammar: Grammar::PAYMOS, key: KeyForm::Raw },
            Self::Stripe => Policy { grammar: Grammar::STRIPE, key: KeyForm::Raw },
            Self::Paddle => Policy { grammar: Grammar::PADDLE, key: KeyForm::Raw },
            Self::StandardWebhooks => Policy { grammar: Grammar::WEBHOOK, key: KeyForm::Base64 },
            Self::StandardWebhooksRawKey => Policy { grammar: Grammar::WEBHOOK, key: KeyForm::Raw },
            Self::Svix => Policy { grammar: Grammar::SVIX, key: KeyForm::Base64 },
        }
    }
}

/// A name that is no scheme's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scheme; accepted: {names}", names = Scheme::ALL.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", "))]
pub struct UnknownScheme(String);

impl FromStr for Scheme {
    type Err = UnknownScheme;
    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let found = Self::ALL.iter().find(|scheme| scheme.as_str() == name);
        found.copied().ok_or_else(|| UnknownScheme(name.chars().take(64).collect()))
    }
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
    let policy = scheme.policy();
    if !secrets.iter().any(|secret| policy.key.of(secret).is_some()) {
        return Err(Reason::BadSecret);
    }
    let claim = policy.grammar.read(headers)?;
    check_window(claim.signed_at, now, tolerance)?;
    // No early end: how long it takes tells nothing of which secret or signature matched.
    let (mut found, mut index) = (Choice::from(0), 0_u64);
    for (place, secret) in secrets.iter().enumerate() {
        let Some(key) = policy.key.of(secret) else { continue };
        let matched = matches_any(&mac(&key, &claim, &policy.grammar, body), &claim);
        index.conditional_assign(&(place as u64), matched & !found);
        found |= matched;
    }
    if !bool::from(found) {
        return Err(Reason::SignatureMismatch);
    }
    let secret = usize::try_from(index).map_err(|_| Reason::SignatureMismatch)?;
    Ok(Matched { secret, signed_at: claim.signed_at })
}

fn check_window(signed_at: i64, now: i64, tolerance: Option<i64>) -> Result<(), Reason> {
    let Some(tolerance) = tolerance else { return Ok(()) };
    match now.saturating_sub(signed_at) {
        age if age > tolerance => Err(Reason::TimestampTooOld),
        age if age < tolerance.saturating_neg() => Err(Reason::TimestampTooNew),
        _ => Ok(()),
    }
}

fn matches_any(mac: &[u8; 32], claim: &Claim) -> Choice {
    claim.signatures.as_slice().iter().fold(Choice::from(0), |any, one| any | mac.ct_eq(one))
}

/// The signature over `[id .] time joint body`.
fn mac(key: &[u8], claim: &Claim, grammar: &Grammar, body: &[u8]) -> [u8; 32] {
    let joint = [grammar.joint()];
    let mut digits = [0_u8; 20];
    let mut hmac = hmac_sha256(key);
    if let Some(id) = claim.id {
        hmac.update(id);
        hmac.update(&joint);
    }
    hmac.update(decimal(claim.signed_at, &mut digits));
    hmac.update(&joint);
    hmac.update(body);
    hmac.finalize().into_bytes().into()
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn hmac_sha256(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

/// A number that is not negative, without an allocation.
fn decimal(mut number: i64, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10).unsigned_abs() as u8;
        number /= 10;
        if number == 0 {
            return &digits[at..];
        }
    }
}
