//! Reads a few members of a JSON object and nothing else of it: numbers of any size, repeated keys, any depth and
//! bytes that are no text break nothing.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members that were asked for, as they stand in the text.
#[derive(Debug)]
pub(crate) struct Members<'a, const N: usize> {
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
pub(crate) fn members<'a, const N: usize>(text: &'a str, names: &[&str; N]) -> Members<'a, N> {
    let mut values = [None; N];
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = deserializer.deserialize_map(Object { names, values: &mut values });
    let whole = read.is_ok() && deserializer.end().is_ok();
    Members { values, whole }
}

impl<'a, const N: usize> Members<'a, N> {
    /// The members of an object that is one of these members.
    pub(crate) fn inside<const M: usize>(&self, at: usize, names: &[&str; M]) -> Members<'a, M> {
        match self.values.get(at).copied().flatten() {
            Some(value) => members(value.get(), names),
            None => Members { values: [None; M], whole: false },
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
