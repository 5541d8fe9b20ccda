//! A moment, as microseconds since 1970 UTC; RFC 3339 on the wire. Small enough for the browser: no time library.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A moment between the years 0001 and 9999, in whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(value_type = String, format = DateTime))]
pub struct Timestamp(i64);

/// Not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time; accepted: RFC 3339, such as 2026-11-30T14:09:07Z")]
pub struct TimestampError(String);

impl Timestamp {
    /// From microseconds since 1970 UTC.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From seconds since 1970 UTC, held within the years that can be written.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds.clamp(-62_135_596_800, 253_402_300_799) * SECOND)
    }

    /// Microseconds since 1970 UTC.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970 UTC, rounded down.
    pub const fn unix(self) -> i64 {
        self.0.div_euclid(SECOND)
    }

    /// This moment and so many seconds.
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(SECOND)))
    }

    /// This moment and so many milliseconds.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis.saturating_mul(1000)))
    }

    /// Seconds from `earlier` to this, rounded down; negative when `earlier` is later.
    pub const fn seconds_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).div_euclid(SECOND)
    }

    /// Year, month (1–12), day (1–31), hour, minute, second in a zone that is so many seconds east of UTC.
    pub fn civil(self, east_seconds: i64) -> (i64, u8, u8, u8, u8, u8) {
        let micros = self.0 + east_seconds * SECOND;
        let (year, month, day) = date_of(micros.div_euclid(DAY));
        let second = micros.rem_euclid(DAY) / SECOND;
        (year, month, day, (second / 3600) as u8, (second / 60 % 60) as u8, (second % 60) as u8)
    }

    /// 0 = Monday … 6 = Sunday, in the same kind of zone.
    pub fn weekday(self, east_seconds: i64) -> usize {
        ((self.0 + east_seconds * SECOND).div_euclid(DAY) + 3).rem_euclid(7) as usize
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, hour, minute, second) = self.civil(0);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match self.0.rem_euclid(SECOND) {
            0 => f.write_str("Z"),
            micros if micros % 1000 == 0 => write!(f, ".{:03}Z", micros / 1000),
            micros => write!(f, ".{micros:06}Z"),
        }
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    /// RFC 3339. Also a date alone, or without seconds, or without a zone, as forms and people write it: then UTC.
    /// Digits past the microsecond are dropped.
    fn from_str(text: &str) -> Result<Self, TimestampError> {
        parse(text).ok_or_else(|| TimestampError(text.chars().take(64).collect()))
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let mut rest = text.as_bytes();
    let year = digits(&mut rest, 4)?;
    literal(&mut rest, b"-")?;
    let month = digits(&mut rest, 2)?;
    literal(&mut rest, b"-")?;
    let day = digits(&mut rest, 2)?;
    if year < 1 || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return None;
    }
    let mut micros = days_to(year, month, day) * DAY;
    if rest.is_empty() {
        return Some(Timestamp(micros));
    }
    literal(&mut rest, b"Tt ")?;
    let hour = digits(&mut rest, 2)?;
    literal(&mut rest, b":")?;
    let minute = digits(&mut rest, 2)?;
    let second = if literal(&mut rest, b":").is_some() { digits(&mut rest, 2)? } else { 0 };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    micros += (hour * 3600 + minute * 60 + second.min(59)) * SECOND;
    if literal(&mut rest, b".").is_some() {
        micros += fraction(&mut rest)?;
    }
    micros -= zone(&mut rest)? * SECOND;
    let written = -62_135_596_800 * SECOND..=253_402_300_799 * SECOND + 999_999;
    (rest.is_empty() && written.contains(&micros)).then_some(Timestamp(micros))
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    head.iter().try_fold(0, |sum, c| c.is_ascii_digit().then(|| sum * 10 + i64::from(c - b'0')))
}

fn literal(rest: &mut &[u8], accepted: &[u8]) -> Option<u8> {
    let (first, tail) = rest.split_first()?;
    accepted.contains(first).then(|| *rest = tail)?;
    Some(*first)
}

fn fraction(rest: &mut &[u8]) -> Option<i64> {
    let count = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    let padded = head.iter().copied().chain(std::iter::repeat(b'0')).take(6);
    (count > 0).then(|| padded.fold(0, |sum, c| sum * 10 + i64::from(c - b'0')))
}

fn zone(rest: &mut &[u8]) -> Option<i64> {
    if rest.is_empty() || literal(rest, b"Zz").is_some() {
        return Some(0);
    }
    let sign = if literal(rest, b"+-")? == b'-' { -1 } else { 1 };
    let hour = digits(rest, 2)?;
    literal(rest, b":")?;
    let minute = digits(rest, 2)?;
    (hour < 24 && minute < 60).then_some(sign * (hour * 3600 + minute * 60))
}

/// Days since 1970-01-01 of a date of the Gregorian calendar. Years start in March here, so that the leap day is
/// the last of its year.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

fn date_of(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month as u8, day as u8)
}

fn days_in(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_to(next_year, next_month, 1) - days_to(year, month, 1)
}

impl TryFrom<String> for Timestamp {
    type Error = TimestampError;
    fn try_from(text: String) -> Result<Self, TimestampError> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(moment: Timestamp) -> Self {
        moment.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn reads_and_writes_rfc_3339() {
        assert_eq!(at("1970-01-01T00:00:00Z").micros(), 0);
        assert_eq!(at("2023-11-14T22:13:20Z").unix(), 1_700_000_000);
        assert_eq!(at("2024-02-29T12:00:00+02:00"), at("2024-02-29T10:00:00Z"));
        assert_eq!(at("2026-11-30T14:09:07.5Z").to_string(), "2026-11-30T14:09:07.500Z");
        assert_eq!(at("2026-11-30T14:09:07.123456789Z").to_string(), "2026-11-30T14:09:07.123456Z");
        assert_eq!(at("0001-01-01T00:00:00Z").to_string(), "0001-01-01T00:00:00Z");
        assert_eq!(at("9999-12-31T23:59:59Z").to_string(), "9999-12-31T23:59:59Z");
    }

    #[test]
    fn reads_what_forms_send() {
        assert_eq!(at("2026-11-30T14:09").to_string(), "2026-11-30T14:09:00Z");
        assert_eq!(at("2026-11-30").to_string(), "2026-11-30T00:00:00Z");
    }

    #[test]
    fn refuses_what_is_no_time() {
        for bad in [
            "",
            "2026",
            "2026-13-01",
            "2026-02-30T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "0000-01-01",
            "١٩٧٠-01-01",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+1:00",
            "0001-01-01T00:00:00+01:00",
        ] {
            assert!(bad.parse::<Timestamp>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_comes_back() {
        for day in -146_097..146_097 {
            let moment = Timestamp::from_micros(day * DAY);
            assert_eq!(at(&moment.to_string()), moment);
        }
    }

    #[test]
    fn knows_the_day_of_the_week() {
        assert_eq!(at("2026-11-30T00:00:00Z").weekday(0), 0);
        assert_eq!(at("2026-11-29T23:30:00Z").weekday(3600), 0);
    }
}
