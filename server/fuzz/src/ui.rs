//! How what people typed is written into queries.

#[path = "../../../app/src/ui/query.rs"]
pub mod query;
