//! Counts the round trips to the database: statements, by the log that the driver writes of each, and the beginnings and
//! ends of transactions.

use std::sync::atomic::{AtomicU64, Ordering};

use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

static TRIPS: AtomicU64 = AtomicU64::new(0);

struct Counter;

impl<S: Subscriber> Layer<S> for Counter {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        matches!(metadata.target(), "sqlx::query" | "acuse::transaction")
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        // A transaction is begun and committed.
        let trips = if event.metadata().target() == "sqlx::query" { 1 } else { 2 };
        TRIPS.fetch_add(trips, Ordering::Relaxed);
    }
}

/// Begins to count.
pub fn install() {
    let subscriber = tracing_subscriber::registry().with(Counter);
    tracing::subscriber::set_global_default(subscriber).unwrap();
}

/// How many since the last time.
pub fn take() -> u64 {
    TRIPS.swap(0, Ordering::Relaxed)
}
