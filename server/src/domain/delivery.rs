//! What attempts, and people, do to a delivery.
//!
//! ```text
//!            2xx                    a manual 2xx, from anywhere
//! pending ─────────▶ delivered ◀───────────────────────────────
//!    │ ▲ └─────────▶ failed        the last rung failed
//!    ▼ │
//!   held                           any state ──▶ cancelled, when the destination is deleted
//! ```

use app::types::{AttemptError, DeliveryState, Timestamp};

use super::ladder::Ladder;

/// The part of a delivery that moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// How it stands.
    pub state: DeliveryState,
    /// Scheduled attempts made.
    pub attempts: u32,
    /// Scheduled attempts that its ladder had when it was made.
    pub max_attempts: u32,
    /// When the first scheduled attempt started.
    pub first_attempt_at: Option<Timestamp>,
    /// When the next one is due; only while `pending`, and always then.
    pub next_attempt_at: Option<Timestamp>,
    /// When a destination took it; only when `delivered`, and always then.
    pub delivered_at: Option<Timestamp>,
    /// Status of the last attempt that got an answer.
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    pub last_error: Option<AttemptError>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// When it started.
    pub started_at: Timestamp,
    /// When it was over.
    pub ended_at: Timestamp,
    /// The answer's status.
    pub status: Option<u16>,
    /// Why it failed; none: it did not.
    pub error: Option<AttemptError>,
    /// When the answer asked to be tried again.
    pub retry_after: Option<Timestamp>,
    /// Its part of the ladder's jitter, up to `ladder::WHOLE`: which one is chance.
    pub jitter: u32,
}

impl Delivery {
    /// A new one: its first attempt is due at once, or when its destination is resumed.
    pub const fn new(max_attempts: u32, paused: bool, now: Timestamp) -> Self {
        Self {
            state: if paused { DeliveryState::Held } else { DeliveryState::Pending },
            attempts: 0,
            max_attempts,
            first_attempt_at: None,
            next_attempt_at: if paused { None } else { Some(now) },
            delivered_at: None,
            last_status: None,
            last_error: None,
        }
    }

    /// After the scheduled attempt `attempts + 1`. It may have been held, cancelled, or delivered by hand while the
    /// attempt ran: a rung is then used up, and only an answer of 2xx still moves it.
    pub fn after_scheduled(&self, ending: &Ending, ladder: &Ladder) -> Self {
        let attempts = self.attempts.saturating_add(1).min(self.max_attempts);
        let counted = Self {
            attempts,
            first_attempt_at: self.first_attempt_at.or(Some(ending.started_at)),
            ..self.clone()
        };
        if ending.error.is_none() {
            return counted.delivered(ending);
        }
        if !matches!(self.state, DeliveryState::Pending | DeliveryState::Held) {
            return counted;
        }
        let next = (attempts < self.max_attempts)
            .then(|| ladder.next(attempts, ending.started_at, ending.retry_after, ending.jitter))
            .flatten();
        let state = match (next, self.state) {
            (None, _) => DeliveryState::Failed,
            (Some(_), state) => state,
        };
        Self {
            state,
            next_attempt_at: next.filter(|_| state == DeliveryState::Pending),
            last_status: ending.status.or(self.last_status),
            last_error: ending.error,
            ..counted
        }
    }

    /// After a manual attempt: a success drops the rest of the ladder, a failure changes nothing.
    pub fn after_manual(&self, ending: &Ending) -> Self {
        if ending.error.is_some() { self.clone() } else { self.clone().delivered(ending) }
    }

    fn delivered(self, ending: &Ending) -> Self {
        Self {
            state: DeliveryState::Delivered,
            next_attempt_at: None,
            delivered_at: self.delivered_at.or(Some(ending.ended_at)),
            last_status: ending.status.or(self.last_status),
            last_error: None,
            ..self
        }
    }

