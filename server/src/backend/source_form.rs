//! The forms for sources, as the page's query asks for them.

use app::text::{Lang, fill};
use app::types::{Choice, Field, FormSchema, Kind, Mode, Provider};
use app::ui::query;
use serde_json::Value;

use super::source_labels::{Labels, labels};
use super::sources::receive_url;
use crate::provider::presets;
use crate::store::source::SourceRow;

/// Seconds that a new source allows the sender's clock.
const TOLERANCE: &str = "300";

/// The form that is asked for; none: nothing is, or of a source that is not there.
pub(super) fn form_from_url(search: &str, rows: &[SourceRow], base: &str, lang: Lang) -> Option<FormSchema> {
    let row = |name: &str| {
        let slug = query::value(search, name)?;
        rows.iter().find(|row| row.slug.as_str() == slug)
    };
    if query::value(search, "new").is_some() {
        return Some(Form { search, lang, words: labels(lang), row: None }.new_source(base));
    }
    if let Some(row) = row("edit") {
        return Some(Form { search, lang, words: labels(lang), row: Some(row) }.change(row));
    }
    row("delete").map(|row| delete(row, base, labels(lang)))
}

/// Who sends, as a form names them: `stripe`, or `hmac:` and a preset; and the rest of the settings, as JSON.
pub(super) fn sender_of(row: &SourceRow) -> (String, String) {
    let given = row.settings.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let Some(Value::Object(mut members)) = given else { return (row.provider.to_string(), String::new()) };
    let sender = match members.remove("preset") {
        Some(Value::String(preset)) => format!("{}:{preset}", row.provider),
        _ => row.provider.to_string(),
    };
    let rest = if members.is_empty() { String::new() } else { format!("{:#}", Value::Object(members)) };
    (sender, rest)
}

/// Everybody who can send.
pub(super) fn senders(lang: Lang) -> Vec<Choice> {
    let words = labels(lang);
    let choice = |value: String, name: &str, group: &str| Choice {
        value,
        name: name.to_owned(),
        group: group.to_owned(),
    };
    let known = Provider::ALL.iter().filter(|provider| **provider != Provider::Hmac);
    let known =
        known.map(|it| choice(it.to_string(), app::secrets::scheme_name(it.as_str()), words.providers));
    let presets = presets::ALL.iter();
    let presets =
        presets.map(|it| choice(format!("{}:{}", Provider::Hmac, it.word()), it.name, words.presets));
    known.chain(presets).chain([choice(Provider::Hmac.to_string(), words.other, words.presets)]).collect()
}

fn hidden(name: &str, value: &str) -> Field {
    Field { name: name.to_owned(), value: value.to_owned(), ..Field::default() }
}

fn delete(row: &SourceRow, base: &str, words: &Labels) -> FormSchema {
    let slug = row.slug.as_str();
    let confirm = Field {
        name: "confirm".to_owned(),
        kind: Kind::Line,
        label: fill(words.confirm, &[slug]),
        required: true,
        ..Field::default()
    };
    FormSchema {
        title: fill(words.delete_title, &[slug]),
        help: fill(words.delete_help, &[&receive_url(base, &row.slug)]),
        fields: vec![hidden("act", "delete"), hidden("slug", slug), confirm],
        act: fill(words.delete, &[slug]),
        is_danger: true,
    }
}

/// A form for a new source, or for the settings of one.
struct Form<'a> {
    search: &'a str,
    lang: Lang,
    words: &'a Labels,
    row: Option<&'a SourceRow>,
}

impl Form<'_> {
    /// A field with what was typed before, or what is.
    fn field(&self, name: &str, kind: Kind, label: &str, is: Option<String>) -> Field {
        let value = query::value(self.search, name).or(is).unwrap_or_default();
        Field { name: name.to_owned(), kind, label: label.to_owned(), value, ..Field::default() }
    }

    fn new_source(&self, base: &str) -> FormSchema {
        let words = self.words;
        let name = Field {
            hint: fill(words.name_hint, &[&format!("{base}/webhooks/")]),
            example: "stripe-live".to_owned(),
            required: true,
            ..self.field("slug", Kind::Line, words.name, None)
        };
        let secret = Field {
            hint: words.secret_hint.to_owned(),
            required: true,
            ..self.field("secret", Kind::Secret, words.secret, None)
        };
        let fields =
            [vec![hidden("act", "new"), name], self.sender_fields(), vec![secret], self.rest()].concat();
        FormSchema {
            title: words.new.to_owned(),
            help: String::new(),
            fields,
            act: words.make.to_owned(),
            is_danger: false,
        }
    }

    fn change(&self, row: &SourceRow) -> FormSchema {
        let slug = row.slug.as_str();
        FormSchema {
            title: fill(self.words.edit, &[slug]),
            help: String::new(),
            fields: [vec![hidden("act", "edit"), hidden("slug", slug)], self.sender_fields(), self.rest()]
                .concat(),
            act: self.words.save.to_owned(),
            is_danger: false,
        }
    }

    /// Who sends, and whether it is real money.
    fn sender_fields(&self) -> Vec<Field> {
        let words = self.words;
        let is = self.row.map(|row| sender_of(row).0);
        let is_hmac = |value: &str| value.starts_with(Provider::Hmac.as_str());
        // The provider of a source cannot change, the preset can.
        let mut choices = senders(self.lang);
        if let Some(is) = &is {
            choices.retain(|choice| choice.value == *is || is_hmac(&choice.value) && is_hmac(is));
        }
        let sender = Field { choices, ..self.field("sender", Kind::Select, words.sender, is) };
        let mode = self.row.map_or(Mode::Live, |row| row.mode);
        let choice = |mode: Mode, name: &str| Choice {
            value: mode.to_string(),
            name: name.to_owned(),
            group: String::new(),
        };
        let mode = Field {
            choices: vec![choice(Mode::Live, words.live), choice(Mode::Test, words.test)],
            hint: words.mode_hint.to_owned(),
            ..self.field("mode", Kind::Radio, words.mode, Some(mode.to_string()))
        };
        vec![sender, mode]
    }

    fn rest(&self) -> Vec<Field> {
        let words = self.words;
        let tolerance = match self.row {
            Some(row) => row.tolerance_s.map(|seconds| seconds.to_string()),
            None => Some(TOLERANCE.to_owned()),
        };
        let tolerance = Field {
            hint: words.tolerance_hint.to_owned(),
            ..self.field("tolerance_s", Kind::Line, words.tolerance, tolerance)
        };
        let settings = Field {
            hint: words.settings_hint.to_owned(),
            folded: words.more.to_owned(),
            ..self.field("settings", Kind::Lines, words.settings, self.row.map(|row| sender_of(row).1))
        };
        let api = self.row.and_then(|row| row.api.as_ref());
        let hint = |hint: &str| if api.is_some() { hint.to_owned() } else { String::new() };
        let folded = || words.api.to_owned();
        let url = Field {
            example: "https://api.paymos.io".to_owned(),
            hint: hint(words.api_url_hint),
            folded: folded(),
            ..self.field("api_url", Kind::Line, words.api_url, api.map(|api| api.base_url.clone()))
        };
        let key = Field {
            hint: words.api_key_hint.to_owned(),
            folded: folded(),
            ..self.field("api_key", Kind::Line, words.api_key, api.map(|api| api.key.clone()))
        };
        let secret = Field {
            hint: hint(words.api_secret_hint),
            folded: folded(),
            ..self.field("api_secret", Kind::Secret, words.api_secret, None)
        };
        vec![tolerance, settings, url, key, secret]
    }
}
