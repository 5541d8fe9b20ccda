//! What an arrival claims of itself: when it was signed, and the signatures. Bytes, in the grammar of each scheme.

use std::borrow::Cow;
use std::fmt;

use axum::http::{HeaderMap, HeaderName};

use super::policy::{Family, Items, Layout, Parts, Place, Policy, Prefix, Unit};
use super::tag::Tag;
use super::{Incoming, Reason};
use crate::domain::json;

/// Signatures that are looked at; a sender in the midst of ten rotations sends eleven.
const MOST: usize = 32;
/// Items of one body that are looked at.
const MOST_ITEMS: usize = 1000;

/// What an arrival says, not yet verified.
#[derive(Debug, Clone)]
pub struct Claim<'h> {
    /// Of the headers, and signed, where the scheme has one.
    pub id: Option<&'h [u8]>,
    /// In Unix seconds, where the scheme has a time.
    pub signed_at: Option<i64>,
    /// The time as it stands there.
    pub(super) stamp: Option<i64>,
    /// The signatures, the first of them.
    pub signatures: Vec<Candidate<'h>>,
    /// The part of the body that it is about, where the items of a body are signed one by one.
    pub item: Option<&'h str>,
}

/// A signature of the header.
#[derive(Debug, Clone)]
pub struct Candidate<'h> {
    /// As it stands there.
    pub text: Cow<'h, [u8]>,
    /// None: it cannot be right, by length or alphabet.
    pub(super) tag: Option<Tag>,
}

impl<'h> Claim<'h> {
    /// One that says who it is and nothing else.
    pub const fn unsigned(id: Option<&'h [u8]>, item: Option<&'h str>) -> Self {
        Self { id, signed_at: None, stamp: None, signatures: Vec::new(), item }
    }
}

impl Candidate<'_> {
    /// Whether it could be a signature of the scheme, by length and alphabet.
    pub const fn is_well_formed(&self) -> bool {
        self.tag.is_some()
    }
}

/// What is wrong with what an arrival says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// In the words of the contract.
    pub reason: Reason,
    /// In which header; none: in the body.
    pub header: Option<HeaderName>,
    /// What.
    pub kind: FlawKind,
    /// At which byte of the header's value.
    pub at: Option<usize>,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlawKind {
    /// The header, or the item's signature, is not there.
    Absent,
    /// The header is there more than once.
    Repeated,
    /// There is no time in it.
    NoTime,
    /// It has more than one time.
    TwoTimes,
    /// The time is not 1 to 18 digits.
    NotATime,
    /// There is no signature in it.
    NoSignature,
    /// The signature does not begin as it must.
    NoPrefix,
    /// The id is empty.
    NoId,
    /// The body is not the JSON that holds signatures.
    NotTheBody,
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "it is not there",
            Self::Repeated => "it is there more than once",
            Self::NoTime => "it has no time",
            Self::TwoTimes => "it has more than one time",
            Self::NotATime => "its time is not a number of 1 to 18 digits",
            Self::NoSignature => "it has no signature",
            Self::NoPrefix => "the signature does not begin as it must",
            Self::NoId => "the id is empty",
            Self::NotTheBody => "the body is not the JSON that holds signatures",
        })
    }
}

impl Flaw {
    fn absent(header: Option<&HeaderName>) -> Self {
        let (reason, kind) = (Reason::MissingHeader, FlawKind::Absent);
        Self { reason, header: header.cloned(), kind, at: None }
    }

    fn malformed(header: Option<&HeaderName>, kind: FlawKind, at: Option<usize>) -> Self {
        Self { reason: Reason::MalformedHeader, header: header.cloned(), kind, at }
    }
}

impl Policy {
    /// Reads what an arrival says: one claim, or one for each item of the body where those are signed.
    ///
    /// # Errors
    /// A header is not there, there twice, or not of the form.
    pub fn read<'h>(&self, incoming: &Incoming<'h>) -> Result<Vec<Claim<'h>>, Flaw> {
        match &self.place {
            Place::Headers { families, layout, unit } => {
                let headers = incoming.headers;
                let complete =
                    families.iter().find(|family| family.names().all(|it| headers.contains_key(it)));
                let begun =
                    || families.iter().find(|family| family.names().any(|it| headers.contains_key(it)));
                let Some(family) = complete.or_else(begun).or(families.first()) else {
                    return Err(Flaw::absent(None));
                };
                let claim = self.read_headers(family, layout, *unit, headers)?;
                self.signed.iter().try_for_each(|template| template.check(headers))?;
                Ok(vec![claim])
            }
            Place::Items(items) => self.read_items(items, incoming.body),
        }
    }

    fn read_headers<'h>(
        &self,
        family: &Family,
        layout: &Layout,
        unit: Unit,
        headers: &'h HeaderMap,
    ) -> Result<Claim<'h>, Flaw> {
        let id = family.id.as_ref().map(|name| only(headers, name)).transpose()?;
        let time = family.time.as_ref().map(|name| only(headers, name)).transpose()?;
        let mut found = Found { policy: self, header: &family.signature, seen: 0, signatures: Vec::new() };
        let mut stamp = None;
        match layout {
            Layout::Whole { several: true, prefix } => {
                let mut values = headers.get_all(&family.signature).iter().peekable();
                if values.peek().is_none() {
                    return Err(Flaw::absent(Some(&family.signature)));
                }
                for value in values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')) {
                    found.whole_header(value.trim_ascii(), prefix)?;
                }
            }
            Layout::Whole { several: false, prefix } => {
                found.whole_header(only(headers, &family.signature)?, prefix)?;
            }
            Layout::Parts(parts) => stamp = found.parts(only(headers, &family.signature)?, parts)?,
        }
        if let (Some(name), Some(value)) = (&family.time, time) {
            stamp =
                Some(digits(value).map_err(|at| Flaw::malformed(Some(name), FlawKind::NotATime, Some(at)))?);
        }
        if id.is_some_and(<[u8]>::is_empty) {
            return Err(Flaw::malformed(family.id.as_ref(), FlawKind::NoId, None));
        }
        if found.seen == 0 {
            return Err(Flaw::malformed(Some(&family.signature), FlawKind::NoSignature, None));
        }
        let signed_at = stamp.map(|stamp| unit.seconds(stamp));
        Ok(Claim { id, signed_at, stamp, signatures: found.signatures, item: None })
    }

    fn read_items<'h>(&self, items: &Items, body: &'h [u8]) -> Result<Vec<Claim<'h>>, Flaw> {
        let not_the_body = || Flaw::malformed(None, FlawKind::NotTheBody, None);
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let text = std::str::from_utf8(body).map_err(|_| not_the_body())?;
        let list = json::at(text, &items.list).and_then(json::list).ok_or_else(not_the_body)?;
        if list.is_empty() || list.len() > MOST_ITEMS {
            return Err(not_the_body());
        }
        let read = |entry: &'h str| {
            let item = json::at(entry, &items.item).filter(|item| item.starts_with('{'));
            let item = item.ok_or_else(not_the_body)?;
            let signature = json::at(item, &items.signature).and_then(json::content);
            let text = match signature.ok_or_else(|| Flaw::absent(None))? {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            };
            let signatures = vec![Candidate { tag: self.decode(&text), text }];
            Ok(Claim { id: None, signed_at: None, stamp: None, signatures, item: Some(item) })
        };
        list.into_iter().map(|entry| read(entry.get())).collect()
    }
}

