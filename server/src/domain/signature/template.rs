//! What is signed, as a text with places in it: `{timestamp}.{body}`. What stands in brackets is left out as a whole
//! when a value in it is absent: `[id:{query:data.id};]`.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderName};

use super::Incoming;
use super::claim::{Claim, Flaw, only};
use crate::domain::json::{self, Pointer};

/// A text with places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub(super) Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(Box<[u8]>),
    /// The id of the headers.
    Id,
    /// The time, as a number: leading zeros are not signed.
    Time,
    /// The URL at which the sender knows us.
    Url,
    Body,
    Header(HeaderName),
    /// A parameter of the URL that was asked for.
    Query {
        name: Box<str>,
        lower_case: bool,
    },
    /// A value of the item, as text; an absent one is empty.
    Item(Pointer),
    /// Left out when one of its values is absent.
    Group(Vec<Part>),
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A place that is not known.
    #[error(
        "{{{0}}} is no place; accepted: {{body}}, {{timestamp}}, {{url}}, {{header:NAME}}, {{query:NAME}}"
    )]
    Place(String),
    /// A bracket or brace that does not end, or ends what did not begin.
    #[error(
        "the {0:?} at character {1} has no counterpart; accepted: {{…}} for places and […] for what may be absent"
    )]
    Unbalanced(char, usize),
}

/// What the places stand for.
pub(super) struct Values<'a, 'h> {
    pub(super) claim: &'a Claim<'h>,
    pub(super) incoming: &'a Incoming<'h>,
}

impl Template {
    /// Reads one.
    ///
    /// # Errors
    /// It names what is not accepted.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let (mut parts, mut group, mut rest) = (Vec::new(), None::<(usize, Vec<Part>)>, text);
        while let Some(first) = rest.chars().next() {
            let at = text.len() - rest.len();
            let unbalanced = || TemplateError::Unbalanced(first, text[..at].chars().count() + 1);
            let part = match first {
                '{' => {
                    let end = rest.find('}').ok_or_else(unbalanced)?;
                    let place = &rest[1..end];
                    rest = &rest[end + 1..];
                    Part::place(place)
                        .ok_or_else(|| TemplateError::Place(place.chars().take(64).collect()))?
                }
                '[' if group.is_none() => {
                    group = Some((at, Vec::new()));
                    rest = &rest[1..];
                    continue;
                }
                ']' => {
                    let (_, inner) = group.take().ok_or_else(unbalanced)?;
                    parts.push(Part::Group(inner));
                    rest = &rest[1..];
                    continue;
                }
                '}' | '[' => return Err(unbalanced()),
                _ => {
                    let end = rest.find(['{', '}', '[', ']']).unwrap_or(rest.len());
                    let literal = &rest[..end];
                    rest = &rest[end..];
                    Part::Text(literal.as_bytes().into())
                }
            };
            match &mut group {
                Some((_, inner)) => inner.push(part),
                None => parts.push(part),
            }
        }
        match group {
            Some((at, _)) => Err(TemplateError::Unbalanced('[', text[..at].chars().count() + 1)),
            None => Ok(Self(parts)),
        }
    }

    pub(super) fn has_body(&self) -> bool {
        self.has(&|part| *part == Part::Body)
    }

    pub(super) fn has_time(&self) -> bool {
        self.has(&|part| *part == Part::Time)
    }

    pub(super) fn has_url(&self) -> bool {
        self.has(&|part| *part == Part::Url)
    }

    fn has(&self, wanted: &impl Fn(&Part) -> bool) -> bool {
        fn any(parts: &[Part], wanted: &impl Fn(&Part) -> bool) -> bool {
            parts.iter().any(|part| match part {
                Part::Group(inner) => any(inner, wanted),
                part => wanted(part),
            })
        }
        any(&self.0, wanted)
    }

    pub(super) fn header_names<'t>(&'t self, names: &mut Vec<&'t HeaderName>) {
        fn add<'t>(parts: &'t [Part], names: &mut Vec<&'t HeaderName>) {
            for part in parts {
                match part {
                    Part::Header(name) => names.push(name),
                    Part::Group(inner) => add(inner, names),
                    _ => {}
                }
            }
        }
        add(&self.0, names);
    }

    /// A header of it that is there twice, or that must be there and is not, is a flaw.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Flaw> {
        fn check(parts: &[Part], headers: &HeaderMap, must: bool) -> Result<(), Flaw> {
            parts.iter().try_for_each(|part| match part {
                Part::Header(name) if must || headers.contains_key(name) => only(headers, name).map(drop),
                Part::Group(inner) => check(inner, headers, false),
                _ => Ok(()),
            })
        }
        check(&self.0, headers, true)
    }

    /// Hands over the signed bytes, piece by piece.
    pub(super) fn feed(&self, values: &Values<'_, '_>, sink: &mut dyn FnMut(&[u8])) {
        feed(&self.0, values, sink);
    }
}

