//! The one place that asks what time it is. Everything else is given a clock, so that tests can move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use app::types::Timestamp;

/// Tells the time.
pub trait Clock: std::fmt::Debug + Send + Sync + 'static {
    /// The moment now.
    fn now(&self) -> Timestamp;
}

/// A clock that many hold.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(chrono::Utc::now().timestamp_micros())
    }
}

/// A clock that stands still until it is moved; for tests.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Standing at this moment.
    pub fn at(now: Timestamp) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(now.micros())))
    }

    /// Moves it, forwards or back.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.micros(), Ordering::SeqCst);
    }

    /// Moves it on by so many seconds.
    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}
