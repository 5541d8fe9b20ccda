//! What a reconciliation compares and what it finds.

use app::types::{DeliveryState, DifferenceKind};

/// An event of a resource that no other one of it is newer than.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestEvent {
    /// Our number of it.
    pub id: i64,
    /// The provider's name of it, such as `invoice.paid`.
    pub r#type: String,
    /// The status that it tells.
    pub status: Option<String>,
}

impl NewestEvent {
    /// The status that it tells, by its body or else by its name.
    pub fn status(&self) -> &str {
        self.status.as_deref().unwrap_or_else(|| self.r#type.strip_prefix("invoice.").unwrap_or(&self.r#type))
    }
}

/// A delivery that its destination never took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndeliveredDelivery {
    /// Its number.
    pub id: i64,
    /// How it stands.
    pub state: DeliveryState,
    /// Where it should have gone.
    pub destination: String,
}

/// A disagreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundDifference {
    /// Of which resource.
    pub resource_id: String,
    /// What disagrees.
    pub kind: DifferenceKind,
    /// What we know.
    pub ours: Option<String>,
    /// What they say.
    pub theirs: Option<String>,
    /// As they write it.
    pub amount: Option<String>,
    /// Of the amount.
    pub currency: Option<String>,
    /// The merchant's order.
    pub order_ref: Option<String>,
    /// The event that it is about.
    pub event_id: Option<i64>,
    /// The delivery that it is about.
    pub delivery_id: Option<i64>,
}
