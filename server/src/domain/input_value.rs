//! Readers for single values of a request: each returns the value, or says what is accepted.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use app::comment::written;
use app::types::Slug;
use serde_json::Value;

use super::secret::SecretValue;

/// Why a value is not accepted.
#[derive(Debug)]
pub struct InvalidValue {
    /// The code of the problem, as the API names it.
    pub code: &'static str,
    /// What is accepted, for people.
    pub message: String,
}

impl InvalidValue {
    /// With the value that was given, for all but secrets.
    pub fn new(code: &'static str, given: &Value, accepted: impl Display) -> Self {
        Self { code, message: format!("{} is not accepted; accepted: {accepted}", shown(given)) }
    }

    /// In words of its own.
    pub fn with_message(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A value as it stands in a message: cut when it is long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A text that its type reads; the type's error says what is accepted.
pub fn parsed<T: FromStr<Err: Display>>(value: &Value) -> Result<T, InvalidValue> {
    match value {
        Value::String(text) => {
            text.parse().map_err(|error: T::Err| InvalidValue::with_message("malformed", error.to_string()))
        }
        other => Err(InvalidValue::new("malformed", other, "a string")),
    }
}

/// A text of so many characters, none of them for control.
pub fn text(length: RangeInclusive<usize>) -> impl FnOnce(&Value) -> Result<String, InvalidValue> {
    move |value| {
        let accepted = format!("a string of {} to {} characters", length.start(), length.end());
        match value {
            Value::String(text)
                if length.contains(&text.chars().count()) && !text.chars().any(char::is_control) =>
            {
                Ok(text.clone())
            }
            other => Err(InvalidValue::new("malformed", other, accepted)),
        }
    }
}

/// Why somebody does something.
pub fn reason(value: &Value) -> Result<String, InvalidValue> {
    let accepted =
        "a string of 1 to 500 characters that says why, none of them for control but the ends of lines";
    let text = value.as_str().and_then(|text| written(text).ok());
    text.map(str::to_owned).ok_or_else(|| InvalidValue::new("malformed", value, accepted))
}

/// A whole number.
pub fn integer(range: RangeInclusive<i64>) -> impl FnOnce(&Value) -> Result<i64, InvalidValue> {
    move |value| {
        let accepted = format!("a whole number from {} to {}", range.start(), range.end());
        match value.as_i64() {
            Some(number) if range.contains(&number) => Ok(number),
            Some(_) => Err(InvalidValue::new("out_of_range", value, accepted)),
            None => Err(InvalidValue::new("malformed", value, accepted)),
        }
    }
}

/// A number above zero.
pub fn positive(most: f64) -> impl FnOnce(&Value) -> Result<f64, InvalidValue> {
    move |value| {
        let accepted = format!("a number above 0, {most} at most");
        match value.as_f64() {
            Some(number) if number > 0.0 && number <= most => Ok(number),
            Some(_) => Err(InvalidValue::new("out_of_range", value, accepted)),
            None => Err(InvalidValue::new("malformed", value, accepted)),
        }
    }
}

/// `true` or `false`, as text in a query.
pub fn switch(value: &Value) -> Result<bool, InvalidValue> {
    match (value.as_bool(), value.as_str()) {
        (Some(given), _) => Ok(given),
        (_, Some("true")) => Ok(true),
        (_, Some("false")) => Ok(false),
        _ => Err(InvalidValue::new("malformed", value, "true or false")),
    }
}

/// Words with commas between them, or an array of them in a body.
pub fn parsed_list<T: FromStr<Err: Display>>(value: &Value) -> Result<Vec<T>, InvalidValue> {
    match value {
        Value::Array(words) => words.iter().map(parsed).collect(),
        other => {
            let text = other.as_str().unwrap_or_default();
            text.split(',').map(|word| parsed(&Value::String(word.to_owned()))).collect()
        }
    }
}

/// So many numbers of rows at most, with commas between them, or an array of them in a body.
pub fn numbers(most: usize) -> impl FnOnce(&Value) -> Result<Vec<i64>, InvalidValue> {
    move |value| {
        let refusal = || InvalidValue::new("malformed", value, format!("1 to {most} whole numbers"));
        let numbers: Option<Vec<i64>> = match value {
            Value::Array(numbers) => numbers.iter().map(Value::as_i64).collect(),
            Value::String(text) => text.split(',').map(|number| number.trim().parse().ok()).collect(),
            _ => None,
        };
        numbers.filter(|numbers| (1..=most).contains(&numbers.len())).ok_or_else(refusal)
    }
}

/// An array of 1 to 100 texts, each of which the inner reader takes.
pub fn list<T>(
    accepted: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> impl FnOnce(&Value) -> Result<Vec<T>, InvalidValue> {
    move |value| {
        let items = value.as_array().filter(|items| (1..=100).contains(&items.len()));
        let items = items.ok_or_else(|| {
            InvalidValue::new("malformed", value, format!("an array of 1 to 100 of {accepted}"))
        })?;
        items
            .iter()
            .map(|item| {
                item.as_str().and_then(&read).ok_or_else(|| InvalidValue::new("malformed", item, accepted))
            })
            .collect()
    }
}

/// A secret as it was pasted. White space around it is the commonest mistake, and never part of one. The messages do
/// not repeat it.
pub fn secret(value: &Value) -> Result<SecretValue, InvalidValue> {
    const ACCEPTED: &str = "accepted: a string of 1 to 1024 characters without white space around it";
    let refusal =
        |code, problem: &str| InvalidValue::with_message(code, format!("the secret {problem}; {ACCEPTED}"));
    match value {
        Value::String(text) if text.trim().is_empty() => Err(refusal("required", "is blank")),
        Value::String(text) if text.trim() != text => {
            Err(refusal("white_space", "begins or ends with white space"))
        }
        Value::String(text) if text.chars().count() > 1024 => Err(refusal("too_long", "is too long")),
        Value::String(text) if text.chars().any(char::is_control) => {
            Err(refusal("malformed", "holds control characters"))
        }
        Value::String(text) => Ok(SecretValue::new(text.as_str())),
        _ => Err(refusal("malformed", "is not a string")),
    }
}

/// `http` or `https`, a host, and no user or password.
pub fn http_url(value: &Value) -> Result<String, InvalidValue> {
    let accepted = "an http:// or https:// URL of at most 2048 characters with a host, without user, password or fragment";
    let refusal = || InvalidValue::new("malformed", value, accepted);
    let text = value.as_str().filter(|text| text.len() <= 2048).ok_or_else(refusal)?;
    // A password in it must not come back in the answer.
    let url = url::Url::parse(text).map_err(|_| {
        InvalidValue::with_message("malformed", format!("is not a URL; accepted: {accepted}"))
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidValue::with_message(
            "malformed",
            format!("holds a user or a password; accepted: {accepted}"),
        ));
    }
    let good = matches!(url.scheme(), "http" | "https") && url.host().is_some() && url.fragment().is_none();
    if good { Ok(url.into()) } else { Err(refusal()) }
}

/// A slug, or `*`.
pub fn slug_or_star(text: &str) -> Option<String> {
    (text == "*" || text.parse::<Slug>().is_ok()).then(|| text.to_owned())
}

/// The name of a type, or the beginning of one and `*`.
pub fn event_pattern(text: &str) -> Option<String> {
    let name = text.strip_suffix('*').unwrap_or(text);
    let good = text.len() <= 100
        && !text.is_empty()
        && !name.contains(['*', ','])
        && !name.chars().any(|c| c.is_whitespace() || c.is_control());
    good.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_linted_and_never_repeated() {
        for (given, code) in [
            (json!(""), "required"),
            (json!(" \t"), "required"),
            (json!("whsec_abc "), "white_space"),
            (json!("\nwhsec_abc"), "white_space"),
            (json!("whsec\u{0}abc"), "malformed"),
            (json!("whsec_abc".repeat(200)), "too_long"),
            (json!(["whsec_abc"]), "malformed"),
        ] {
            let refusal = secret(&given).unwrap_err();
            assert_eq!(refusal.code, code, "{given}");
            assert!(!refusal.message.contains("abc"), "{}", refusal.message);
        }
        assert_eq!(secret(&json!("whsec_ü b")).unwrap().expose(), "whsec_ü b");
    }

    #[test]
    fn a_destination_is_an_http_url_without_credentials() {
        for good in ["https://shop.example/hook", "http://127.0.0.1:8080/", "https://shop.example/h?a=b"] {
            assert!(http_url(&json!(good)).is_ok(), "{good}");
        }
        for bad in [
            "ftp://shop.example",
            "shop.example",
            "https://",
            "https://ana:hunter2@shop.example",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://shop.example/#x",
            "https://ana:hunter2@/x y",
        ] {
            let refusal = http_url(&json!(bad)).unwrap_err();
            assert!(!refusal.message.contains("hunter2"), "{}", refusal.message);
        }
    }

    #[test]
    fn a_pattern_has_its_star_at_the_end() {
        for good in ["*", "invoice.*", "invoice.paid", "in*"] {
            assert!(event_pattern(good).is_some(), "{good}");
        }
        for bad in ["", "*.paid", "in*ce", "a b", "a\n", "**", "a,b"] {
            assert!(event_pattern(bad).is_none(), "{bad:?}");
        }
    }
}
