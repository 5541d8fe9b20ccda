//! The HTTP client: posts a request, and reads no more of the response than is stored.

use std::cell::RefCell;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use app::deliveries::Latency;
use app::types::AttemptError;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::capture_connection;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use url::Url;

use super::connect::{ConnectError, ConnectedAt, Connector, STEPS, Steps};
use super::resolve::{Guard, Lookup, ResolveError, SystemNames};
use crate::net::{CidrSet, RootCertificates};

/// Bytes of an answer's body that are kept.
const MAX_BODY: usize = 16 * 1024;
/// Bytes of it that are read and thrown away, so that the connection can be used again.
const MAX_DRAINED: u64 = 256 * 1024;
/// How long that may take.
const DRAIN: Duration = Duration::from_millis(250);
/// Headers of an answer that are kept, and their bytes.
const MAX_HEADERS: usize = 64;
const MAX_HEADER_BYTES: usize = 8 * 1024;
/// Headers of an answer that are read, and the bytes that are read ahead: with more it is none.
const MOST_HEADERS: usize = 256;
const READ_AHEAD: usize = 64 * 1024;
/// Characters of an error's text that are kept.
const MAX_DETAIL: usize = 500;
/// Connections to one host that wait for the next request.
const MOST_IDLE: usize = 64;

/// What a client reaches, and how long its connections live.
#[derive(Debug, Clone)]
pub struct Network {
    /// Private networks that destinations may lie in.
    pub allowed: CidrSet,
    /// Root certificates that connections trust.
    pub root_certificates: RootCertificates,
    /// Who resolves names.
    pub names: Arc<dyn Lookup>,
    /// After so long without a request a connection is closed: less than servers commonly keep a silent one open (5 s),
    /// so that a request is seldom written into one that is being closed.
    pub idle: Duration,
    /// A connection that is older is not used again, so that a name whose addresses change is followed.
    pub oldest: Duration,
}

impl Network {
    /// With the system's names and certificates.
    pub fn new(allowed: CidrSet) -> Self {
        Self {
            allowed,
            root_certificates: RootCertificates::default(),
            names: Arc::new(SystemNames),
            idle: Duration::from_secs(3),
            oldest: Duration::from_secs(60),
        }
    }
}

/// Posts to destinations. Clones share their connections.
///
/// Only HTTP/1.1: an attempt that is cut off then takes nothing with it but its own connection.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: Client<Connector, Full<Bytes>>,
    oldest: Duration,
}

/// What was summary of the answer, and what is thought of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResponseSummary {
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
    /// Where the time went.
    pub latency: Latency,
}

