//! Where in an arrival a sender writes what its event is: JSON pointers into the body, names of headers, parameters
//! of the query. Prepared once for a source, so that a body is gone through once.

use std::borrow::Cow;

use axum::http::HeaderName;
use serde_json::Value;

use crate::domain::json::{self, Pointer, PointerTree};
use crate::domain::signature::Incoming;

/// Places for everything that an envelope has.
#[derive(Debug, Clone, Default)]
pub struct FieldPaths {
    tree: PointerTree,
    pub(super) id: Vec<FieldPath>,
    pub(super) event_type: Vec<FieldPath>,
    pub(super) occurred_at: Vec<FieldPath>,
    pub(super) resource: Vec<FieldPath>,
    pub(super) kind: Vec<FieldPath>,
    pub(super) status: Vec<FieldPath>,
    pub(super) version: Vec<FieldPath>,
    pub(super) test: Vec<Test>,
}

/// One of the places where something may stand.
#[derive(Debug, Clone)]
pub(super) enum FieldPath {
    /// A value of the body, or of the item where those are signed one by one.
    Slot(usize),
    /// A value of the whole body, where items are signed one by one.
    Whole(Pointer),
    Header(HeaderName),
    Query(Box<str>),
    /// All of these with colons between them.
    Joined(Vec<FieldPath>),
}

/// What tells that an event comes from a provider's sandbox.
#[derive(Debug, Clone)]
pub(super) struct Test {
    at: FieldPath,
    /// The text that says so; any other says that it does not.
    is: Option<Box<str>>,
    /// The beginning that says so; any other says nothing.
    begins: Option<Box<str>>,
}

/// Something that is no place: the field, and what is accepted there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidFieldPath {
    /// Such as `type`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

const FIELDS: &[&str] = &["id", "type", "occurred_at", "resource", "kind", "status", "version", "test"];
const ACCEPTED: &str = "a JSON pointer such as /data/id, header:NAME, query:NAME, an array of these of which the \
                        first that is there counts, or an array in that array, whose values are joined with a colon";
const ACCEPTED_TEST: &str = "an object such as {\"at\": \"/livemode\", \"is\": \"false\"} or {\"at\": \"/id\", \"begins\": \"test_\"}";
/// Places of one field.
const MOST: usize = 10;

impl FieldPaths {
    /// Reads them from settings: an object whose members are all optional. What is left out stays as in `base`.
    ///
    /// # Errors
    /// It names each member that is not accepted.
    pub fn parse(settings: &Value, base: &Self) -> Result<Self, Vec<InvalidFieldPath>> {
        let Some(members) = settings.as_object() else {
            let message =
                format!("{settings} is not accepted; accepted: an object with {}", FIELDS.join(", "));
            return Err(vec![InvalidFieldPath { field: String::new(), message }]);
        };
        let (mut places, mut bad) = (base.clone(), Vec::new());
        for (field, value) in members {
            if let Err(message) = places.set(field, value) {
                bad.push(InvalidFieldPath { field: field.clone(), message });
            }
        }
        if bad.is_empty() { Ok(places) } else { Err(bad) }
    }

    /// Of a table of this program; a test shows that none of them is refused.
    pub(super) fn of(settings: &Value) -> Self {
        Self::parse(settings, &Self::default()).unwrap_or_default()
    }

    fn set(&mut self, field: &str, value: &Value) -> Result<(), String> {
        if field == "test" {
            self.test = self.tests(value)?;
            return Ok(());
        }
        if !FIELDS.contains(&field) {
            return Err(format!("is not a known field; accepted: {}", FIELDS.join(", ")));
        }
        let refusal = || format!("{} is not accepted; accepted: {ACCEPTED}", json::shown(value));
        let places = match value {
            Value::Array(list) if (1..=MOST).contains(&list.len()) => {
                list.iter().map(|one| self.place(one)).collect::<Option<Vec<_>>>()
            }
            one => self.place(one).map(|place| vec![place]),
        };
        let places = places.ok_or_else(refusal)?;
        match field {
            "id" => self.id = places,
            "type" => self.event_type = places,
            "occurred_at" => self.occurred_at = places,
            "resource" => self.resource = places,
            "kind" => self.kind = places,
            "status" => self.status = places,
            _ => self.version = places,
        }
        Ok(())
    }

