//! What a server function knows of its request, read once, before any await: the context is gone when the client
//! goes away.

use crate::types::Timestamp;

pub use crate::viewer::{Preferences, Reader, Viewer};

/// The hashed URLs of the files that a page loads; empty when the browser's half is not built in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetUrls {
    /// The module that loads the wasm.
    pub js: String,
    /// The wasm.
    pub wasm: String,
    /// The style sheet.
    pub css: String,
    /// The mark, for the tab.
    pub icon: String,
}

/// The facts of the request that pages and server functions need.
#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// Who asks; none on the log-in page.
    pub viewer: Option<Viewer>,
    /// How they want it.
    pub preferences: Preferences,
    /// The server's time, from its clock.
    pub now: Timestamp,
    /// The page can not run script: what is done answers with a redirect.
    pub wants_html: bool,
    /// A secret that was just made and is to be shown once, without script.
    pub shown_once: Option<crate::secrets::NewSecret>,
    /// On the log-in page after a try that failed: the e-mail that was typed.
    pub typed_email: String,
    /// How many alerts are open.
    pub open_alerts: i64,
}

#[cfg(feature = "ssr")]
impl From<RequestFacts> for Reader {
    fn from(facts: RequestFacts) -> Self {
        Self {
            viewer: facts.viewer,
            preferences: facts.preferences,
            typed_email: facts.typed_email,
            open_alerts: facts.open_alerts,
        }
    }
}

/// Who looks at the page.
pub fn reader() -> Reader {
    #[cfg(feature = "ssr")]
    return facts().map(Reader::from).unwrap_or_default();
    #[cfg(not(feature = "ssr"))]
    crate::ui::browser::reader()
}

/// What every page of this request or tab shares; made by the root.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the context")]
pub fn ui() -> crate::ui::Ui {
    leptos::prelude::use_context().unwrap_or_else(|| crate::ui::Ui::new(&reader()))
}

/// Gives the page that is being rendered the status of an error: 404 for what is not there. Nothing in the browser.
pub fn set_status(error: &crate::error::AppError) {
    #[cfg(feature = "ssr")]
    server::set_status(error);
    #[cfg(not(feature = "ssr"))]
    let _ = error;
}

#[cfg(feature = "ssr")]
pub use server::{Backend, FlashSecret, ServerContext, facts, server};

#[cfg(feature = "ssr")]
mod server {
    use std::sync::Arc;

    use leptos::server_fn::error::ServerFnUrlError;
    use leptos_axum::ResponseOptions;

    use super::{RequestFacts, Viewer};
    use crate::error::AppError;
    use crate::secrets::NewSecret;
    use crate::types::{FormInput, Role};
    use crate::ui::query;

    /// Bytes of a URL that a form is returned with, at most: long settings are not carried.
    const LONGEST_RETURN: usize = 6000;

    /// What the server does for the pages.
    #[derive(Clone)]
    pub struct Backend {
        /// Deliveries.
        pub deliveries: Arc<dyn crate::deliveries::Deliveries>,
        /// Destinations.
        pub destinations: Arc<dyn crate::destinations::Destinations>,
        /// Events.
        pub events: Arc<dyn crate::events::Events>,
        /// Resends of many.
        pub resends: Arc<dyn crate::resends::Resends>,
        /// The audit.
        pub audit: Arc<dyn crate::audit::Audit>,
        /// Secrets.
        pub secrets: Arc<dyn crate::secrets::Secrets>,
        /// Sources.
        pub sources: Arc<dyn crate::sources::Sources>,
        /// Reconciliations and their differences.
        pub reconciliations: Arc<dyn crate::reconciliation::Reconciliations>,
        /// What was refused.
        pub rejections: Arc<dyn crate::rejections::Rejections>,
        /// What somebody should know.
        pub alerts: Arc<dyn crate::alerts::Alerts>,
    }

    /// Carries a new secret over to the next page, where script is off: sealed, and this once.
    pub trait FlashSecret: Send + Sync {
        /// Writes the cookie into the answer. The page finds the secret in `RequestFacts::shown_once`.
        fn carry(&self, viewer: &Viewer, made: &NewSecret, answer: &ResponseOptions) -> Result<(), AppError>;
    }

