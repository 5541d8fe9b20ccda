//! What the server does for the events' pages and API.

use std::sync::Arc;

use app::error::AppError;
use app::events::{EventDetail, EventFilter, EventPage, EventSummary, Events, EventsPage};
use app::types::{EventNumber, Page, PageRequest};

use super::deliveries::{key, newest};
use super::shared::{Answers, Rows};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::directory::Directory;
use crate::error::Failure;
use crate::store::{delivery_list, event_list};

/// Reads events.
#[derive(Debug, Clone)]
pub struct EventsBackend {
    db: Db,
    clock: SharedClock,
    directory: Arc<Directory>,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    rows: Rows<EventSummary>,
    newest: Answers<String, Arc<Vec<EventSummary>>>,
    details: Answers<EventNumber, EventPage>,
}

impl EventsBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, directory: Arc<Directory>) -> Self {
        Self { db, clock, directory, shared: Arc::default() }
    }

    /// The rows that are on a page, and how many that match are newer than the first.
    async fn held(
        &self,
        filter: &EventFilter,
        page: PageRequest,
        held: &[EventNumber],
    ) -> Result<(Page<EventSummary>, usize), Failure> {
        let (db, now) = (&self.db, self.clock.now());
        let read = async |ids: Vec<i64>| event_list::rows(db, &ids).await;
        let items = self.shared.rows.get(held, now, |row| row.id, read).await?;
        let newer = match (page.cursor, items.first()) {
            (None, Some(first)) => {
                let read = async { Ok(Arc::new(event_list::page(db, filter, newest()).await?.items)) };
                let newest = self.shared.newest.get(key(filter), now, read).await?;
                newest.iter().filter(|row| (row.received_at, row.id) > (first.received_at, first.id)).count()
            }
            _ => 0,
        };
        Ok((Page { items, next_cursor: None }, newer))
    }

    async fn detail(&self, id: EventNumber) -> Result<EventDetail, Failure> {
        let mut event = event_list::one(&self.db, id).await?.ok_or(AppError::NotFound)?;
        event.deliveries = delivery_list::of_event(&self.db, id).await?;
        Ok(event)
    }
}

#[async_trait::async_trait]
impl Events for EventsBackend {
    async fn list(&self, filter: EventFilter, page: PageRequest) -> Result<Page<EventSummary>, AppError> {
        Ok(event_list::page(&self.db, &filter, page).await?)
    }

    async fn page(
        &self,
        filter: EventFilter,
        page: PageRequest,
        held: Vec<EventNumber>,
    ) -> Result<EventsPage, AppError> {
        let (page, newer) = match held.is_empty() {
            true => (event_list::page(&self.db, &filter, page).await?, 0),
            false => self.held(&filter, page, &held).await?,
        };
        Ok(EventsPage { page, newer, sources: self.directory.source_names(), now: self.clock.now() })
    }

    async fn get(&self, id: EventNumber) -> Result<EventDetail, AppError> {
        Ok(self.detail(id).await?)
    }

    async fn detail_page(&self, id: EventNumber) -> Result<EventPage, AppError> {
        let now = self.clock.now();
        let read = async {
            let event = self.detail(id).await?;
            let (body_text, body_cut) = super::body::text(&self.db, id).await?;
            let destinations = self.directory.destination_names();
            Ok(EventPage { event, body_text, body_cut, destinations, now })
        };
        Ok(EventPage { now, ..self.shared.details.get(id, now, read).await? })
    }

    async fn body(&self, id: EventNumber) -> Result<Vec<u8>, AppError> {
        event_list::body(&self.db, id).await?.ok_or(AppError::NotFound)
    }
}
