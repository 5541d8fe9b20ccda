//! The one way in which a page shows what the server sent: at first, again while it renews, and when it does not come.

use std::sync::Arc;

use leptos::prelude::*;

use super::{Answer, PageData};
use crate::context;
use crate::error::AppError;
use crate::ui::{IntoPart, Ui, browser, empty, filters, query};

/// How a page shows what it got.
pub type View = Arc<dyn Fn(Answer) -> AnyView + Send + Sync>;

/// Shows the data with `view`. While it renews, what is there stays; when renewing fails, it stays too and the line
/// that tells its age says so. `key` names what was asked for: another key never shows the data of the one before.
pub fn loaded(ui: Ui, data: PageData, key: Memo<String>, view: View) -> AnyView {
    let last: StoredValue<Option<(String, Answer)>> = StoredValue::new(None);
    Effect::new(move |_| {
        data.with(|data| match data {
            Some(Ok(data)) => {
                ui.clock.sync(data.now());
                ui.live.succeeded(data.now());
                request_animation_frame(move || filters::remove_empty_filters(ui));
            }
            Some(Err(AppError::LoginRequired)) => {
                browser::navigate(&query::link("/login", &query::write([("next", key.get_untracked())])));
            }
            Some(Err(_)) => ui.live.failed(),
            None => {}
        });
    });
    let content = move || {
        let here = key.get();
        let view = Arc::clone(&view);
        Suspend::new(async move {
            match data.await {
                Ok(data) => {
                    last.set_value(Some((here, data.clone())));
                    view(data)
                }
                Err(error) => {
                    let before = last.get_value().filter(|(of, _)| *of == here && is_passing(&error));
                    match before {
                        Some((_, data)) => view(data),
                        None => {
                            context::set_status(&error);
                            empty::failed(ui, &error, &here)
                        }
                    }
                }
            }
        })
    };
    view! { <Transition fallback=empty::skeleton>{content}</Transition> }.part()
}

/// Whether asking again may help.
fn is_passing(error: &AppError) -> bool {
    matches!(error, AppError::Unavailable | AppError::Transport | AppError::Internal)
}
