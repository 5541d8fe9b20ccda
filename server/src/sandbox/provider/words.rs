//! The words of the provider's API that the sandbox speaks.

use serde::{Deserialize, Serialize};

/// How an invoice stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the provider's own words")]
pub enum Status {
    AwaitingClient,
    AwaitingPayment,
    Confirming,
    UnderpaidWaiting,
    Paid,
    PaidOver,
    Underpaid,
    Expired,
    Cancelled,
}

impl Status {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AwaitingClient => "awaiting_client",
            Self::AwaitingPayment => "awaiting_payment",
            Self::Confirming => "confirming",
            Self::UnderpaidWaiting => "underpaid_waiting",
            Self::Paid => "paid",
            Self::PaidOver => "paid_over",
            Self::Underpaid => "underpaid",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether an invoice stays there.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Paid | Self::PaidOver | Self::Underpaid | Self::Expired | Self::Cancelled)
    }
}

/// What a simulated payment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the provider's own words")]
pub enum Stage {
    Paid,
    Overpaid,
    Underpay,
    Cancel,
    PaidLate,
}

/// What goes wrong with a webhook on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It is never sent.
    Drop,
    /// Something between the two changes its bytes: the signature does not fit, at any attempt.
    Alter,
    /// It is sent twice at the same time.
    Duplicate,
    /// It is sent after the next one of its invoice.
    Reorder,
    /// It is sent some seconds later.
    Delay,
}
