//! Who asks, found out once a request; and nobody gets further than the log-in page without it.

use std::sync::Arc;

use app::context::{RequestFacts, Viewer};
use app::error::AppError;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tower_sessions::Session;

use crate::error::Failure;
use crate::http::compression::HoldsSecret;
use crate::http::cookies::{self, Carrier, Name};
use crate::http::pages::{SESSION, error_page_for};
use crate::http::site::Site;
use crate::http::{preferences, safe_redirect};
use crate::store::{alert, user};

/// Under which key the session keeps the number of its user.
pub const USER: &str = "user";

/// Lets those through who are logged in, and everybody to the log-in; with the facts of the request.
pub(in crate::http) async fn admit(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let viewer = match viewer(&site, &parts).await {
        Ok(viewer) => viewer,
        Err(error) => return error_page_for(&error),
    };
    match &viewer {
        None if !is_open(&parts) => return redirect_to_login(&parts),
        Some(_) if parts.method == Method::GET && parts.uri.path() == "/login" => {
            return Redirect::to(&next_of(&parts).unwrap_or_else(|| "/deliveries".to_owned()))
                .into_response();
        }
        _ => {}
    }
    let (mut facts, cookies) = facts(&site, &parts, viewer);
    if facts.viewer.is_some() && parts.method == Method::GET {
        // The menu says it on every page; a page goes without when it cannot be counted.
        facts.open_alerts = alert::count_open(&site.db).await.unwrap_or_default();
    }
    let acts = facts.viewer.is_some() && !is_look(&parts);
    let shows_secret = facts.shown_once.is_some();
    parts.extensions.insert(facts);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if acts && !response.status().is_client_error() {
        site.acts.done();
    }
    if shows_secret {
        response.extensions_mut().insert(HoldsSecret);
    }
    for cookie in cookies {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// Whether a request only looks: by its method, or a call for what a page shows. All of these end alike; a test holds
/// them against the role that they ask for.
pub fn is_look(parts: &Parts) -> bool {
    matches!(parts.method, Method::GET | Method::HEAD) || is_renewal(parts.uri.path())
}

/// Whether a call asks for what a page shows.
pub fn is_renewal(path: &str) -> bool {
    path.starts_with("/rpc/") && (path.ends_with("/page") || path.ends_with("/detail"))
}

/// The session's user, read anew: who was deleted is out, and a new role counts at once. Pages that renew themselves are
/// looked up together.
async fn viewer(site: &Site, parts: &Parts) -> Result<Option<Viewer>, Failure> {
    let Some(session) = parts.extensions.get::<Session>() else { return Ok(None) };
    if let Some(id) = session.id().filter(|_| is_renewal(parts.uri.path()))
        && let Some(viewer) = site.session_cache.find(&site.db, &site.clock, &site.acts, &id).await?
    {
        return Ok(Some(from_here(site, parts, viewer)));
    }
    let id = session.get::<i64>(USER).await.map_err(|error| Failure::other(SESSION, error))?;
    let Some(id) = id else { return Ok(None) };
    let user = user::by_id(&site.db, id).await?;
    if user.is_none() {
        session.flush().await.map_err(|error| Failure::other(SESSION, error))?;
    }
    Ok(user.map(|user| from_here(site, parts, Viewer { name: user.email, role: user.role, from: None })))
}

fn from_here(site: &Site, parts: &Parts, viewer: Viewer) -> Viewer {
    Viewer { from: site.client(parts).map(|address| address.to_string()), ..viewer }
}

/// What is there for everybody.
fn is_open(parts: &Parts) -> bool {
    match parts.uri.path() {
        "/login" => matches!(parts.method, Method::GET | Method::HEAD | Method::POST),
        "/account/preferences" => parts.method == Method::POST,
        _ => false,
    }
}

/// To the log-in, and back here afterwards; a call by script learns that nobody is logged in.
fn redirect_to_login(parts: &Parts) -> Response {
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    let is_call = parts.uri.path().starts_with("/rpc/");
    if (is_call || !reads) && !wants_html(parts) {
        return (StatusCode::UNAUTHORIZED, Json(AppError::LoginRequired)).into_response();
    }
    let next = match (is_call || !reads, parts.uri.path_and_query()) {
        (true, _) => safe_redirect::referer(&parts.headers),
        (false, Some(path)) => safe_redirect::path(path.as_str()).map(str::to_owned),
        (false, None) => None,
    };
    let query = next
        .filter(|next| next != "/")
        .map(|next| url::form_urlencoded::Serializer::new(String::new()).append_pair("next", &next).finish());
    Redirect::to(&query.map_or_else(|| "/login".to_owned(), |query| format!("/login?{query}")))
        .into_response()
}

fn wants_html(parts: &Parts) -> bool {
    parts
        .headers
        .get(ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.contains("text/html"))
}

/// The facts of the request, and the cookies that change with it.
fn facts(site: &Site, parts: &Parts, viewer: Option<Viewer>) -> (RequestFacts, Vec<HeaderValue>) {
    let secure = site.is_secure();
    let mut cookies = Vec::new();
    let mut preferences = preferences::read(&parts.headers, secure);
    let reads = parts.method == Method::GET;
    if reads
        && parts.uri.path() == "/login"
        && let Some(lang) = query(parts, "lang")
    {
        preferences::change(&mut preferences, "lang", &lang);
        cookies.extend(preferences::set_cookie(&preferences, secure));
    }
    let mut shown_once = None;
    if reads
        && parts.uri.path() == "/secrets"
        && cookies::read(&parts.headers, Name::SetCookie.of(secure)).is_some()
    {
        let carrier = Carrier { vault: Arc::clone(&site.vault), clock: Arc::clone(&site.clock), secure };
        shown_once = viewer.as_ref().and_then(|viewer| carrier.open(viewer, &parts.headers));
        cookies.extend(cookies::write(Name::SetCookie, secure, String::new(), 0));
    }
    let facts = RequestFacts {
        viewer,
        preferences,
        now: site.clock.now(),
        wants_html: wants_html(parts),
        shown_once,
        typed_email: cookies::kept_email(&parts.headers, secure).unwrap_or_default(),
        open_alerts: 0,
    };
    (facts, cookies)
}

fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query()?;
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

fn next_of(parts: &Parts) -> Option<String> {
    query(parts, "next").filter(|next| safe_redirect::path(next).is_some())
}
