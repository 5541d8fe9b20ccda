//! What the server does for the deliveries' pages and API.

use std::sync::Arc;

use app::context::Viewer;
use app::deliveries::{
    Deliveries, DeliveriesPage, DeliveryDetail, DeliveryFilter, DeliveryPage, DeliverySummary, StateCount,
};
use app::error::{AppError, Rule};
use app::types::{DeliveryNumber, EventNumber, Page, PageRequest, Slug};
use serde_json::json;

use super::resends::good_reason;
use super::shared::{Answers, Rows};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::directory::Directory;
use crate::domain::audit::{Entry, action};
use crate::domain::delivery::Delivery;
use crate::domain::rungs::rungs;
use crate::error::Failure;
use crate::store::ledger::{self, NewDelivery};
use crate::store::{attempt, audit, delivery_detail, delivery_list, destination, event_list};
use crate::wake::Wakes;

/// The first page, of as many rows as are counted.
pub(super) fn newest() -> PageRequest {
    PageRequest { cursor: None, limit: "100".parse().unwrap_or_default() }
}

/// A filter as a key.
pub(super) fn key(filter: &impl serde::Serialize) -> String {
    serde_json::to_string(filter).unwrap_or_default()
}

/// Reads deliveries and asks for resends.
#[derive(Debug, Clone)]
pub struct DeliveriesBackend {
    db: Db,
    clock: SharedClock,
    directory: Arc<Directory>,
    wakes: Wakes,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    rows: Rows<DeliverySummary>,
    newest: Answers<String, Arc<Vec<DeliverySummary>>>,
    counts: Answers<(), Vec<StateCount>>,
    details: Answers<DeliveryNumber, DeliveryPage>,
}

