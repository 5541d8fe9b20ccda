//! What the server does for the events' pages and API.

use std::sync::Arc;

use app::error::AppError;
use app::events::{EventDetail, EventFilter, EventPage, EventSummary, Events, EventsPage};
use app::types::{EventNumber, Page, PageRequest};

use super::deliveries::newest;
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
}

impl EventsBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, directory: Arc<Directory>) -> Self {
        Self { db, clock, directory }
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
            false => {
                let items = event_list::rows(&self.db, &held).await?;
                let newer = match (page.cursor, items.first()) {
                    (None, Some(first)) => {
                        let newest = event_list::page(&self.db, &filter, newest()).await?;
                        let first = (first.received_at, first.id);
                        newest.items.iter().filter(|row| (row.received_at, row.id) > first).count()
                    }
                    _ => 0,
                };
                (Page { items, next_cursor: None }, newer)
            }
        };
        Ok(EventsPage { page, newer, sources: self.directory.source_names(), now: self.clock.now() })
    }

    async fn get(&self, id: EventNumber) -> Result<EventDetail, AppError> {
        Ok(self.detail(id).await?)
    }

    async fn detail_page(&self, id: EventNumber) -> Result<EventPage, AppError> {
        let event = self.detail(id).await?;
        let (body_text, body_cut) = super::body::text(&self.db, id).await?;
        let destinations = self.directory.destination_names();
        Ok(EventPage { event, body_text, body_cut, destinations, now: self.clock.now() })
    }

    async fn body(&self, id: EventNumber) -> Result<Vec<u8>, AppError> {
        event_list::body(&self.db, id).await?.ok_or(AppError::NotFound)
    }
}
