//! Connections: used again, closed when idle, and made anew when a name moves.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::types::AttemptError;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use server::deliver::{HttpClient, Lookup, Network, ResponseSummary};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Reads the connection's requests (each of them one small packet) and answers each.
pub async fn serve(mut stream: TcpStream, answer: &[u8]) {
    let mut read = [0; 4096];
    while let Ok(1..) = stream.read(&mut read).await {
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

/// A server that counts its connections: those that were made, and those that are open.
pub struct Counted {
    pub port: u16,
    pub made: Arc<AtomicUsize>,
    pub open: Arc<AtomicUsize>,
}

impl Counted {
    pub async fn start(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (made, open) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = (Arc::clone(&made), Arc::clone(&open));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (made, open) = (Arc::clone(&counts.0), Arc::clone(&counts.1));
                made.fetch_add(1, Ordering::SeqCst);
                open.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    serve(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { port, made, open }
    }

    pub fn made(&self) -> usize {
        self.made.load(Ordering::SeqCst)
    }
}

/// Names that a test moves.
#[derive(Debug, Default)]
pub struct Names(Mutex<HashMap<String, Vec<IpAddr>>>);

impl Names {
    pub fn set(&self, name: &str, addresses: &[&str]) {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        self.0.lock().unwrap().insert(name.to_owned(), addresses);
    }
}

impl Lookup for Names {
    fn lookup(&self, name: &str) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> {
        let found = self.0.lock().unwrap().get(name).cloned();
        async move { found.ok_or_else(|| std::io::Error::other("no such name")) }.boxed()
    }
}

pub fn network() -> Network {
    Network::new("127.0.0.0/8".parse().unwrap())
}

pub async fn post(poster: &HttpClient, url: &str) -> ResponseSummary {
    poster.post(url, &[], Bytes::from_static(b"{}"), Duration::from_secs(5)).await
}

#[tokio::test]
async fn connections_are_used_again_under_load() {
    let server = Counted::start("127.0.0.1:0").await;
    let (poster, url) = (HttpClient::new(network()), format!("http://127.0.0.1:{}/", server.port));
    let senders = (0..16).map(|_| async {
        for _ in 0..50 {
            assert_eq!(post(&poster, &url).await.error, None);
        }
    });
    futures_util::future::join_all(senders).await;
    // 800 deliveries: fewer than a tenth of a connection for each.
    assert!(server.made() < 80, "{} connections", server.made());
    let heard = post(&poster, &url).await;
    assert!(heard.latency.reused && heard.latency.connect_ms.is_none(), "{:?}", heard.latency);
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let server = Counted::start("127.0.0.1:0").await;
    let poster = HttpClient::new(Network { idle: Duration::from_millis(50), ..network() });
    let heard = post(&poster, &format!("http://127.0.0.1:{}/", server.port)).await;
    assert!(!heard.latency.reused && heard.latency.connect_ms.is_some(), "{:?}", heard.latency);
    for _ in 0..500 {
        if server.open.load(Ordering::SeqCst) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it is still open");
}

#[tokio::test]
async fn a_name_that_moves_is_followed_while_there_is_load() {
    let old = Counted::start("127.0.0.1:0").await;
    let new = Counted::start(&format!("127.0.0.2:{}", old.port)).await;
    let names = Arc::new(Names::default());
    names.set("shop.test", &["127.0.0.1"]);
    let oldest = Duration::from_millis(100);
    let poster = HttpClient::new(Network { names: names.clone(), oldest, ..network() });
    let url = format!("http://shop.test:{}/", old.port);
    for _ in 0..5 {
        assert_eq!(post(&poster, &url).await.error, None);
    }
    assert_eq!((old.made(), new.made()), (1, 0));
    names.set("shop.test", &["127.0.0.2"]);
    for _ in 0..500 {
        // Never silent for so long that the connection would be closed for that.
        assert_eq!(post(&poster, &url).await.error, None);
        if new.made() > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the old address is still used");
}

#[tokio::test]
async fn a_name_that_moves_to_a_private_address_is_blocked_at_the_connection() {
    let server = Counted::start("127.0.0.1:0").await;
    let names = Arc::new(Names::default());
    let poster =
        HttpClient::new(Network { names: names.clone(), ..Network::new(server::net::CidrSet::default()) });
    let url = format!("http://rebind.test:{}/", server.port);
    for address in
        ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "fd00::1"]
    {
        names.set("rebind.test", &[address]);
        let heard = post(&poster, &url).await;
        assert_eq!(heard.error, Some(AttemptError::Blocked), "{address}: {:?}", heard.detail);
    }
    assert_eq!(server.made(), 0);
}

#[tokio::test]
async fn an_address_that_does_not_answer_gives_way_to_the_next() {
    let server = Counted::start("127.0.0.1:0").await;
    let names = Arc::new(Names::default());
    // Nobody listens on the first one, and the second one is never heard of.
    names.set("shop.test", &["127.0.0.9", "192.0.2.1", "127.0.0.1"]);
    let allowed = "127.0.0.0/8, 192.0.2.0/24".parse().unwrap();
    let poster = HttpClient::new(Network { names, ..Network::new(allowed) });
    let heard = post(&poster, &format!("http://shop.test:{}/", server.port)).await;
    assert_eq!(heard.error, None, "{:?}", heard.detail);
    let latency = heard.latency;
    assert!(latency.dns_ms.is_some() && latency.connect_ms.is_some() && latency.first_byte_ms.is_some());
    assert_eq!(latency.tls_ms, None);
}

#[tokio::test]
async fn each_failure_has_a_sentence() {
    let names = Arc::new(Names::default());
    names.set("empty.test", &[]);
    names.set("inside.test", &["10.0.0.1"]);
    let poster = HttpClient::new(Network { names, ..network() });
    for (url, kind, sentence) in [
        ("http://nowhere.test/", AttemptError::Dns, "the name does not resolve: no such name"),
        ("http://empty.test/", AttemptError::Dns, "the name has no address"),
        (
            "http://inside.test/",
            AttemptError::Blocked,
            "10.0.0.1 is not a public address, and ACUSE_ALLOW_NETS does not name its network",
        ),
        (
            "http://127.0.0.1:1/",
            AttemptError::Connect,
            "no connection to 127.0.0.1:1: Connection refused (os error 111)",
        ),
    ] {
        let heard = post(&poster, url).await;
        assert_eq!((heard.error, heard.detail.as_deref()), (Some(kind), Some(sentence)), "{url}");
    }
}
