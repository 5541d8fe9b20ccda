//! One exchange over HTTP: posts, and hears no more of the answer than is kept.

use std::error::Error;
use std::time::Duration;

use app::types::AttemptError;
use bytes::Bytes;
use reqwest::header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, redirect};
use url::Url;

use super::resolve::{Guard, ResolveError};
use crate::config::Nets;

/// Bytes of an answer's body that are kept.
const MAX_BODY: usize = 16 * 1024;
/// Headers of an answer that are kept, and their bytes.
const MAX_HEADERS: usize = 64;
const MAX_HEADER_BYTES: usize = 8 * 1024;
/// Characters of an error's text that are kept.
const MAX_DETAIL: usize = 500;
/// Shorter than servers commonly keep a silent connection open (5 s), so that a request is seldom written into one
/// that is being closed.
const IDLE: Duration = Duration::from_secs(3);

/// Posts to destinations.
#[derive(Debug, Clone)]
pub struct Poster {
    /// None: it could not be made, and nothing is sent; never one without the guard.
    client: Option<Client>,
    guard: Guard,
}

/// What was heard of the answer, and what is thought of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// Its status.
    pub status: Option<u16>,
    /// Its headers, the first ones.
    pub headers: Vec<(String, String)>,
    /// Its body, the beginning.
    pub body: Vec<u8>,
    /// There was more.
    pub truncated: bool,
    /// `Retry-After`, as it was written.
    pub retry_after: Option<String>,
    /// Why it is a failure; none: it is not.
    pub error: Option<AttemptError>,
    /// More of the failure, in words.
    pub detail: Option<String>,
}

/// What goes wrong before an exchange is complete.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error("the URL is not valid: {0}")]
    Url(#[from] url::ParseError),
    #[error("the scheme of the URL is neither https nor http")]
    Scheme,
    #[error("there is no TLS to send with: look for warnings of the start")]
    NoClient,
    #[error(transparent)]
    Blocked(#[from] ResolveError),
    #[error("{0}")]
    Send(#[source] reqwest::Error),
    #[error("{0}")]
    Answer(#[source] reqwest::Error),
}

impl Poster {
    /// One that may reach these private networks.
    pub fn new(allowed: Nets) -> Self {
        // Whoever installed one before us chose the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = Guard::new(allowed);
        let builder = || {
            Client::builder()
                .redirect(redirect::Policy::none())
                .no_proxy()
                .dns_resolver(guard.clone())
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(64)
        };
        let client = builder().build().or_else(|error| {
            tracing::warn!(%error, "no certificates of authorities are found: deliveries over https will fail");
            builder().tls_certs_only([]).build()
        });
        Self { client: client.ok(), guard }
    }

    /// Posts and judges the answer. Takes no longer than `limit`.
    pub async fn post(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
        limit: Duration,
    ) -> Heard {
        let mut heard = Heard::default();
        let ended = tokio::time::timeout(limit, self.exchange(url, headers, body, &mut heard)).await;
        let (error, detail) = match (ended, heard.status) {
            // An answer that refuses has refused, whatever becomes of the rest of it.
            (_, Some(status)) if !(200..300).contains(&status) => refused(status),
            (Ok(Ok(())), _) => return heard,
            (Ok(Err(broken)), _) => (broken.kind(url), detail_of(&broken)),
            (Err(_), status) => {
                let missing = if status.is_some() { "the answer did not end" } else { "no answer" };
                (AttemptError::Timeout, format!("{missing} within {} ms", limit.as_millis()))
            }
        };
        heard.error = Some(error);
        heard.detail = Some(detail);
        heard
    }

    async fn exchange(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
        heard: &mut Heard,
    ) -> Result<(), Broken> {
        let url = Url::parse(url)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(Broken::Scheme);
        }
        self.guard.check(&url)?;
        let client = self.client.as_ref().ok_or(Broken::NoClient)?;
        let mut request = client.post(url).headers(header_map(headers));
        if body.is_empty() {
            // The client leaves it out then, and some servers insist on it.
            request = request.header(CONTENT_LENGTH, "0");
        }
        let request = request.body(body);
        let mut response = request.send().await.map_err(Broken::Send)?;
        heard.status = Some(response.status().as_u16());
        hear_headers(response.headers(), heard);
        while let Some(chunk) = response.chunk().await.map_err(Broken::Answer)? {
            let room = MAX_BODY - heard.body.len();
            heard.body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if chunk.len() > room {
                heard.truncated = true;
                break;
            }
        }
        Ok(())
    }
}

fn header_map(headers: &[(&'static str, String)]) -> HeaderMap {
    let known = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some((name, HeaderValue::from_bytes(value.as_bytes()).ok()?))
    });
    known.collect()
}

fn hear_headers(headers: &HeaderMap, heard: &mut Heard) {
    let mut bytes = 0;
    for (name, value) in headers {
        bytes += name.as_str().len() + value.len();
        if heard.headers.len() == MAX_HEADERS || bytes > MAX_HEADER_BYTES {
            heard.truncated = true;
            break;
        }
        heard.headers.push((name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    }
    let retry_after = headers.get(reqwest::header::RETRY_AFTER);
    heard.retry_after = retry_after.and_then(|value| value.to_str().ok()).map(str::to_owned);
}

fn refused(status: u16) -> (AttemptError, String) {
    if (300..400).contains(&status) {
        return (AttemptError::Redirect, format!("answered {status}; redirects are never followed"));
    }
    (AttemptError::Status, format!("answered {status}"))
}

impl Broken {
    fn kind(&self, url: &str) -> AttemptError {
        match self {
            Self::Url(_) | Self::Scheme => AttemptError::Connect,
            Self::NoClient => AttemptError::Tls,
            Self::Blocked(_) => AttemptError::Blocked,
            Self::Answer(_) => AttemptError::Body,
            Self::Send(error) => kind_of_send(error, url),
        }
    }
}

fn kind_of_send(error: &reqwest::Error, url: &str) -> AttemptError {
    let mut reached = false;
    for cause in causes(error) {
        match cause.downcast_ref() {
            Some(ResolveError::Blocked(_)) => return AttemptError::Blocked,
            Some(ResolveError::Unresolved(_) | ResolveError::NoAddress) => return AttemptError::Dns,
            None => {}
        }
        let inner = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return AttemptError::Tls;
        }
        reached |= cause.to_string().starts_with("tcp connect error");
    }
    match error.is_connect() {
        // Neither the name nor the connection failed: it was the handshake.
        true if url.starts_with("https:") && !reached => AttemptError::Tls,
        true => AttemptError::Connect,
        false => AttemptError::Body,
    }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// The error's causes in words, innermost last. Without the client's own wrappings, which repeat the URL; and of a name
/// that does not resolve, or may not be gone to, only why.
fn detail_of(broken: &Broken) -> String {
    let texts: Vec<_> = match broken {
        Broken::Send(error) | Broken::Answer(error) => {
            let causes: Vec<_> = causes(error).skip(1).collect();
            let ours = causes.iter().position(|cause| cause.is::<ResolveError>()).unwrap_or(0);
            let texts = causes.iter().skip(ours).map(ToString::to_string);
            texts.filter(|text| !text.starts_with("client error (")).collect()
        }
        other => vec![other.to_string()],
    };
    let mut detail = String::new();
    for text in texts {
        // Some repeat their own cause.
        if !detail.ends_with(&text) {
            let separator = if detail.is_empty() { "" } else { ": " };
            detail.push_str(separator);
            detail.push_str(&text);
        }
    }
    detail.chars().filter(|c| !c.is_control()).take(MAX_DETAIL).collect()
}
