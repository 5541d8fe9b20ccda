//! Calls of the server from the browser: questions and forms go there in one way, as a form does without script. The
//! calls of `server_fn` would be two kilobytes for each function.

use send_wrapper::SendWrapper;

use crate::error::AppError;
use crate::ui::{browser, query};

/// Sends the fields to a server function, and returns its answer as JSON.
///
/// # Errors
/// What the function says; or the server could not be reached.
pub async fn call<'a>(
    path: &str,
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<String, AppError> {
    let body = query::form(fields);
    // The browser has one thread.
    let answer = SendWrapper::new(browser::post(path, &body)).await;
    match answer {
        Some((true, json)) => Ok(json),
        Some((false, error)) => Err(serde_json::from_slice(error.as_bytes()).unwrap_or(AppError::Internal)),
        None => Err(AppError::Transport),
    }
}
