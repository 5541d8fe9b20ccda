//! How the viewer wants the pages: read from a cookie and the browser's language, changed by a form that works
//! without script.

use std::sync::Arc;

use app::context::Preferences;
use app::text::Lang;
use axum::Form;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};

use super::cookies::{self, Name};
use super::safe_redirect;
use super::site::Site;

/// A year.
const KEPT_S: i64 = 365 * 24 * 3600;

/// What the request says.
pub(super) fn read(headers: &HeaderMap, secure: bool) -> Preferences {
    let mut preferences =
        Preferences { theme: String::new(), contrast: false, lang: browser_language(headers), utc: false };
    for word in cookies::read(headers, Name::Preferences.of(secure)).unwrap_or_default().split('.') {
        if let Some((field, value)) = word.split_once('-') {
            change(&mut preferences, field, value);
        }
    }
    preferences
}

/// The header that keeps them.
pub(super) fn set_cookie(preferences: &Preferences, secure: bool) -> Option<HeaderValue> {
    let value = format!(
        "theme-{}.contrast-{}.lang-{}.zone-{}",
        preferences.theme,
        if preferences.contrast { "more" } else { "" },
        code(preferences.lang),
        if preferences.utc { "utc" } else { "local" },
    );
    cookies::write(Name::Preferences, secure, value, KEPT_S)
}

/// Changes one of them; what is not one of its values is passed over.
pub(super) fn change(preferences: &mut Preferences, field: &str, value: &str) {
    match (field, value) {
        ("theme", "" | "light" | "dark") => value.clone_into(&mut preferences.theme),
        ("contrast", "" | "0" | "more" | "1" | "on") => preferences.contrast = !matches!(value, "" | "0"),
        ("lang", "en") => preferences.lang = Lang::En,
        ("lang", "es") => preferences.lang = Lang::Es,
        ("zone", "utc" | "local") => preferences.utc = value == "utc",
        _ => {}
    }
}

/// `POST /account/preferences`: changes the fields that are given and goes back to the page.
pub(super) async fn post(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let mut preferences = read(&headers, site.is_secure());
    for (field, value) in &fields {
        change(&mut preferences, field, value);
    }
    let back = safe_redirect::referer(&headers).unwrap_or_else(|| "/".to_owned());
    let mut response = Redirect::to(&back).into_response();
    if let Some(cookie) = set_cookie(&preferences, site.is_secure()) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

const fn code(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Es => "es",
    }
}

/// The language of ours that the browser likes best; English when it likes neither.
fn browser_language(headers: &HeaderMap) -> Lang {
    let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut best = (Lang::En, 0.0);
    for member in wanted.split(',') {
        let (tag, parameters) = member.split_once(';').unwrap_or((member, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |q| q.parse::<f32>().unwrap_or(0.0));
        let primary = tag.trim().split('-').next().unwrap_or("").to_ascii_lowercase();
        let lang = match primary.as_str() {
            "en" => Lang::En,
            "es" => Lang::Es,
            _ => continue,
        };
        if weight > best.1 {
            best = (lang, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        headers
    }

    #[test]
    fn the_browsers_language_counts_until_one_is_chosen() {
        for (accept, lang) in [
            ("es-MX,es;q=0.9,en;q=0.8", Lang::Es),
            ("en-GB,en;q=0.9,es;q=0.8", Lang::En),
            ("de,es;q=0.3,en;q=0.2", Lang::Es),
            ("de", Lang::En),
            ("es;q=0", Lang::En),
            ("", Lang::En),
        ] {
            assert_eq!(read(&headers("accept-language", accept), false).lang, lang, "{accept}");
        }
        let mut both = headers("accept-language", "es");
        both.insert("cookie", "acuse_preferences=lang-en".parse().unwrap());
        assert_eq!(read(&both, false).lang, Lang::En);
    }

    #[test]
    fn preferences_read_back_as_themselves() {
        for theme in ["", "light", "dark"] {
            for (contrast, lang, utc) in [(false, Lang::En, true), (true, Lang::Es, false)] {
                let kept = Preferences { theme: theme.to_owned(), contrast, lang, utc };
                let header = set_cookie(&kept, false).unwrap();
                let pair = header.to_str().unwrap().split(';').next().unwrap().to_owned();
                assert_eq!(read(&headers("cookie", &pair), false), kept);
            }
        }
    }

    #[test]
    fn a_forged_value_is_passed_over() {
        let read = read(&headers("cookie", "acuse_preferences=theme-<script>.lang-xx.zone-.contrast"), false);
        assert_eq!((read.theme.as_str(), read.lang, read.utc, read.contrast), ("", Lang::En, false, false));
    }
}
