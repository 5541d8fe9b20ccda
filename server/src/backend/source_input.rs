//! A source as people type it into a form.

use app::error::{AppError, FieldError, Rule};
use app::types::{FormInput, Mode, Provider, Slug};
use serde_json::{Map, Value};

use super::sources::{NewApi, NewSource, SourceChange, check_settings};
use crate::domain::input_value;
use crate::domain::secret::SecretValue;
use crate::domain::secret_lint::lint;
use crate::provider::settings::Settings;
use crate::store::source::SourceRow;

/// Seconds of the widest clock window: a year.
const WIDEST: i64 = 31_536_000;

/// What is wrong with a form, field by field.
#[derive(Default)]
struct Problems(Vec<FieldError>);

impl Problems {
    fn note<T>(&mut self, field: &str, read: Result<T, Rule>) -> Option<T> {
        read.map_err(|rule| self.0.push(FieldError::new(field, rule))).ok()
    }

    /// What was read, when all of it was good.
    fn unless<T>(self, read: Option<T>) -> Result<T, AppError> {
        match read {
            Some(read) if self.0.is_empty() => Ok(read),
            _ => Err(AppError::Invalid(self.0)),
        }
    }
}

/// Of which source a form is.
///
/// # Errors
/// `NotFound`: no source can have that name.
pub fn slug(form: &FormInput) -> Result<Slug, AppError> {
    form.get("slug").parse().map_err(|_| AppError::NotFound)
}

/// A new one. `receive_url`: where one of that name receives.
///
/// # Errors
/// `Invalid` with every field that is not good.
pub fn new(form: &FormInput, receive_url: impl Fn(&Slug) -> String) -> Result<NewSource, AppError> {
    let mut problems = Problems::default();
    let slug = problems.note("slug", required(form.get("slug")).and_then(parsed::<Slug>));
    let (provider, preset) = sender(form.get("sender"));
    let provider = problems.note("sender", provider);
    let mode = problems.note("mode", required(form.get("mode")).and_then(parsed::<Mode>));
    let tolerance_s = problems.note("tolerance_s", tolerance(form.get("tolerance_s")));
    let url = slug.as_ref().map(receive_url).unwrap_or_default();
    let settings = provider.and_then(|it| settings(&mut problems, form, (it, preset), &url));
    let api = credentials(&mut problems, form, None);
    let policy = provider.zip(settings.as_ref()).and_then(|(provider, settings)| {
        Settings::read(provider, settings.as_ref()).ok().map(|settings| settings.policy)
    });
    let secret = form.exact("secret");
    // Of a sender that is not known it can still be said what is wrong with any secret.
    let lint = lint(secret, provider.unwrap_or(Provider::Hmac), policy.as_ref());
    let secret = problems.note("secret", lint.map_or_else(|| Ok(SecretValue::new(secret)), Err));
    let new = || {
        Some(NewSource {
            slug: slug?,
            provider: provider?,
            mode: mode?,
            secret: secret?,
            tolerance_s: tolerance_s?,
            settings: settings?,
            api: api.flatten(),
        })
    };
    let new = new();
    problems.unless(new)
}

/// What changes of one. `receive_url`: where it receives.
///
/// # Errors
/// `Invalid` with every field that is not good.
pub fn change(form: &FormInput, row: &SourceRow, receive_url: &str) -> Result<SourceChange, AppError> {
    let mut problems = Problems::default();
    let (provider, preset) = sender(form.get("sender"));
    let provider = provider.and_then(|it| if it == row.provider { Ok(it) } else { Err(Rule::Malformed) });
    let provider = problems.note("sender", provider);
    let mode = problems.note("mode", parsed::<Mode>(form.get("mode")));
    let tolerance_s = problems.note("tolerance_s", tolerance(form.get("tolerance_s")));
    let settings = provider.and_then(|it| settings(&mut problems, form, (it, preset), receive_url));
    let api = credentials(&mut problems, form, Some(row));
    let is_same = settings.as_ref().map(Option::as_ref).map(|it| it.map(Value::to_string))
        == Some(row.settings.clone());
    let change = SourceChange {
        mode: mode.filter(|mode| *mode != row.mode),
        tolerance_s: tolerance_s.filter(|seconds| *seconds != row.tolerance_s),
        settings: settings.filter(|_| !is_same),
        api,
    };
    problems.unless(Some(change))
}

