//! Signatures over raw bytes: verifying what providers send, signing what destinations read.
