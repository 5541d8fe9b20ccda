//! The exact bytes of an event, for those who are logged in: a file to keep, never a page to open.

use std::sync::Arc;

use app::error::AppError;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::error_page::error_page;
use super::site::Site;

/// `GET /events/{id}/body`.
pub(super) async fn get(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Response {
    let Ok(number) = id.parse() else { return StatusCode::NOT_FOUND.into_response() };
    match site.backend.events.body(number).await {
        Ok(bytes) => {
            let name = format!("attachment; filename=\"event-{number}.bin\"");
            let headers = [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, name),
            ];
            (headers, bytes).into_response()
        }
        Err(AppError::NotFound) => StatusCode::NOT_FOUND.into_response(),
        Err(AppError::Unavailable) => error_page(StatusCode::SERVICE_UNAVAILABLE),
        Err(_) => error_page(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
