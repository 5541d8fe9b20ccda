//! What Paymos sends.

#[path = "../../src/provider/paymos/envelope.rs"]
pub(crate) mod envelope;
