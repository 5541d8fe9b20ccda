//! The schedule of attempts: a list of gaps. N gaps make N + 1 attempts.

use std::fmt;
use std::str::FromStr;

use app::types::Timestamp;

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
/// The longest gap, and the most gaps, that a ladder may have.
const MAX_GAP: u32 = 7 * 24 * HOUR;
const MAX_GAPS: usize = 30;

/// The whole of the jitter, in the unit that `Ladder::next` is given its part of it.
pub const WHOLE: u32 = 1_000_000;

/// Gaps between scheduled attempts, in seconds, and by how much of a gap the attempt after it may be late on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    gaps: Vec<u32>,
    jitter_percent: u32,
}

/// Not a ladder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a gap; accepted: at most 30 of them, each a number and s, m, h or d, from 1s to 7d")]
pub struct LadderError(String);

impl Default for Ladder {
    /// 11 attempts; the last one 16 h 03 min after the first (the contract of Paymos, kept towards everybody).
    fn default() -> Self {
        Self::of([1, 2, 4, 8, 16, 32, 60, 120, 240, 480].map(|minutes| minutes * MINUTE).to_vec())
    }
}

impl Ladder {
    const fn of(gaps: Vec<u32>) -> Self {
        Self { gaps, jitter_percent: 0 }
    }

    /// The same, with attempts late by up to so much of the gap before them.
    #[must_use]
    pub fn with_jitter(self, percent: u32) -> Self {
        Self { jitter_percent: percent.min(100), ..self }
    }

    /// From gaps such as `1m`, `90s`, `2h`.
    ///
    /// # Errors
    /// One is not a gap, or there are too many.
    pub fn parse<S: AsRef<str>>(gaps: &[S]) -> Result<Self, LadderError> {
        if gaps.len() > MAX_GAPS {
            return Err(LadderError(format!("{} gaps", gaps.len())));
        }
        gaps.iter().map(|gap| parse_gap(gap.as_ref())).collect::<Result<_, _>>().map(Self::of)
    }

    /// How many attempts it has.
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.gaps.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Seconds from the first attempt to attempt `n`, counted from 1.
    pub fn offset(&self, n: u32) -> i64 {
        self.gaps.iter().take(n.saturating_sub(1) as usize).map(|gap| i64::from(*gap)).sum()
    }

    /// When the attempt after `made` ones is due, the last of which started at `now`, asked for `retry_after` and has
    /// drawn this `part` of the jitter, up to `WHOLE`. None: there is none left. Both may put it later, never earlier, and
    /// never past the rung after it; past the last rung there is only the jitter.
    pub fn next(
        &self,
        made: u32,
        now: Timestamp,
        retry_after: Option<Timestamp>,
        part: u32,
    ) -> Option<Timestamp> {
        let index = made.checked_sub(1)? as usize;
        let gap = i64::from(*self.gaps.get(index)?);
        let rung = now.plus_seconds(gap);
        let jitter =
            gap * 10 * i64::from(self.jitter_percent) * i64::from(part.min(WHOLE)) / i64::from(WHOLE);
        let late = rung.plus_millis(jitter);
        let latest = self.gaps.get(index + 1).map(|gap| rung.plus_seconds(i64::from(*gap)));
        let asked = retry_after.map_or(rung, |asked| asked.clamp(rung, latest.unwrap_or(rung)));
        Some(asked.max(latest.map_or(late, |latest| late.min(latest))))
    }

    /// The gaps as they are written.
    pub fn gaps(&self) -> Vec<String> {
        self.gaps.iter().map(|gap| write_gap(*gap)).collect()
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
        assert_eq!(ladder.next(11, Timestamp::from_unix(0), None, 0), None);
        assert_eq!(ladder.to_string().parse(), Ok(ladder));
    }

    #[test]
    fn retry_after_moves_a_rung_later_but_not_past_the_next() {
        let ladder = Ladder::parse(&["1m", "2m"]).unwrap();
        let at = Timestamp::from_unix;
        let next = |asked| ladder.next(1, at(1000), Some(at(asked)), WHOLE).unwrap().unix();
        assert_eq!([next(1030), next(1100), next(9999)], [1060, 1100, 1180]);
        assert_eq!(ladder.next(2, at(1000), Some(at(9999)), 0), Some(at(1120)));
    }

    #[test]
    fn jitter_only_puts_off_and_never_past_the_next_rung() {
        let at = Timestamp::from_unix;
        let next = |gaps: &[&str], percent, made, asked: Option<i64>, part| {
            let ladder = Ladder::parse(gaps).unwrap().with_jitter(percent);
            ladder.next(made, at(1000), asked.map(at), part).unwrap().micros() / 1000 - 1_000_000
        };
        let half = WHOLE / 2;
        assert_eq!(next(&["1m", "2m"], 0, 1, None, WHOLE), 60_000);
        assert_eq!(next(&["1m", "2m"], 20, 1, None, 0), 60_000);
        assert_eq!(next(&["1m", "2m"], 20, 1, None, half), 66_000);
        assert_eq!(next(&["1m", "2m"], 20, 1, None, WHOLE), 72_000);
        assert_eq!(next(&["1m", "10s"], 100, 1, None, WHOLE), 70_000, "not past the next rung");
        assert_eq!(next(&["1m", "2m"], 100, 2, None, WHOLE), 240_000, "the last one has jitter too");
        assert_eq!(next(&["1m", "2m"], 20, 1, Some(1090), WHOLE), 90_000, "whichever is later");
        assert_eq!(next(&["1m", "2m"], 20, 1, Some(1061), WHOLE), 72_000);
        assert_eq!(next(&["1m"], 900, 1, None, u32::MAX), 120_000);
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
