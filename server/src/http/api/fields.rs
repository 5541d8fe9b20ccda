//! Reading what a call was given, field by field, so that the answer names everything that is wrong at once.

use app::types::PageRequest;
use serde_json::{Map, Value};

use super::problems::{ApiError, FieldProblem};
use crate::domain::input_value::{InvalidValue, parsed};

/// What was given, and what was found wrong with it so far. No `Debug`: a secret may have been given.
pub struct Fields {
    given: Map<String, Value>,
    path: String,
    what: &'static str,
    known: Vec<&'static str>,
    problems: Vec<FieldProblem>,
}

impl Fields {
    /// The members of a body.
    pub fn of_body(given: Map<String, Value>) -> Self {
        Self { given, path: String::new(), what: "field", known: Vec::new(), problems: Vec::new() }
    }

    /// The parameters of a query.
    pub fn of_query(query: &str) -> Self {
        let mut fields = Self { what: "query parameter", ..Self::of_body(Map::new()) };
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            if fields.given.insert(name.clone().into_owned(), Value::String(value.into_owned())).is_some() {
                let message =
                    "is given more than once; accepted: once, several values with commas".to_owned();
                fields.problems.push(FieldProblem { field: name.into_owned(), code: "repeated", message });
            }
        }
        fields
    }

    /// A field that must be there.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, InvalidValue>,
    ) -> Option<T> {
        match self.take(name) {
            Some(value) => self.read(name, &value, read),
            None => {
                self.refuse(name, InvalidValue::with_message("required", "is missing"));
                None
            }
        }
    }

    /// A field that may be left out; then it is none.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, InvalidValue>,
    ) -> Option<T> {
        let value = self.take(name)?;
        self.read(name, &value, read)
    }

    /// A field that may be left out, and may be null.
    pub fn nullable<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, InvalidValue>,
    ) -> Option<Option<T>> {
        match self.take(name)? {
            Value::Null => Some(None),
            value => self.read(name, &value, read).map(Some),
        }
    }

    /// An object with fields of its own that may be left out, and may be null.
    pub fn nested<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        let given = match self.take(name)? {
            Value::Null => return Some(None),
            Value::Object(given) => given,
            // What stands here in place of an object may be the secret that belongs into it.
            _ => {
                self.refuse(
                    name,
                    InvalidValue::with_message("malformed", "is no object; accepted: an object or null"),
                );
                return None;
            }
        };
        let mut inner = Self { path: format!("{}{name}.", self.path), ..Self::of_body(given) };
        let value = read(&mut inner);
        inner.refuse_unknown();
        self.problems.append(&mut inner.problems);
        value.map(Some)
    }

    /// `limit` and `cursor`.
    pub fn page(&mut self) -> PageRequest {
        let limit = self.optional("limit", parsed);
        PageRequest { cursor: self.optional("cursor", parsed), limit: limit.unwrap_or_default() }
    }

    /// Adds what is wrong with a field beside its form.
    pub fn refuse(&mut self, name: &str, refusal: InvalidValue) {
        let field = format!("{}{name}", self.path);
        self.problems.push(FieldProblem { field, code: refusal.code, message: refusal.message });
    }

    /// The value that was read, when everything was accepted.
    ///
    /// # Errors
    /// Names all that was not, and all that is not known.
    pub fn done<T>(mut self, value: impl FnOnce() -> Option<T>) -> Result<T, ApiError> {
        self.refuse_unknown();
        match value() {
            Some(value) if self.problems.is_empty() => Ok(value),
            _ => Err(ApiError::fields(&self.problems)),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.given.remove(name)
    }

    fn read<T>(
        &mut self,
        name: &'static str,
        value: &Value,
        read: impl FnOnce(&Value) -> Result<T, InvalidValue>,
    ) -> Option<T> {
        read(value).map_err(|refusal| self.refuse(name, refusal)).ok()
    }

    fn refuse_unknown(&mut self) {
        for name in std::mem::take(&mut self.given).into_iter().map(|(name, _)| name) {
            let accepted = match self.known.is_empty() {
                true => "none".to_owned(),
                false => self.known.join(", "),
            };
            let message = format!("is not a known {}; accepted: {accepted}", self.what);
            self.refuse(&name, InvalidValue { code: "unknown", message });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::input_value::{integer, parsed, text};
    use app::types::{Mode, Slug};
    use axum::response::IntoResponse;
    use http_body_util::BodyExt;
    use serde_json::json;

    fn body(value: Value) -> Fields {
        Fields::of_body(value.as_object().unwrap().clone())
    }

    async fn told(error: ApiError) -> Value {
        let bytes = error.into_response().into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn everything_that_is_wrong_is_named_at_once() {
        let mut fields = body(json!({"mode": "prod", "n": 7, "extra": 1, "api": {"key": "", "more": true}}));
        fields.required("mode", parsed::<Mode>);
        fields.required("slug", parsed::<Slug>);
        fields.optional("n", integer(1..=5));
        fields.nested("api", |api| api.required("key", text(1..=5)));
        let problem = told(fields.done(|| None::<()>).unwrap_err()).await;
        let named: Vec<_> = problem["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["field"].as_str().unwrap(), it["code"].as_str().unwrap()))
            .collect();
        assert_eq!(
            named,
            [
                ("mode", "malformed"),
                ("slug", "required"),
                ("n", "out_of_range"),
                ("api.key", "malformed"),
                ("api.more", "unknown"),
                ("extra", "unknown"),
            ]
        );
        assert_eq!(problem["errors"][0]["message"], "\"prod\" is not a mode; accepted: live, test");
        assert_eq!(
            problem["errors"][2]["message"],
            "7 is not accepted; accepted: a whole number from 1 to 5"
        );
        assert_eq!(
            (problem["status"].as_u64(), problem["code"].as_str()),
            (Some(400), Some("invalid_input"))
        );
    }

    #[test]
    fn absent_null_and_given_are_three_things() {
        let mut fields = body(json!({"a": null, "b": 2}));
        assert_eq!(fields.nullable("a", integer(0..=9)), Some(None));
        assert_eq!(fields.nullable("b", integer(0..=9)), Some(Some(2)));
        assert_eq!(fields.nullable("c", integer(0..=9)), None);
        assert!(fields.done(|| Some(())).is_ok());
    }
}
