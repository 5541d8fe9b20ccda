//! The schedule of attempts: a list of gaps. N gaps make N + 1 attempts.

use std::fmt;
use std::str::FromStr;

use app::types::Timestamp;

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
/// The longest gap, and the most gaps, that a ladder may have.
const MAX_GAP: u32 = 7 * 24 * HOUR;
const MAX_GAPS: usize = 30;

/// Gaps between scheduled attempts, in seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder(Vec<u32>);

/// Not a ladder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a gap; accepted: at most 30 of them, each a number and s, m, h or d, from 1s to 7d")]
pub struct LadderError(String);

impl Default for Ladder {
    /// 11 attempts; the last one 16 h 03 min after the first (the contract of Paymos, kept towards everybody).
    fn default() -> Self {
        Self([1, 2, 4, 8, 16, 32, 60, 120, 240, 480].map(|minutes| minutes * MINUTE).to_vec())
    }
}

impl Ladder {
    /// From gaps such as `1m`, `90s`, `2h`.
    ///
    /// # Errors
    /// One is not a gap, or there are too many.
    pub fn parse<S: AsRef<str>>(gaps: &[S]) -> Result<Self, LadderError> {
        if gaps.len() > MAX_GAPS {
            return Err(LadderError(format!("{} gaps", gaps.len())));
        }
        gaps.iter().map(|gap| parse_gap(gap.as_ref())).collect::<Result<_, _>>().map(Self)
    }

    /// How many attempts it has.
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Seconds from the first attempt to attempt `n`, counted from 1.
    pub fn offset(&self, n: u32) -> i64 {
        self.0.iter().take(n.saturating_sub(1) as usize).map(|gap| i64::from(*gap)).sum()
    }

    /// When the attempt after `made` ones is due, the last of which started at `now` and asked for `retry_after`.
    /// None: there is none left. `Retry-After` may put it later, never earlier, and never past the rung after it.
    pub fn next(&self, made: u32, now: Timestamp, retry_after: Option<Timestamp>) -> Option<Timestamp> {
        let index = made.checked_sub(1)? as usize;
        let rung = now.plus_seconds(i64::from(*self.0.get(index)?));
        let latest = self.0.get(index + 1).map_or(rung, |gap| rung.plus_seconds(i64::from(*gap)));
        Some(retry_after.map_or(rung, |asked| asked.clamp(rung, latest)))
    }

    /// The gaps as they are written.
    pub fn gaps(&self) -> Vec<String> {
        self.0.iter().map(|gap| write_gap(*gap)).collect()
    }
}

fn parse_gap(text: &str) -> Result<u32, LadderError> {
    let wrong = || LadderError(text.chars().take(32).collect());
    let split = text.len().checked_sub(1).filter(|at| text.is_char_boundary(*at)).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let unit = match unit {
        "s" => 1,
        "m" => MINUTE,
        "h" => HOUR,
        "d" => 24 * HOUR,
        _ => return Err(wrong()),
    };
    let number: u32 = Some(number)
        .filter(|number| number.bytes().all(|c| c.is_ascii_digit()))
        .and_then(|n| n.parse().ok())
        .ok_or_else(wrong)?;
    number.checked_mul(unit).filter(|gap| (1..=MAX_GAP).contains(gap)).ok_or_else(wrong)
}

fn write_gap(seconds: u32) -> String {
    match seconds {
        s if s % HOUR == 0 => format!("{}h", s / HOUR),
        s if s % MINUTE == 0 => format!("{}m", s / MINUTE),
        s => format!("{s}s"),
    }
}

impl fmt::Display for Ladder {
    /// As it is stored: gaps joined by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.gaps().join(","))
    }
}

impl FromStr for Ladder {
    type Err = LadderError;
    fn from_str(text: &str) -> Result<Self, LadderError> {
        let gaps: Vec<_> = text.split(',').filter(|gap| !gap.is_empty()).collect();
        Self::parse(&gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_one_has_11_attempts_over_16_h_03() {
        let ladder = Ladder::default();
        let minutes: Vec<_> = (1..=11).map(|n| ladder.offset(n) / 60).collect();
        assert_eq!(minutes, [0, 1, 3, 7, 15, 31, 63, 123, 243, 483, 963]);
        assert_eq!(ladder.attempts(), 11);
        assert_eq!(ladder.next(11, Timestamp::from_unix(0), None), None);
        assert_eq!(ladder.to_string().parse(), Ok(ladder));
    }

    #[test]
    fn retry_after_moves_a_rung_later_but_not_past_the_next() {
        let ladder = Ladder::parse(&["1m", "2m"]).unwrap();
        let at = Timestamp::from_unix;
        let next = |asked| ladder.next(1, at(1000), Some(at(asked))).unwrap().unix();
        assert_eq!([next(1030), next(1100), next(9999)], [1060, 1100, 1180]);
        assert_eq!(ladder.next(2, at(1000), Some(at(9999))), Some(at(1120)));
    }

    #[test]
    fn says_what_a_gap_is() {
        for bad in ["", "1", "m", "-1m", "1 m", "0s", "8d", "1w", "é", "99999999999s", "+1m"] {
            assert!(Ladder::parse(&[bad]).is_err(), "{bad:?}");
        }
        assert!(Ladder::parse(&["1s"; 31]).is_err());
        assert_eq!(Ladder::parse::<&str>(&[]).unwrap().attempts(), 1);
    }
}
