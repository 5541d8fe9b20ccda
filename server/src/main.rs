//! `acuse`.
fn main() {}
