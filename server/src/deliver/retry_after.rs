//! `Retry-After`: seconds, or a date.

use app::types::Timestamp;
use chrono::{DateTime, NaiveDateTime};

/// When the answer asks to be tried again; none when it does not, or not in a form of the standard.
pub fn parse(value: &str, now: Timestamp) -> Option<Timestamp> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|c| c.is_ascii_digit()) {
        // So many digits that they do not fit mean "very late", and the ladder's bound cuts them.
        return Some(now.plus_seconds(value.parse().unwrap_or(i64::MAX / 2_000_000)));
    }
    date(value).map(Timestamp::from_unix)
}

/// The three forms of RFC 9110, 5.6.7.
fn date(value: &str) -> Option<i64> {
    if let Ok(date) = DateTime::parse_from_rfc2822(value) {
        return Some(date.timestamp());
    }
    let (_, unnamed) = value.split_once(' ')?;
    let old = NaiveDateTime::parse_from_str(unnamed, "%d-%b-%y %H:%M:%S GMT");
    let oldest = || NaiveDateTime::parse_from_str(unnamed.trim_start(), "%b %e %H:%M:%S %Y");
    old.or_else(|_| oldest()).ok().map(|date| date.and_utc().timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_seconds_and_the_three_forms_of_a_date() {
        let now = Timestamp::from_unix(1000);
        for (value, expected) in [
            ("120", Some(1120)),
            (" 0 ", Some(1000)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("", None),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
            ("é", None),
        ] {
            assert_eq!(parse(value, now).map(Timestamp::unix), expected, "{value:?}");
        }
        assert!(parse("99999999999999999999999999", now).is_some_and(|at| at > now));
    }
}
