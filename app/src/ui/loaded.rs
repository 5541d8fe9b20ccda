//! The one way in which a page shows what the server sent: at first, again while it renews, and when it does not come.

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Ui, browser, empty, filters, query};
use crate::context;
use crate::error::AppError;
use crate::types::Timestamp;

/// Shows the data with `view`. While it renews, what is there stays; when renewing fails, it stays too and the line
/// that tells its age says so. `key` names what was asked for: another key never shows the data of the one before.
pub fn loaded<T>(
    ui: Ui,
    data: Resource<Result<T, AppError>>,
    key: Memo<String>,
    read_at: fn(&T) -> Timestamp,
    view: impl Fn(T) -> AnyView + Copy + Send + Sync + 'static,
) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let last: StoredValue<Option<(String, T)>> = StoredValue::new(None);
    Effect::new(move |_| {
        data.with(|data| match data {
            Some(Ok(data)) => {
                ui.clock.sync(read_at(data));
                ui.live.succeeded(read_at(data));
                request_animation_frame(move || filters::settle(ui));
            }
            Some(Err(AppError::LoginRequired)) => {
                browser::go(&query::link("/login", &query::write([("next", key.get_untracked())])));
            }
            Some(Err(_)) => ui.live.failed(),
            None => {}
        });
    });
    let content = move || {
        let here = key.get();
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
    view! { <Transition fallback=empty::bones>{content}</Transition> }.into_any()
}

/// Whether asking again may help.
fn is_passing(error: &AppError) -> bool {
    matches!(error, AppError::Unavailable | AppError::Transport | AppError::Internal)
}
