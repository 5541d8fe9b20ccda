//! What the pages and their handlers need.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use app::context::{AssetUrls, Backend};
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use url::Url;

use super::session_cache::SessionCache;
use crate::backend::request_coalescing::Acts;
use crate::clock::SharedClock;
use crate::config::CidrSet;
use crate::db::Db;
use crate::vault::Vault;

/// Everything that stands behind the pages. Made once.
#[derive(Clone)]
pub struct Site {
    /// Sessions and users.
    pub db: Db,
    /// The time.
    pub clock: SharedClock,
    /// Seals a new secret that is carried over to the next page.
    pub vault: Arc<Vault>,
    /// What the pages show and do.
    pub backend: Backend,
    /// Counts what is done.
    pub acts: Acts,
    /// Who has a page open that renews itself.
    pub lookers: Arc<SessionCache>,
    /// Under which address people open the pages.
    pub public_url: Url,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: CidrSet,
    /// The files of the browser's half.
    pub assets: AssetUrls,
}

impl Site {
    /// Whether people reach the pages over TLS.
    pub fn is_secure(&self) -> bool {
        self.public_url.scheme() == "https"
    }

    /// Who is at the other end: the peer, or the one for whom a trusted proxy asks.
    pub fn client(&self, parts: &Parts) -> Option<IpAddr> {
        client(&self.trusted_proxies, &parts.extensions, &parts.headers)
    }
}

/// Who is at the other end of a request: the peer, or the one for whom a trusted proxy asks.
pub(crate) fn client(
    trusted_proxies: &CidrSet,
    extensions: &Extensions,
    headers: &HeaderMap,
) -> Option<IpAddr> {
    let ConnectInfo(peer) = extensions.get::<ConnectInfo<SocketAddr>>()?;
    let mut client = peer.ip().to_canonical();
    let mut hops: Vec<&str> = Vec::new();
    for line in headers.get_all("x-forwarded-for") {
        hops.extend(line.to_str().unwrap_or("").split(',').map(str::trim));
    }
    while trusted_proxies.contains(client) {
        match hops.pop().and_then(|hop| hop.parse::<IpAddr>().ok()) {
            Some(hop) => client = hop.to_canonical(),
            None => break,
        }
    }
    Some(client)
}
