//! The bytes of a signature: made, written and read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::digest::{FixedOutput, KeyInit, Update};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256, Sha512};
use subtle::{Choice, ConstantTimeEq};

use super::policy::{Algorithm, Encoding, Policy};
use super::template::{Template, Values};

/// A signature; the shorter kinds are filled up with zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag([u8; 64]);

impl Tag {
    fn new(bytes: &[u8]) -> Self {
        let mut tag = [0; 64];
        for (to, from) in tag.iter_mut().zip(bytes) {
            *to = *from;
        }
        Self(tag)
    }

    pub(super) fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl Algorithm {
    const fn length(self) -> usize {
        match self {
            Self::Sha256 | Self::Token => 32,
            Self::Sha512 => 64,
        }
    }

    /// The signature of what `template` says. Of a token it is its hash: both sides have the same length then.
    pub(super) fn sign(self, key: &[u8], template: &Template, values: &Values<'_, '_>) -> Tag {
        match self {
            Self::Sha256 => mac::<Hmac<Sha256>>(key, template, values),
            Self::Sha512 => mac::<Hmac<Sha512>>(key, template, values),
            Self::Token => Tag::new(&Sha256::digest(key)),
        }
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac<M: Mac + KeyInit + Update + FixedOutput>(
    key: &[u8],
    template: &Template,
    values: &Values<'_, '_>,
) -> Tag {
    let mut mac = <M as Mac>::new_from_slice(key).expect("HMAC takes keys of any length");
    template.feed(values, &mut |bytes| Mac::update(&mut mac, bytes));
    Tag::new(&Mac::finalize(mac).into_bytes())
}

impl Policy {
    /// None: it cannot be right, by length or alphabet.
    pub(super) fn decode(&self, text: &[u8]) -> Option<Tag> {
        if self.algorithm == Algorithm::Token {
            return Some(Tag::new(&Sha256::digest(text)));
        }
        let mut bytes = [0; 66];
        let length = match self.encoding {
            Encoding::Hex => unhex(text, false, &mut bytes)?,
            Encoding::HexAnyCase => unhex(text, true, &mut bytes)?,
            Encoding::Base64 if text.len() > 88 => return None,
            Encoding::Base64 => STANDARD.decode_slice(text, &mut bytes).ok()?,
        };
        (length == self.algorithm.length()).then(|| Tag::new(&bytes[..length]))
    }

    /// How a sender writes it.
    pub(super) fn encode(&self, tag: &Tag) -> String {
        let bytes = &tag.0[..self.algorithm.length()];
        match self.encoding {
            Encoding::Hex | Encoding::HexAnyCase => hex::encode(bytes),
            Encoding::Base64 => STANDARD.encode(bytes),
        }
    }
}

fn unhex(text: &[u8], upper_case: bool, bytes: &mut [u8; 66]) -> Option<usize> {
    if text.len() % 2 == 1 || text.len() > 128 {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' if upper_case => Some(byte - b'A' + 10),
        _ => None,
    };
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(text.len() / 2)
}
