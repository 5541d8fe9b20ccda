//! The calls that the events' pages make.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::EventsQuery;
use super::{EventPage, EventsPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
use crate::types::EventNumber;
#[cfg(feature = "ssr")]
use crate::types::{Cursor, PageRequest, Role};

/// The list that a URL's query asks for.
#[server(prefix = "/rpc", endpoint = "events/page")]
pub async fn list_events(search: String) -> Result<EventsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let query = EventsQuery::parse(&search);
    cx.backend.events.page(query.filter, query.page).await
}

/// How many of its events are newer than a row, counted up to 100.
#[server(prefix = "/rpc", endpoint = "events/newer")]
pub async fn newer_events(search: String, than: String) -> Result<usize, AppError> {
    let cx = context::server(Role::Viewer)?;
    let than: Cursor = than.parse().map_err(|_| AppError::field("than", crate::error::Rule::Malformed))?;
    let limit = "100".parse().unwrap_or_default();
    let newest = PageRequest { cursor: None, limit };
    let page = cx.backend.events.list(EventsQuery::parse(&search).filter, newest).await?;
    Ok(page.items.iter().filter(|row| (row.received_at, row.id) >= (than.at, than.id)).count())
}

/// One event with its body.
#[server(prefix = "/rpc", endpoint = "events/detail")]
pub async fn read_event(id: EventNumber) -> Result<EventPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.events.detail_page(id).await
}
