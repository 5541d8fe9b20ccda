//! What is known of an alert: names and figures. The reader's language makes words of them.

use serde::{Deserialize, Serialize};

use crate::text::{Texts, fill};
use crate::types::{AlertKind, AttemptError, DeliveryNumber, Timestamp, group_digits};

/// So many are counted at most.
const COUNTED: i64 = 10_000;

/// What happened, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Facts {
    /// A known event came again with other bytes.
    AlteredRepeat {
        /// SHA-256 of what was stored, in hexadecimal digits.
        before: String,
        /// That of what came now.
        now: String,
    },
    /// An event's test flag contradicts its source's mode.
    ModeMismatch {
        /// The provider's id of it.
        event_id: String,
        /// It says that it is a test, at a source that carries real money; or the other way around.
        is_test: bool,
    },
    /// A source refuses many more arrivals than it used to.
    RejectionJump {
        /// So many were refused
        count: i64,
        /// in the last so many minutes,
        minutes: i64,
        /// where so many are usual.
        usual: i64,
    },
    /// Deliveries are due and nobody has claimed them.
    DeliveryOverdue {
        /// How many, up to 10 000.
        count: i64,
        /// Since when the oldest is due.
        oldest: Timestamp,
    },
    /// A delivery has used up its ladder.
    DeliveryFailed {
        /// Its number.
        delivery: DeliveryNumber,
        /// What the last attempt was answered.
        status: Option<u16>,
        /// Why it failed.
        error: Option<AttemptError>,
    },
    /// Every attempt fails.
    DestinationFailing {
        /// When the first one failed.
        since: Timestamp,
        /// When the last one did.
        last: Timestamp,
        /// What that was answered.
        status: Option<u16>,
        /// Why it failed.
        error: Option<AttemptError>,
    },
}

/// What stands where a sentence has `{}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A name or a figure.
    Text(String),
    /// A moment; how it is written depends on the reader.
    Time(Timestamp),
}

impl Facts {
    /// The kind of alert.
    pub const fn kind(&self) -> AlertKind {
        match self {
            Self::AlteredRepeat { .. } => AlertKind::AlteredRepeat,
            Self::ModeMismatch { .. } => AlertKind::ModeMismatch,
            Self::RejectionJump { .. } => AlertKind::RejectionJump,
            Self::DeliveryOverdue { .. } => AlertKind::DeliveryOverdue,
            Self::DeliveryFailed { .. } => AlertKind::DeliveryFailed,
            Self::DestinationFailing { .. } => AlertKind::DestinationFailing,
        }
    }

    /// What happened, and what to do: a text of the language, and what fills it. `subject`: what the alert is about.
    pub fn describe_parts(&self, subject: &str, text: &'static Texts) -> (&'static str, Vec<Value>) {
        let name = |name: &str| Value::Text(name.to_owned());
        let figure = |figure: i64| Value::Text(group_digits(figure));
        match self {
            Self::AlteredRepeat { before, now } => (text.alerts.altered_more, vec![name(before), name(now)]),
            Self::ModeMismatch { event_id, is_test: true } => {
                (text.alerts.mode_test_more, vec![name(event_id), name(subject)])
            }
            Self::ModeMismatch { event_id, is_test: false } => {
                (text.alerts.mode_live_more, vec![name(event_id), name(subject)])
            }
            Self::RejectionJump { count, minutes, usual } => {
                (text.alerts.spike_more, vec![figure(*count), figure(*minutes), figure(*usual)])
            }
            Self::DeliveryOverdue { count: 1, oldest } => {
                (text.alerts.overdue_one_more, vec![Value::Time(*oldest)])
            }
            Self::DeliveryOverdue { count, oldest } => {
                let at_least = if *count >= COUNTED { "≥\u{a0}" } else { "" };
                let count = Value::Text(format!("{at_least}{}", group_digits(*count)));
                (text.alerts.overdue_more, vec![count, Value::Time(*oldest)])
            }
            Self::DeliveryFailed { delivery, status, error } => {
                let said = text.describe_last_answer(*status, *error);
                (text.alerts.failed_more, vec![Value::Text(delivery.to_string()), Value::Text(said)])
            }
            Self::DestinationFailing { since, last, status, error } => {
                let said = Value::Text(text.describe_last_answer(*status, *error));
                (text.alerts.failing_more, vec![Value::Time(*since), Value::Time(*last), said])
            }
        }
    }

    /// The same as one text, with moments as they stand on the wire.
    pub fn describe(&self, subject: &str, text: &'static Texts) -> String {
        let (template, values) = self.describe_parts(subject, text);
        let values: Vec<String> = values
            .into_iter()
            .map(|value| match value {
                Value::Text(text) => text,
                Value::Time(at) => at.to_string(),
            })
            .collect();
        fill(template, &values.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    fn all() -> Vec<Facts> {
        let at = Timestamp::from_unix(1_796_040_000);
        let (status, error) = (Some(503), Some(AttemptError::Status));
        vec![
            Facts::AlteredRepeat { before: "00".to_owned(), now: "ff".to_owned() },
            Facts::ModeMismatch { event_id: "evt_1".to_owned(), is_test: true },
            Facts::ModeMismatch { event_id: "evt_1".to_owned(), is_test: false },
            Facts::RejectionJump { count: 1200, minutes: 10, usual: 3 },
            Facts::DeliveryOverdue { count: 1, oldest: at },
            Facts::DeliveryOverdue { count: 10_000, oldest: at },
            Facts::DeliveryFailed { delivery: 5, status, error },
            Facts::DestinationFailing {
                since: at,
                last: at,
                status: None,
                error: Some(AttemptError::Timeout),
            },
        ]
    }

    #[test]
    fn every_kind_has_facts_that_read_back_and_words_in_both_languages() {
        let kinds: std::collections::BTreeSet<_> = all().iter().map(Facts::kind).collect();
        assert_eq!(kinds.len(), AlertKind::ALL.len());
        for facts in all() {
            let json = serde_json::to_value(&facts).unwrap();
            assert_eq!(json["kind"], facts.kind().as_str());
            assert_eq!(serde_json::from_value::<Facts>(json).unwrap(), facts);
            let said = [Lang::En, Lang::Es].map(|lang| facts.describe("shop", lang.texts()));
            assert!(said.iter().all(|said| said.ends_with('.') && !said.contains("{}")), "{said:?}");
            assert_ne!(said[0], said[1]);
        }
    }

    #[test]
    fn each_sentence_says_what_happened_and_what_to_do() {
        let said: Vec<_> = all().iter().map(|facts| facts.describe("shop", Lang::En.texts())).collect();
        assert_eq!(
            said[3],
            "1\u{2009}200 webhooks rejected in the last 10 minutes (normally 3). Open the newest rejection to see why."
        );
        assert_eq!(
            said[5],
            "≥\u{a0}10\u{2009}000 deliveries are overdue, the oldest since 2026-11-30T12:00:00Z. Check that a server is \
             running and that its database responds."
        );
        assert_eq!(
            said[6],
            "Delivery 5 failed on every attempt. The last answer was 503. Fix the destination, then resend."
        );
        assert_eq!(
            said[7],
            "Every attempt since 2026-11-30T12:00:00Z has failed, the last one at 2026-11-30T12:00:00Z. The last \
             attempt timed out. Tell whoever runs it. While it is paused, deliveries keep their attempts."
        );
    }
}
