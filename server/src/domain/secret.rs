//! Secrets of sources and destinations: what they are, and when they count.

use std::fmt;

use app::types::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::RngCore;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Secrets of one source or destination that count at the same time, at most: every arrival is tried with each of them,
/// and every delivery carries a signature of each.
pub const MOST_ACTIVE: usize = 16;

/// A secret's text. Never printed, never serialised, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    /// Takes the text as it is.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// A new one for a destination: `whsec_` and 32 random bytes in base64, as Standard Webhooks asks for; the
    /// other formats take the whole text as the key.
    pub fn generate() -> Self {
        let mut bytes = Zeroizing::new([0_u8; 32]);
        rand::rng().fill_bytes(&mut *bytes);
        Self::new(format!("whsec_{}", STANDARD.encode(*bytes)))
    }

    /// The text, for signing, sealing and showing it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A short hash that tells secrets apart and gives nothing away: 8 hex digits of SHA-256.
    pub fn fingerprint(&self) -> String {
        let digest =
            Sha256::new().chain_update(b"acuse fingerprint\0").chain_update(self.0.as_bytes()).finalize();
        hex::encode(&digest[..4])
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

/// A secret and the time in which it counts.
#[derive(Debug, Clone)]
pub struct TimedSecret {
    /// Its row.
    pub id: String,
    /// Its text.
    pub value: SecretValue,
    /// From when it counts.
    pub created_at: Timestamp,
    /// Until when, exclusive; none: no end.
    pub expires_at: Option<Timestamp>,
}

impl TimedSecret {
    /// Whether it counts at this moment. The only rule there is: nothing has to run for a secret to end.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.created_at <= now && self.expires_at.is_none_or(|end| end > now)
    }
}

/// Those that count now, in the order in which they are held: newest first.
pub fn active(secrets: &[TimedSecret], now: Timestamp) -> Vec<&TimedSecret> {
    secrets.iter().filter(|secret| secret.is_active(now)).collect()
}

/// A new id for a secret's row.
pub fn new_id() -> String {
    let mut bytes = [0_u8; 12];
    rand::rng().fill_bytes(&mut bytes);
    format!("sec_{}", hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_counts_from_its_first_moment_to_just_before_its_last() {
        let at = Timestamp::from_unix;
        let secret = TimedSecret {
            id: new_id(),
            value: SecretValue::generate(),
            created_at: at(100),
            expires_at: Some(at(200)),
        };
        let counts =
            [at(99), at(100), at(199), at(200).plus_millis(-1), at(200)].map(|now| secret.is_active(now));
        assert_eq!(counts, [false, true, true, true, false]);
    }

    #[test]
    fn nothing_prints_a_secret() {
        let value = SecretValue::new("whsec_very_secret");
        assert_eq!(format!("{value:?}"), "SecretValue(…)");
        assert!(!value.fingerprint().contains("very"));
        assert_eq!(value.fingerprint().len(), 8);
    }

    #[test]
    fn a_new_secret_has_32_bytes() {
        let value = SecretValue::generate();
        let encoded = value.expose().strip_prefix("whsec_").unwrap();
        assert_eq!(STANDARD.decode(encoded).unwrap().len(), 32);
    }
}