impl Family {
    fn names(&self) -> impl Iterator<Item = &HeaderName> {
        [self.id.as_ref(), self.time.as_ref(), Some(&self.signature)].into_iter().flatten()
    }
}

/// The signatures of a header.
struct Found<'p, 'h> {
    policy: &'p Policy,
    header: &'p HeaderName,
    /// Also those that are not looked at.
    seen: usize,
    signatures: Vec<Candidate<'h>>,
}

impl<'h> Found<'_, 'h> {
    fn add(&mut self, text: &'h [u8]) {
        self.seen += 1;
        if self.seen <= MOST {
            self.signatures.push(Candidate { text: Cow::Borrowed(text), tag: self.policy.decode(text) });
        }
    }

    fn whole_header(&mut self, value: &'h [u8], prefix: &Prefix) -> Result<(), Flaw> {
        let text = match prefix {
            Prefix::None => value,
            Prefix::Optional(prefix) => value.strip_prefix(&**prefix).unwrap_or(value),
            Prefix::Required(prefix) => value
                .strip_prefix(&**prefix)
                .ok_or_else(|| Flaw::malformed(Some(self.header), FlawKind::NoPrefix, Some(0)))?,
        };
        if !text.is_empty() {
            self.add(text);
        }
        Ok(())
    }

    /// The time, where it is one of the parts.
    fn parts(&mut self, value: &'h [u8], parts: &Parts) -> Result<Option<i64>, Flaw> {
        let (mut time, mut at) = (None, 0);
        for part in value.split(|byte| *byte == parts.separator) {
            let begin = at;
            at += part.len() + 1;
            let (trimmed, before) = if parts.trim { trim(part) } else { (part, 0) };
            let Some(joint) = trimmed.iter().position(|byte| *byte == parts.joint) else { continue };
            let (label, value) = (&trimmed[..joint], &trimmed[joint + 1..]);
            if label == &*parts.signature && (parts.others_count || !value.is_empty()) {
                self.add(value);
            } else if parts.others_count {
                self.seen += 1;
            } else if parts.time.as_deref() == Some(label) && !value.is_empty() {
                let flaw = |kind, at| Flaw::malformed(Some(self.header), kind, Some(begin + before + at));
                if time.is_some() {
                    return Err(flaw(FlawKind::TwoTimes, 0));
                }
                let digits = digits(value).map_err(|at| flaw(FlawKind::NotATime, joint + 1 + at))?;
                time = Some(digits);
            }
        }
        match (&parts.time, time) {
            (Some(_), None) => Err(Flaw::malformed(Some(self.header), FlawKind::NoTime, None)),
            _ => Ok(time),
        }
    }
}

/// The value of a header that must be there exactly once.
pub(super) fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<&'h [u8], Flaw> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or_else(|| Flaw::absent(Some(name)))?;
    match values.next() {
        Some(_) => Err(Flaw::malformed(Some(name), FlawKind::Repeated, None)),
        None => Ok(value.as_bytes()),
    }
}

/// Without the blanks around it, and how many were before it.
fn trim(part: &[u8]) -> (&[u8], usize) {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = part.iter().position(|byte| !blank(byte)).unwrap_or(part.len());
    let end = part.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    (&part[start..end], start)
}

/// 1 to 18 ASCII digits; if not, where it ends to be so.
fn digits(value: &[u8]) -> Result<i64, usize> {
    let mut number = 0;
    for (at, byte) in value.iter().enumerate() {
        match byte {
            b'0'..=b'9' if at < 18 => number = number * 10 + i64::from(byte - b'0'),
            _ => return Err(at),
        }
    }
    if value.is_empty() { Err(0) } else { Ok(number) }
}
