//! How many attempts of resends are asked for next: few at the same time, so that single resends always find room, and
//! of each destination at most half of what it takes, so that first attempts do.

use std::collections::HashMap;

use app::types::Timestamp;

use crate::store::resend::queue::RunRow;

/// Attempts of all resends at the same time: fewer than the deliverer makes by hand at once.
pub const WINDOW: i64 = 48;
/// Attempts of one destination at the same time.
const MOST: i64 = 16;

/// Who is limited to so many a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum LimitKey {
    Resend(i64),
    Destination(i64),
}

/// Counts what was asked for, by the second.
#[derive(Debug, Default)]
pub struct RateLimit {
    buckets: HashMap<LimitKey, Bucket>,
    turn: usize,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    at: Timestamp,
}

impl Bucket {
    fn fill(&mut self, rate: f64, now: Timestamp) -> i64 {
        let passed = (now.micros() - self.at.micros()).max(0) as f64 / 1_000_000.0;
        self.tokens = (self.tokens + passed * rate).min(rate.max(1.0));
        self.at = now;
        self.tokens as i64
    }
}

impl RateLimit {
    /// What each lane may ask for now, where `outstanding` are asked for by destination. In turns, so that the first
    /// lane does not take all the room.
    pub fn share(
        &mut self,
        lanes: &[RunRow],
        outstanding: &HashMap<i64, i64>,
        window: i64,
        now: Timestamp,
    ) -> Vec<i64> {
        let mut free = window - outstanding.values().sum::<i64>();
        let mut room: HashMap<i64, i64> = HashMap::new();
        let mut tokens: HashMap<LimitKey, i64> = HashMap::new();
        for lane in lanes {
            let most = (lane.max_in_flight / 2).clamp(1, MOST.max(window / 3));
            let out = outstanding.get(&lane.destination_id).copied().unwrap_or_default();
            room.entry(lane.destination_id).or_insert(most - out);
            for (payer, rate) in limit_keys(lane) {
                let bucket = self.buckets.entry(payer).or_insert(Bucket { tokens: 1.0, at: now });
                tokens.insert(payer, bucket.fill(rate, now));
            }
        }
        self.buckets.retain(|payer, _| tokens.contains_key(payer));
        let mut shares = vec![0; lanes.len()];
        self.turn = self.turn.wrapping_add(1);
        let mut gave = true;
        while free > 0 && gave {
            gave = false;
            for step in 0..lanes.len() {
                let index = (step + self.turn) % lanes.len();
                let lane = &lanes[index];
                let room = room.entry(lane.destination_id).or_default();
                let may_pay =
                    limit_keys(lane).all(|(payer, _)| tokens.get(&payer).is_some_and(|tokens| *tokens > 0));
                if free > 0 && *room > 0 && shares[index] < lane.waiting && may_pay {
                    shares[index] += 1;
                    free -= 1;
                    *room -= 1;
                    limit_keys(lane).for_each(|(payer, _)| *tokens.entry(payer).or_default() -= 1);
                    gave = true;
                }
            }
        }
        shares
    }

    /// So many of a lane were asked for.
    pub fn spent(&mut self, lane: &RunRow, count: i64) {
        for (payer, _) in limit_keys(lane) {
            if let Some(bucket) = self.buckets.get_mut(&payer) {
                bucket.tokens = (bucket.tokens - count as f64).max(0.0);
            }
        }
    }
}

/// The limits of a lane: the resend's own, and half of the destination's.
fn limit_keys(lane: &RunRow) -> impl Iterator<Item = (LimitKey, f64)> {
    let resend = lane.pace.map(|rate| (LimitKey::Resend(lane.resend_id), rate));
    let destination = lane.rate_per_s.map(|rate| (LimitKey::Destination(lane.destination_id), rate / 2.0));
    resend.into_iter().chain(destination)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_row(resend_id: i64, destination_id: i64, waiting: i64) -> RunRow {
        RunRow { resend_id, destination_id, waiting, max_in_flight: 16, rate_per_s: None, pace: None }
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000 + millis * 1000)
    }

    #[test]
    fn lanes_share_the_window_and_leave_half_of_a_destination_free() {
        let none = HashMap::new();
        let lanes = [run_row(1, 1, 1000), run_row(1, 2, 1000), run_row(2, 2, 3)];
        let shares = RateLimit::default().share(&lanes, &none, WINDOW, at(0));
        assert_eq!((shares[0], shares[1] + shares[2]), (8, 8));
        assert!(shares[1] >= 3 && shares[2] == 3, "{shares:?}");
        let many: Vec<_> = (0..100).map(|n| run_row(1, n, 1000)).collect();
        let shares = RateLimit::default().share(&many, &none, WINDOW, at(0));
        assert_eq!(shares.iter().sum::<i64>(), WINDOW);
        assert!(shares.iter().all(|share| *share <= 1));
    }

    #[test]
    fn a_destination_that_hangs_keeps_its_own_room_only() {
        let lanes = [run_row(1, 1, 1000), run_row(1, 2, 1000)];
        let shares = RateLimit::default().share(&lanes, &HashMap::from([(1, 8)]), WINDOW, at(0));
        assert_eq!(shares, [0, 8]);
        assert_eq!(RateLimit::default().share(&lanes, &HashMap::from([(9, WINDOW)]), WINDOW, at(0)), [0, 0]);
    }

    #[test]
    fn a_pace_is_kept_over_time() {
        let lanes = [RunRow { pace: Some(2.0), ..run_row(1, 1, 1000) }];
        let mut pace = RateLimit::default();
        let mut made = 0;
        for turn in 0..=100 {
            let share = pace.share(&lanes, &HashMap::new(), WINDOW, at(turn * 100))[0];
            pace.spent(&lanes[0], share);
            made += share;
        }
        assert_eq!(made, 21, "one at once, and two a second for ten seconds");
    }

    #[test]
    fn half_of_the_rate_of_a_destination_is_left_for_the_ladder() {
        let lanes = [RunRow { rate_per_s: Some(4.0), ..run_row(1, 1, 1000) }];
        let mut pace = RateLimit::default();
        let mut made = 0;
        for turn in 0..=20 {
            let share = pace.share(&lanes, &HashMap::new(), WINDOW, at(turn * 500))[0];
            pace.spent(&lanes[0], share);
            made += share;
        }
        assert_eq!(made, 21);
    }
}
