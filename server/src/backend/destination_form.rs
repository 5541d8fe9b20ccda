//! The settings of a destination as people type them into a form.

use app::destinations::DestinationForm;
use app::error::{AppError, FieldError, Rule};
use app::types::SignatureOrder;
use serde_json::Value;

use super::destination_settings::{DestinationChange, NewDestination};
use crate::domain::destination::DestinationSettings;
use crate::domain::input_value;
use crate::domain::ladder::Ladder;

/// What is wrong with a form, field by field.
#[derive(Default)]
struct Problems(Vec<FieldError>);

impl Problems {
    fn note<T>(&mut self, field: &str, read: Option<T>, rule: Rule) -> Option<T> {
        if read.is_none() {
            self.0.push(FieldError::new(field, rule));
        }
        read
    }
}

fn split_words(text: &str) -> Vec<&str> {
    text.split([',', '\n']).map(str::trim).filter(|word| !word.is_empty()).collect()
}

fn names(text: &str, read: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let words = split_words(text);
    if words.is_empty() {
        return Some(vec!["*".to_owned()]);
    }
    words.into_iter().map(read).collect()
}

fn number(text: &str, usual: i64, most: i64) -> Option<i64> {
    match text.trim() {
        "" => Some(usual),
        text => text.parse().ok().filter(|number| (1..=most).contains(number)),
    }
}

fn rate(text: &str) -> Option<Option<f64>> {
    match text.trim() {
        "" => Some(None),
        text => text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 10_000.0).map(Some),
    }
}

fn order(text: &str) -> Option<SignatureOrder> {
    match text.trim() {
        "" => Some(SignatureOrder::NewestFirst),
        text => text.parse().ok(),
    }
}

/// Every setting that can change, from a form that has all of them.
///
/// # Errors
/// `Invalid` with every field that is not good.
pub fn change(form: &DestinationForm) -> Result<DestinationChange, AppError> {
    let mut problems = Problems::default();
    let url = input_value::http_url(&Value::String(form.url.trim().to_owned())).ok();
    let ladder = match split_words(&form.ladder) {
        gaps if gaps.is_empty() => Some(Ladder::default()),
        gaps => Ladder::parse(&gaps).ok(),
    };
    let change = DestinationChange {
        url: problems.note("url", url, Rule::Malformed),
        format: problems.note("format", form.format.parse().ok(), Rule::Malformed),
        sources: problems.note("sources", names(&form.sources, input_value::slug_or_star), Rule::Malformed),
        events: problems.note("events", names(&form.events, input_value::event_pattern), Rule::Malformed),
        ladder: problems.note("ladder", ladder, Rule::Malformed),
        timeout_ms: problems.note("timeout_ms", number(&form.timeout_ms, 10_000, 60_000), Rule::OutOfRange),
        max_in_flight: problems.note(
            "max_in_flight",
            number(&form.max_in_flight, 16, 1000),
            Rule::OutOfRange,
        ),
        rate_per_s: problems.note("rate_per_s", rate(&form.rate_per_s), Rule::OutOfRange),
        jitter_percent: None,
        signature_order: problems.note("signature_order", order(&form.signature_order), Rule::Malformed),
    };
    if problems.0.is_empty() { Ok(change) } else { Err(AppError::Invalid(problems.0)) }
}

/// A new one.
///
/// # Errors
/// `Invalid` with every field that is not good.
pub fn new(form: &DestinationForm) -> Result<NewDestination, AppError> {
    let slug = form.slug.trim().parse().map_err(|_| AppError::field("slug", Rule::Malformed));
    let change = change(form);
    let (slug, change) = match (slug, change) {
        (Ok(slug), Ok(change)) => (slug, change),
        (Err(AppError::Invalid(mut first)), Err(AppError::Invalid(rest))) => {
            first.extend(rest);
            return Err(AppError::Invalid(first));
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let every = || vec!["*".to_owned()];
    let settings = DestinationSettings {
        url: change.url.unwrap_or_default(),
        format: change.format.ok_or_else(|| AppError::field("format", Rule::Required))?,
        sources: change.sources.unwrap_or_else(every),
        events: change.events.unwrap_or_else(every),
        ladder: change.ladder.unwrap_or_default(),
        timeout_ms: change.timeout_ms.unwrap_or(10_000),
        max_in_flight: change.max_in_flight.unwrap_or(16),
        rate_per_s: change.rate_per_s.flatten(),
        jitter_percent: 0,
        signature_order: change.signature_order.unwrap_or(SignatureOrder::NewestFirst),
    };
    Ok(NewDestination { slug, settings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> DestinationForm {
        DestinationForm {
            slug: "shop-eu".to_owned(),
            url: "https://shop.example/hooks".to_owned(),
            format: "paymos".to_owned(),
            ..DestinationForm::default()
        }
    }

    #[test]
    fn blank_fields_mean_the_usual() {
        let new = new(&form()).unwrap().settings;
        assert_eq!((new.sources, new.events), (vec!["*".to_owned()], vec!["*".to_owned()]));
        assert_eq!(
            (new.ladder.attempts(), new.timeout_ms, new.max_in_flight, new.rate_per_s),
            (11, 10_000, 16, None)
        );
        assert_eq!(new.signature_order, SignatureOrder::NewestFirst);
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let bad = DestinationForm {
            slug: "Shop EU".to_owned(),
            url: "ftp://x".to_owned(),
            ladder: "1m, soon".to_owned(),
            rate_per_s: "-1".to_owned(),
            events: "in*voice".to_owned(),
            signature_order: "random".to_owned(),
            ..form()
        };
        let AppError::Invalid(fields) = new(&bad).unwrap_err() else { panic!("not about fields") };
        let named: Vec<_> = fields.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(named, ["slug", "url", "events", "ladder", "rate_per_s", "signature_order"]);
    }

    #[test]
    fn lists_are_written_with_commas() {
        let form = DestinationForm {
            events: "invoice.*, charge.paid,".to_owned(),
            ladder: "1m, 90s,2h".to_owned(),
            rate_per_s: "0.5".to_owned(),
            ..form()
        };
        let change = change(&form).unwrap();
        assert_eq!(change.events.unwrap(), ["invoice.*", "charge.paid"]);
        assert_eq!((change.ladder.unwrap().attempts(), change.rate_per_s), (4, Some(Some(0.5))));
    }
}
