//! Retention: deletes what is older than it says, in small batches.
