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
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::domain::delivery::Delivery;
use crate::domain::rungs::rungs;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::Registry;
use crate::request_coalescing::{ChangeCount, FollowedList, FollowedPage, InFlight, Snapshot, key};
use crate::store::ledger::{self, NewDelivery};
use crate::store::{attempt, audit, delivery, destination, event};

/// Reads deliveries and asks for resends.
#[derive(Debug, Clone)]
pub struct DeliveriesBackend {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    notifiers: Notifiers,
    acts: ChangeCount,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    list: FollowedList<DeliverySummary>,
    counts: InFlight<(), Vec<StateCount>>,
    details: InFlight<DeliveryNumber, DeliveryPage>,
}

impl DeliveriesBackend {
    /// Over this database.
    pub fn new(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        acts: ChangeCount,
    ) -> Self {
        Self { db, clock, registry, notifiers, acts, shared: Arc::default() }
    }

    async fn renew_page(
        &self,
        look: Snapshot,
        filter: &DeliveryFilter,
        page: PageRequest,
        ids: &[DeliveryNumber],
    ) -> Result<(Page<DeliverySummary>, usize), Failure> {
        let place = |row: &DeliverySummary| (row.received_at, row.id);
        let held = FollowedPage { ids, filter: key(filter), page, place };
        let rows = async |ids: Vec<i64>| delivery::list::rows(&self.db, &ids).await;
        let page = async |page| delivery::list::page(&self.db, filter, page, look.at).await;
        self.shared.list.renew_page(look, held, rows, page).await
    }

    async fn enqueue(&self, viewer: &Viewer, id: DeliveryNumber, reason: &str) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        if !attempt::enqueue_manual(&mut tx, id, &viewer.name, reason, now).await? {
            return Err(AppError::NotFound.into());
        }
        let entry = Entry::by(viewer, action::DELIVERY_RESENT, format!("delivery/{id}"), now);
        audit::record(&mut tx, &entry.with_reason(reason)).await?;
        Ok(tx.commit().await?)
    }

    async fn create_delivery(
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
            let is_there = event::list::one(&self.db, event).await?.is_some();
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
                let delivery = Delivery::new(to.settings.ladder.attempts(), to.paused_at.is_some(), now);
                let new = NewDelivery { event: &row, destination_id: to.id, delivery };
                ledger::insert_deliveries(&mut tx, &[new]).await?;
                ledger::delivery_of(&mut tx, event, to.id).await?.ok_or(AppError::NotFound)?
            }
        };
        let entry = Entry::by(viewer, action::EVENT_DELIVERED, format!("delivery/{id}"), now)
            .with_reason(reason)
            .with(json!({"event": event, "destination": slug}));
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        Ok(id)
    }

    async fn detail(&self, id: DeliveryNumber) -> Result<DeliveryDetail, Failure> {
        let summary = delivery::list::one(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let around = delivery::detail::context(&self.db, id).await?.ok_or(AppError::NotFound)?;
        let attempt_log = delivery::detail::attempts(&self.db, id).await?;
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
        Ok(delivery::list::page(&self.db, &filter, page, self.clock.now()).await?)
    }

    async fn page(
        &self,
        filter: DeliveryFilter,
        page: PageRequest,
        held: Vec<DeliveryNumber>,
    ) -> Result<DeliveriesPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let (page, newer) = match held.is_empty() {
            true => (delivery::list::page(&self.db, &filter, page, look.at).await?, 0),
            false => self.renew_page(look, &filter, page, &held).await?,
        };
        let counts = delivery::list::counts(&self.db, look.at);
        Ok(DeliveriesPage {
            page,
            newer,
            counts: self.shared.counts.get((), look, counts).await?,
            sources: self.registry.source_names(),
            destinations: self.registry.destination_names(),
            now: look.at,
        })
    }

    async fn get(&self, id: DeliveryNumber) -> Result<DeliveryDetail, AppError> {
        Ok(self.detail(id).await?)
    }

    async fn detail_page(&self, id: DeliveryNumber) -> Result<DeliveryPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let now = look.at;
        let read = async {
            let delivery = self.detail(id).await?;
            let body = super::body::text(&self.db, delivery.summary.event).await?;
            Ok::<_, Failure>(DeliveryPage { delivery, body, now })
        };
        Ok(DeliveryPage { now, ..self.shared.details.get(id, look, read).await? })
    }

    async fn resend(&self, viewer: &Viewer, id: DeliveryNumber, reason: &str) -> Result<(), AppError> {
        let reason = good_reason(reason)?;
        self.enqueue(viewer, id, reason).await?;
        self.notifiers.deliverer.notify();
        Ok(())
    }

    async fn deliver(
        &self,
        viewer: &Viewer,
        event: EventNumber,
        destination: &Slug,
        reason: &str,
    ) -> Result<DeliveryNumber, AppError> {
        let id = self.create_delivery(viewer, event, destination, good_reason(reason)?).await?;
        self.notifiers.deliverer.notify();
        Ok(id)
    }
}
