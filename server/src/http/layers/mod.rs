//! What every request for a page goes through, from the outside in: headers, the check of where it comes from, a
//! task of its own with a time limit, the size limit, the session, and the guard.

mod finish_on_disconnect;
pub mod guard;
mod headers;
mod rpc;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::limit::RequestBodyLimitLayer;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::Duration;
use tower_sessions::{Expiry, SessionManagerLayer};

use super::cookies::Name;
use super::site::Site;
use crate::store::user::session::{LONGEST_S, Sessions};

pub use headers::Nonce;

/// Bytes of a form or a call of a server function.
const LARGEST_BODY: usize = 256 * 1024;

/// Puts the layers around the pages.
pub fn with_layers(pages: Router, site: &Arc<Site>) -> Router {
    pages
        .layer(from_fn(rpc::statuses))
        .layer(from_fn_with_state(Arc::clone(site), guard::admit))
        .layer(sessions(site))
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(from_fn(finish_on_disconnect::detach))
        .layer(csrf(site))
        .layer(from_fn_with_state(Arc::clone(site), headers::secure))
}

fn sessions(site: &Site) -> SessionManagerLayer<Sessions> {
    SessionManagerLayer::new(Sessions::new(site.db.clone(), Arc::clone(&site.clock)))
        .with_name(Name::Session.of(site.is_secure()))
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(site.is_secure())
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(Duration::seconds(LONGEST_S)))
}

/// A form of another site is refused: by `Sec-Fetch-Site`, and by `Origin` where a browser does not send that.
fn csrf(site: &Site) -> CsrfLayer<impl FnMut(ProtectionError) -> Response + Clone + use<>> {
    let origin = site.public_url.origin().ascii_serialization();
    let layer = CsrfLayer::new();
    layer.clone().add_trusted_origin(&origin).unwrap_or(layer).with_rejection_response(
        |_: ProtectionError| {
            (StatusCode::FORBIDDEN, "This request comes from another site and was not carried out.\n")
                .into_response()
        },
    )
}
