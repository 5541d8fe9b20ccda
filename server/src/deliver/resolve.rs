//! Names to addresses, without those that a delivery may not go to. The client connects to what this returns and to
//! nothing else, so that a name cannot change between the check and the connection.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::address::is_allowed;
use crate::config::Nets;

/// Why nothing may be connected to.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The name has no address.
    #[error("the name does not resolve: {0}")]
    Unresolved(#[source] std::io::Error),
    /// The name has no address at all, and no error either.
    #[error("the name has no address")]
    NoAddress,
    /// Every address is one that deliveries may not go to.
    #[error("{0} is not a public address, and ACUSE_ALLOW_NETS does not name its network")]
    Blocked(IpAddr),
}

/// Resolves by the system and drops what is not allowed.
#[derive(Debug, Clone)]
pub struct Guard {
    allowed: Arc<Nets>,
}

impl Guard {
    /// One that lets these private networks pass.
    pub fn new(allowed: Nets) -> Self {
        Self { allowed: Arc::new(allowed) }
    }

    /// Refuses a URL whose host is an address that is not allowed: no name is resolved for one.
    ///
    /// # Errors
    /// It is such an address.
    pub fn check(&self, url: &Url) -> Result<(), ResolveError> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        if is_allowed(address, &self.allowed) { Ok(()) } else { Err(ResolveError::Blocked(address)) }
    }

    fn pass(&self, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, ResolveError> {
        let first = found.first().map(SocketAddr::ip);
        let passed: Vec<_> =
            found.into_iter().filter(|address| is_allowed(address.ip(), &self.allowed)).collect();
        match first {
            None => Err(ResolveError::NoAddress),
            Some(first) if passed.is_empty() => Err(ResolveError::Blocked(first)),
            Some(_) => Ok(passed),
        }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found =
                tokio::net::lookup_host((name.as_str(), 0)).await.map_err(ResolveError::Unresolved)?;
            let passed = guard.pass(found.collect())?;
            Ok(Box::new(passed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_private_address_is_refused() {
        let guard = Guard::new(Nets::default());
        for url in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://127.0.0.1./",
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:7f00:1]/",
            "http://[0:0:0:0:0:ffff:127.0.0.1]/",
            "http://[64:ff9b::127.0.0.1]/",
            "http://169.254.169.254/latest/meta-data",
            "http://0/",
        ] {
            assert!(guard.check(&Url::parse(url).unwrap()).is_err(), "{url}");
        }
        for url in ["http://1.1.1.1/", "http://[2606:4700::1111]/", "http://localhost/"] {
            assert!(guard.check(&Url::parse(url).unwrap()).is_ok(), "{url}");
        }
    }

    #[test]
    fn private_addresses_of_a_name_are_dropped() {
        let guard = Guard::new(Nets::default());
        let addresses = |list: &[&str]| list.iter().map(|address| address.parse().unwrap()).collect();
        let passed = guard.pass(addresses(&["127.0.0.1:0", "1.1.1.1:0", "[::1]:0"])).unwrap();
        assert_eq!(passed, ["1.1.1.1:0".parse().unwrap()]);
        assert!(matches!(guard.pass(addresses(&["10.0.0.1:0"])), Err(ResolveError::Blocked(_))));
        assert!(matches!(guard.pass(Vec::new()), Err(ResolveError::NoAddress)));
    }
}
