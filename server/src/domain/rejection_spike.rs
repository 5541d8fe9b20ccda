//! When many more arrivals of a source are refused than usual, and when that is over.

/// Minutes that are counted together.
pub const WINDOW_MIN: i64 = 10;
/// Minutes before them that tell what is usual: a week.
pub const USUAL_MIN: i64 = 7 * 24 * 60;
/// So few are never a jump.
const FEWEST: i64 = 10;
/// A jump is so many times as many as usual.
const TIMES: i64 = 5;
/// It is over at twice as many as usual, or below so few.
const FEW: i64 = 5;

/// How the last minutes compare with the week before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Many more than usual.
    High,
    /// About as many as usual.
    Usual,
    /// Between the two: what was said before stands.
    Between,
}

/// The level of so many in the window after so many in the week before.
pub const fn level(window: i64, week: i64) -> Level {
    let windows = USUAL_MIN / WINDOW_MIN;
    // Both sides times the windows of a week: no fractions.
    let (now, usual) = (window.saturating_mul(windows), week);
    if window >= FEWEST && now >= usual.saturating_mul(TIMES) {
        Level::High
    } else if window < FEW || now <= usual.saturating_mul(2) {
        Level::Usual
    } else {
        Level::Between
    }
}

#[cfg(test)]
mod tests {
    use super::{Level::*, level};

    #[test]
    fn a_jump_is_five_times_the_usual_and_ends_at_twice() {
        // A week has 1008 windows.
        for (window, week, expected) in [
            (0, 0, Usual),
            (4, 0, Usual),
            (5, 0, Between),
            (9, 0, Between),
            (10, 0, High),
            (10, 2016, High),
            (10, 2017, Between),
            (50, 10_080, High),
            (49, 10_080, Between),
            (21, 10_080, Between),
            (20, 10_080, Usual),
            (i64::MAX, i64::MAX, High),
        ] {
            assert_eq!(level(window, week), expected, "{window} after {week}");
        }
    }
}
