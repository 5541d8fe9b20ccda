//! Reconciliation: what the provider says against what we have.
