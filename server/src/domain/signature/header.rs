//! What the headers claim: when it was signed, and the signatures. Bytes, in the grammar of each scheme.

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Reason;

/// Signatures that are looked at; a sender in the midst of ten rotations sends eleven.
const MOST: usize = 32;

/// How the headers of a scheme are written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grammar {
    /// One header of `key=value` parts.
    Pairs(Pairs),
    /// Three headers: id, time, and a list of `version,signature` between spaces.
    Triple(&'static [Names]),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pairs {
    header: &'static str,
    separator: u8,
    /// Spaces and tabs around a part are dropped; those around its `=` never are.
    trim: bool,
    time: &'static [u8],
    signature: &'static [u8],
    joint: u8,
    upper_case: bool,
}

/// A family of names for the three headers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    id: &'static str,
    time: &'static str,
    signature: &'static str,
}

const WEBHOOK: Names = Names { id: "webhook-id", time: "webhook-timestamp", signature: "webhook-signature" };
const SVIX: Names = Names { id: "svix-id", time: "svix-timestamp", signature: "svix-signature" };

/// What the headers say, not yet verified.
pub(super) struct Claim<'h> {
    /// Signed before the time, where the scheme has one.
    pub(super) id: Option<&'h [u8]>,
    pub(super) signed_at: i64,
    pub(super) signatures: Signatures,
}

/// The signatures that could be right.
pub(super) struct Signatures {
    digests: [[u8; 32]; MOST],
    len: usize,
    /// Also those that could not.
    seen: usize,
}

impl Signatures {
    const fn new() -> Self {
        Self { digests: [[0; 32]; MOST], len: 0, seen: 0 }
    }

    fn add(&mut self, decoded: Option<[u8; 32]>) {
        self.seen += 1;
        if let (Some(digest), true) = (decoded, self.seen <= MOST) {
            self.digests[self.len] = digest;
            self.len += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[[u8; 32]] {
        &self.digests[..self.len]
    }
}

impl Grammar {
    pub(super) const PAYMOS: Self = Self::Pairs(Pairs {
        header: "x-webhook-signature",
        separator: b',',
        trim: true,
        time: b"t",
        signature: b"v1",
        joint: b'.',
        upper_case: true,
    });
    pub(super) const STRIPE: Self = Self::Pairs(Pairs {
        header: "stripe-signature",
        separator: b',',
        trim: true,
        time: b"t",
        signature: b"v1",
        joint: b'.',
        upper_case: false,
    });
    pub(super) const PADDLE: Self = Self::Pairs(Pairs {
        header: "paddle-signature",
        separator: b';',
        trim: false,
        time: b"ts",
        signature: b"h1",
        joint: b':',
        upper_case: false,
    });
    pub(super) const WEBHOOK: Self = Self::Triple(&[WEBHOOK]);
    pub(super) const SVIX: Self = Self::Triple(&[SVIX, WEBHOOK]);

    /// What stands between the signed parts.
    pub(super) const fn joint(&self) -> u8 {
        match self {
            Self::Pairs(pairs) => pairs.joint,
            Self::Triple(_) => b'.',
        }
    }

    pub(super) fn read<'h>(&self, headers: &'h HeaderMap) -> Result<Claim<'h>, Reason> {
        match self {
            Self::Pairs(pairs) => pairs.read(only(headers, pairs.header)?),
            Self::Triple(families) => {
                let family = families.iter().find(|family| headers.contains_key(family.id));
                family.or(families.last()).ok_or(Reason::MissingHeader)?.read(headers)
            }
        }
    }
}

impl Pairs {
    fn read<'h>(&self, value: &'h [u8]) -> Result<Claim<'h>, Reason> {
        let (mut time, mut signatures) = (None, Signatures::new());
        for part in value.split(|byte| *byte == self.separator) {
            let part = if self.trim { trim(part) } else { part };
            let Some(equals) = part.iter().position(|byte| *byte == b'=') else { continue };
            let (key, value) = (&part[..equals], &part[equals + 1..]);
            if value.is_empty() {
                continue;
            }
            if key == self.time {
                if time.is_some() {
                    return Err(Reason::MalformedHeader);
                }
                time = Some(seconds(value)?);
            } else if key == self.signature {
                signatures.add(hex(value, self.upper_case));
            }
        }
        match time {
            Some(signed_at) if signatures.seen > 0 => Ok(Claim { id: None, signed_at, signatures }),
            _ => Err(Reason::MalformedHeader),
        }
    }
}

impl Names {
    fn read<'h>(&self, headers: &'h HeaderMap) -> Result<Claim<'h>, Reason> {
        let id = only(headers, self.id)?;
        let time = only(headers, self.time)?;
        let list = only(headers, self.signature)?;
        let (signed_at, mut signatures) = (seconds(time)?, Signatures::new());
        for entry in list.split(|byte| *byte == b' ') {
            let Some(comma) = entry.iter().position(|byte| *byte == b',') else { continue };
            let decoded = if &entry[..comma] == b"v1" { base64(&entry[comma + 1..]) } else { None };
            signatures.add(decoded);
        }
        if id.is_empty() || signatures.seen == 0 {
            return Err(Reason::MalformedHeader);
        }
        Ok(Claim { id: Some(id), signed_at, signatures })
    }
}

/// The value of a header that must be there exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &str) -> Result<&'h [u8], Reason> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or(Reason::MissingHeader)?;
    if values.next().is_some() { Err(Reason::MalformedHeader) } else { Ok(value.as_bytes()) }
}

fn trim(part: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = part.iter().position(|byte| !blank(byte)).unwrap_or(part.len());
    let end = part.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &part[start..end]
}

/// 1 to 18 ASCII digits.
fn seconds(value: &[u8]) -> Result<i64, Reason> {
    if !(1..=18).contains(&value.len()) {
        return Err(Reason::MalformedHeader);
    }
    value.iter().try_fold(0_i64, |number, byte| match byte {
        b'0'..=b'9' => Ok(number * 10 + i64::from(byte - b'0')),
        _ => Err(Reason::MalformedHeader),
    })
}

fn hex(value: &[u8], upper_case: bool) -> Option<[u8; 32]> {
    if value.len() != 64 {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' if upper_case => Some(byte - b'A' + 10),
        _ => None,
    };
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(value.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(digest)
}

/// Standard alphabet, padded.
fn base64(value: &[u8]) -> Option<[u8; 32]> {
    if value.len() != 44 {
        return None;
    }
    let mut digest = [0; 33];
    let length = STANDARD.decode_slice(value, &mut digest).ok()?;
    digest[..length].try_into().ok()
}