    fn tests(&mut self, value: &Value) -> Result<Vec<Test>, String> {
        let refusal = || format!("{} is not accepted; accepted: {ACCEPTED_TEST}", json::shown(value));
        let members = value.as_object().ok_or_else(refusal)?;
        let known = members.keys().all(|name| matches!(name.as_str(), "at" | "is" | "begins"));
        let text =
            |name| members.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(Box::from);
        let at = members.get("at").and_then(|at| self.place(at)).filter(|_| known).ok_or_else(refusal)?;
        match (text("is"), text("begins"), members.len()) {
            (is, begins, 2) if is.is_some() != begins.is_some() => Ok(vec![Test { at, is, begins }]),
            _ => Err(refusal()),
        }
    }

    fn place(&mut self, value: &Value) -> Option<FieldPath> {
        let text = match value {
            Value::String(text) if text.len() <= 200 => text.as_str(),
            Value::Array(list) if (2..=MOST).contains(&list.len()) => {
                let joined = list.iter().map(|one| one.as_str().and_then(|_| self.place(one)));
                return joined.collect::<Option<_>>().map(FieldPath::Joined);
            }
            _ => return None,
        };
        match text.split_once(':') {
            Some(("header", name)) => name.parse().ok().map(FieldPath::Header),
            Some(("query", name)) if !name.is_empty() => Some(FieldPath::Query(name.into())),
            Some(("whole", pointer)) => pointer.parse().ok().map(FieldPath::Whole),
            _ if text.starts_with('/') => {
                text.parse().ok().map(|pointer| FieldPath::Slot(self.tree.add(&pointer)))
            }
            _ => None,
        }
    }
}

/// An arrival with the values of a body that were asked for.
pub(super) struct FieldValues<'a> {
    incoming: &'a Incoming<'a>,
    /// The body, or the item that it is about.
    text: &'a str,
    values: Vec<Option<&'a str>>,
    /// The text is one JSON object and nothing else.
    pub(super) whole: bool,
}

impl<'a> FieldValues<'a> {
    pub(super) fn new(places: &FieldPaths, incoming: &'a Incoming<'a>, text: &'a str) -> Self {
        let mut values = vec![None; places.tree.slots()];
        let whole = places.tree.read(text, &mut values);
        Self { incoming, text, values, whole }
    }

    /// The first of the places where something stands that can be kept: not blank, no longer than `most` bytes.
    pub(super) fn name(&self, places: &[FieldPath], most: usize) -> Option<String> {
        places.iter().find_map(|place| self.at(place).filter(|name| is_name(name, most))).map(Cow::into_owned)
    }

    /// The same, where all that is of the body counts only when the body is whole: a broken one may share its
    /// beginning with the one that it should have been.
    pub(super) fn id(&self, places: &[FieldPath], most: usize) -> Option<String> {
        let usable = places.iter().filter(|place| self.whole || !place.is_of_the_body());
        usable.filter_map(|place| self.at(place)).find(|name| is_name(name, most)).map(Cow::into_owned)
    }

    pub(super) fn is_test(&self, tests: &[Test]) -> Option<bool> {
        tests.iter().find_map(|test| {
            let value = self.at(&test.at)?;
            match (&test.is, &test.begins) {
                (Some(is), _) => Some(value.eq_ignore_ascii_case(is)),
                (_, Some(begins)) => value.starts_with(&**begins).then_some(true),
                _ => None,
            }
        })
    }

