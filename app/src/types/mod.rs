//! The values that both halves share. Every value with a rule is a type whose parser is the only way in.

mod body;
mod form_input;
mod form_schema;
mod money;
mod page;
pub mod query;
mod slug;
mod string_enum;
mod timestamp;

pub use body::ShownBody;
pub use form_input::{FormInput, Pasted};
pub use form_schema::{Choice, Field, FormSchema, Kind};
pub use money::group_digits;
pub use page::{Cursor, Limit, Page, PageRequest};
pub use slug::{Slug, SlugError};
pub use string_enum::{
    AlertKind, AlertState, AttemptError, BodyOddity, DeliveryState, DifferenceKind, DifferenceState, Format,
    Mode, NotKept, Provider, RejectionReason, ResendState, ReverifyStatus, Role, RunState, SignatureOrder,
    Trigger, UnknownValue,
};
pub use timestamp::{Timestamp, TimestampError};

/// Our number for an event; not the provider's id of it.
pub type EventNumber = i64;
/// The number of a delivery, sent to the destination as `Acuse-Delivery`.
pub type DeliveryNumber = i64;
