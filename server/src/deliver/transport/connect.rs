//! Opens connections: resolves, checks, connects and starts TLS. Each step has its own error and its own duration.

use std::cell::RefCell;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::resolve::{Guard, ResolveError};

/// How long an address may take before the next one is tried beside it.
const ATTEMPT_DELAY: Duration = Duration::from_millis(300);
/// Addresses of a name that are tried.
const MAX_ADDRESSES: usize = 8;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No address to go to.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// No address takes a connection.
    #[error("no connection to {0}: {1}")]
    Refused(SocketAddr, #[source] io::Error),
    /// The certificate or the handshake is not good.
    #[error("no TLS: {0}")]
    Tls(#[source] io::Error),
    /// There is nothing to secure a connection with.
    #[error("no TLS: look for warnings of the start")]
    NoTls,
    /// The URL has no host.
    #[error("the URL has no host")]
    NoHost,
}

/// Where the time of making a connection went; none: not reached, or there was a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps {
    /// Resolving the name.
    pub dns: Option<Duration>,
    /// Connecting.
    pub connect: Option<Duration>,
    /// The handshake.
    pub tls: Option<Duration>,
}

impl Steps {
    /// All of them.
    pub fn total(&self) -> Duration {
        [self.dns, self.connect, self.tls].into_iter().flatten().sum()
    }
}

tokio::task_local! {
    /// Where the request that runs wants the steps of its connection written.
    pub static STEPS: RefCell<Steps>;
}

/// When a connection was made.
#[derive(Debug, Clone, Copy)]
pub struct ConnectedAt(pub Instant);

/// Makes connections.
#[derive(Debug, Clone)]
pub struct Connector {
    guard: Arc<Guard>,
    tls: Option<Arc<rustls::ClientConfig>>,
}

impl Connector {
    /// One that goes where the guard lets it. Without `tls`, nothing is sent over https.
    pub const fn new(guard: Arc<Guard>, tls: Option<Arc<rustls::ClientConfig>>) -> Self {
        Self { guard, tls }
    }

    async fn connect(self, uri: Uri) -> Result<TokioIo<Link>, ConnectError> {
        let host = uri.host().ok_or(ConnectError::NoHost)?;
        let secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let begun = Instant::now();
        let addresses = self.guard.resolve(host).await?;
        let begun = record_step(begun, |steps| &mut steps.dns);
        let stream = connect_first(&addresses, port).await?;
        let _ = stream.set_nodelay(true);
        let begun = record_step(begun, |steps| &mut steps.connect);
        let wire = if secure {
            let wire = Wire::Secure(Box::new(self.secure(host, stream).await?));
            record_step(begun, |steps| &mut steps.tls);
            wire
        } else {
            Wire::Plain(stream)
        };
        Ok(TokioIo::new(Link { wire, connected_at: ConnectedAt(Instant::now()) }))
    }

    async fn secure(&self, host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, ConnectError> {
        let config = self.tls.clone().ok_or(ConnectError::NoTls)?;
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let name = ServerName::try_from(host.to_owned())
            .map_err(|error| ConnectError::Tls(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
        TlsConnector::from(config).connect(name, stream).await.map_err(ConnectError::Tls)
    }
}

/// Writes how long a step took. A connection that is finished for somebody else, because another one became free first,
/// has nobody to tell.
fn record_step(since: Instant, step: impl FnOnce(&mut Steps) -> &mut Option<Duration>) -> Instant {
    let now = Instant::now();
    let _ = STEPS.try_with(|steps| *step(&mut steps.borrow_mut()) = Some(now - since));
    now
}

/// The first address that takes a connection, each one with a head start over the next.
async fn connect_first(addresses: &[IpAddr], port: u16) -> Result<TcpStream, ConnectError> {
    let mut left = addresses.iter().take(MAX_ADDRESSES).map(|address| SocketAddr::new(*address, port));
    let mut running = FuturesUnordered::new();
    let mut refused = None;
    loop {
        let next = left.next();
        let more = next.is_some();
        running.extend(next.map(|address| async move {
            TcpStream::connect(address).await.map_err(|error| ConnectError::Refused(address, error))
        }));
        let wait = async {
            match more {
                true => tokio::time::sleep(ATTEMPT_DELAY).await,
                false => std::future::pending().await,
            }
        };
        tokio::select! {
            ended = running.next() => match ended {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(error)) => refused = Some(error),
                None => return Err(refused.unwrap_or(ConnectError::Resolve(ResolveError::NoAddress))),
            },
            () = wait => {}
        }
    }
}

impl tower::Service<Uri> for Connector {
    type Response = TokioIo<Link>;
    type Error = ConnectError;
    type Future = BoxFuture<'static, Result<TokioIo<Link>, ConnectError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(self.clone().connect(uri))
    }
}

/// A connection that knows its age.
#[derive(Debug)]
pub struct Link {
    wire: Wire,
    connected_at: ConnectedAt,
}

#[derive(Debug)]
enum Wire {
    Plain(TcpStream),
    Secure(Box<TlsStream<TcpStream>>),
}

impl Connection for Link {
    fn connected(&self) -> Connected {
        Connected::new().extra(self.connected_at)
    }
}

/// Runs one expression on whichever it is.
macro_rules! wire {
    ($link:expr, $on:ident => $body:expr) => {
        match &mut $link.get_mut().wire {
            Wire::Plain(stream) => {
                let $on = Pin::new(stream);
                $body
            }
            Wire::Secure(stream) => {
                let $on = Pin::new(&mut **stream);
                $body
            }
        }
    };
}

impl AsyncRead for Link {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        wire!(self, on => on.poll_read(cx, buf))
    }
}

impl AsyncWrite for Link {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        wire!(self, on => on.poll_write(cx, buf))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        wire!(self, on => on.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        wire!(self, on => on.poll_shutdown(cx))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        wire!(self, on => on.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        match &self.wire {
            Wire::Plain(stream) => stream.is_write_vectored(),
            Wire::Secure(stream) => stream.is_write_vectored(),
        }
    }
}
