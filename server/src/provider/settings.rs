//! The settings of a source: how its provider signs and where it writes what its events are, for providers that do
//! not all do it alike.

use app::types::Provider;
use axum::http::HeaderName;
use serde_json::{Map, Value};

use super::envelope::Reader;
use super::field_paths::FieldPaths;
use super::presets::{self, Preset, Secret};
use super::{json, tables};
use crate::domain::signature::{
    Algorithm, Custom, CustomParts, CustomTime, Encoding, KeyForm, Policy, Scheme, Template, Unit,
};

/// What the settings come to.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How its provider signs.
    pub policy: Policy,
    /// How the envelope of its events is read.
    pub reader: Reader,
    /// The URL at which its provider knows it, where that is signed.
    pub url: Option<String>,
    /// The scheme, if its senders make a secret for each endpoint: two sources with one secret are a mistake then.
    pub one_each: Option<Scheme>,
}

/// What is not accepted: the field, and what is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Such as `timestamp.unit`; empty: the settings as a whole.
    pub field: String,
    /// `required`, `unknown` or `malformed`.
    pub code: &'static str,
    /// In words.
    pub message: String,
}

/// The fields of `hmac` beside `preset`, `url` and `event`.
const OWN: &[&str] = &["header", "algorithm", "encoding", "prefix", "parts", "timestamp", "signed", "key"];

impl Settings {
    /// Reads the settings of a source of this provider; none: it has none.
    ///
    /// # Errors
    /// It names all that is not accepted.
    pub fn read(provider: Provider, given: Option<&Value>) -> Result<Self, Vec<Problem>> {
        let Some(given) = given else {
            let policy = Scheme::of(provider).map(|scheme| scheme.policy().clone());
            let policy = policy.ok_or_else(|| {
                let message = "is missing; accepted: {\"preset\": …} or {\"header\": …}".to_owned();
                vec![Problem { field: String::new(), code: "required", message }]
            })?;
            let one_each = match provider {
                Provider::Paymos | Provider::Stripe | Provider::Paddle => Scheme::of(provider),
                Provider::StandardWebhooks | Provider::Hmac => None,
            };
            return Ok(Self { policy, reader: Reader::of(provider), url: None, one_each });
        };
        let mut form = Form::of(given)?;
        let settings = match provider {
            Provider::Hmac => form.hmac(),
            Provider::StandardWebhooks => form.standard_webhooks(),
            Provider::Paymos | Provider::Stripe | Provider::Paddle => {
                form.refuse("", "malformed", "is for another provider; accepted: null");
                None
            }
        };
        form.refuse_unknown();
        match settings {
            Some(settings) if form.problems.is_empty() => Ok(settings),
            _ => Err(form.problems),
        }
    }

    /// Whether the URL at which the provider knows the source has to be in the settings.
    pub fn needs_url(given: &Map<String, Value>) -> bool {
        let preset = given.get("preset").and_then(Value::as_str);
        let signed = given.get("signed").and_then(Value::as_str);
        given.get("url").is_none()
            && (preset == Some(Scheme::Square.as_str()) || signed.is_some_and(|it| it.contains("{url}")))
    }
}

