//! Buffers the outcomes of attempts and writes them to the database, many in one transaction.

mod buffer;
mod record;

pub use self::buffer::{OutcomeBuffer, WriteResult};
