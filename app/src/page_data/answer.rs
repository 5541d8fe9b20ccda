//! What pages get from the server: one type for all of them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::alerts::AlertsPage;
use crate::audit::AuditPage;
use crate::deliveries::{DeliveriesPage, DeliveryPage};
use crate::destinations::DestinationsPage;
use crate::error::AppError;
use crate::events::{EventPage, EventsPage};
use crate::reconciliation::ReconciliationPage;
use crate::rejections::{RejectionPage, RejectionsPage};
use crate::resends::{PlanPage, ResendPage, ResendsPage};
use crate::secrets::SecretsPage;
use crate::sources::SourcesPage;
use crate::types::Timestamp;
use crate::ui::list_query::ListState;

/// What it gets. As JSON, an object of one field: the name, and in it the page.
#[derive(Clone, Serialize)]
pub enum Answer {
    /// To [`Question::Deliveries`].
    Deliveries(DeliveriesPage),
    /// To [`Question::Delivery`].
    Delivery(Box<DeliveryPage>),
    /// To [`Question::Audit`].
    Audit(AuditPage),
    /// To [`Question::Events`].
    Events(EventsPage),
    /// To [`Question::Event`].
    Event(Box<EventPage>),
    /// To [`Question::Reconciliation`].
    Reconciliation(ReconciliationPage),
    /// To [`Question::Rejections`].
    Rejections(RejectionsPage),
    /// To [`Question::Rejection`].
    Rejection(Box<RejectionPage>),
    /// To [`Question::Alerts`].
    Alerts(AlertsPage),
    /// To [`Question::Secrets`].
    Secrets(SecretsPage),
    /// To [`Question::Sources`].
    Sources(SourcesPage),
    /// To [`Question::Destinations`].
    Destinations(DestinationsPage),
    /// To [`Question::Resends`].
    Resends(ResendsPage),
    /// To [`Question::Resend`].
    Resend(Box<ResendPage>),
    /// To [`Question::ResendPlan`].
    ResendPlan(PlanPage),
}

impl Answer {
    /// Reads a page, as an answer of this name.
    ///
    /// # Errors
    /// It is another page.
    pub fn of<T: DeserializeOwned>(page: &str, answer: fn(T) -> Self) -> Result<Self, AppError> {
        serde_json::from_slice(page.as_bytes()).map(answer).map_err(|_| AppError::Transport)
    }

    /// The server's time when it was read.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::Deliveries(page) => page.now,
            Self::Delivery(page) => page.now,
            Self::Events(page) => page.now,
            Self::Audit(page) => page.now,
            Self::Event(page) => page.now,
            Self::Reconciliation(page) => page.now,
            Self::Rejections(page) => page.now,
            Self::Rejection(page) => page.now,
            Self::Alerts(page) => page.now,
            Self::Secrets(page) => page.now,
            Self::Sources(page) => page.now,
            Self::Destinations(page) => page.now,
            Self::Resends(page) => page.now,
            Self::Resend(page) => page.now,
            Self::ResendPlan(page) => page.now,
        }
    }
}

impl Answer {
    /// The rows of a list that renews in place; none for everything else.
    pub fn rows(&self) -> Option<ListState> {
        match self {
            Self::Deliveries(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Events(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Rejections(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            Self::Alerts(page) => Some(ListState {
                ids: page.page.items.iter().map(|row| row.id).collect(),
                next: page.page.next_cursor.clone(),
                newer: page.newer,
            }),
            _ => None,
        }
    }
}
