//! The ladder of one delivery as its page draws it: what was made, and when the rest is due.

use app::deliveries::{Attempt, DeliverySummary, Rung};
use app::types::Timestamp;

use super::ladder::Ladder;

/// All rungs. A made one has the time of its attempt; those to come hang on the next one, which a `Retry-After` or a
/// pause may have moved.
pub fn rungs(delivery: &DeliverySummary, attempts: &[Attempt], ladder: &Ladder) -> Vec<Rung> {
    let started =
        |n| attempts.iter().find(|attempt| attempt.n == Some(n)).and_then(|attempt| attempt.started_at);
    let first = started(1).unwrap_or(delivery.received_at);
    let (anchor, at) = anchor(delivery, started(delivery.attempts), first);
    (1..=delivery.max_attempts)
        .map(|n| {
            let done = n <= delivery.attempts;
            let planned = || {
                let (base, from) = if done { (first, 1) } else { (at, anchor) };
                base.plus_seconds(ladder.offset(n) - ladder.offset(from))
            };
            Rung { n, due_at: started(n).filter(|_| done).unwrap_or_else(planned), done }
        })
        .collect()
}

/// The rung whose time is known best, from which the later ones are counted.
fn anchor(delivery: &DeliverySummary, last: Option<Timestamp>, first: Timestamp) -> (u32, Timestamp) {
    match (delivery.next_attempt_at, last) {
        (Some(next), _) => (delivery.attempts + 1, next),
        (None, Some(last)) => (delivery.attempts, last),
        (None, None) => (1, first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::types::{DeliveryState, Trigger};

    fn delivery(attempts: u32, next: Option<i64>) -> DeliverySummary {
        DeliverySummary {
            id: 1,
            event_id: "evt_1".into(),
            event: 1,
            r#type: "invoice.paid".into(),
            resource_id: None,
            source: "shop".parse().unwrap(),
            destination: "erp".parse().unwrap(),
            state: if next.is_some() { DeliveryState::Pending } else { DeliveryState::Failed },
            attempts,
            max_attempts: 4,
            next_attempt_at: next.map(Timestamp::from_unix),
            last_status: None,
            last_error: None,
            received_at: Timestamp::from_unix(1000),
            delivered_at: None,
        }
    }

    fn attempt(n: u32, at: i64) -> Attempt {
        Attempt {
            id: i64::from(n),
            n: Some(n),
            trigger: Trigger::Scheduled,
            actor: None,
            reason: None,
            queued_at: Timestamp::from_unix(at),
            started_at: Some(Timestamp::from_unix(at)),
            duration_ms: Some(1),
            latency: None,
            status: Some(500),
            error: None,
            detail: None,
            url: None,
            request_headers: Vec::new(),
            response_headers: Vec::new(),
            response_body: None,
            response_truncated: false,
            may_repeat: false,
        }
    }

    fn drawn(delivery: &DeliverySummary, attempts: &[Attempt]) -> Vec<(i64, bool)> {
        let ladder = Ladder::parse(&["1m", "2m", "4m"]).unwrap();
        rungs(delivery, attempts, &ladder).iter().map(|rung| (rung.due_at.unix(), rung.done)).collect()
    }

    #[test]
    fn before_the_first_attempt_the_whole_ladder_is_planned() {
        let expected = [(1005, false), (1065, false), (1185, false), (1425, false)];
        assert_eq!(drawn(&delivery(0, Some(1005)), &[]), expected);
    }

    #[test]
    fn made_rungs_have_their_real_times_and_the_rest_hangs_on_the_next() {
        let attempts = [attempt(1, 1001), attempt(2, 1063)];
        // A Retry-After has put the third one 100 s later.
        let expected = [(1001, true), (1063, true), (1283, false), (1523, false)];
        assert_eq!(drawn(&delivery(2, Some(1283)), &attempts), expected);
    }

    #[test]
    fn without_a_next_one_the_rest_hangs_on_the_last() {
        let expected = [(1001, true), (1061, false), (1181, false), (1421, false)];
        assert_eq!(drawn(&delivery(1, None), &[attempt(1, 1001)]), expected);
        assert_eq!(drawn(&delivery(0, None), &[])[0], (1000, false));
    }
}
