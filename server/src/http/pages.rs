//! The pages and the server functions behind them, with the log-in in front.

use std::sync::{Arc, OnceLock};

use app::context::{AssetUrls, FlashSecret, RequestFacts};
use app::error::AppError;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use leptos::prelude::*;
use leptos_axum::{AxumRouteListing, LeptosRoutes};

use super::cookies::Carrier;
use super::error_page::error_page;
use super::layers::{self, Nonce};
use super::site::Site;
use super::{event_body, login, preferences};
use crate::error::Failure;

/// The part whose failures are those of the database behind it.
pub(super) const SESSION: &str = "session";

/// Bytes of a form that is not a server function's.
const LARGEST_FORM: usize = 16 * 1024;

/// Everything that people open in a browser, behind its layers.
pub fn router(site: Site) -> Router {
    let site = Arc::new(site);
    let forms = Router::new()
        .route("/login", post(login::post))
        .route("/logout", post(login::out))
        .route("/account/preferences", post(preferences::post))
        .route("/events/{id}/body", get(event_body::get))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .with_state(Arc::clone(&site));
    layers::with_layers(rendered(&site).merge(forms), &site)
}

fn rendered(site: &Arc<Site>) -> Router {
    let options = LeptosOptions::builder().output_name("app").build();
    let (context, urls) = (context(site), site.assets.clone());
    let shell = move || app::shell(urls.clone());
    let render = leptos_axum::render_app_async_with_context(context.clone(), shell.clone());
    let not_found = move |request: Request| {
        let render = render.clone();
        async move {
            if request.uri().path().starts_with("/rpc/") {
                return (StatusCode::NOT_FOUND, Json(AppError::NotFound)).into_response();
            }
            let mut page = render(request).await;
            if page.status() == StatusCode::OK {
                *page.status_mut() = StatusCode::NOT_FOUND;
            }
            page
        }
    };
    Router::new()
        .leptos_routes_with_context(&options, routes(), context, shell)
        .fallback(not_found)
        .with_state(options)
}

/// The pages that there are; listed once, for a render that runs meanwhile can hang.
fn routes() -> Vec<AxumRouteListing> {
    static ROUTES: OnceLock<Vec<AxumRouteListing>> = OnceLock::new();
    ROUTES.get_or_init(|| leptos_axum::generate_route_list(|| app::shell(AssetUrls::default()))).clone()
}

/// What pages and server functions find in their context.
fn context(site: &Site) -> impl Fn() + Clone + Send + Sync + 'static + use<> {
    let backend = site.backend.clone();
    let one_time: Arc<dyn FlashSecret> = Arc::new(Carrier {
        vault: Arc::clone(&site.vault),
        clock: Arc::clone(&site.clock),
        secure: site.is_secure(),
    });
    move || {
        provide_context(backend.clone());
        provide_context(Arc::clone(&one_time));
        provide_request();
    }
}

#[expect(clippy::disallowed_methods, reason = "before anything is rendered")]
fn provide_request() {
    let Some(parts) = use_context::<Parts>() else { return };
    if let Some(facts) = parts.extensions.get::<RequestFacts>() {
        provide_context(facts.clone());
    }
    if let Some(Nonce(nonce)) = parts.extensions.get::<Nonce>() {
        provide_context(leptos::nonce::Nonce::from_value(Arc::clone(nonce)));
    }
}

/// The page for something that went wrong inside; the log has it.
pub(super) fn error_page_for(failure: &Failure) -> Response {
    tracing::error!(error = %failure, "a page failed");
    match failure {
        Failure::Database(_) | Failure::Other { what: SESSION, .. } => {
            error_page(StatusCode::SERVICE_UNAVAILABLE)
        }
        _ => error_page(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
