//! The values that both halves share. Every value with a rule is a type whose parser is the only way in.

mod asked;
mod body;
mod money;
mod page;
mod slug;
mod timestamp;
mod typed;
mod words;

pub use asked::{Asked, Choice, Field, Kind};
pub use body::ShownBody;
pub use money::group_digits;
pub use page::{Cursor, Limit, Page, PageRequest};
pub use slug::{Slug, SlugError};
pub use timestamp::{Timestamp, TimestampError};
pub use typed::{Pasted, Typed};
pub use words::{
    AlertKind, AlertState, AttemptError, BodyOddity, DeliveryState, DifferenceKind, DifferenceState, Format,
    Mode, NotKept, Provider, RejectionReason, ResendState, ReverifyStatus, Role, RunState, SignatureOrder,
    Trigger, UnknownWord,
};

/// Our number for an event; not the provider's id of it.
pub type EventNumber = i64;
/// The number of a delivery, sent to the destination as `Acuse-Delivery`.
pub type DeliveryNumber = i64;
