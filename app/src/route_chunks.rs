//! Pages whose code the browser loads when they are opened, and not with the first page: two chunks, which
//! `wasm-split-cli` cuts out of the whole at the functions below. On the server all of it is there.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use leptos::prelude::*;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use crate::alerts::AlertsView;
use crate::audit::AuditView;
use crate::context;
use crate::deliveries::DeliveryView;
use crate::destinations::DestinationsView;
use crate::error::AppError;
use crate::events::{EventView, EventsView};
use crate::page_data::Answer;
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

#[wasm_split(stories, wasm_split_path = ::leptos::wasm_split, preload(load_story_reader), fallible)]
fn read_detail(name: String, page: String) -> Result<Answer, AppError> {
    match name.as_str() {
        "Delivery" => Answer::of(&page, Answer::Delivery),
        "Events" => Answer::of(&page, Answer::Events),
        "Event" => Answer::of(&page, Answer::Event),
        _ => Err(AppError::NotFound),
    }
}

#[wasm_split(desk, wasm_split_path = ::leptos::wasm_split, preload(load_desk_reader), fallible)]
fn read_admin(name: String, page: String) -> Result<Answer, AppError> {
    match name.as_str() {
        "Audit" => Answer::of(&page, Answer::Audit),
        "Reconciliation" => Answer::of(&page, Answer::Reconciliation),
        "Rejections" => Answer::of(&page, Answer::Rejections),
        "Rejection" => Answer::of(&page, Answer::Rejection),
        "Alerts" => Answer::of(&page, Answer::Alerts),
        "Secrets" => Answer::of(&page, Answer::Secrets),
        "Sources" => Answer::of(&page, Answer::Sources),
        "Destinations" => Answer::of(&page, Answer::Destinations),
        "Resends" => Answer::of(&page, Answer::Resends),
        "Resend" => Answer::of(&page, Answer::Resend),
        "ResendPlan" => Answer::of(&page, Answer::ResendPlan),
        _ => Err(AppError::NotFound),
    }
}

/// Reads the answer of this name, with the code that its page is in.
///
/// # Errors
/// It is another page, or the code did not come.
pub async fn read(name: String, page: String) -> Result<Answer, AppError> {
    match name.as_str() {
        "Deliveries" => Answer::of(&page, Answer::Deliveries),
        "Delivery" | "Events" | "Event" => read_detail(name, page).await,
        _ => read_admin(name, page).await,
    }
}

/// A page of the first chunk.
pub fn story(page: DetailChunk) -> AnyView {
    shown(Box::pin(open_detail(page)))
}

/// A page of the second chunk.
pub fn desk(page: AdminChunk) -> AnyView {
    shown(Box::pin(open_admin(page)))
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

impl From<SplitLoaderError> for AppError {
    fn from(_: SplitLoaderError) -> Self {
        Self::Transport
    }
}

/// What comes without waiting where the code is there: always on the server, and where the browser takes over what the
/// server sent.
pub fn poll_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

fn shown(mut page: Pin<Box<dyn Future<Output = Result<AnyView, AppError>> + Send>>) -> AnyView {
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
