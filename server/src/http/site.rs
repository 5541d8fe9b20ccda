//! What the pages and their handlers need.

use std::net::IpAddr;
use std::sync::Arc;

use app::context::{AssetUrls, Backend};
use axum::http::request::Parts;
use url::Url;

use super::session_cache::SessionCache;
use crate::client_address::find_client_address;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::net::CidrSet;
use crate::request_coalescing::ChangeCount;
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
    pub acts: ChangeCount,
    /// Who has a page open that renews itself.
    pub session_cache: Arc<SessionCache>,
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
        find_client_address(&self.trusted_proxies, &parts.extensions, &parts.headers)
    }
}