/// Whether it may be deleted: its name was typed.
///
/// # Errors
/// `Invalid`: another one was.
pub fn confirmed(form: &FormInput, slug: &Slug) -> Result<(), AppError> {
    match form.get("confirm") == slug.as_str() {
        true => Ok(()),
        false => Err(AppError::field("confirm", Rule::NotTheName)),
    }
}

fn required(text: &str) -> Result<&str, Rule> {
    if text.is_empty() { Err(Rule::Required) } else { Ok(text) }
}

fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, Rule> {
    text.parse().map_err(|_| Rule::Malformed)
}

/// `stripe`, or `hmac:` and a preset.
fn sender(text: &str) -> (Result<Provider, Rule>, Option<&str>) {
    let (provider, preset) = match text.split_once(':') {
        Some((provider, preset)) => (provider, Some(preset)),
        None => (text, None),
    };
    (required(provider).and_then(parsed), preset)
}

fn tolerance(text: &str) -> Result<Option<i64>, Rule> {
    match text {
        "" => Ok(None),
        text => match text.parse() {
            Ok(seconds) if (0..=WIDEST).contains(&seconds) => Ok(Some(seconds)),
            Ok(_) => Err(Rule::OutOfRange),
            Err(_) => Err(Rule::Malformed),
        },
    }
}

/// The settings with their preset; the outer none: they are not accepted. What is wrong is named by its member.
fn settings(
    problems: &mut Problems,
    form: &FormInput,
    (provider, preset): (Provider, Option<&str>),
    receive_url: &str,
) -> Option<Option<Value>> {
    let read = match form.get("settings") {
        "" => Ok(Map::new()),
        text => serde_json::from_str(text).map_err(|_| Rule::Malformed),
    };
    let mut members: Map<String, Value> = problems.note("settings", read)?;
    if let Some(preset) = preset {
        members.insert("preset".to_owned(), preset.into());
    }
    let given = Some(members).filter(|members| !members.is_empty()).map(Value::Object);
    match check_settings(provider, given, Some(receive_url)) {
        Ok(settings) => Some(settings),
        Err(wrong) => {
            problems.0.extend(wrong.into_iter().map(|problem| {
                let rule = if problem.code == "required" { Rule::Required } else { Rule::Malformed };
                FieldError::new(format!("settings.{}", problem.field).trim_end_matches('.'), rule)
            }));
            None
        }
    }
}

