//! The receiver: caps, verifies, and stores before it answers.
