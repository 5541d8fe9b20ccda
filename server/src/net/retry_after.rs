//! The `Retry-After` header of a response.

use app::types::Timestamp;

use super::http_date::parse_http_date;

/// When the server wants the next request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// After this many seconds.
    Seconds(u64),
    /// At this time by the server's clock.
    Date(Timestamp),
}

impl RetryAfter {
    /// Parses the header's value. Returns none when it is neither a number of seconds nor an HTTP date.
    pub fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        if !value.is_empty() && value.bytes().all(|c| c.is_ascii_digit()) {
            // Callers bound the wait, so a number that does not fit is as good as the largest one that does.
            return Some(Self::Seconds(value.parse().unwrap_or(u64::MAX)));
        }
        parse_http_date(value).map(Self::Date)
    }

    /// The time of the next request, for a response that arrived at `received_at`.
    pub fn time(self, received_at: Timestamp) -> Timestamp {
        match self {
            Self::Seconds(seconds) => received_at.plus_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)),
            Self::Date(date) => date,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_seconds_and_the_three_forms_of_a_date() {
        let received_at = Timestamp::from_unix(1000);
        for (value, expected) in [
            ("120", Some(1120)),
            (" 0 ", Some(1000)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("Mon, 06 Nov 1994 08:49:37 GMT", None),
            ("", None),
            ("-5", None),
            ("+5", None),
            ("1.5", None),
            ("soon", None),
            ("é", None),
        ] {
            let time = RetryAfter::parse(value).map(|parsed| parsed.time(received_at).unix());
            assert_eq!(time, expected, "{value:?}");
        }
        let longest = RetryAfter::parse("99999999999999999999999999").unwrap();
        assert!(longest.time(received_at) > received_at);
    }
}
