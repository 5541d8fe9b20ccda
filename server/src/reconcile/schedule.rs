//! Which night it is, and what a nightly run looks at.

use app::types::Timestamp;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// When nights begin, seconds after midnight UTC.
const BEGINS: i64 = 3 * HOUR;
/// How far back a nightly run looks.
const LOOKS_BACK: i64 = 2 * DAY;

/// The night that began last: its run is due from then on, and late rather than never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledRun {
    /// When it began; the end of the window that its run looks at.
    pub begins: Timestamp,
}

impl ScheduledRun {
    /// The one that began last at this moment.
    pub fn of(now: Timestamp) -> Self {
        let begins = (now.unix() - BEGINS).div_euclid(DAY) * DAY + BEGINS;
        Self { begins: Timestamp::from_unix(begins) }
    }

    /// The begin of the window.
    pub fn from(self) -> Timestamp {
        self.begins.plus_seconds(-LOOKS_BACK)
    }

    /// Its name: the date.
    pub fn name(self) -> String {
        self.begins.to_string().chars().take(10).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_begins_at_three() {
        for (now, name) in [
            ("2026-11-30T02:59:59Z", "2026-11-29"),
            ("2026-11-30T03:00:00Z", "2026-11-30"),
            ("2026-12-01T02:59:59.999999Z", "2026-11-30"),
        ] {
            let night = ScheduledRun::of(now.parse().unwrap());
            assert_eq!(night.name(), name, "{now}");
            assert_eq!(night.begins.seconds_since(night.from()), 48 * HOUR);
        }
    }
}
