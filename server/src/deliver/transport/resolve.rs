//! Resolves host names, and drops the addresses that requests may not go to.
//!
//! The connector connects to these addresses only, so that a name cannot change between the check and the connection.

use std::collections::HashMap;
use std::fmt::Debug;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};

use super::address::is_allowed;
use crate::net::CidrSet;

/// Why nothing may be connected to.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ResolveError {
    /// The name has no address.
    #[error("the name does not resolve: {0}")]
    Unresolved(#[source] Arc<io::Error>),
    /// The name has no address at all, and no error either.
    #[error("the name has no address")]
    NoAddress,
    /// Every address is one that deliveries may not go to.
    #[error("{0} is not a public address, and ACUSE_ALLOW_NETS does not name its network")]
    Blocked(IpAddr),
}

/// Asks for the addresses of names.
pub trait Lookup: Debug + Send + Sync + 'static {
    /// The addresses of a name, in the order in which they are to be tried.
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The system's names. Nothing is remembered: whether an answer still holds is for the system to say.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemNames;

impl Lookup for SystemNames {
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let name = name.to_owned();
        async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        }
        .boxed()
    }
}

type Found = Result<Arc<[IpAddr]>, Arc<io::Error>>;
type Running = Shared<BoxFuture<'static, Found>>;

/// Resolves, and drops what is not allowed.
#[derive(Debug)]
pub struct Guard {
    allowed: CidrSet,
    names: Arc<dyn Lookup>,
    /// Questions without an answer yet. A name is asked for once at a time: each question holds a thread of the system,
    /// and a name server that is silent would hold all of them.
    running: Mutex<HashMap<String, Running>>,
}

impl Guard {
    /// One that lets these private networks pass.
    pub fn new(allowed: CidrSet, names: Arc<dyn Lookup>) -> Self {
        Self { allowed, names, running: Mutex::default() }
    }

    /// Where to connect to for the host of a URL.
    ///
    /// # Errors
    /// It has no address, or none that is allowed.
    pub async fn resolve(self: &Arc<Self>, host: &str) -> Result<Vec<IpAddr>, ResolveError> {
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        match literal.parse() {
            Ok(address) => self.pass(&[address]),
            Err(_) => self.pass(&self.ask(host).await.map_err(ResolveError::Unresolved)?),
        }
    }

    fn ask(self: &Arc<Self>, name: &str) -> Running {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(question) = running.get(name) {
            return question.clone();
        }
        let (guard, owned) = (Arc::clone(self), name.to_owned());
        // A task of its own: it ends, and is forgotten, also when nobody waits for it any more.
        let task = tokio::spawn(async move {
            let found = guard.names.lookup(&owned).await;
            guard.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&owned);
            found.map(Arc::from).map_err(Arc::new)
        });
        let question = task.map(|ended| ended.unwrap_or_else(|error| Err(Arc::new(error.into()))));
        let question = question.boxed().shared();
        running.insert(name.to_owned(), question.clone());
        question
    }

    fn pass(&self, found: &[IpAddr]) -> Result<Vec<IpAddr>, ResolveError> {
        let passed: Vec<_> =
            found.iter().copied().filter(|address| is_allowed(*address, &self.allowed)).collect();
        match found.first() {
            None => Err(ResolveError::NoAddress),
            Some(first) if passed.is_empty() => Err(ResolveError::Blocked(*first)),
            Some(_) => Ok(passed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn guard() -> Arc<Guard> {
        Arc::new(Guard::new(CidrSet::default(), Arc::new(SystemNames)))
    }

    #[tokio::test]
    async fn every_spelling_of_a_private_address_is_refused() {
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
            "http://[2002:7f00:1::]/",
            "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
            "http://[fe80::1]/",
            "http://169.254.169.254/latest/meta-data",
            "http://0/",
        ] {
            let url = Url::parse(url).unwrap();
            let refused = guard().resolve(url.host_str().unwrap()).await;
            assert!(matches!(refused, Err(ResolveError::Blocked(_))), "{url}");
        }
        for url in ["http://1.1.1.1/", "http://[2606:4700::1111]/"] {
            assert!(guard().resolve(Url::parse(url).unwrap().host_str().unwrap()).await.is_ok(), "{url}");
        }
    }

    #[test]
    fn private_addresses_of_a_name_are_dropped() {
        let addresses =
            |list: &[&str]| -> Vec<IpAddr> { list.iter().map(|address| address.parse().unwrap()).collect() };
        let passed = guard().pass(&addresses(&["127.0.0.1", "1.1.1.1", "::1"])).unwrap();
        assert_eq!(passed, addresses(&["1.1.1.1"]));
        assert!(matches!(guard().pass(&addresses(&["10.0.0.1"])), Err(ResolveError::Blocked(_))));
        assert!(matches!(guard().pass(&[]), Err(ResolveError::NoAddress)));
    }

    #[derive(Debug, Default)]
    struct Slow(std::sync::atomic::AtomicUsize);

    impl Lookup for Slow {
        fn lookup(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            async {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                Ok(vec![IpAddr::from([1, 1, 1, 1])])
            }
            .boxed()
        }
    }

    #[tokio::test]
    async fn a_name_is_asked_for_once_at_a_time() {
        let names = Arc::new(Slow::default());
        let guard = Arc::new(Guard::new(CidrSet::default(), names.clone()));
        let asked = || futures_util::future::join_all((0..20).map(|_| guard.resolve("shop.test")));
        assert!(asked().await.iter().all(Result::is_ok));
        assert_eq!(names.0.load(std::sync::atomic::Ordering::SeqCst), 1);
        assert!(guard.running.lock().unwrap().is_empty());
        asked().await;
        assert_eq!(names.0.load(std::sync::atomic::Ordering::SeqCst), 2, "the answer was remembered");
    }
}