    /// What a server function may use.
    pub struct ServerContext {
        /// Who asks.
        pub viewer: Viewer,
        /// The request.
        pub facts: RequestFacts,
        /// What the server does.
        pub backend: Backend,
        one_time: Arc<dyn FlashSecret>,
        answer: ResponseOptions,
    }

    impl ServerContext {
        /// After a secret was made: a plain form is sent on to the page that shows it once. What is to be answered.
        ///
        /// # Errors
        /// `Internal`: it cannot be carried over.
        pub fn show_once(&self, made: NewSecret) -> Result<NewSecret, AppError> {
            if !self.facts.wants_html {
                return Ok(made);
            }
            self.one_time.carry(&self.viewer, &made, &self.answer)?;
            self.redirect(&format!("/secrets?made={}", made.destination));
            // The value travels in the sealed cookie, and not in a body that nobody reads.
            Ok(NewSecret { secret: String::new(), ..made })
        }

        /// After a form of a page was applied: a plain one is sent on to the page that shows what came of it, or back
        /// with what was typed, but for secrets. `call`: the path that it was sent to; its page is the one of its area,
        /// with the field `act` as the name of what is asked there, and `slug` as what it is asked of.
        ///
        /// # Errors
        /// Those of applying it.
        pub fn show_or_return(
            &self,
            applied: Result<String, AppError>,
            call: &str,
            form: &FormInput,
        ) -> Result<String, AppError> {
            match &applied {
                Ok(shown) => self.redirect(shown),
                Err(error) => {
                    let area = call.split('/').nth(2).unwrap_or_default();
                    let mut page = format!("http://acuse/{area}?");
                    query::encode(form.get("act"), &mut page);
                    page.push('=');
                    query::encode(form.get("slug"), &mut page);
                    page.push_str(&form.shown());
                    page.truncate(LONGEST_RETURN);
                    if let Ok(url) = ServerFnUrlError::new(call, error.clone()).to_url(&page) {
                        self.redirect(&format!("{}?{}", url.path(), url.query().unwrap_or_default()));
                    }
                }
            }
            applied
        }

        /// Sends a plain form on to a path of ours instead of back to where it was. Nothing with script.
        pub fn redirect(&self, path: &str) {
            let Ok(path) = http::HeaderValue::from_str(path) else { return };
            if self.facts.wants_html {
                self.answer.insert_header(http::header::LOCATION, path);
                self.answer.set_status(http::StatusCode::SEE_OTHER);
            }
        }
    }

    /// First line of every server function: who asks may do this, and here is what it needs.
    ///
    /// # Errors
    /// `LoginRequired` or `Forbidden`; `Internal` outside a request.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the context")]
    pub fn server(needed: Role) -> Result<ServerContext, AppError> {
        let facts = leptos::prelude::use_context::<RequestFacts>().ok_or(AppError::Internal)?;
        let backend = leptos::prelude::use_context::<Backend>().ok_or(AppError::Internal)?;
        let one_time = leptos::prelude::use_context::<Arc<dyn FlashSecret>>().ok_or(AppError::Internal)?;
        let answer = leptos::prelude::use_context::<ResponseOptions>().ok_or(AppError::Internal)?;
        let viewer = facts.viewer.clone().ok_or(AppError::LoginRequired)?;
        if viewer.role < needed {
            return Err(AppError::Forbidden);
        }
        Ok(ServerContext { viewer, facts, backend, one_time, answer })
    }

    /// The request, for the page's frame; none while the routes are listed at start.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the context")]
    pub fn facts() -> Option<RequestFacts> {
        leptos::prelude::use_context::<RequestFacts>()
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that reads the context")]
    pub(super) fn set_status(error: &AppError) {
        let status = http::StatusCode::from_u16(error.status());
        if let (Some(answer), Ok(status)) = (leptos::prelude::use_context::<ResponseOptions>(), status) {
            answer.set_status(status);
        }
    }
}
