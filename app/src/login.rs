//! The log-in: one slip. The form posts to the server's own handler, which answers with a redirect.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::context;
use crate::text::Lang;
use crate::ui::{IntoPart, Ui, icon, query, title};

/// Why a log-in failed, from the query: a closed set, because anybody can write a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The two do not go together; so many tries are left.
    Credentials(Option<u8>),
    /// Too many tries; wait so many minutes.
    Wait(Option<u8>),
}

fn failure(search: &str) -> Option<Failure> {
    let number = |name| query::value(search, name)?.parse::<u8>().ok();
    match query::value(search, "error")?.as_str() {
        "credentials" => Some(Failure::Credentials(number("left").filter(|left| *left <= 10))),
        "wait" => Some(Failure::Wait(number("minutes").filter(|minutes| (1..=60).contains(minutes)))),
        _ => None,
    }
}

fn describe_failure(ui: Ui, failure: Failure) -> (&'static str, String) {
    let text = ui.text;
    match failure {
        Failure::Credentials(left) => {
            let left = left.map(|left| text.counted(left.into(), text.login.left_one, text.login.left_many));
            (text.login.wrong, left.unwrap_or_default())
        }
        Failure::Wait(minutes) => {
            let minutes = minutes.unwrap_or(15).into();
            (text.login.wait, text.counted(minutes, text.login.wait_one, text.login.wait_many))
        }
    }
}

/// The page.
#[component]
pub fn LoginView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let search = use_location().search.get_untracked();
    let next = query::value(&search, "next").unwrap_or_default();
    let typed = context::reader().typed_email;
    let failed = failure(&search);
    let is_wrong = failed.map(|_| "true");
    let described = failed.map(|_| "login-error");
    let error = failed.map(|failed| {
        let (title, more) = describe_failure(ui, failed);
        view! {
            <div class="error" role="alert" id="login-error">
                {icon::icon("failed")}
                <p>
                    <b>{title}</b>
                    " "
                    {more}
                </p>
            </div>
        }
    });
    view! {
        {title::title(move || text.common.log_in.to_owned())}
        <div class="gate">
            <header>
                <a class="brand" href="/login" rel="external">
                    {icon::mark()}
                    <span>"Acuse"</span>
                </a>
            </header>
            <main class="slip" id="main">
                <h1>{text.common.log_in}</h1>
                <form class="stack" method="post" action="/login">
                    {error}
                    <input type="hidden" name="next" value=next.clone() />
                    <div class="field">
                        <label for="email">{text.login.email}</label>
                        <input
                            id="email"
                            name="email"
                            type="email"
                            autocomplete="username"
                            required
                            autofocus
                            value=typed
                            aria-invalid=is_wrong
                            aria-describedby=described
                        />
                    </div>
                    <div class="field">
                        <label for="password">{text.login.password}</label>
                        <input
                            id="password"
                            name="password"
                            type="password"
                            autocomplete="current-password"
                            required
                            aria-invalid=is_wrong
                            aria-describedby=described
                        />
                    </div>
                    <div class="field">
                        <button class="button primary">{text.common.log_in}</button>
                    </div>
                </form>
                <hr class="tear" />
                {languages(ui, &next)}
            </main>
            <footer class="faint">{text.login.forgot}</footer>
        </div>
    }
}

/// Another language, in this place.
fn languages(ui: Ui, next: &str) -> AnyView {
    let choice = |lang: Lang, word: &'static str| {
        let pairs = [("lang", lang.code().to_owned()), ("next", next.to_owned())];
        let href = query::link("/login", &query::write(pairs));
        view! {
            <a href=href rel="external" lang=lang.code() aria-current=(lang == ui.lang).then_some("true")>
                {word}
            </a>
        }
    };
    view! { <p class="row"><span class="segmented end">{choice(Lang::En, "English")}{choice(Lang::Es, "Español")}</span></p> }.part()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_errors_are_said() {
        assert_eq!(failure(""), None);
        assert_eq!(failure("error=credentials&left=4"), Some(Failure::Credentials(Some(4))));
        assert_eq!(failure("error=credentials&left=999"), Some(Failure::Credentials(None)));
        assert_eq!(failure("error=wait&minutes=15"), Some(Failure::Wait(Some(15))));
        assert_eq!(failure("error=<script>"), None);
    }
}
