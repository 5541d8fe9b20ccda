//! The page for an error of the server itself.

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

/// A page that needs nothing: no database, no script, no style.
pub(super) fn error_page(status: StatusCode) -> Response {
    let said = match status {
        StatusCode::SERVICE_UNAVAILABLE => "The server cannot answer at the moment. Try again in a minute.",
        _ => "Something went wrong on the server. It is in its log.",
    };
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{status} · Acuse</title><h1>{status}</h1><p>{said}</p><p><a href=\"/\">Acuse</a></p></html>"
    );
    let mut response = (status, Html(page)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("5"));
    }
    response
}
