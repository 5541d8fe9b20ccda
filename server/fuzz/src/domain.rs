//! The rules of which bytes from outside are the input.

#[path = "../../src/domain/json.rs"]
pub mod json;
#[path = "../../src/domain/signature/mod.rs"]
pub mod signature;
