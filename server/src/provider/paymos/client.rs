//! The client of the Paymos API: signed reads with retries. It only reads; nothing at the provider is changed.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, DATE, HeaderMap, RETRY_AFTER};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::problem::ApiError;
use super::request::{Signed, TIMESTAMP_HEADER, query};
use crate::clock::SharedClock;
use crate::directory::ApiCredentials;
use crate::domain::secret::SecretValue;

/// Rows of a page: the most that the API gives.
pub const PAGE: usize = 100;
const RETRIES: u32 = 2;
const FIRST_WAIT: Duration = Duration::from_millis(150);
const LONGEST_WAIT: u64 = 60;
const TIMEOUT: Duration = Duration::from_secs(30);
const LARGEST_ANSWER: usize = 8 << 20;
/// The API refuses requests whose time is a minute off; nearer than this the clock is left alone.
const CLOCK_SLACK: i64 = 5;

/// Asks one account's API.
#[derive(Debug)]
pub struct PaymosClient {
    http: reqwest::Client,
    base: String,
    host: String,
    key: String,
    secret: SecretValue,
    clock: SharedClock,
    /// Seconds that the API's clock is ahead of ours.
    offset: AtomicI64,
}

/// Creation times, Unix seconds, both inclusive, as the API takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreatedWindow {
    /// The first second.
    pub from: i64,
    /// The last second, after the first.
    pub to: i64,
}

/// An invoice, as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ListedInvoice {
    /// `inv_…`.
    pub invoice_id: String,
    /// The merchant's order.
    pub external_order_id: Option<String>,
    /// One of nine words.
    pub status: String,
    /// Decimal, in major units.
    pub amount: Option<String>,
    /// Of the amount.
    pub currency: Option<String>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds: paid in full after it had ended.
    pub paid_late_at: Option<i64>,
}

/// One page of invoices.
#[derive(Debug, Deserialize)]
pub struct InvoicePage {
    /// At most `PAGE`.
    pub items: Vec<ListedInvoice>,
    /// Where the next page begins; none on the last one.
    pub next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct ServerTime {
    server_time: i64,
}

impl PaymosClient {
    /// A client with these credentials.
    ///
    /// # Errors
    /// The base URL is none.
    pub fn new(credentials: &ApiCredentials, clock: SharedClock) -> Result<Self, ApiError> {
        let base = credentials.base_url.trim_end_matches('/').to_owned();
        let wrong = || ApiError::BaseUrl(base.chars().take(200).collect());
        let url = url::Url::parse(&base).map_err(|_| wrong())?;
        let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https")).ok_or_else(wrong)?;
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self {
            http: http_client(&url)?,
            base,
            host,
            key: credentials.key.clone(),
            secret: credentials.secret.clone(),
            clock,
            offset: AtomicI64::new(0),
        })
    }

