//! Paymos.
