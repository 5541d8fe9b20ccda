//! What the server answers over HTTP.

pub mod assets;
