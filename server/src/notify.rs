//! Wakes workers sooner than their next poll. Nothing depends on it: polling is always behind it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

/// One bell for each worker.
#[derive(Debug, Clone, Default)]
pub struct Notifiers {
    /// An event was stored.
    pub ledger: Notifier,
    /// A delivery became due, or a resend was asked for.
    pub deliverer: Notifier,
    /// A resend of many was asked for.
    pub resender: Notifier,
}

/// A bell that one worker listens to and many ring.
#[derive(Debug, Clone, Default)]
pub struct Notifier(Arc<Notify>);

impl Notifier {
    /// Rings: who waits goes on, or the next wait ends at once.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a ring, so long at most.
    pub async fn wait(&self, at_most: Duration) {
        let _ = tokio::time::timeout(at_most, self.0.notified()).await;
    }
}
