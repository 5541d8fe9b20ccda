//! Counts the statements that run, by the log that the database driver writes of each.

use std::sync::atomic::{AtomicU64, Ordering};

use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

static STATEMENTS: AtomicU64 = AtomicU64::new(0);

struct Counter;

impl<S: Subscriber> Layer<S> for Counter {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        STATEMENTS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Begins to count.
pub fn install() {
    let subscriber = tracing_subscriber::registry().with(Counter);
    tracing::subscriber::set_global_default(subscriber).unwrap();
}

/// How many since the last time.
pub fn take() -> u64 {
    STATEMENTS.swap(0, Ordering::Relaxed)
}
