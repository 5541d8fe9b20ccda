//! Reading a provider's API over HTTP: what is alike for all of them. Tries again what may pass, reads no more than it
//! can hold, and follows no redirect, so that credentials go nowhere else.

use std::time::Duration;

use app::types::Timestamp;
use reqwest::RequestBuilder;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde::Deserialize;

use super::problem::{ApiDescription, ApiError};
use crate::domain::secret::SecretValue;
use crate::net::{RetryAfter, parse_http_date};

const RETRIES: u32 = 2;
const FIRST_WAIT: Duration = Duration::from_millis(150);
const LONGEST_WAIT: u64 = 60;
const TIMEOUT: Duration = Duration::from_secs(30);
/// A hundred events of the largest kind have room.
const LARGEST_ANSWER: usize = 32 << 20;

/// How to ask a provider's API.
#[derive(Debug, Clone)]
pub struct ApiCredentials {
    /// Such as `https://api.paymos.io`.
    pub base_url: String,
    /// The public half.
    pub key: String,
    /// The secret half.
    pub secret: SecretValue,
}

/// One account's API.
#[derive(Debug)]
pub struct Api {
    http: reqwest::Client,
    base: String,
    host: String,
    about: &'static ApiDescription,
}

impl Api {
    /// The API at this base URL.
    ///
    /// # Errors
    /// The base URL is none.
    pub fn new(base_url: &str, about: &'static ApiDescription) -> Result<Self, ApiError> {
        let base = base_url.trim_end_matches('/').to_owned();
        let wrong = || ApiError::BaseUrl(base.chars().take(200).collect());
        let url = url::Url::parse(&base).map_err(|_| wrong())?;
        let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https")).ok_or_else(wrong)?;
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { http: http_client(&url)?, base, host, about })
    }

    /// Host and port.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// A read, tried again after what may pass: no answer, 5xx and 429. Each try is signed anew.
    ///
    /// # Errors
    /// There was no answer, or none that is worth reading.
    pub async fn get(
        &self,
        path: &'static str,
        query: &str,
        sign: impl Fn(RequestBuilder) -> RequestBuilder,
    ) -> Result<Answer, ApiError> {
        let mut retries = 0;
        loop {
            let request = sign(self.http.get(format!("{}{path}{query}", self.base)));
            let (error, asked) = match self.try_get(path, request).await {
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

    async fn try_get(&self, path: &'static str, request: RequestBuilder) -> Result<Answer, ApiError> {
        let sent = request.header("Accept", "application/json").send();
        let mut response = sent.await.map_err(|error| self.unreachable(&error))?;
        let mut answer = Answer {
            path,
            about: self.about,
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
            date: date(response.headers()),
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
#[derive(Debug)]
pub struct Answer {
    path: &'static str,
    about: &'static ApiDescription,
    /// HTTP status.
    pub status: u16,
    retry_after: Option<u64>,
    /// The API's time, Unix seconds.
    pub date: Option<i64>,
    body: Vec<u8>,
}

impl Answer {
    /// What it says; a part of it may be a slice of its bytes.
    ///
    /// # Errors
    /// It is a refusal, or not as documented.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T, ApiError> {
        if !(200..300).contains(&self.status) {
            return Err(ApiError::from_answer(self.status, &self.body, self.about));
        }
        serde_json::from_slice(&self.body)
            .map_err(|error| ApiError::Malformed { path: self.path, problem: error.to_string() })
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

/// The first and the last whole second of a window whose end is left out.
pub fn whole_seconds(from: Timestamp, to: Timestamp) -> (i64, i64) {
    ((from.micros() + 999_999).div_euclid(1_000_000), (to.micros() - 1).div_euclid(1_000_000))
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

fn date(headers: &HeaderMap) -> Option<i64> {
    header(headers, DATE.as_str()).and_then(parse_http_date).map(Timestamp::unix)
}

/// Seconds to wait. A `Retry-After` date is compared with the API's own `Date`.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    match RetryAfter::parse(header(headers, RETRY_AFTER.as_str())?)? {
        RetryAfter::Seconds(seconds) => Some(seconds),
        RetryAfter::Date(at) => Some(u64::try_from(at.unix() - date(headers)?).unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_forms_of_retry_after() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(DATE, "Sun, 06 Nov 1994 08:49:37 GMT".parse().unwrap());
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:47 GMT"), Some(10));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:17 GMT"), Some(0));
        assert_eq!(read("soon"), None);
    }
}
