//! The whole gateway over a test's database, reached over HTTP like a user reaches it.

use std::time::Duration;

use app::types::Role;
use hmac::{Hmac, Mac};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::clock::Clock;
use server::config::Config;
use server::domain::audit::command_line;
use server::gateway;
use server::http::layers::guard::USER;
use server::store::user;
use server::store::user::session::Sessions;
use server::users::tokens;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};

use super::TestDb;

/// A running gateway with a token for each role. Its clock is the test's, and stands still.
pub struct TestApp {
    pub test: TestDb,
    /// Such as `http://127.0.0.1:40123`.
    pub base: String,
    pub http: reqwest::Client,
    tokens: Vec<(Role, String)>,
    config: Config,
    shutdown: CancellationToken,
    running: JoinHandle<anyhow::Result<()>>,
}

/// Another process over the same database; PostgreSQL only. It ends with its app.
pub struct Sibling {
    pub base: String,
    running: JoinHandle<anyhow::Result<()>>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// The body, which must be text.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body, which must be JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The body of an answer with this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    /// The code of a problem with this status; every problem has the members of RFC 9457.
    #[track_caller]
    pub fn problem(&self, status: u16) -> String {
        let body = self.expect(status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(body["status"], status);
        assert!(body["title"].is_string());
        body["code"].as_str().unwrap().to_owned()
    }

    /// Field and code of every error of a refused input.
    #[track_caller]
    pub fn refused(&self) -> Vec<(String, String)> {
        assert_eq!(self.problem(400), "invalid_input");
        let errors = self.json()["errors"].as_array().unwrap().clone();
        let text = |error: &Value, member: &str| error[member].as_str().unwrap().to_owned();
        errors.iter().map(|error| (text(error, "field"), text(error, "code"))).collect()
    }
}

impl TestApp {
    pub async fn start(test: TestDb) -> Self {
        Self::start_with(test, |_| ()).await
    }

    /// With other settings.
    pub async fn start_with(test: TestDb, change: impl FnOnce(&mut Config)) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listen = listener.local_addr().unwrap();
        let base = format!("http://{listen}");
        let mut config = Self::config(&test, listen);
        server::vault::key_file::create(&config.key_file).unwrap();
        change(&mut config);
        let mut tokens = Vec::new();
        for &role in Role::ALL {
            let value = user::token::new_value();
            let by = command_line();
            tokens::add(&test.db, role.as_str(), role, &value, &by, test.clock_now()).await.unwrap();
            tokens.push((role, value.to_string()));
        }
        let shutdown = CancellationToken::new();
        let run = gateway::run(config.clone(), listener, test.clock.clone(), shutdown.clone());
        let running = tokio::spawn(run);
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let app = Self { test, base, http, tokens, config, shutdown, running };
        app.until("it is ready", async || app.plain(Method::GET, "/readyz").await.status == 200).await;
        app
    }

    /// Settings for a gateway over this database.
    pub fn config(test: &TestDb, listen: std::net::SocketAddr) -> Config {
        Config {
            listen,
            public_url: format!("http://{listen}").parse().unwrap(),
            database_url: test.url.parse().unwrap(),
            key_file: test.folder.path().join("acuse.key"),
            allow_nets: "127.0.0.0/8".parse().unwrap(),
            root_certificates: server::net::RootCertificates::default(),
            trusted_proxies: "".parse().unwrap(),
            max_body: 1 << 20,
            retention_days: 0,
            migrate: true,
            sandbox: false,
        }
    }

    pub fn token(&self, role: Role) -> &str {
        &self.tokens.iter().find(|(of, _)| *of == role).unwrap().1
    }

    /// Without a token.
    pub async fn plain(&self, method: Method, path: &str) -> Answer {
        Answer::of(self.http.request(method, format!("{}{path}", self.base)).send().await.unwrap()).await
    }

