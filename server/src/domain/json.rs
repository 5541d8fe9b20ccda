//! Reads a few members of a JSON object and nothing else of it: numbers of any size, repeated keys, any depth and
//! bytes that are no text break nothing.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members that were asked for, as they stand in the text.
#[derive(Debug)]
pub(crate) struct MemberValues<'a, const N: usize> {
    /// In the order of the names; of a repeated key the last one, as JSON parsers do.
    pub(crate) values: [Option<&'a RawValue>; N],
    /// The text is one JSON object and nothing else. If not, the members are those of its readable beginning.
    pub(crate) whole: bool,
}

/// A body as text: without a byte order mark; bytes that are no UTF-8 are replaced.
pub(crate) fn text(body: &[u8]) -> Cow<'_, str> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    // The check alone is many times faster than the replacing, and nearly all bodies pass it.
    std::str::from_utf8(body).map_or_else(|_| String::from_utf8_lossy(body), Cow::Borrowed)
}

/// Reads the members of these names.
pub(crate) fn members<'a, const N: usize>(text: &'a str, names: &[&str; N]) -> MemberValues<'a, N> {
    let mut values = [None; N];
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = deserializer.deserialize_map(Object { names, values: &mut values });
    let whole = read.is_ok() && deserializer.end().is_ok();
    MemberValues { values, whole }
}

impl<'a, const N: usize> MemberValues<'a, N> {
    /// The members of an object that is one of these members.
    pub(crate) fn read_nested<const M: usize>(&self, at: usize, names: &[&str; M]) -> MemberValues<'a, M> {
        match self.values.get(at).copied().flatten() {
            Some(value) => members(value.get(), names),
            None => MemberValues { values: [None; M], whole: false },
        }
    }

    /// A string, or the digits of a whole number. None when it is blank, or nothing that a database can keep as a
    /// name: longer than `most` bytes, or with a NUL.
    pub(crate) fn name(&self, at: usize, most: usize) -> Option<String> {
        let raw = self.values.get(at).copied().flatten()?.get();
        let name = match raw.as_bytes().first()? {
            b'"' => serde_json::from_str::<String>(raw).ok()?,
            b'-' | b'0'..=b'9' if raw.bytes().all(|c| c == b'-' || c.is_ascii_digit()) => raw.to_owned(),
            _ => return None,
        };
        let good = !name.trim().is_empty() && name.len() <= most && !name.contains('\0');
        good.then_some(name)
    }

    /// A whole number.
    pub(crate) fn integer(&self, at: usize) -> Option<i64> {
        self.values.get(at).copied().flatten()?.get().parse().ok()
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, at: usize) -> Option<bool> {
        self.values.get(at).copied().flatten()?.get().parse().ok()
    }
}

struct Object<'v, 'a, const N: usize> {
    names: &'v [&'v str; N],
    values: &'v mut [Option<&'a RawValue>; N],
}

impl<'a, const N: usize> Visitor<'a> for Object<'_, 'a, N> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key(self.names))? {
            match key {
                Some(at) => self.values[at] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Which of the names a key is.
struct Key<'v>(&'v [&'v str]);

impl<'a> DeserializeSeed<'a> for Key<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}

/// A JSON pointer (RFC 6901): `/data/object/id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(Vec<Box<str>>);

/// A text that is no JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a JSON pointer; accepted: such as /data/id, with ~1 for / and ~0 for ~ in a name")]
pub struct BadPointer(String);

impl std::str::FromStr for Pointer {
    type Err = BadPointer;
    fn from_str(text: &str) -> Result<Self, BadPointer> {
        let bad = || BadPointer(text.chars().take(64).collect());
        if text.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let names = text.strip_prefix('/').ok_or_else(bad)?.split('/');
        let names: Option<Vec<_>> = names.map(unescaped).collect();
        names.map(Self).ok_or_else(bad)
    }
}

fn unescaped(name: &str) -> Option<Box<str>> {
    let good = name.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    good.then(|| name.replace("~1", "/").replace("~0", "~").into())
}

impl Pointer {
    /// To a member of members.
    pub(crate) fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|name| Box::from(*name)).collect())
    }
}

