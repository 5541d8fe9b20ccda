//! The cookies beside the session's: how the pages look, the e-mail of a failed log-in, and a new secret on its way
//! to the one page that shows it.

use std::sync::Arc;

use app::context::{FlashSecret, Viewer};
use app::error::AppError;
use app::secrets::NewSecret;
use app::types::{Slug, Timestamp};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos_axum::ResponseOptions;
use tower_sessions::cookie::time::Duration;
use tower_sessions::cookie::{Cookie, SameSite};

use crate::clock::SharedClock;
use crate::domain::secret::SecretValue;
use crate::error::Failure;
use crate::vault::{Sealed, Vault};

/// Seconds that the e-mail of a failed log-in is kept in the browser.
const EMAIL_S: i64 = 300;
/// Seconds that a new secret may be on its way.
const MADE_S: i64 = 120;

/// A cookie of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Who is logged in.
    Session,
    /// How the pages look.
    Preferences,
    /// The e-mail of a failed log-in.
    Email,
    /// A new secret, sealed.
    SetCookie,
}

impl Name {
    /// Its name: over TLS with the prefix that ties it to this host and to TLS.
    pub const fn of(self, secure: bool) -> &'static str {
        match (self, secure) {
            (Self::Session, true) => "__Host-acuse",
            (Self::Session, false) => "acuse_session",
            (Self::Preferences, true) => "__Host-acuse-preferences",
            (Self::Preferences, false) => "acuse_preferences",
            (Self::Email, true) => "__Host-acuse-email",
            (Self::Email, false) => "acuse_email",
            (Self::SetCookie, true) => "__Host-acuse-made",
            (Self::SetCookie, false) => "acuse_made",
        }
    }
}

/// The value of a cookie in a request.
pub(super) fn read(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

/// The header that sets a cookie for so many seconds, or takes it away with 0.
pub(super) fn write(name: Name, secure: bool, value: String, seconds: i64) -> Option<HeaderValue> {
    let cookie = Cookie::build((name.of(secure), value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(secure)
        .max_age(Duration::seconds(seconds));
    HeaderValue::try_from(cookie.build().to_string()).ok()
}

/// The header that keeps the e-mail of a failed log-in for the next try.
pub(super) fn keep_email(secure: bool, email: &str) -> Option<HeaderValue> {
    let short: String = email.chars().take(254).collect();
    write(Name::Email, secure, URL_SAFE_NO_PAD.encode(short), EMAIL_S)
}

/// The e-mail of a failed log-in.
pub(super) fn kept_email(headers: &HeaderMap, secure: bool) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(read(headers, Name::Email.of(secure))?).ok()?;
    let email = String::from_utf8(bytes).ok()?;
    (!email.contains(char::is_control)).then_some(email)
}

/// Carries a new secret over to the next page in a cookie that is sealed for its viewer and soon ends.
pub(super) struct Carrier {
    pub(super) vault: Arc<Vault>,
    pub(super) clock: SharedClock,
    pub(super) secure: bool,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct SetCookie {
    destination: Slug,
    secret: String,
    until: i64,
}

impl Carrier {
    fn seal(&self, viewer: &Viewer, made: &NewSecret) -> Result<String, Failure> {
        let made = SetCookie {
            destination: made.destination.clone(),
            secret: made.secret.clone(),
            until: self.clock.now().plus_seconds(MADE_S).micros(),
        };
        let text = serde_json::to_string(&made).map_err(|error| Failure::other("cookie", error))?;
        let sealed = self.vault.seal(&SecretValue::new(text), &owner(viewer))?;
        Ok(format!("{}.{}", sealed.key_id, URL_SAFE_NO_PAD.encode(sealed.bytes)))
    }

    /// The secret in the request's cookie, unless it is another viewer's or came too late.
    pub(super) fn open(&self, viewer: &Viewer, headers: &HeaderMap) -> Option<NewSecret> {
        let cookie = read(headers, Name::SetCookie.of(self.secure))?;
        let (key_id, bytes) = cookie.split_once('.')?;
        let sealed = Sealed { bytes: URL_SAFE_NO_PAD.decode(bytes).ok()?, key_id: key_id.to_owned() };
        let text = self.vault.open(&sealed, &owner(viewer)).ok()?;
        let made: SetCookie = serde_json::from_str(text.expose()).ok()?;
        (Timestamp::from_micros(made.until) > self.clock.now())
            .then_some(NewSecret { destination: made.destination, secret: made.secret })
    }
}

impl FlashSecret for Carrier {
    fn carry(&self, viewer: &Viewer, made: &NewSecret, answer: &ResponseOptions) -> Result<(), AppError> {
        let value = self.seal(viewer, made)?;
        let header = write(Name::SetCookie, self.secure, value, MADE_S).ok_or(AppError::Internal)?;
        answer.append_header(SET_COOKIE, header);
        Ok(())
    }
}

fn owner(viewer: &Viewer) -> String {
    format!("made/{}", viewer.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;
    use app::types::Role;

    fn viewer(name: &str) -> Viewer {
        Viewer { name: name.to_owned(), role: Role::Support, from: None }
    }

    #[test]
    fn a_new_secret_opens_for_its_viewer_and_not_for_long() {
        let clock = ManualClock::at(Timestamp::from_unix(0));
        let carrier = Carrier { vault: Arc::new(Vault::ephemeral()), clock: clock.clone(), secure: true };
        let made = NewSecret { destination: "shop".parse().unwrap(), secret: "whsec_x".to_owned() };
        let value = carrier.seal(&viewer("ana@shop"), &made).unwrap();
        assert!(!value.contains("whsec"));
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, format!("a=b; __Host-acuse-made={value}").parse().unwrap());
        assert_eq!(carrier.open(&viewer("eve@shop"), &headers), None);
        clock.advance(MADE_S - 1);
        assert_eq!(carrier.open(&viewer("ana@shop"), &headers), Some(made));
        clock.advance(1);
        assert_eq!(carrier.open(&viewer("ana@shop"), &headers), None);
    }

    #[test]
    fn cookies_have_their_flags() {
        let header = write(Name::Email, true, "x".to_owned(), 60).unwrap();
        assert_eq!(
            header.to_str().unwrap(),
            "__Host-acuse-email=x; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"
        );
    }

    #[test]
    fn the_email_reads_back_as_itself() {
        let header = keep_email(false, "a;b=\"ü\"@shop").unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, header.to_str().unwrap().split(';').next().unwrap().parse().unwrap());
        assert_eq!(kept_email(&headers, false).as_deref(), Some("a;b=\"ü\"@shop"));
    }
}
