//! Every statement, once for both databases, beside the function that runs it.

pub mod destination;
pub mod secret;
pub mod source;
pub mod token;