fn feed(parts: &[Part], values: &Values<'_, '_>, sink: &mut dyn FnMut(&[u8])) {
    for part in parts {
        match part {
            Part::Text(text) => sink(text),
            Part::Body => sink(values.incoming.body),
            Part::Time => {
                if let Some(stamp) = values.claim.stamp {
                    sink(decimal(stamp, &mut [0; 20]));
                }
            }
            Part::Group(inner) => {
                if inner.iter().all(|part| part.is_there(values)) {
                    feed(inner, values, sink);
                }
            }
            part => {
                if let Some(value) = part.value(values) {
                    sink(&value);
                }
            }
        }
    }
}

impl Part {
    fn place(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            None => match text {
                "body" => Self::Body,
                "timestamp" => Self::Time,
                "url" => Self::Url,
                _ => return None,
            },
            Some(("header", name)) => Self::Header(name.parse().ok()?),
            Some(("query", name)) if !name.is_empty() => Self::Query { name: name.into(), lower_case: false },
            Some(_) => return None,
        })
    }

    fn is_there(&self, values: &Values<'_, '_>) -> bool {
        match self {
            Self::Text(_) | Self::Body | Self::Group(_) => true,
            Self::Time => values.claim.stamp.is_some(),
            part => part.value(values).is_some(),
        }
    }

    fn value<'a>(&self, values: &Values<'a, '_>) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Id => values.claim.id.map(Cow::Borrowed),
            Self::Url => values.incoming.url.map(|url| Cow::Borrowed(url.as_bytes())),
            Self::Header(name) => {
                values.incoming.headers.get(name).map(|value| Cow::Borrowed(value.as_bytes()))
            }
            Self::Query { name, lower_case } => {
                let value = values.incoming.parameter(name)?;
                let value = if *lower_case { value.to_ascii_lowercase() } else { value.into_owned() };
                (!value.is_empty()).then(|| Cow::Owned(value.into_bytes()))
            }
            Self::Item(pointer) => {
                let value = json::at(values.claim.item?, pointer)?;
                json::content(value).map(|text| match text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                    Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                })
            }
            Self::Text(_) | Self::Body | Self::Time | Self::Group(_) => None,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_or_says_why_not() {
        let text = |text: &str| Part::Text(text.as_bytes().into());
        assert_eq!(Template::parse(""), Ok(Template(vec![])));
        assert_eq!(
            Template::parse("{timestamp}.{body}"),
            Ok(Template(vec![Part::Time, text("."), Part::Body]))
        );
        let optional = Template::parse("[r:{header:X-Request-Id};]é{url}").unwrap();
        let name = HeaderName::from_static("x-request-id");
        let group = vec![text("r:"), Part::Header(name.clone()), text(";")];
        assert_eq!(optional, Template(vec![Part::Group(group), text("é"), Part::Url]));
        let mut names = Vec::new();
        optional.header_names(&mut names);
        assert_eq!(names, [&name]);
        for (bad, why) in [
            ("{bdy}", "{bdy} is no place"),
            ("{header:a b}", "{header:a b} is no place"),
            ("{query:}", "{query:} is no place"),
            ("{item:/a}", "{item:/a} is no place"),
            ("é{body", "the '{' at character 2 has no counterpart"),
            ("body}", "the '}' at character 5"),
            ("[{body}", "the '[' at character 1"),
            ("{body}]", "the ']' at character 7"),
            ("[[{body}]]", "the '[' at character 2"),
        ] {
            let error = Template::parse(bad).unwrap_err().to_string();
            assert!(error.starts_with(why) && error.contains("accepted: "), "{bad}: {error}");
        }
    }

    #[test]
    fn a_number_is_written_in_digits() {
        for number in [0, 7, 10, 1_700_000_000, i64::MAX] {
            assert_eq!(decimal(number, &mut [0; 20]), number.to_string().as_bytes());
        }
    }
}
