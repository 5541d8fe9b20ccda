//! The ledger step: one transaction makes the deliveries of an event and marks it processed.