    /// Its destination was paused.
    pub fn held(&self) -> Self {
        match self.state {
            DeliveryState::Pending => {
                Self { state: DeliveryState::Held, next_attempt_at: None, ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    /// Its destination was resumed: what was held is due now.
    pub fn released(&self, now: Timestamp) -> Self {
        match self.state {
            DeliveryState::Held => {
                Self { state: DeliveryState::Pending, next_attempt_at: Some(now), ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    /// Its destination was deleted. What was delivered or failed stays what it is.
    pub fn cancelled(&self) -> Self {
        match self.state {
            DeliveryState::Pending | DeliveryState::Held => {
                Self { state: DeliveryState::Cancelled, next_attempt_at: None, ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use DeliveryState::{Cancelled, Delivered, Failed, Held, Pending};
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix(seconds)
    }

    fn ending(error: Option<AttemptError>) -> Ending {
        let status = if error.is_some() { 503 } else { 200 };
        Ending {
            started_at: at(1000),
            ended_at: at(1001),
            status: Some(status),
            error,
            retry_after: None,
            jitter: 0,
        }
    }

    fn in_state(state: DeliveryState, attempts: u32) -> Delivery {
        Delivery {
            state,
            attempts,
            next_attempt_at: (state == Pending).then(|| at(1000)),
            delivered_at: (state == Delivered).then(|| at(900)),
            ..Delivery::new(11, false, at(0))
        }
    }

    const REFUSED: Option<AttemptError> = Some(AttemptError::Status);

    #[test]
    fn each_event_takes_each_state_where_the_table_says() {
        let ladder = Ladder::default();
        type Step = Box<dyn Fn(&Delivery) -> Delivery>;
        let scheduled = |error| -> Step {
            let ladder = ladder.clone();
            Box::new(move |d| d.after_scheduled(&ending(error), &ladder))
        };
        let steps: [(&str, Step, [DeliveryState; 5]); 8] = [
            //                             from Pending    Failed     Held       Delivered  Cancelled
            ("scheduled success", scheduled(None), [Delivered, Delivered, Delivered, Delivered, Delivered]),
            ("scheduled failure", scheduled(REFUSED), [Pending, Failed, Held, Delivered, Cancelled]),
            ("manual success", Box::new(|d| d.after_manual(&ending(None))), [Delivered; 5]),
            (
                "manual failure",
                Box::new(|d| d.after_manual(&ending(REFUSED))),
                [Pending, Failed, Held, Delivered, Cancelled],
            ),
            ("pause", Box::new(Delivery::held), [Held, Failed, Held, Delivered, Cancelled]),
            ("resume", Box::new(|d| d.released(at(5))), [Pending, Failed, Pending, Delivered, Cancelled]),
            ("deletion", Box::new(Delivery::cancelled), [Cancelled, Failed, Cancelled, Delivered, Cancelled]),
            ("nothing", Box::new(Delivery::clone), [Pending, Failed, Held, Delivered, Cancelled]),
        ];
        for (name, step, expected) in steps {
            for (state, expected) in DeliveryState::ALL.iter().zip(expected) {
                assert_eq!(step(&in_state(*state, 3)).state, expected, "{name} from {state}");
            }
        }
    }

    #[test]
    fn a_failed_attempt_goes_to_the_next_rung_and_the_last_one_to_failed() {
        let ladder = Ladder::default();
        let first = in_state(Pending, 0).after_scheduled(&ending(REFUSED), &ladder);
        assert_eq!((first.attempts, first.next_attempt_at), (1, Some(at(1060))));
        assert_eq!((first.last_status, first.last_error), (Some(503), REFUSED));
        assert_eq!(first.first_attempt_at, Some(at(1000)));
        let last = in_state(Pending, 10).after_scheduled(&ending(REFUSED), &ladder);
        assert_eq!((last.state, last.attempts, last.next_attempt_at), (Failed, 11, None));
        let held = in_state(Held, 10).after_scheduled(&ending(REFUSED), &ladder);
        assert_eq!(held.state, Failed);
    }

    #[test]
    fn an_attempt_without_an_answer_keeps_the_status_of_the_one_before() {
        let refused = in_state(Pending, 0).after_scheduled(&ending(REFUSED), &Ladder::default());
        let silent = Ending { status: None, error: Some(AttemptError::Timeout), ..ending(None) };
        let silent = refused.after_scheduled(&silent, &Ladder::default());
        assert_eq!((silent.last_status, silent.last_error), (Some(503), Some(AttemptError::Timeout)));
    }

    #[test]
    fn a_manual_failure_changes_nothing_and_a_manual_success_leaves_the_rungs_alone() {
        for state in DeliveryState::ALL {
            let before = in_state(*state, 4);
            assert_eq!(before.after_manual(&ending(REFUSED)), before, "{state}");
            let after = before.after_manual(&ending(None));
            assert_eq!((after.attempts, after.next_attempt_at, after.last_error), (4, None, None), "{state}");
        }
    }

    #[test]
    fn a_shorter_ladder_ends_sooner_and_a_longer_one_not_later() {
        let short = Ladder::parse(&["1m"]).unwrap();
        assert_eq!(in_state(Pending, 1).after_scheduled(&ending(REFUSED), &short).state, Failed);
        let made_short = Delivery { max_attempts: 2, ..in_state(Pending, 1) };
        assert_eq!(made_short.after_scheduled(&ending(REFUSED), &Ladder::default()).state, Failed);
    }

    #[derive(Debug, Clone, Copy)]
    enum Step {
        Scheduled(bool, Option<i64>),
        Manual(bool),
        Hold,
        Release,
        Cancel,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (any::<bool>(), proptest::option::of(-100_000..100_000_i64))
                .prop_map(|(ok, asked)| Step::Scheduled(ok, asked)),
            any::<bool>().prop_map(Step::Manual),
            Just(Step::Hold),
            Just(Step::Release),
            Just(Step::Cancel),
        ]
    }

    proptest! {
        #[test]
        fn what_the_table_in_the_database_checks_always_holds(
            steps in proptest::collection::vec(step(), 0..40),
            gaps in 0..6_usize,
            paused in any::<bool>(),
        ) {
            let ladder = Ladder::parse(&vec!["1m"; gaps]).unwrap();
            let mut delivery = Delivery::new(ladder.attempts(), paused, at(0));
            for (second, step) in (1_i64..).zip(steps) {
                let before = delivery.clone();
                let with = |ok: bool, asked: Option<i64>| Ending {
                    started_at: at(second),
                    ended_at: at(second),
                    retry_after: asked.map(at),
                    ..ending(if ok { None } else { REFUSED })
                };
                delivery = match step {
                    Step::Scheduled(ok, asked) if before.state == Pending => {
                        before.after_scheduled(&with(ok, asked), &ladder)
                    }
                    Step::Scheduled(..) => before.clone(),
                    Step::Manual(ok) => before.after_manual(&with(ok, None)),
                    Step::Hold => before.held(),
                    Step::Release => before.released(at(second)),
                    Step::Cancel => before.cancelled(),
                };
                prop_assert_eq!(delivery.state == Pending, delivery.next_attempt_at.is_some());
                prop_assert_eq!(delivery.state == Delivered, delivery.delivered_at.is_some());
                prop_assert!(delivery.attempts <= delivery.max_attempts);
                prop_assert!(delivery.attempts >= before.attempts);
                prop_assert!(before.state != Delivered || delivery.state == Delivered);
                prop_assert!(delivery.state != Pending || delivery.attempts < delivery.max_attempts);
                if let (Step::Scheduled(false, _), Some(next)) = (step, delivery.next_attempt_at)
                    && before.state == Pending
                {
                    prop_assert!(next >= at(second + 60) && next <= at(second + 120));
                }
            }
        }
    }
}
