//! Reads pages with the code that is in their chunk: each part of the browser's half reads its own pages.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use leptos::wasm_split::{SplitLoaderError, wasm_split};

use super::answer::Answer;
use crate::error::AppError;

#[wasm_split(stories, wasm_split_path = ::leptos::wasm_split, preload(load_story_reader), fallible)]
pub(crate) fn read_detail(name: String, page: String) -> Result<Answer, AppError> {
    match name.as_str() {
        "Delivery" => Answer::of(&page, Answer::Delivery),
        "Events" => Answer::of(&page, Answer::Events),
        "Event" => Answer::of(&page, Answer::Event),
        _ => Err(AppError::NotFound),
    }
}

#[wasm_split(desk, wasm_split_path = ::leptos::wasm_split, preload(load_desk_reader), fallible)]
pub(crate) fn read_admin(name: String, page: String) -> Result<Answer, AppError> {
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
