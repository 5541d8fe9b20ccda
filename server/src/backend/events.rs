//! What the server does for the events' pages and API.

use std::sync::Arc;

use app::context::Viewer;
use app::error::AppError;
use app::events::{EventDetail, EventFilter, EventPage, EventSummary, Events, EventsPage};
use app::types::{EventNumber, Mode, Page, PageRequest};
use serde_json::json;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::domain::payment_timeline;
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::registry::Registry;
use crate::request_coalescing::{ChangeCount, FollowedList, FollowedPage, InFlight, Snapshot, key};
use crate::store::{audit, delivery, event, held_event};

/// Events of a story.
const STORY: i64 = 50;

/// Reads events.
#[derive(Debug, Clone)]
pub struct EventsBackend {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    shared: Arc<Shared>,
    notifiers: Notifiers,
    acts: ChangeCount,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    list: FollowedList<EventSummary>,
    details: InFlight<EventNumber, EventPage>,
}

impl EventsBackend {
    /// Over this database.
    pub fn new(
        db: Db,
        clock: SharedClock,
        registry: Arc<Registry>,
        notifiers: Notifiers,
        acts: ChangeCount,
    ) -> Self {
        Self { db, clock, registry, shared: Arc::default(), notifiers, acts }
    }

    async fn release(&self, viewer: &Viewer, id: EventNumber, reason: &str) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        let Some(event_id) = held_event::release(&mut tx, id, &viewer.name, now).await? else {
            // One that does not wait stays as it is.
            return match event::list::one(&self.db, id).await? {
                Some(_) => Ok(()),
                None => Err(AppError::NotFound.into()),
            };
        };
        let entry = Entry::by(viewer, action::EVENT_RELEASED, format!("event/{id}"), now).with_reason(reason);
        audit::record(&mut tx, &entry.with(json!({"event_id": event_id}))).await?;
        tx.commit().await?;
        self.notifiers.ledger.notify();
        Ok(())
    }

    async fn renew_page(
        &self,
        look: Snapshot,
        filter: &EventFilter,
        page: PageRequest,
        ids: &[EventNumber],
    ) -> Result<(Page<EventSummary>, usize), Failure> {
        let place = |row: &EventSummary| (row.received_at, row.id);
        let held = FollowedPage { ids, filter: key(filter), page, place };
        let rows = async |ids: Vec<i64>| event::list::rows(&self.db, &ids).await;
        let page = async |page| event::list::page(&self.db, filter, page).await;
        self.shared.list.renew_page(look, held, rows, page).await
    }

    async fn detail(&self, id: EventNumber) -> Result<EventDetail, Failure> {
        let mut event = event::list::one(&self.db, id).await?.ok_or(AppError::NotFound)?;
        event.deliveries = delivery::list::of_event(&self.db, id).await?;
        if let Some(resource) = &event.resource_id {
            event.story = payment_timeline::order_timeline(
                event::list::of_resource(&self.db, id, resource, STORY).await?,
            );
        }
        Ok(event)
    }
}

#[async_trait::async_trait]
impl Events for EventsBackend {
    async fn list(&self, filter: EventFilter, page: PageRequest) -> Result<Page<EventSummary>, AppError> {
        Ok(event::list::page(&self.db, &filter, page).await?)
    }

    async fn page(
        &self,
        filter: EventFilter,
        page: PageRequest,
        held: Vec<EventNumber>,
    ) -> Result<EventsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let (page, newer) = match held.is_empty() {
            true => (event::list::page(&self.db, &filter, page).await?, 0),
            false => self.renew_page(look, &filter, page, &held).await?,
        };
        Ok(EventsPage { page, newer, sources: self.registry.source_names(), now: look.at })
    }

    async fn get(&self, id: EventNumber) -> Result<EventDetail, AppError> {
        Ok(self.detail(id).await?)
    }

    async fn detail_page(&self, id: EventNumber) -> Result<EventPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let now = look.at;
        let read = async {
            let event = self.detail(id).await?;
            let body = super::body::text(&self.db, id).await?;
            let destinations = self.registry.destination_names();
            let live = self.registry.source(&event.source).is_none_or(|source| source.mode == Mode::Live);
            Ok::<_, Failure>(EventPage { event, body, destinations, live, now })
        };
        Ok(EventPage { now, ..self.shared.details.get(id, look, read).await? })
    }

    async fn release(&self, viewer: &Viewer, id: EventNumber, reason: &str) -> Result<(), AppError> {
        Ok(self.release(viewer, id, reason).await?)
    }

    async fn body(&self, id: EventNumber) -> Result<Vec<u8>, AppError> {
        event::list::body(&self.db, id).await?.ok_or(AppError::NotFound)
    }
}
