//! Pages whose code the browser loads when they are opened, and not with the first page: two chunks, which
//! `wasm-split-cli` cuts out of the whole at the functions below. On the server all of it is there.

use std::pin::Pin;

use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

use crate::alerts::AlertsView;
use crate::audit::AuditView;
use crate::context;
use crate::deliveries::DeliveryView;
use crate::destinations::DestinationsView;
use crate::error::AppError;
use crate::events::{EventView, EventsView};
use crate::page_data::poll_once;
#[cfg(feature = "hydrate")]
use crate::page_data::{load_desk_reader, load_story_reader};
use crate::reconciliation::ReconciliationView;
use crate::rejections::{RejectionView, RejectionsView};
use crate::resends::{PlanView, ResendView, ResendsView};
use crate::secrets::SecretsView;
use crate::sources::SourcesView;
use crate::ui::{IntoPart, empty};

/// The pages of the first chunk: what became of one event.
#[derive(Debug, Clone, Copy)]
pub enum DetailChunk {
    Delivery,
    Events,
    Event,
}

/// The pages of the second: everything else that is neither the log-in nor the list of deliveries.
#[derive(Debug, Clone, Copy)]
pub enum AdminChunk {
    Resends,
    ResendPlan,
    Resend,
    Sources,
    Destinations,
    Reconciliation,
    Rejections,
    Rejection,
    Alerts,
    Secrets,
    Audit,
}

#[wasm_split(stories, wasm_split_path = ::leptos::wasm_split, preload(load_stories), fallible)]
fn open_detail(page: DetailChunk) -> Result<AnyView, AppError> {
    Ok(match page {
        DetailChunk::Delivery => DeliveryView().into_any(),
        DetailChunk::Events => EventsView().into_any(),
        DetailChunk::Event => EventView().into_any(),
    })
}

#[wasm_split(desk, wasm_split_path = ::leptos::wasm_split, preload(load_desk), fallible)]
fn open_admin(page: AdminChunk) -> Result<AnyView, AppError> {
    Ok(match page {
        AdminChunk::Resends => ResendsView().into_any(),
        AdminChunk::ResendPlan => PlanView().into_any(),
        AdminChunk::Resend => ResendView().into_any(),
        AdminChunk::Sources => SourcesView().into_any(),
        AdminChunk::Destinations => DestinationsView().into_any(),
        AdminChunk::Reconciliation => ReconciliationView().into_any(),
        AdminChunk::Rejections => RejectionsView().into_any(),
        AdminChunk::Rejection => RejectionView().into_any(),
        AdminChunk::Alerts => AlertsView().into_any(),
        AdminChunk::Secrets => SecretsView().into_any(),
        AdminChunk::Audit => AuditView().into_any(),
    })
}

/// A page of the first chunk.
pub fn load_detail_page(page: DetailChunk) -> AnyView {
    poll_page(Box::pin(open_detail(page)))
}

/// A page of the second chunk.
pub fn load_admin_page(page: AdminChunk) -> AnyView {
    poll_page(Box::pin(open_admin(page)))
}

/// Loads the code for an address, so that the page can be taken over as the server sent it. Each of its functions waits
/// for its own loading, of what has come with the first of them.
#[cfg(feature = "hydrate")]
pub async fn load(path: &str) {
    let is_story = path.starts_with("/deliveries/") || path.starts_with("/events");
    // Where that fails, the page says so.
    let _ = match path {
        "/login" | "/deliveries" => Ok(()),
        _ if is_story => load_stories().await.and(load_story_reader().await),
        _ => load_desk().await.and(load_desk_reader().await),
    };
}

fn poll_page(mut page: Pin<Box<dyn Future<Output = Result<AnyView, AppError>> + Send>>) -> AnyView {
    match poll_once(page.as_mut()) {
        Some(page) => or_error(page),
        None => {
            view! { <Suspense fallback=empty::skeleton>{Suspend::new(async { or_error(page.await) })}</Suspense> }.part()
        }
    }
}

fn or_error(page: Result<AnyView, AppError>) -> AnyView {
    page.unwrap_or_else(|error| empty::failed(context::ui(), &error, ""))
}
