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
use crate::types::Role;
#[cfg(feature = "ssr")]
use crate::ui::list_query::ListRequest;

/// The list that a URL's query asks for; when rows are held, these again and how many are newer.
#[server(prefix = "/rpc", endpoint = "events/page")]
pub async fn list_events(search: String, #[server(default)] held: String) -> Result<EventsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let EventsQuery { filter, url } = EventsQuery::parse(&search);
    cx.backend.events.page(filter, url.page, ListRequest::numbers(&held)).await
}

/// One event with its body.
#[server(prefix = "/rpc", endpoint = "events/detail")]
pub async fn read_event(id: EventNumber) -> Result<EventPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.events.detail_page(id).await
}

/// Lets an event go to its destinations although it contradicts its source's mode.
#[server(prefix = "/rpc", endpoint = "events/release")]
pub async fn release_event(id: EventNumber, reason: String) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    let reason = crate::comment::written(&reason).map_err(|rule| AppError::field("reason", rule))?;
    cx.backend.events.release(&cx.viewer, id, reason).await?;
    cx.redirect(&format!("/events/{id}"));
    Ok(())
}