/// The value at a pointer.
pub(crate) fn at<'a>(text: &'a str, pointer: &Pointer) -> Option<&'a str> {
    pointer.0.iter().try_fold(text, |text, name| step(text.trim_ascii_start(), name))
}

fn step<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    if text.starts_with('[') {
        let place: usize = name.parse().ok()?;
        return list(text)?.get(place).map(|value| value.get());
    }
    members(text, &[name]).values[0].map(RawValue::get)
}

/// The values of a list.
pub(crate) fn list(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// The content of a string, or a number or truth value as it is written.
pub(crate) fn content(raw: &str) -> Option<Cow<'_, str>> {
    let raw = raw.trim_ascii();
    match raw.as_bytes().first()? {
        b'"' => match raw[1..].strip_suffix('"') {
            Some(plain) if !plain.contains(['\\', '"']) => Some(Cow::Borrowed(plain)),
            _ => serde_json::from_str(raw).ok().map(Cow::Owned),
        },
        b'-' | b'0'..=b'9' | b't' | b'f' => Some(Cow::Borrowed(raw)),
        _ => None,
    }
}

/// A value as it stands in a message: cut when it is long.
pub(crate) fn shown(value: &serde_json::Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Pointers of which each has a number, in one tree: a text is gone through once for all of them.
#[derive(Debug, Clone, Default)]
pub struct PointerTree {
    children: Vec<(Box<str>, Self)>,
    slot: Option<usize>,
    slots: usize,
}

impl PointerTree {
    /// The number of a pointer.
    pub(crate) fn add(&mut self, pointer: &Pointer) -> usize {
        let next = self.slots;
        let mut node = &mut *self;
        for name in &pointer.0 {
            let place = node.children.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                node.children.push((name.clone(), Self::default()));
                node.children.len() - 1
            });
            node = &mut node.children[place].1;
        }
        let slot = *node.slot.get_or_insert(next);
        if slot == next {
            self.slots += 1;
        }
        slot
    }

    /// How many pointers there are.
    pub(crate) const fn slots(&self) -> usize {
        self.slots
    }

    /// The values by their numbers. Tells whether the text is one JSON object and nothing else; if not, the values are
    /// those of its readable beginning.
    pub(crate) fn read<'a>(&self, text: &'a str, values: &mut [Option<&'a str>]) -> bool {
        let mut found = vec![None; self.children.len()];
        let whole = if text.trim_ascii_start().starts_with('[') {
            let list = list(text).unwrap_or_default();
            for ((name, _), found) in self.children.iter().zip(&mut found) {
                let place: Option<usize> = name.parse().ok();
                *found = place.and_then(|place| list.get(place).copied());
            }
            false
        } else {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let read = deserializer.deserialize_map(MemberVisitor { tree: self, found: &mut found });
            read.is_ok() && deserializer.end().is_ok()
        };
        for ((_, child), found) in self.children.iter().zip(found) {
            let Some(found) = found.map(RawValue::get) else { continue };
            if let Some(value) = child.slot.and_then(|slot| values.get_mut(slot)) {
                *value = Some(found);
            }
            if !child.children.is_empty() {
                child.read(found, values);
            }
        }
        whole
    }
}

struct MemberVisitor<'v, 'a> {
    tree: &'v PointerTree,
    /// Of a repeated key the last one, as JSON parsers do.
    found: &'v mut [Option<&'a RawValue>],
}

impl<'a> Visitor<'a> for MemberVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(ChildSeed(self.tree))? {
            match key {
                Some(at) => self.found[at] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Which of the children a key is.
struct ChildSeed<'v>(&'v PointerTree);

impl<'a> DeserializeSeed<'a> for ChildSeed<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ChildSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.children.iter().position(|(name, _)| **name == *key))
    }
}
