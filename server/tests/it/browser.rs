//! A browser without script: keeps cookies, follows nothing by itself.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use app::alerts::{Alert, AlertFilter, Alerts, AlertsPage};
use app::audit::{Audit, AuditFilter, AuditPage};
use app::context::{AssetUrls, Backend, Viewer};
use app::deliveries::{
    Deliveries, DeliveriesPage, DeliveryDetail, DeliveryFilter, DeliveryPage, DeliverySummary,
};
use app::destinations::{Change, DestinationForm, Destinations, DestinationsPage};
use app::error::AppError;
use app::events::{EventDetail, EventFilter, EventPage, EventSummary, Events, EventsPage};
use app::reconciliation::{
    Comparison, Difference, DifferenceFilter, Reconciliation, ReconciliationPage, Reconciliations,
};
use app::rejections::{
    RejectionDetail, RejectionFilter, RejectionPage, RejectionSummary, Rejections, RejectionsPage,
    ReverifyResult, ReverifySummary,
};
use app::resends::{NewResend, PlanPage, Resend, ResendPage, ResendPlan, Resends, ResendsPage};
use app::secrets::{Extension, Holder, NewSecret, SecretList, Secrets, SecretsPage, TestResult};
use app::sources::{Sources, SourcesPage};
use app::text::Lang;
use app::types::{FormInput, Page, PageRequest, Role, Slug};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use server::backend::secrets::SecretsBackend;
use server::domain::audit::command_line;
use server::http::pages;
use server::http::site::Site;
use server::registry::Registry;
use server::request_coalescing::ChangeCount;
use server::users;
use server::vault::Vault;
use tower::ServiceExt;

use crate::support::{TestDb, noon};

pub const PASSWORD: &str = "correct horse battery";

/// The site over a test's database, with a backend that has nothing.
pub fn site(test: &TestDb, public_url: &str) -> Site {
    let nothing = Arc::new(Nothing);
    Site {
        db: test.db.clone(),
        clock: test.clock.clone(),
        vault: Arc::new(Vault::ephemeral()),
        backend: Backend {
            deliveries: nothing.clone(),
            destinations: nothing.clone(),
            sources: nothing.clone(),
            events: nothing.clone(),
            audit: nothing.clone(),
            secrets: nothing.clone(),
            rejections: nothing.clone(),
            alerts: nothing.clone(),
            resends: nothing.clone(),
            reconciliations: nothing,
        },
        acts: ChangeCount::default(),
        session_cache: Arc::default(),
        public_url: public_url.parse().unwrap(),
        trusted_proxies: "10.0.0.0/8".parse().unwrap(),
        assets: AssetUrls::default(),
    }
}

pub async fn add_user(test: &TestDb, email: &str, role: Role) {
    users::add(&test.db, email, PASSWORD, role, &command_line(), noon()).await.unwrap();
}

/// The site with the real secrets: a source `shop` and a destination `books`.
pub async fn site_with_secrets(test: &TestDb) -> (Site, Arc<Registry>) {
    let now = test.clock_now().micros();
    for sql in [
        "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'test', $1)",
        "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, created_at) \
         values ('books', 'http://127.0.0.1:9/', 'stripe', '[\"*\"]', '[\"*\"]', '1m', 10000, 16, $1)",
    ] {
        server::write!(&test.db, on => sqlx::query(sql).bind(now).execute(on).await.map(drop)).unwrap();
    }
    let mut site = site(test, "http://acuse.test");
    let registry = Registry::load(test.db.clone(), site.vault.clone(), test.clock.clone()).await.unwrap();
    let (db, clock, vault) = (test.db.clone(), test.clock.clone(), site.vault.clone());
    let nets = server::deliver::Network::new("127.0.0.0/8".parse().unwrap());
    site.backend.secrets =
        Arc::new(SecretsBackend::new(db, clock, vault, registry.clone(), nets, site.acts.clone()));
    (site, registry)
}

/// One person's browser.
pub struct Browser {
    router: Router,
    pub cookies: BTreeMap<String, String>,
    peer: SocketAddr,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn location(&self) -> &str {
        self.headers.get("location").map_or("", |value| value.to_str().unwrap())
    }

    /// The whole `Set-Cookie` of that cookie.
    pub fn set_cookie(&self, name: &str) -> Option<&str> {
        self.headers
            .get_all("set-cookie")
            .iter()
            .map(|value| value.to_str().unwrap())
            .find(|value| value.starts_with(&format!("{name}=")))
    }
}