/// What goes wrong before an exchange is complete.
#[derive(Debug, thiserror::Error)]
enum ExchangeError {
    #[error("the URL is not valid: {0}")]
    Url(String),
    #[error("the scheme of the URL is neither https nor http")]
    Scheme,
    #[error("{0}")]
    Send(#[source] hyper_util::client::legacy::Error),
    #[error("{0}")]
    Answer(#[source] hyper::Error),
}

impl HttpClient {
    /// One that reaches this network.
    pub fn new(network: Network) -> Self {
        // For the clients of providers; whoever installed one before us chose the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tls = network.root_certificates.client_config();
        let tls = tls
            .map(|mut tls| {
                tls.alpn_protocols = vec![b"http/1.1".to_vec()];
                tls
            })
            .inspect_err(|error| tracing::error!(%error, "there is no TLS: deliveries over https will fail"));
        let guard = Arc::new(Guard::new(network.allowed, network.names));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(network.idle)
            .pool_max_idle_per_host(MOST_IDLE)
            .http1_max_headers(MOST_HEADERS)
            .http1_max_buf_size(READ_AHEAD)
            .build(Connector::new(guard, tls.ok().map(Arc::new)));
        Self { client, oldest: network.oldest }
    }

    /// Posts and judges the answer. Takes no longer than `limit`.
    pub async fn post(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
        limit: Duration,
    ) -> ResponseSummary {
        STEPS.scope(RefCell::default(), self.post_and_classify(url, headers, body, limit)).await
    }

    async fn post_and_classify(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
        limit: Duration,
    ) -> ResponseSummary {
        let mut summary = ResponseSummary::default();
        let begun = Instant::now();
        let ended = tokio::time::timeout(limit, self.exchange(url, headers, body, begun, &mut summary)).await;
        let steps = STEPS.with(|steps| *steps.borrow());
        summary.latency = latency(steps, summary.latency.first_byte_ms, summary.status.is_some());
        let (error, detail) = match (ended, summary.status) {
            // An answer that refuses has refused, whatever becomes of the rest of it.
            (_, Some(status)) if !(200..300).contains(&status) => classify_status(status),
            (Ok(Ok(rest)), _) => {
                drain(rest).await;
                return summary;
            }
            (Ok(Err(broken)), _) => (broken.kind(), describe_error(&broken)),
            (Err(_), status) => {
                let missing = if status.is_some() { "the answer did not end" } else { "no answer" };
                (AttemptError::Timeout, format!("{missing} within {} ms", limit.as_millis()))
            }
        };
        summary.error = Some(error);
        summary.detail = Some(detail);
        summary
    }

    /// Returns what of the answer's body is left over, when more came than is kept.
    async fn exchange(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
        begun: Instant,
        summary: &mut ResponseSummary,
    ) -> Result<Option<Incoming>, ExchangeError> {
        let mut request = request(url, headers, body)?;
        let connection = capture_connection(&mut request);
        let response = self.client.request(request).await.map_err(ExchangeError::Send)?;
        if response
            .extensions()
            .get::<ConnectedAt>()
            .is_some_and(|connected_at| connected_at.0.elapsed() > self.oldest)
            && let Some(connection) = &*connection.connection_metadata()
        {
            connection.poison();
        }
        summary.status = Some(response.status().as_u16());
        summary.latency.first_byte_ms = Some(millis(begun.elapsed()));
        read_headers(response.headers(), summary);
        let mut rest = response.into_body();
        while let Some(frame) = rest.frame().await {
            let Ok(chunk) = frame.map_err(ExchangeError::Answer)?.into_data() else { continue };
            let room = MAX_BODY - summary.body.len();
            summary.body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if chunk.len() > room {
                summary.truncated = true;
                return Ok(Some(rest));
            }
        }
        Ok(None)
    }
}

fn request(
    url: &str,
    headers: &[(&'static str, String)],
    body: Bytes,
) -> Result<http::Request<Full<Bytes>>, ExchangeError> {
    let mut url = Url::parse(url).map_err(|error| ExchangeError::Url(error.to_string()))?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(ExchangeError::Scheme);
    }
    url.set_fragment(None);
    // The API takes no URL with them, and a request line has no place for them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let mut request = http::Request::post(url.as_str())
        .body(Full::new(body.clone()))
        .map_err(|error| ExchangeError::Url(error.to_string()))?;
    *request.headers_mut() = header_map(headers);
    if body.is_empty() {
        // It is left out otherwise, and some servers insist on it.
        request.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(request)
}

/// Reads on to the end of an answer that is not much longer than what is kept, or the connection could not be used
/// again. The attempt is judged already.
async fn drain(rest: Option<Incoming>) {
    let Some(mut rest) = rest.filter(|rest| rest.size_hint().upper().is_some_and(|left| left <= MAX_DRAINED))
    else {
        return;
    };
    let to_the_end = async { while let Some(Ok(_)) = rest.frame().await {} };
    let _ = tokio::time::timeout(DRAIN, to_the_end).await;
}

fn latency(steps: Steps, first_byte_ms: Option<i64>, answered: bool) -> Latency {
    let connected = steps.connect.is_some();
    Latency {
        dns_ms: steps.dns.map(millis),
        connect_ms: steps.connect.map(millis),
        tls_ms: steps.tls.map(millis),
        first_byte_ms: first_byte_ms.map(|all| (all - millis(steps.total())).max(0)),
        reused: answered && !connected,
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn header_map(headers: &[(&'static str, String)]) -> HeaderMap {
    let known = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some((name, HeaderValue::from_bytes(value.as_bytes()).ok()?))
    });
    known.collect()
}

fn read_headers(headers: &HeaderMap, summary: &mut ResponseSummary) {
    let mut bytes = 0;
    for (name, value) in headers {
        bytes += name.as_str().len() + value.len();
        if summary.headers.len() == MAX_HEADERS || bytes > MAX_HEADER_BYTES {
            summary.truncated = true;
            break;
        }
        summary.headers.push((name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    }
    let retry_after = headers.get(RETRY_AFTER);
    summary.retry_after = retry_after.and_then(|value| value.to_str().ok()).map(str::to_owned);
}

fn classify_status(status: u16) -> (AttemptError, String) {
    if (300..400).contains(&status) {
        return (AttemptError::Redirect, format!("answered {status}; redirects are never followed"));
    }
    (AttemptError::Status, format!("answered {status}"))
}

impl ExchangeError {
    fn kind(&self) -> AttemptError {
        match self {
            Self::Url(_) | Self::Scheme => AttemptError::Connect,
            Self::Answer(_) => AttemptError::Body,
            Self::Send(error) => error_chain(error)
                .find_map(<dyn Error>::downcast_ref)
                .map_or(AttemptError::Body, kind_of_connect),
        }
    }
}

fn kind_of_connect(error: &ConnectError) -> AttemptError {
    match error {
        ConnectError::Resolve(ResolveError::Blocked(_)) => AttemptError::Blocked,
        ConnectError::Resolve(_) => AttemptError::Dns,
        ConnectError::Refused(..) | ConnectError::NoHost => AttemptError::Connect,
        ConnectError::Tls(_) | ConnectError::NoTls => AttemptError::Tls,
    }
}

fn error_chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// The error's causes in words, innermost last, without the client's own wrappings.
fn describe_error(broken: &ExchangeError) -> String {
    let first: &dyn Error = match broken {
        ExchangeError::Send(error) => error_chain(error).nth(1).unwrap_or(error),
        ExchangeError::Answer(error) => error,
        other => other,
    };
    let mut detail = String::new();
    for text in error_chain(first).map(ToString::to_string) {
        // Some repeat their own cause.
        if !detail.ends_with(&text) {
            let separator = if detail.is_empty() { "" } else { ": " };
            detail.push_str(separator);
            detail.push_str(&text);
        }
    }
    detail.chars().filter(|c| !c.is_control()).take(MAX_DETAIL).collect()
}
