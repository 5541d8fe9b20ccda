//! What an attempt does to its delivery.