    /// Learns how far the API's clock is ahead of ours; later requests are signed with its time. A clock that is so
    /// far off that the API refuses even this call is set by the `Date` of the refusal.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn learn_clock(&self) -> Result<i64, ApiError> {
        const PATH: &str = "/v1/time";
        let mut answer = self.get(PATH, "").await?;
        if answer.status == 401
            && let Some(theirs) = answer.date
            && (theirs - self.now()).abs() > CLOCK_SLACK
        {
            self.set_offset(theirs);
            answer = self.get(PATH, "").await?;
        }
        let time: ServerTime = answer.decode(PATH)?;
        self.set_offset(time.server_time);
        Ok(self.offset.load(Ordering::Relaxed))
    }

    /// One page of the invoices that were created in the window.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn invoices(
        &self,
        window: CreatedWindow,
        cursor: Option<&str>,
    ) -> Result<InvoicePage, ApiError> {
        const PATH: &str = "/v1/invoices";
        let mut parameters = vec![
            ("created_from", window.from.to_string()),
            ("created_to", window.to.to_string()),
            ("limit", PAGE.to_string()),
        ];
        parameters.extend(cursor.map(|cursor| ("cursor", cursor.to_owned())));
        let mut page: InvoicePage = self.get(PATH, &query(&parameters)).await?.decode(PATH)?;
        page.next_cursor = page.next_cursor.filter(|cursor| !cursor.is_empty());
        Ok(page)
    }

    fn now(&self) -> i64 {
        self.clock.now().unix() + self.offset.load(Ordering::Relaxed)
    }

    fn set_offset(&self, theirs: i64) {
        let offset = theirs.saturating_sub(self.clock.now().unix());
        self.offset.store(if offset.abs() > CLOCK_SLACK { offset } else { 0 }, Ordering::Relaxed);
    }

    /// A read, tried again after what may pass: no answer, 5xx and 429. Each try is signed at its own time.
    async fn get(&self, path: &'static str, query: &str) -> Result<Answer, ApiError> {
        let mut retries = 0;
        loop {
            let outcome = self.try_get(path, query).await;
            let (error, asked) = match outcome {
                Ok(answer) if answer.status == 429 => (ApiError::TooMany(retries), answer.retry_after),
                Ok(answer) if answer.status >= 500 => {
                    (ApiError::Broken { status: answer.status, retries }, answer.retry_after)
                }
                Ok(answer) => return Ok(answer),
                Err(error) => (error, None),
            };
            if let Some(seconds) = asked.filter(|seconds| *seconds > LONGEST_WAIT) {
                return Err(ApiError::WaitTooLong(seconds));
            }
            if retries == RETRIES {
                return Err(error);
            }
            let jitter = rand::random_range(0..FIRST_WAIT.as_millis() as u64);
            let wait = FIRST_WAIT * 2_u32.pow(retries) + Duration::from_millis(jitter);
            tokio::time::sleep(wait.max(Duration::from_secs(asked.unwrap_or(0)))).await;
            retries += 1;
        }
    }

    async fn try_get(&self, path: &'static str, query: &str) -> Result<Answer, ApiError> {
        let timestamp = self.now().to_string();
        let signed = Signed { timestamp: &timestamp, method: "GET", path, query, body: b"" };
        let sent = self
            .http
            .get(format!("{}{path}{query}", self.base))
            .header(AUTHORIZATION, signed.authorization(&self.key, &self.secret))
            .header(TIMESTAMP_HEADER, &timestamp)
            .header("Accept", "application/json")
            .send();
        let mut response = sent.await.map_err(|error| self.unreachable(&error))?;
        let mut answer = Answer {
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers(), self.now()),
            date: header(response.headers(), DATE.as_str()).and_then(http_date),
            body: Vec::new(),
        };
        while let Some(chunk) = response.chunk().await.map_err(|error| self.unreachable(&error))? {
            answer.body.extend_from_slice(&chunk);
            if answer.body.len() > LARGEST_ANSWER {
                let problem = format!("more than {LARGEST_ANSWER} bytes");
                return Err(ApiError::Malformed { path, problem });
            }
        }
        Ok(answer)
    }

    fn unreachable(&self, error: &reqwest::Error) -> ApiError {
        let problem = match error {
            error if error.is_timeout() => "no answer in time".to_owned(),
            error => innermost(error),
        };
        ApiError::Unreachable { host: self.host.clone(), problem }
    }
}

/// What came back.
struct Answer {
    status: u16,
    retry_after: Option<u64>,
    date: Option<i64>,
    body: Vec<u8>,
}

impl Answer {
    fn decode<T: DeserializeOwned>(self, path: &'static str) -> Result<T, ApiError> {
        if !(200..300).contains(&self.status) {
            return Err(ApiError::from_answer(self.status, &self.body));
        }
        serde_json::from_slice(&self.body)
            .map_err(|error| ApiError::Malformed { path, problem: error.to_string() })
    }
}

fn http_client(base: &url::Url) -> Result<reqwest::Client, ApiError> {
    // The second one to install it is told so, and need not care.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let is_here = match base.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    let builder = reqwest::Client::builder();
    // A proxy of the environment does not know what is on this machine.
    let builder = if is_here { builder.no_proxy() } else { builder };
    builder
        .timeout(TIMEOUT)
        .connect_timeout(Duration::from_secs(10))
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("Acuse/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| ApiError::Client(innermost(&error)))
}

/// The cause behind the causes: the outer ones repeat the URL.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string().chars().take(200).collect()
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Seconds to wait, from seconds or from a date.
fn retry_after(headers: &HeaderMap, now: i64) -> Option<u64> {
    let asked = header(headers, RETRY_AFTER.as_str())?.trim();
    asked.parse().ok().or_else(|| http_date(asked).map(|date| u64::try_from(date - now).unwrap_or(0)))
}

fn http_date(text: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc2822(text).ok().map(|date| date.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_forms_of_retry_after() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            retry_after(&headers, 784_111_777)
        };
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:47 GMT"), Some(10));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:17 GMT"), Some(0));
        assert_eq!(read("soon"), None);
    }

    #[test]
    fn refuses_a_base_url_that_is_none() {
        let client = |base_url: &str| {
            let credentials = ApiCredentials {
                base_url: base_url.to_owned(),
                key: "pk_test".to_owned(),
                secret: SecretValue::new("sk_test"),
            };
            PaymosClient::new(&credentials, std::sync::Arc::new(crate::clock::SystemClock))
        };
        assert!(client("https://api.paymos.io/").is_ok());
        for bad in ["", "api.paymos.io", "ftp://api.paymos.io", "file:///etc"] {
            assert!(matches!(client(bad), Err(ApiError::BaseUrl(_))), "{bad:?}");
        }
    }
}