/// Members that are read one by one, and what was found wrong with them.
struct Form<'a> {
    given: &'a Map<String, Value>,
    known: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl<'a> Form<'a> {
    fn of(given: &'a Value) -> Result<Self, Vec<Problem>> {
        let given = given.as_object().ok_or_else(|| {
            let message = format!("{} is not accepted; accepted: an object", json::shown(given));
            vec![Problem { field: String::new(), code: "malformed", message }]
        })?;
        Ok(Self { given, known: Vec::new(), problems: Vec::new() })
    }

    fn refuse(&mut self, field: &str, code: &'static str, message: impl Into<String>) {
        self.problems.push(Problem { field: field.to_owned(), code, message: message.into() });
    }

    fn refuse_value<T>(&mut self, field: &str, value: &Value, accepted: &str) -> Option<T> {
        let message = format!("{} is not accepted; accepted: {accepted}", json::shown(value));
        self.refuse(field, "malformed", message);
        None
    }

    fn take(&mut self, field: &'static str) -> Option<&'a Value> {
        self.known.push(field);
        self.given.get(field).filter(|value| !value.is_null())
    }

    /// One of some words; the first of them when it is left out.
    fn word<T: Copy>(&mut self, field: &'static str, words: &[(&str, T)]) -> Option<T> {
        let Some(value) = self.take(field) else { return words.first().map(|(_, first)| *first) };
        let found = words.iter().find(|(word, _)| Some(*word) == value.as_str());
        let accepted = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        found.map(|(_, found)| *found).or_else(|| self.refuse_value(field, value, &accepted()))
    }

    /// A text of printable ASCII; the outer none: it is not accepted.
    fn ascii(&mut self, field: &'static str, most: usize) -> Option<Option<&'a str>> {
        let Some(value) = self.take(field) else { return Some(None) };
        let good = |text: &&str| {
            let fits = (1..=most).contains(&text.len()) && text.trim() == *text;
            fits && text.bytes().all(|c| (b' '..=b'~').contains(&c))
        };
        let accepted = format!("1 to {most} printable ASCII characters without blanks around them");
        value.as_str().filter(good).map(Some).or_else(|| self.refuse_value(field, value, &accepted))
    }

    fn names(&mut self, field: &'static str) -> Option<Vec<HeaderName>> {
        let Some(value) = self.take(field) else {
            self.refuse(
                field,
                "required",
                "is missing; accepted: the name of a header, or an array of 1 to 4 of them",
            );
            return None;
        };
        let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let names: Option<Vec<HeaderName>> =
            list.iter().map(|name| name.as_str().and_then(|name| name.parse().ok())).collect();
        names.filter(|names| (1..=4).contains(&names.len())).or_else(|| {
            self.refuse_value(field, value, "the name of a header, or an array of 1 to 4 of them")
        })
    }

    fn nested<T>(
        &mut self,
        field: &'static str,
        value: &Value,
        read: impl FnOnce(&mut Form<'_>) -> Option<T>,
    ) -> Option<T> {
        let Some(given) = value.as_object() else { return self.refuse_value(field, value, "an object") };
        let mut inner = Form { given, known: Vec::new(), problems: Vec::new() };
        let read = read(&mut inner);
        inner.refuse_unknown();
        let inner = inner.problems.into_iter();
        self.problems.extend(inner.map(|it| Problem { field: format!("{field}.{}", it.field), ..it }));
        read
    }

    fn refuse_unknown(&mut self) {
        let known = &self.known;
        let unknown = self.given.keys().filter(|name| !known.contains(&name.as_str()));
        let accepted = known.join(", ");
        self.problems.extend(unknown.map(|name| Problem {
            field: name.clone(),
            code: "unknown",
            message: format!("is not a known field; accepted: {accepted}"),
        }));
    }

    fn event(&mut self, base: FieldPaths) -> Option<Reader> {
        let Some(given) = self.take("event") else { return Some(Reader::FieldPaths(Box::new(base))) };
        match FieldPaths::parse(given, &base) {
            Ok(places) => Some(Reader::FieldPaths(Box::new(places))),
            Err(bad) => {
                for bad in bad {
                    let dot = if bad.field.is_empty() { "" } else { "." };
                    self.refuse(&format!("event{dot}{}", bad.field), "malformed", bad.message);
                }
                None
            }
        }
    }

    fn standard_webhooks(&mut self) -> Option<Settings> {
        let key = self.word("key", &[("base64", KeyForm::Base64), ("raw", KeyForm::Raw)]);
        let names = [("any", Scheme::Svix), ("webhook", Scheme::StandardWebhooks), ("svix", Scheme::Svix)];
        let scheme = self.word("headers", &names);
        let only_svix = self.given.get("headers").and_then(Value::as_str) == Some("svix");
        let reader = self.event(tables::of(Provider::StandardWebhooks));
        let policy = scheme?.policy().clone().with_key(key?);
        let policy = if only_svix { policy.with_first_names() } else { policy };
        Some(Settings { policy, reader: reader?, url: None, one_each: None })
    }

    fn hmac(&mut self) -> Option<Settings> {
        let preset = self.take("preset");
        let url = self.url();
        let mut one_each = None;
        let (policy, base) = match preset {
            Some(value) => {
                let preset = value.as_str().and_then(presets::find);
                let names = presets::ALL.iter().map(Preset::word).collect::<Vec<_>>().join(", ");
                let preset = preset.or_else(|| self.refuse_value("preset", value, &names));
                for field in OWN.iter().filter(|field| self.given.contains_key(**field)) {
                    self.refuse(
                        field,
                        "malformed",
                        "is what the preset says; accepted: with it only url and event",
                    );
                }
                self.known.extend(OWN);
                let scheme = preset.map(|preset| preset.scheme);
                one_each = preset.filter(|it| it.secret == Secret::OfEndpoint).map(|it| it.scheme);
                (scheme.map(|scheme| scheme.policy().clone()), scheme.map(tables::of_preset))
            }
            None => (self.custom(), Some(tables::of(Provider::Hmac))),
        };
        let reader = self.event(base.unwrap_or_default());
        let (policy, url) = (policy?, url?);
        if url.is_some() && !policy.signs_url() {
            self.refuse("url", "malformed", "is not signed by this scheme; accepted: leave it out");
        }
        Some(Settings { policy, reader: reader?, url, one_each })
    }

    fn url(&mut self) -> Option<Option<String>> {
        let accepted = "the http:// or https:// URL that the provider posts to, to the letter";
        let Some(value) = self.take("url") else { return Some(None) };
        let good = |text: &&str| {
            text.len() <= 2048
                && url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
        };
        value
            .as_str()
            .filter(good)
            .map(|url| Some(url.to_owned()))
            .or_else(|| self.refuse_value("url", value, accepted))
    }

    fn custom(&mut self) -> Option<Policy> {
        let headers = self.names("header");
        let algorithm = self.word(
            "algorithm",
            &[("sha256", Algorithm::Sha256), ("sha512", Algorithm::Sha512), ("token", Algorithm::Token)],
        );
        let encoding = self.word("encoding", &[("hex", Encoding::HexAnyCase), ("base64", Encoding::Base64)]);
        let key =
            self.word("key", &[("raw", KeyForm::Raw), ("base64", KeyForm::Base64), ("hex", KeyForm::Hex)]);
        let prefix = self.ascii("prefix", 64);
        let parts = match self.take("parts") {
            Some(value) => self.nested("parts", value, |parts| parts.parts()).map(Some),
            None => Some(None),
        };
        let time = match self.take("timestamp") {
            Some(value) => self.nested("timestamp", value, |time| time.time()).map(Some),
            None => Some(None),
        };
        let signed = match self.take("signed") {
            Some(Value::String(text)) if text.len() <= 1024 => Template::parse(text)
                .map_err(|error| self.refuse("signed", "malformed", error.to_string()))
                .ok(),
            Some(other) => self.refuse_value("signed", other, "a template such as {timestamp}.{body}"),
            None => Template::parse("{body}").ok(),
        };
        let custom = Custom {
            headers: headers?,
            algorithm: algorithm?,
            encoding: encoding?,
            key: key?,
            prefix: prefix?.map(str::to_owned),
            parts: parts?,
            time: time?,
            signed: signed?,
        };
        custom.policy().map_err(|(field, message)| self.refuse(field, "malformed", message)).ok()
    }

    fn parts(&mut self) -> Option<CustomParts> {
        // Everything is taken before anything is judged: what is known is not called unknown.
        let separator =
            self.byte("separator", b',', |byte| !byte.is_ascii_alphanumeric() && !b"+/=-_".contains(&byte));
        let joint = self.byte("joint", b'=', |byte| !byte.is_ascii_alphanumeric() && !b"-_ ".contains(&byte));
        let (signature, timestamp) = (self.label("signature"), self.label("timestamp"));
        let (separator, joint) = (separator?, joint?);
        let signature = signature?.unwrap_or("v1").to_owned();
        let timestamp = timestamp?.map(str::to_owned);
        if separator == joint {
            self.refuse("joint", "malformed", "is the separator as well; accepted: another character");
        }
        if timestamp.as_ref() == Some(&signature) {
            self.refuse(
                "timestamp",
                "malformed",
                "is the label of signatures as well; accepted: another one",
            );
        }
        Some(CustomParts { separator, joint, signature, timestamp })
    }

    /// A character that can stand between others without being one of them.
    fn byte(&mut self, field: &'static str, default: u8, good: impl Fn(u8) -> bool) -> Option<u8> {
        let Some(value) = self.take(field) else { return Some(default) };
        let text = value.as_str().map(str::as_bytes);
        let byte = match text {
            Some([byte]) if (b' '..=b'~').contains(byte) && good(*byte) => Some(*byte),
            _ => None,
        };
        byte.or_else(|| {
            self.refuse_value(field, value, "one character that signatures do not hold, such as , ; : or |")
        })
    }

    fn label(&mut self, field: &'static str) -> Option<Option<&'a str>> {
        let Some(value) = self.take(field) else { return Some(None) };
        let good = |text: &&str| {
            (1..=32).contains(&text.len())
                && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c))
        };
        value
            .as_str()
            .filter(good)
            .map(Some)
            .or_else(|| self.refuse_value(field, value, "1 to 32 letters, digits, - or _"))
    }

    fn time(&mut self) -> Option<CustomTime> {
        let header = self.ascii("header", 100);
        let units = [("s", Unit::Seconds), ("ms", Unit::Milliseconds), ("either", Unit::Either)];
        let unit = self.word("unit", &units);
        let header = match header? {
            Some(name) => match name.parse() {
                Ok(name) => Some(name),
                Err(_) => return self.refuse_value("header", &name.into(), "the name of a header"),
            },
            None => None,
        };
        Some(CustomTime { header, unit: unit? })
    }
}