/// The credentials of the API; none: they stay as they are. Another address or key needs its secret as well: the one
/// that is kept is never sent elsewhere.
fn credentials(problems: &mut Problems, form: &FormInput, row: Option<&SourceRow>) -> Option<Option<NewApi>> {
    let (url, key, secret) = (form.get("api_url"), form.get("api_key"), form.exact("api_secret"));
    let is = row.and_then(|row| row.api.as_ref());
    if [url, key, secret.trim()].iter().all(|text| text.is_empty()) {
        return is.map(|_| None);
    }
    if secret.is_empty() && is.is_some_and(|api| api.base_url == url && api.key == key) {
        return None;
    }
    let text = |text: &str| Value::String(text.to_owned());
    let url = required(url).and_then(|url| input_value::http_url(&text(url)).map_err(|_| Rule::Malformed));
    let url = problems.note("api_url", url);
    let key =
        required(key).and_then(|key| input_value::text(1..=200)(&text(key)).map_err(|_| Rule::Malformed));
    let key = problems.note("api_key", key);
    let wrong = lint(secret, Provider::Hmac, None);
    let secret = problems.note("api_secret", wrong.map_or_else(|| Ok(SecretValue::new(secret)), Err));
    Some(Some(NewApi { base_url: url?.trim_end_matches('/').to_owned(), key: key?, secret: secret? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(fields: &[(&str, &str)]) -> FormInput {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// A good form, with some fields otherwise.
    fn form(other: &[(&str, &str)]) -> FormInput {
        let usual =
            [("slug", "shop"), ("sender", "stripe"), ("mode", "live"), ("secret", "whsec_0123456789")];
        let usual = usual.iter().filter(|(name, _)| other.iter().all(|(it, _)| it != name));
        typed(&usual.chain(other).copied().collect::<Vec<_>>())
    }

    fn url(slug: &Slug) -> String {
        format!("https://acuse.test/webhooks/{slug}")
    }

    fn wrong(form: &FormInput) -> Vec<(String, Rule)> {
        let AppError::Invalid(fields) = new(form, url).unwrap_err() else { panic!("not about fields") };
        fields.into_iter().map(|error| (error.field, error.rule)).collect()
    }

    #[test]
    fn blank_fields_mean_the_usual() {
        let made = new(&form(&[]), url).unwrap();
        assert_eq!((made.slug.as_str(), made.provider, made.mode), ("shop", Provider::Stripe, Mode::Live));
        assert!(made.tolerance_s.is_none() && made.settings.is_none() && made.api.is_none());
        assert_eq!(new(&form(&[("tolerance_s", " 300 ")]), url).unwrap().tolerance_s, Some(300));
    }

    #[test]
    fn a_preset_is_chosen_with_the_sender() {
        let made = new(&form(&[("sender", "hmac:square")]), url).unwrap();
        assert_eq!(made.provider, Provider::Hmac);
        let settings = made.settings.unwrap();
        assert_eq!(settings["preset"], "square");
        assert_eq!(settings["url"], "https://acuse.test/webhooks/shop", "it is signed");
        let own = r#"{"header": "x-signature", "event": {"id": "/uuid"}}"#;
        let made = new(&form(&[("sender", "hmac"), ("settings", own)]), url).unwrap();
        assert_eq!(made.settings.unwrap()["event"]["id"], "/uuid");
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let bad = form(&[
            ("slug", "Shop EU"),
            ("sender", "pigeon"),
            ("mode", "prod"),
            ("tolerance_s", "-1"),
            ("api_url", "ftp://x"),
            ("secret", ""),
        ]);
        let named: Vec<_> = wrong(&bad).into_iter().map(|(field, _)| field).collect();
        assert_eq!(
            named,
            ["slug", "sender", "mode", "tolerance_s", "api_url", "api_key", "api_secret", "secret"]
        );
        for (field, value, named, rule) in [
            ("secret", "sk_live_0123456789", "secret", Rule::ApiKey),
            ("secret", " whsec_0123456789", "secret", Rule::WhiteSpace),
            ("sender", "hmac", "settings", Rule::Required),
            ("sender", "hmac:pigeon", "settings.preset", Rule::Malformed),
            ("settings", "{", "settings", Rule::Malformed),
            ("settings", "[]", "settings", Rule::Malformed),
            ("settings", r#"{"header": "x-signature"}"#, "settings", Rule::Malformed),
            ("tolerance_s", "31536001", "tolerance_s", Rule::OutOfRange),
            ("slug", "", "slug", Rule::Required),
        ] {
            assert_eq!(wrong(&form(&[(field, value)]))[0], (named.to_owned(), rule), "{field} {value}");
        }
        let timed = [("sender", "hmac"), ("settings", r#"{"header": "x-s", "timestamp": {"unit": "h"}}"#)];
        assert_eq!(wrong(&form(&timed))[0].0, "settings.timestamp.unit");
    }

    #[test]
    fn credentials_stay_unless_they_change() {
        let sealed = crate::vault::Sealed { bytes: Vec::new(), key_id: String::new() };
        let row = SourceRow {
            id: 1,
            slug: "shop".parse().unwrap(),
            provider: Provider::Stripe,
            mode: Mode::Live,
            tolerance_s: Some(300),
            settings: None,
            api: Some(crate::store::source::ApiRow {
                base_url: "https://api.test".to_owned(),
                key: "pk_1".to_owned(),
                secret: sealed,
            }),
            created_at: app::types::Timestamp::from_unix(0),
        };
        let same = [("api_url", "https://api.test"), ("api_key", "pk_1"), ("tolerance_s", "300")];
        let of = |other: &[(&str, &str)]| change(&form(&[&same, other].concat()), &row, "");
        let kept = of(&[]).unwrap();
        assert!(
            kept.api.is_none()
                && kept.mode.is_none()
                && kept.tolerance_s.is_none()
                && kept.settings.is_none()
        );
        assert!(change(&form(&[]), &row, "").unwrap().api.unwrap().is_none(), "blank: they are taken away");
        let new = of(&[("api_secret", "sk_2")]).unwrap().api.flatten().unwrap();
        assert_eq!(new.secret.expose(), "sk_2");
        let elsewhere = change(&form(&[("api_url", "https://evil.test"), ("api_key", "pk_1")]), &row, "");
        assert_eq!(elsewhere.unwrap_err(), AppError::field("api_secret", Rule::Required));
        assert_eq!(of(&[("sender", "paddle")]).unwrap_err(), AppError::field("sender", Rule::Malformed));
    }
}