    /// A call of the API, below `/api/v1`.
    pub async fn call(&self, role: Role, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request =
            self.http.request(method, format!("{}/api/v1{path}", self.base)).bearer_auth(self.token(role));
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        Answer::of(request.send().await.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(Role::Viewer, Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Role::Admin, Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call(Role::Admin, Method::PATCH, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Role::Admin, Method::DELETE, path, None).await
    }

    /// Starts another process over the same database.
    pub async fn sibling(&self) -> Sibling {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (clock, shutdown) = (self.test.clock.clone(), self.shutdown.clone());
        let running = tokio::spawn(gateway::run(self.config.clone(), listener, clock, shutdown));
        Sibling { base, running }
    }

    /// Posts a webhook as Paymos does, signed at the test's time.
    pub async fn webhook(&self, source: &str, secret: &str, body: &str) -> Answer {
        self.webhook_to(&self.base, source, secret, body).await
    }

    /// The same to another process.
    pub async fn webhook_to(&self, base: &str, source: &str, secret: &str, body: &str) -> Answer {
        let t = self.test.clock.now().unix();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{t}.{body}").as_bytes());
        let signature = format!("t={t},v1={}", hex::encode(mac.finalize().into_bytes()));
        let request = self
            .http
            .post(format!("{base}/webhooks/{source}"))
            .header("content-type", "application/json")
            .header("x-webhook-signature", signature)
            .body(body.to_owned());
        Answer::of(request.send().await.unwrap()).await
    }

    /// Somebody with this role who has logged in: the cookie of their session.
    pub async fn session(&self, role: Role) -> String {
        let email = format!("{}-{}@shop.test", role.as_str(), rand::random::<u32>());
        let sql = "insert into \"user\" (email, password_hash, role, created_at) values ($1, '', $2, 0) returning id";
        let user: i64 = server::write!(&self.test.db, on => sqlx::query_scalar(sql)
            .bind(email)
            .bind(role.as_str())
            .fetch_one(on).await)
        .unwrap();
        let mut record = Record {
            id: Id(rand::random()),
            data: [(USER.to_owned(), user.into())].into(),
            expiry_date: time::OffsetDateTime::UNIX_EPOCH,
        };
        Sessions::new(self.test.db.clone(), self.test.clock.clone()).create(&mut record).await.unwrap();
        format!("acuse_session={}", record.id)
    }

    /// What a page in a browser calls.
    pub async fn rpc(&self, session: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .header("cookie", session)
            .header("accept", "application/json")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .body(body);
        Answer::of(request.send().await.unwrap()).await
    }

    /// A page of the dashboard, in English, as a browser without script gets it.
    pub async fn page(&self, session: &str, path: &str) -> String {
        self.page_in("en", session, path).await
    }

    /// The same in another language.
    pub async fn page_in(&self, lang: &str, session: &str, path: &str) -> String {
        let answer = self.open_in(lang, session, path).await;
        assert_eq!(answer.status, 200, "{path}");
        String::from_utf8(answer.bytes).unwrap()
    }

    /// What such a page says, without its tags.
    pub async fn said(&self, lang: &str, session: &str, path: &str) -> String {
        let page = scraper::Html::parse_document(&self.page_in(lang, session, path).await);
        let main = scraper::Selector::parse("main").unwrap();
        page.select(&main).next().unwrap().text().collect()
    }

    /// A page that may not be there.
    pub async fn open(&self, session: &str, path: &str) -> Answer {
        self.open_in("en", session, path).await
    }

    async fn open_in(&self, lang: &str, session: &str, path: &str) -> Answer {
        let request = self
            .http
            .get(format!("{}{path}", self.base))
            .header("cookie", session)
            .header("accept", "text/html")
            .header("accept-language", lang);
        Answer::of(request.send().await.unwrap()).await
    }

    /// Submits a form as a browser without script does.
    pub async fn submit(&self, session: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.form(session, "/", path, fields).await
    }

    /// A form that stands on the page `from`, as that browser sends it.
    pub async fn form(&self, session: &str, from: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .header("origin", &self.base)
            .header("referer", format!("{}{from}", self.base))
            .header("sec-fetch-site", "same-origin")
            .header("cookie", session)
            .header("accept", "text/html")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body);
        Answer::of(request.send().await.unwrap()).await
    }

    /// Waits for what the workers do by themselves, 10 s at most.
    pub async fn until(&self, what: &str, mut is_so: impl AsyncFnMut() -> bool) {
        for _ in 0..500 {
            if is_so().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("waited 10 s until {what}");
    }

    /// Every row of a list, page by page; the query may be empty.
    pub async fn every(&self, path: &str, query: &str) -> Vec<Value> {
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}?{query}{cursor}")).await.expect(200);
            rows.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return rows,
            }
        }
    }

    /// Asks for an orderly end and waits for it.
    pub async fn stop(self) -> TestDb {
        self.shutdown.cancel();
        self.running.await.unwrap().unwrap();
        self.test
    }
}

impl Sibling {
    /// Waits for its end, which its app has asked for.
    pub async fn ended(self) {
        self.running.await.unwrap().unwrap();
    }
}
