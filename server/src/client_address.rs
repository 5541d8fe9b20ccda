//! The address of whoever sends a request, behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use crate::net::CidrSet;

/// Who is at the other end of a request: the peer, or the one for whom a trusted proxy asks.
pub fn find_client_address(
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
