//! The queue of one destination: its claimed attempts, how many of them run, and how many more may be claimed.
//!
//! Queues share nothing, so that a slow destination delays no other.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::types::Timestamp;

/// An answer within this is fast: more may then be claimed than can run at once, so that the next ones are at hand
/// when these are done.
const FAST_ANSWER: Duration = Duration::from_millis(150);
/// So many times what can run at once.
const PREFETCH_FACTOR: usize = 8;

/// A queue of jobs for one destination.
#[derive(Debug)]
pub struct DestinationQueue<J>(Mutex<Inner<J>>);

#[derive(Debug)]
struct Inner<J> {
    ready: VecDeque<J>,
    workers: usize,
    fast: bool,
    retries_first: bool,
    tokens: f64,
    refilled_at: Option<Timestamp>,
}

/// What a destination allows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Attempts at the same time.
    pub max_in_flight: usize,
    /// Attempts a second.
    pub rate_per_s: Option<f64>,
}

impl Limits {
    /// Of a destination that was deleted just now.
    pub const LEAST: Self = Self { max_in_flight: 1, rate_per_s: None };
}

impl<J> Default for DestinationQueue<J> {
    fn default() -> Self {
        let ready = VecDeque::new();
        Self(Mutex::new(Inner {
            ready,
            workers: 0,
            fast: false,
            retries_first: false,
            tokens: 0.0,
            refilled_at: None,
        }))
    }
}

/// The queues of all destinations, by id.
#[derive(Debug)]
pub struct DestinationQueues<J>(Mutex<HashMap<i64, Arc<DestinationQueue<J>>>>);

impl<J> Default for DestinationQueues<J> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<J> DestinationQueues<J> {
    /// The queue of a destination; creates it when there is none.
    pub fn get(&self, destination_id: i64) -> Arc<DestinationQueue<J>> {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(queues.entry(destination_id).or_default())
    }

    /// Removes and returns the jobs of all queues that no worker has taken.
    pub fn drain(&self) -> Vec<J> {
        let queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.values().flat_map(|queue| queue.drain()).collect()
    }
}

impl<J> DestinationQueue<J> {
    fn lock(&self) -> MutexGuard<'_, Inner<J>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are claimed and not over.
    pub fn claimed(&self) -> usize {
        let inner = self.lock();
        inner.ready.len() + inner.workers
    }

    /// How many more may be claimed now.
    pub fn capacity(&self, limits: Limits, now: Timestamp) -> usize {
        let mut inner = self.lock();
        let ahead = if inner.fast { PREFETCH_FACTOR } else { 1 };
        let held = inner.ready.len() + inner.workers;
        let room = (limits.max_in_flight * ahead).saturating_sub(held);
        match limits.rate_per_s {
            None => room,
            Some(rate) => room.min(inner.refill(rate, now)),
        }
    }

    /// Whether it is a retry's turn, where there is room for one only.
    pub fn retries_first(&self) -> bool {
        self.lock().retries_first
    }

    /// Takes what was claimed; returns how many workers are to be started.
    pub fn push(&self, jobs: Vec<J>, limits: Limits) -> usize {
        let mut inner = self.lock();
        inner.spend_tokens(jobs.len(), limits);
        inner.retries_first = !inner.retries_first;
        inner.ready.extend(jobs);
        let more = limits.max_in_flight.saturating_sub(inner.workers).min(inner.ready.len());
        inner.workers += more;
        more
    }

    /// Counts attempts that are made outside of the queue: what is claimed for it waits the longer, a second's worth at
    /// most.
    pub fn charge_rate(&self, count: usize, limits: Limits) {
        self.lock().spend_tokens(count, limits);
    }

    /// The next job for a worker; none: the worker ends, and is no longer counted.
    pub fn pop(&self) -> Option<J> {
        let mut inner = self.lock();
        let job = inner.ready.pop_front();
        if job.is_none() {
            inner.workers = inner.workers.saturating_sub(1);
        }
        job
    }

    /// How long an attempt took.
    pub fn record_duration(&self, took: Duration) {
        self.lock().fast = took < FAST_ANSWER;
    }

