//! What is refused is answered at its own pace: so many a second at once, and what comes beyond waits for its turn, a
//! second at most. Who floods with bad signatures over connections that wait for answers takes a bounded part of the
//! processor from those that are good; who sends a few never notices.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Refusals a second.
const RATE: u64 = 2000;
/// Microseconds from one turn to the next.
const STEP: u64 = 1_000_000 / RATE;
/// Microseconds of turns that were not taken and may be taken at once.
const BURST: u64 = 1_000_000;
/// Microseconds that anybody waits at most: less than any sender does.
const MOST: u64 = 1_000_000;

/// Whose turn is next.
#[derive(Debug)]
pub(super) struct RateLimit {
    begun: Instant,
    /// Microseconds after that.
    next: AtomicU64,
}

impl RateLimit {
    pub(super) const fn new(begun: Instant) -> Self {
        Self { begun, next: AtomicU64::new(0) }
    }

    /// Waits for a turn.
    pub(super) async fn acquire(&self) {
        let wait = self.wait(self.begun.elapsed());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }

    /// Takes a turn, so long after the beginning, and tells how long it is until then. When those that wait fill all of
    /// the time that anybody waits, no turn is taken.
    fn wait(&self, elapsed: Duration) -> Duration {
        // A burst ahead, so that it fits below the first moment.
        let now = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX / 2) + BURST;
        let turn = |next: u64| next.max(now - BURST);
        let taken = |next: u64| (turn(next) < now + MOST).then(|| turn(next) + STEP);
        match self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken) {
            Ok(next) => Duration::from_micros(turn(next).saturating_sub(now)),
            Err(_) => Duration::from_micros(MOST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(pace: &RateLimit, millis: u64, count: usize) -> Vec<u64> {
        (0..count).map(|_| pace.wait(Duration::from_millis(millis)).as_millis() as u64).collect()
    }

    #[test]
    fn a_few_are_answered_at_once_and_a_flood_in_turn() {
        let pace = RateLimit::new(Instant::now());
        // As many as of a second at once, at the very beginning too; then one every half millisecond.
        let first = waits(&pace, 5_000, 4_000);
        assert!(first[..2_000].iter().all(|wait| *wait == 0), "{:?}", &first[..10]);
        assert_eq!((first[2_002], first[3_000], first[3_999]), (1, 500, 999));
        // What has passed meanwhile counts.
        assert_eq!(waits(&pace, 5_500, 1), [500]);
        assert_eq!(waits(&pace, 60_000, 2_000), [0; 2_000]);
    }

    #[test]
    fn nobody_waits_longer_than_a_second_and_those_who_did_hold_up_nobody() {
        let pace = RateLimit::new(Instant::now());
        let all = waits(&pace, 0, 1_000_000);
        assert_eq!(all.iter().max(), Some(&1_000));
        // The turns that are taken are those of one second, and so are over then.
        assert_eq!(waits(&pace, 1_001, 1), [0]);
    }

    #[test]
    fn the_rate_is_kept_over_time() {
        let pace = RateLimit::new(Instant::now());
        // Ten thousand a second for ten seconds: how many had their turn within them.
        let mut answered = 0;
        for millis in 0..10_000_u64 {
            let turns = waits(&pace, millis, 10);
            answered += turns.iter().filter(|wait| **wait < 1_000 && millis + **wait < 10_000).count();
        }
        assert!((19_000..=22_500).contains(&answered), "{answered}");
    }
}