impl Browser {
    pub fn new(site: Site) -> Self {
        Self::on(pages::router(site))
    }

    pub fn on(router: Router) -> Self {
        Self { router, cookies: BTreeMap::new(), peer: "203.0.113.7:4711".parse().unwrap() }
    }

    /// Another one on the same site, with no cookies.
    pub fn another(&self, peer: &str) -> Self {
        Self {
            router: self.router.clone(),
            cookies: BTreeMap::new(),
            peer: format!("{peer}:4711").parse().unwrap(),
        }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, &[("accept", "text/html")], String::new()).await
    }

    /// Submits a form that stands on `from`.
    pub async fn post(&mut self, from: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let referer = format!("http://acuse.test{from}");
        let headers = [
            ("accept", "text/html"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", "http://acuse.test"),
            ("sec-fetch-site", "same-origin"),
            ("referer", &referer),
        ];
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(Method::POST, path, &headers, body).await
    }

    /// What the browser's half sends when it runs.
    pub async fn call(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let headers = [
            ("accept", "application/json"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
        ];
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(Method::POST, path, &headers, body).await
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("host", "acuse.test");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", pairs.join("; "));
        }
        let mut request = request.body(Body::from(body)).unwrap();
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        self.keep(&parts.headers);
        let body = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    fn keep(&mut self, headers: &HeaderMap) {
        for line in headers.get_all("set-cookie") {
            let line = line.to_str().unwrap();
            let (name, rest) = line.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if value.is_empty() || line.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub async fn log_in(&mut self, email: &str) {
        let answer = self.post("/login", "/login", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/deliveries"), "{email}");
    }

    /// Whether a page opens without being sent to the log-in.
    pub async fn is_in(&mut self) -> bool {
        !self.get("/deliveries").await.location().starts_with("/login")
    }
}

/// A backend that has nothing.
pub struct Nothing;

const NONE: AppError = AppError::NotFound;

#[async_trait::async_trait]
impl Deliveries for Nothing {
    async fn list(&self, _: DeliveryFilter, _: PageRequest) -> Result<Page<DeliverySummary>, AppError> {
        Err(NONE)
    }
    async fn page(&self, _: DeliveryFilter, _: PageRequest, _: Vec<i64>) -> Result<DeliveriesPage, AppError> {
        Err(NONE)
    }
    async fn get(&self, _: i64) -> Result<DeliveryDetail, AppError> {
        Err(NONE)
    }
    async fn detail_page(&self, _: i64) -> Result<DeliveryPage, AppError> {
        Err(NONE)
    }
    async fn resend(&self, _: &Viewer, _: i64, _: &str) -> Result<(), AppError> {
        Err(NONE)
    }
    async fn deliver(&self, _: &Viewer, _: i64, _: &Slug, _: &str) -> Result<i64, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Events for Nothing {
    async fn list(&self, _: EventFilter, _: PageRequest) -> Result<Page<EventSummary>, AppError> {
        Err(NONE)
    }
    async fn page(&self, _: EventFilter, _: PageRequest, _: Vec<i64>) -> Result<EventsPage, AppError> {
        Err(NONE)
    }
    async fn get(&self, _: i64) -> Result<EventDetail, AppError> {
        Err(NONE)
    }
    async fn detail_page(&self, _: i64) -> Result<EventPage, AppError> {
        Err(NONE)
    }
    async fn release(&self, _: &Viewer, _: i64, _: &str) -> Result<(), AppError> {
        Err(NONE)
    }
    async fn body(&self, _: i64) -> Result<Vec<u8>, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Rejections for Nothing {
    async fn list(&self, _: RejectionFilter, _: PageRequest) -> Result<Page<RejectionSummary>, AppError> {
        Err(NONE)
    }
    async fn page(
        &self,
        _: RejectionFilter,
        _: PageRequest,
        _: Vec<i64>,
    ) -> Result<RejectionsPage, AppError> {
        Err(NONE)
    }
    async fn get(&self, _: i64) -> Result<RejectionDetail, AppError> {
        Err(NONE)
    }
    async fn detail_page(&self, _: i64, _: Lang) -> Result<RejectionPage, AppError> {
        Err(NONE)
    }
    async fn reverify(&self, _: &Viewer, _: i64, _: Lang) -> Result<ReverifyResult, AppError> {
        Err(NONE)
    }
    async fn reverify_all(&self, _: &Viewer, _: &Slug, _: Lang) -> Result<ReverifySummary, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Alerts for Nothing {
    async fn list(&self, _: AlertFilter, _: PageRequest) -> Result<Page<Alert>, AppError> {
        Err(NONE)
    }
    async fn page(&self, _: AlertFilter, _: PageRequest, _: Vec<i64>) -> Result<AlertsPage, AppError> {
        Err(NONE)
    }
    async fn acknowledge(&self, _: &Viewer, _: i64) -> Result<Alert, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Destinations for Nothing {
    async fn page(&self) -> Result<DestinationsPage, AppError> {
        Err(NONE)
    }
    async fn apply(&self, _: &Viewer, _: &Slug, _: Change) -> Result<(), AppError> {
        Err(NONE)
    }
    async fn create(&self, _: &Viewer, _: DestinationForm) -> Result<NewSecret, AppError> {
        Err(NONE)
    }
    async fn edit(&self, _: &Viewer, _: DestinationForm) -> Result<(), AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Sources for Nothing {
    async fn page(&self, _: &Viewer, _: &str, _: Lang) -> Result<SourcesPage, AppError> {
        Err(NONE)
    }
    async fn apply(&self, _: &Viewer, _: &FormInput) -> Result<String, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Resends for Nothing {
    async fn plan(&self, _: DeliveryFilter) -> Result<ResendPlan, AppError> {
        Err(NONE)
    }
    async fn plan_page(&self, _: DeliveryFilter) -> Result<PlanPage, AppError> {
        Err(NONE)
    }
    async fn start(&self, _: &Viewer, _: NewResend) -> Result<i64, AppError> {
        Err(NONE)
    }
    async fn list(&self, _: PageRequest) -> Result<Page<Resend>, AppError> {
        Err(NONE)
    }
    async fn page(&self, _: PageRequest) -> Result<ResendsPage, AppError> {
        Err(NONE)
    }
    async fn get(&self, _: i64) -> Result<Resend, AppError> {
        Err(NONE)
    }
    async fn detail_page(&self, _: i64) -> Result<ResendPage, AppError> {
        Err(NONE)
    }
    async fn cancel(&self, _: &Viewer, _: i64) -> Result<Resend, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Reconciliations for Nothing {
    async fn page(&self, _: DifferenceFilter, _: PageRequest) -> Result<ReconciliationPage, AppError> {
        Err(NONE)
    }
    async fn start(&self, _: &Viewer, _: &Slug, _: Comparison) -> Result<i64, AppError> {
        Err(NONE)
    }
    async fn list(&self, _: Option<Slug>, _: PageRequest) -> Result<Page<Reconciliation>, AppError> {
        Err(NONE)
    }
    async fn get(&self, _: i64) -> Result<Reconciliation, AppError> {
        Err(NONE)
    }
    async fn differences(&self, _: DifferenceFilter, _: PageRequest) -> Result<Page<Difference>, AppError> {
        Err(NONE)
    }
    async fn acknowledge(&self, _: &Viewer, _: i64, _: &str) -> Result<Difference, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Audit for Nothing {
    async fn page(&self, _: AuditFilter, _: PageRequest, _: Lang) -> Result<AuditPage, AppError> {
        Err(NONE)
    }
}

#[async_trait::async_trait]
impl Secrets for Nothing {
    async fn page(&self, _: Lang) -> Result<SecretsPage, AppError> {
        Err(NONE)
    }
    async fn extend(
        &self,
        _: &Viewer,
        _: Holder,
        _: &Slug,
        _: &str,
        _: Extension,
        _: &str,
    ) -> Result<SecretList, AppError> {
        Err(NONE)
    }
    async fn undo(&self, _: &Viewer, _: Holder, _: &Slug, _: &str) -> Result<SecretList, AppError> {
        Err(NONE)
    }
    async fn test(&self, _: &Viewer, _: &Slug) -> Result<TestResult, AppError> {
        Err(NONE)
    }
    async fn list(&self, _: Holder, _: &Slug) -> Result<SecretList, AppError> {
        Err(NONE)
    }
    async fn rotate_source(
        &self,
        _: &Viewer,
        _: &Slug,
        _: &str,
        _: i64,
        _: &str,
    ) -> Result<SecretList, AppError> {
        Err(NONE)
    }
    async fn rotate_destination(
        &self,
        _: &Viewer,
        _: &Slug,
        _: i64,
        _: &str,
    ) -> Result<(SecretList, NewSecret), AppError> {
        Err(NONE)
    }
    async fn retire(&self, _: &Viewer, _: Holder, _: &Slug, _: &str, _: &str) -> Result<(), AppError> {
        Err(NONE)
    }
}
