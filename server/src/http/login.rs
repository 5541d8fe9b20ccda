//! Logging in and out: plain forms that work without script. What went wrong goes back as a code in the URL, never
//! as a text, and the password never goes back at all.

use std::sync::Arc;

use app::context::Viewer;
use axum::Form;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use tower_sessions::Session;
use zeroize::Zeroizing;

use super::cookies::{self, Name};
use super::layers::guard::USER;
use super::pages::{SESSION, error_page_for};
use super::safe_redirect;
use super::site::Site;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::store::audit;
use crate::store::user::{self, UserRow};
use crate::users::throttle::{self, LoginDecision};
use crate::users::{self, password};

/// Where people land after the log-in when they were on their way to nowhere.
const LANDING: &str = "/deliveries";

/// The fields of the form.
#[derive(serde::Deserialize)]
pub(super) struct Credentials {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: Zeroizing<String>,
    #[serde(default)]
    next: String,
}

/// What came of it.
enum Outcome {
    LoggedIn,
    Wrong { left: i64 },
    Wait { seconds: i64 },
}

/// `POST /login`.
pub(super) async fn post(
    State(site): State<Arc<Site>>,
    session: Session,
    parts: Parts,
    Form(form): Form<Credentials>,
) -> Response {
    let next = safe_redirect::path(&form.next);
    match log_in(&site, &session, &parts, &form).await {
        Ok(Outcome::LoggedIn) => {
            let mut response = Redirect::to(next.unwrap_or(LANDING)).into_response();
            set(&mut response, cookies::write(Name::Email, site.is_secure(), String::new(), 0));
            response
        }
        Ok(Outcome::Wrong { left }) => back(&site, &form, next, "credentials", "left", left),
        Ok(Outcome::Wait { seconds }) => back(&site, &form, next, "wait", "minutes", (seconds + 59) / 60),
        Err(error) => error_page_for(&error),
    }
}

/// `POST /logout`.
pub(super) async fn out(session: Session) -> Response {
    match session.flush().await {
        Ok(()) => Redirect::to("/login").into_response(),
        Err(error) => error_page_for(&session_failure(&error)),
    }
}

async fn log_in(
    site: &Site,
    session: &Session,
    parts: &Parts,
    form: &Credentials,
) -> Result<Outcome, Failure> {
    let now = site.clock.now();
    let email = users::normal_email(&form.email).unwrap_or_default();
    let attempt = match throttle::begin(&site.db, &email, site.client(parts), now).await? {
        LoginDecision::Open(attempt) => attempt,
        LoginDecision::Wait(seconds) => return Ok(Outcome::Wait { seconds }),
    };
    let user = user::by_email(&site.db, &email).await?;
    let hash = user.as_ref().map(|user| user.password_hash.clone());
    let given = if form.password.len() > users::LONGEST_PASSWORD { "" } else { form.password.as_str() };
    let right = password::verify(given, hash).await?;
    match &user {
        Some(user) if right => {
            attempt.succeeded(&site.db).await?;
            note(site, parts, user, action::LOGIN_SUCCEEDED).await?;
            session.cycle_id().await.map_err(|error| session_failure(&error))?;
            session.insert(USER, user.id).await.map_err(|error| session_failure(&error))?;
            tracing::info!(user.id = user.id, "logged in");
            Ok(Outcome::LoggedIn)
        }
        user => {
            // Only of people that there are: what strangers type may be anything, even a password.
            if let Some(user) = &user {
                note(site, parts, user, action::LOGIN_FAILED).await?;
            }
            tracing::warn!(client = ?site.client(parts), "a log-in failed");
            Ok(match attempt.wait_s() {
                0 => Outcome::Wrong { left: attempt.left },
                seconds => Outcome::Wait { seconds },
            })
        }
    }
}

/// Writes down that they logged in, or that somebody could not as them.
async fn note(site: &Site, parts: &Parts, user: &UserRow, what: &'static str) -> Result<(), Failure> {
    let from = site.client(parts).map(|address| address.to_string());
    let viewer = Viewer { name: user.email.clone(), role: user.role, from };
    let now = site.clock.now();
    let mut tx = site.db.begin_write().await?;
    if what == action::LOGIN_SUCCEEDED {
        user::logged_in(&mut tx, user.id, now).await?;
    }
    audit::record(&mut tx, &Entry::by(&viewer, what, format!("user/{}", user.email), now)).await?;
    Ok(tx.commit().await?)
}

fn session_failure(error: &tower_sessions::session::Error) -> Failure {
    Failure::other(SESSION, error)
}

/// Back to the form with a code, and with the e-mail in a cookie.
fn back(
    site: &Site,
    form: &Credentials,
    next: Option<&str>,
    error: &str,
    field: &str,
    number: i64,
) -> Response {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("error", error).append_pair(field, &number.to_string());
    if let Some(next) = next {
        query.append_pair("next", next);
    }
    let mut response = Redirect::to(&format!("/login?{}", query.finish())).into_response();
    set(&mut response, cookies::keep_email(site.is_secure(), &form.email));
    response
}

fn set(response: &mut Response, cookie: Option<axum::http::HeaderValue>) {
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}
