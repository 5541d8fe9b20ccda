//! The bytes of a key, from the text of a secret.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use zeroize::Zeroizing;

/// Some senders give out keys without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// How a secret's text becomes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// Every byte of the text, prefix included.
    Raw,
    /// All of it, from hexadecimal digits of either case.
    Hex,
    /// What follows `whsec_`, or all of it, from base64.
    Base64,
}

/// A key; wiped when dropped if it was decoded for this.
pub enum Key<'a> {
    /// The text itself.
    Borrowed(&'a [u8]),
    /// Made from it.
    Decoded(Zeroizing<Vec<u8>>),
}

impl std::ops::Deref for Key<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
        }
    }
}

impl KeyForm {
    /// Every form.
    pub const ALL: &[Self] = &[Self::Raw, Self::Base64, Self::Hex];

    /// None: it verifies nothing, since anybody could sign with it.
    pub fn of(self, secret: &[u8]) -> Option<Key<'_>> {
        if is_blank(secret) {
            return None;
        }
        match self {
            Self::Raw => Some(Key::Borrowed(secret)),
            Self::Hex => {
                let bytes = Zeroizing::new(hex::decode(secret).ok()?);
                Some(Key::Decoded(bytes))
            }
            Self::Base64 => {
                let encoded = secret.strip_prefix(b"whsec_").unwrap_or(secret);
                let bytes = Zeroizing::new(LENIENT.decode(encoded).ok()?);
                (!bytes.is_empty()).then_some(Key::Decoded(bytes))
            }
        }
    }
}

fn is_blank(secret: &[u8]) -> bool {
    let text: Cow<'_, str> = String::from_utf8_lossy(secret);
    text.trim().is_empty()
}