    /// Everything that waits.
    pub fn drain(&self) -> Vec<J> {
        self.lock().ready.drain(..).collect()
    }
}

impl<J> Inner<J> {
    fn spend_tokens(&mut self, count: usize, limits: Limits) {
        if let Some(rate) = limits.rate_per_s {
            self.tokens = (self.tokens - count as f64).max(-rate.max(1.0));
        }
    }

    /// At most one second's worth gathers while nothing is due.
    fn refill(&mut self, rate: f64, now: Timestamp) -> usize {
        let most = rate.max(1.0);
        self.tokens = match self.refilled_at.replace(now) {
            None => most,
            Some(before) => {
                let seconds = (now.micros() - before.micros()).max(0) as f64 / 1e6;
                (self.tokens + seconds * rate).min(most)
            }
        };
        self.tokens as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_unix(0).plus_millis(millis)
    }

    #[test]
    fn a_queue_has_room_for_what_can_run_and_more_when_it_is_quick() {
        let limits = Limits { max_in_flight: 2, rate_per_s: None };
        let queue = DestinationQueue::default();
        assert_eq!(queue.capacity(limits, at(0)), 2);
        assert_eq!(queue.push(vec![1, 2, 3], limits), 2);
        assert_eq!(queue.capacity(limits, at(0)), 0);
        assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some(1), Some(2), Some(3)));
        queue.record_duration(Duration::from_millis(5));
        assert_eq!(queue.capacity(limits, at(0)), 14);
        queue.record_duration(Duration::from_secs(5));
        assert_eq!(queue.capacity(limits, at(0)), 0);
        assert_eq!((queue.pop(), queue.pop(), queue.claimed()), (None, None, 0));
    }

    #[test]
    fn a_rate_lets_out_a_seconds_worth_and_then_so_many_a_second() {
        let limits = Limits { max_in_flight: 100, rate_per_s: Some(5.0) };
        let queue = DestinationQueue::default();
        assert_eq!(queue.capacity(limits, at(0)), 5);
        queue.push(vec![(); 5], limits);
        assert_eq!(queue.capacity(limits, at(0)), 0);
        assert_eq!(queue.capacity(limits, at(100)), 0);
        assert_eq!(queue.capacity(limits, at(200)), 1);
        assert_eq!(queue.capacity(limits, at(100)), 1);
        assert_eq!(queue.capacity(limits, at(60_000)), 5);
        let slow = Limits { max_in_flight: 100, rate_per_s: Some(0.1) };
        let queue = DestinationQueue::default();
        assert_eq!(queue.capacity(slow, at(0)), 1);
        queue.push(vec![()], slow);
        assert_eq!((queue.capacity(slow, at(9_900)), queue.capacity(slow, at(10_100))), (0, 1));
    }

    #[test]
    fn what_is_made_beside_the_queue_counts_for_its_rate() {
        let limits = Limits { max_in_flight: 100, rate_per_s: Some(4.0) };
        let queue = DestinationQueue::default();
        assert_eq!(queue.capacity(limits, at(0)), 4);
        queue.push(vec![(); 4], limits);
        queue.charge_rate(2, limits);
        assert_eq!((queue.capacity(limits, at(500)), queue.capacity(limits, at(1000))), (0, 2));
        queue.charge_rate(1000, limits);
        assert_eq!((queue.capacity(limits, at(2000)), queue.capacity(limits, at(2250))), (0, 1));
        queue.charge_rate(1000, Limits { rate_per_s: None, ..limits });
        assert_eq!(queue.capacity(limits, at(2250)), 1);
    }

    #[test]
    fn more_workers_start_only_while_there_is_room() {
        let limits = Limits { max_in_flight: 2, rate_per_s: None };
        let queue = DestinationQueue::default();
        assert_eq!(queue.push(vec![1], limits), 1);
        assert_eq!(queue.push(vec![2, 3], limits), 1);
        assert_eq!(queue.push(vec![4], limits), 0);
        assert_eq!(queue.drain(), [1, 2, 3, 4]);
    }
}
