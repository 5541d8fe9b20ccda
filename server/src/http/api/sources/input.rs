//! Reads the fields of a source, and names all that are not accepted.

use app::types::Provider;
use serde_json::Value;

use crate::backend::sources::{NewApi, check_settings};
use crate::domain::input_value::{self, InvalidValue};
use crate::http::api::fields::Fields;

/// Seconds of the widest clock window: a year.
const WIDEST: i64 = 31_536_000;

/// The settings as they were given; the outer none: left out.
pub(super) struct SettingsPatch {
    hmac: Option<Option<Value>>,
    standard_webhooks: Option<Option<Value>>,
}

impl SettingsPatch {
    pub(super) fn take(input: &mut Fields) -> Self {
        let mut take = |name| input.nullable(name, |value| Ok(value.clone()));
        Self { hmac: take("hmac"), standard_webhooks: take("standard_webhooks") }
    }

    /// What is left out is none.
    pub(super) fn or_none(self) -> Self {
        Self { hmac: self.hmac.or(Some(None)), standard_webhooks: self.standard_webhooks.or(Some(None)) }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.hmac.is_none() && self.standard_webhooks.is_none()
    }

    /// Those of this provider, checked; the inner none: it has none; the outer: left out, or not accepted.
    pub(super) fn settings(
        self,
        provider: Provider,
        receive_url: Option<&str>,
        input: &mut Fields,
    ) -> Option<Option<Value>> {
        let both = [
            ("hmac", Provider::Hmac, self.hmac),
            ("standard_webhooks", Provider::StandardWebhooks, self.standard_webhooks),
        ];
        let (mut name, mut own) = ("hmac", Some(None));
        for (field, of, given) in both {
            if of == provider {
                (name, own) = (field, given);
            } else if given.flatten().is_some() {
                let message = format!("is for the provider {of}; accepted: null");
                input.refuse(field, InvalidValue::with_message("malformed", message));
            }
        }
        match check_settings(provider, own?, receive_url) {
            Ok(settings) => Some(settings),
            Err(problems) => {
                for problem in problems {
                    let dot = if problem.field.is_empty() { "" } else { "." };
                    let field = format!("{name}{dot}{}", problem.field);
                    input.refuse(&field, InvalidValue::with_message(problem.code, problem.message));
                }
                None
            }
        }
    }
}

pub(super) fn tolerance(input: &mut Fields) -> Option<Option<i64>> {
    input.nullable("tolerance_s", input_value::integer(0..=WIDEST))
}

pub(super) fn credentials(input: &mut Fields) -> Option<Option<NewApi>> {
    input.nested("api", |api| {
        let base_url = api.required("base_url", input_value::http_url);
        let key = api.required("key", public_half);
        let secret = api.required("secret", input_value::secret);
        Some(NewApi { base_url: base_url?.trim_end_matches('/').to_owned(), key: key?, secret: secret? })
    })
}

/// The public half of a key. The message does not repeat what was given: it may be the other half.
fn public_half(value: &Value) -> Result<String, InvalidValue> {
    let message = "is not accepted; accepted: a string of 1 to 200 characters";
    input_value::text(1..=200)(value).map_err(|_| InvalidValue::with_message("malformed", message))
}