    pub(super) fn at(&self, place: &FieldPath) -> Option<Cow<'a, str>> {
        match place {
            FieldPath::Slot(slot) => self.values.get(*slot).copied().flatten().and_then(json::content),
            FieldPath::Whole(pointer) => {
                let body = std::str::from_utf8(self.incoming.body).unwrap_or(self.text);
                json::at(body.trim_start_matches('\u{feff}'), pointer).and_then(json::content)
            }
            FieldPath::Header(name) => {
                self.incoming.headers.get(name).and_then(|value| value.to_str().ok()).map(Cow::Borrowed)
            }
            FieldPath::Query(name) => self.incoming.parameter(name),
            FieldPath::Joined(places) => {
                let values: Option<Vec<_>> = places.iter().map(|place| self.at(place)).collect();
                values.map(|values| Cow::Owned(values.join(":")))
            }
        }
    }
}

impl FieldPath {
    fn is_of_the_body(&self) -> bool {
        match self {
            Self::Slot(_) | Self::Whole(_) => true,
            Self::Header(_) | Self::Query(_) => false,
            Self::Joined(places) => places.iter().any(Self::is_of_the_body),
        }
    }
}

/// Whether a database can keep it as a name.
pub(crate) fn is_name(name: &str, most: usize) -> bool {
    !name.trim().is_empty() && name.len() <= most && !name.contains('\0')
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_place_is_named() {
        let settings = json!({"id": "id", "type": ["/a", 7], "resource": [], "test": {"at": "/a"}, "colour": "/a",
            "kind": "header:a b", "version": "query:", "status": ["/a", ["/b"]], "occurred_at": "/~2"});
        let bad = FieldPaths::parse(&settings, &FieldPaths::default()).unwrap_err();
        let mut fields: Vec<_> = bad.iter().map(|bad| bad.field.as_str()).collect();
        fields.sort_unstable();
        assert_eq!(
            fields,
            ["colour", "id", "kind", "occurred_at", "resource", "status", "test", "type", "version"]
        );
        assert!(bad.iter().all(|bad| bad.message.contains("accepted: ")), "{bad:?}");
        assert_eq!(FieldPaths::parse(&json!("x"), &FieldPaths::default()).unwrap_err()[0].field, "");
    }

    #[test]
    fn the_first_place_where_something_stands_counts() {
        let settings = json!({"id": ["header:x-id", "query:id", "/none", ["/a/b", "/c/1"]], "type": ["/a", "/c/0", "/a/b"],
            "test": {"at": "/live", "is": "false"}});
        let places = FieldPaths::parse(&settings, &FieldPaths::default()).unwrap();
        let mut headers = HeaderMap::new();
        let body = r#"{"a":0,"a":{"b":"x\u0031"},"c":[[],7],"live":false}"#;
        let id = |headers: &HeaderMap, query| {
            let incoming = Incoming { query, ..Incoming::new(headers, body.as_bytes()) };
            FieldValues::new(&places, &incoming, body).id(&places.id, 9)
        };
        assert_eq!(id(&headers, None).as_deref(), Some("x1:7"));
        assert_eq!(id(&headers, Some("id=q%31")).as_deref(), Some("q1"));
        headers.insert("x-id", "h".parse().unwrap());
        assert_eq!(id(&headers, Some("id=q1")).as_deref(), Some("h"));
        let incoming = Incoming::new(&headers, body.as_bytes());
        let reading = FieldValues::new(&places, &incoming, body);
        assert_eq!(reading.name(&places.event_type, 9).as_deref(), Some("x1"));
        assert_eq!(reading.name(&places.event_type, 1), None);
        assert_eq!(reading.is_test(&places.test), Some(true));
        let broken = FieldValues::new(&places, &incoming, &body[..body.len() - 1]);
        assert_eq!((broken.id(&places.id, 9).as_deref(), broken.whole), (Some("h"), false));
    }
}