impl DeliveriesBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, directory: Arc<Directory>, wakes: Wakes) -> Self {
        Self { db, clock, directory, wakes, shared: Arc::default() }
    }

    /// The rows that are on a page, and how many that match are newer than the first.
    async fn held(
        &self,
        filter: &DeliveryFilter,
        page: PageRequest,
        held: &[DeliveryNumber],
    ) -> Result<(Page<DeliverySummary>, usize), Failure> {
        let (db, now) = (&self.db, self.clock.now());
        let read = async |ids: Vec<i64>| delivery_list::rows(db, &ids).await;
        let items = self.shared.rows.get(held, now, |row| row.id, read).await?;
        let newer = match (page.cursor, items.first()) {
            (None, Some(first)) => {
                let read =
                    async { Ok(Arc::new(delivery_list::page(db, filter, newest(), now).await?.items)) };
                let newest = self.shared.newest.get(key(filter), now, read).await?;
                newest.iter().filter(|row| (row.received_at, row.id) > (first.received_at, first.id)).count()
            }
            _ => 0,
        };
        Ok((Page { items, next_cursor: None }, newer))
    }

    /// Somebody did something and wants to see what comes of it.
    async fn forget(&self) {
        self.shared.rows.clear().await;
        self.shared.details.clear().await;
    }

    async fn enqueue(&self, viewer: &Viewer, id: DeliveryNumber, reason: &str) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        if !attempt::enqueue_manual(&mut tx, id, &viewer.name, reason, now).await? {
            return Err(AppError::NotFound.into());
        }
        let entry = Entry::by(viewer, action::DELIVERY_RESENT, format!("delivery/{id}"), now);
        audit::record(&mut tx, &entry.because(reason)).await?;
        Ok(tx.commit().await?)
    }

    async fn make(
        &self,
        viewer: &Viewer,
        event: EventNumber,
        slug: &Slug,
        reason: &str,
    ) -> Result<DeliveryNumber, Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        let Some(row) = ledger::route(&mut tx, event).await? else {
            // Not around the release, which writes down who thought it right.
            let is_there = event_list::one(&self.db, event).await?.is_some();
            return Err(if is_there { AppError::EventHeld } else { AppError::NotFound }.into());
        };
        let to = destination::lock(&mut tx, &self.db, slug).await?;
        let to = to.ok_or_else(|| AppError::field("destination", Rule::Malformed))?;
        let id = match ledger::delivery_of(&mut tx, event, to.id).await? {
            Some(id) => {
                attempt::enqueue_manual(&mut tx, id, &viewer.name, reason, now).await?;
                id
            }
            None => {
                let delivery = Delivery::new(to.ladder.attempts(), to.paused_at.is_some(), now);
                let new = NewDelivery { event: &row, destination_id: to.id, delivery };
                ledger::insert_deliveries(&mut tx, &[new]).await?;
                ledger::delivery_of(&mut tx, event, to.id).await?.ok_or(AppError::NotFound)?
            }
        };
        let entry = Entry::by(viewer, action::EVENT_DELIVERED, format!("delivery/{id}"), now)
            .because(reason)
            .with(json!({"event": event, "destination": slug}));
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        Ok(id)
    }

    async fn detail(&self, id: DeliveryNumber) -> Result<DeliveryDetail, Failure> {
        let summary = delivery_list::one(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let around = delivery_detail::surroundings(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let attempt_log = delivery_detail::attempts(&self.db, id).await?;
        Ok(DeliveryDetail {
            rungs: rungs(&summary, &attempt_log, &around.ladder),
            summary,
            attempt_log,
            occurred_at: around.occurred_at,
            status: around.status,
            content_type: around.content_type,
            body_size: around.body_size,
            url: around.url,
            arrivals: around.arrivals,
        })
    }
}

#[async_trait::async_trait]
impl Deliveries for DeliveriesBackend {
    async fn list(
        &self,
        filter: DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<DeliverySummary>, AppError> {
        Ok(delivery_list::page(&self.db, &filter, page, self.clock.now()).await?)
    }

    async fn page(
        &self,
        filter: DeliveryFilter,
        page: PageRequest,
        held: Vec<DeliveryNumber>,
    ) -> Result<DeliveriesPage, AppError> {
        let now = self.clock.now();
        let (page, newer) = match held.is_empty() {
            true => (delivery_list::page(&self.db, &filter, page, now).await?, 0),
            false => self.held(&filter, page, &held).await?,
        };
        let counts = async { delivery_list::counts(&self.db, now).await };
        Ok(DeliveriesPage {
            page,
            newer,
            counts: self.shared.counts.get((), now, counts).await?,
            sources: self.directory.source_names(),
            destinations: self.directory.destination_names(),
            now,
        })
    }

    async fn get(&self, id: DeliveryNumber) -> Result<DeliveryDetail, AppError> {
        Ok(self.detail(id).await?)
    }

    async fn detail_page(&self, id: DeliveryNumber) -> Result<DeliveryPage, AppError> {
        let now = self.clock.now();
        let read = async {
            let delivery = self.detail(id).await?;
            let (body_text, body_cut) = super::body::text(&self.db, delivery.summary.event).await?;
            Ok(DeliveryPage { delivery, body_text, body_cut, now })
        };
        Ok(DeliveryPage { now, ..self.shared.details.get(id, now, read).await? })
    }

    async fn resend(&self, viewer: &Viewer, id: DeliveryNumber, reason: &str) -> Result<(), AppError> {
        let reason = good_reason(reason)?;
        self.enqueue(viewer, id, reason).await?;
        self.forget().await;
        self.wakes.deliverer.ring();
        Ok(())
    }

    async fn deliver(
        &self,
        viewer: &Viewer,
        event: EventNumber,
        destination: &Slug,
        reason: &str,
    ) -> Result<DeliveryNumber, AppError> {
        let id = self.make(viewer, event, destination, good_reason(reason)?).await?;
        self.forget().await;
        self.wakes.deliverer.ring();
        Ok(id)
    }
}
