//! Answers that are meant to hurt: each costs one attempt and next to no memory.

use std::time::{Duration, Instant};

use app::types::AttemptError;
use server::deliver::HttpClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::network::{network, post};

/// A server whose answer is written by `write`, over and over or not, until the other side has had enough.
async fn answering<W, F>(write: W) -> String
where
    W: Fn(tokio::net::TcpStream) -> F + Send + 'static,
    F: Future<Output = std::io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            tokio::spawn(write(stream));
        }
    });
    url
}

/// Resident memory of this process, in KB.
fn memory() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gigabyte_costs_one_attempt_and_no_memory() {
    let url = answering(async |mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n").await?;
        loop {
            stream.write_all(&[b'x'; 65_536]).await?;
        }
    })
    .await;
    let poster = HttpClient::new(network());
    let before = memory();
    for _ in 0..50 {
        let heard = post(&poster, &url).await;
        assert_eq!((heard.status, heard.error), (Some(200), None));
        assert_eq!((heard.body.len(), heard.truncated), (16 * 1024, true));
    }
    assert!(memory() - before < 50_000, "{} KB more", memory() - before);
}

#[tokio::test]
async fn a_hundred_thousand_headers_are_not_read_to_their_end() {
    let url = answering(async |mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        for n in 0..100_000 {
            stream.write_all(format!("x-{n}: y\r\n").as_bytes()).await?;
        }
        stream.write_all(b"\r\n").await
    })
    .await;
    let poster = HttpClient::new(network());
    let before = memory();
    for _ in 0..50 {
        let heard = post(&poster, &url).await;
        assert_eq!((heard.status, heard.error), (None, Some(AttemptError::Body)), "{:?}", heard.detail);
    }
    assert!(memory() - before < 50_000, "{} KB more", memory() - before);
}

#[tokio::test]
async fn one_endless_header_is_cut() {
    let url = answering(async |mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nx: ").await?;
        loop {
            stream.write_all(&[b'y'; 65_536]).await?;
        }
    })
    .await;
    let heard = post(&HttpClient::new(network()), &url).await;
    assert_eq!((heard.status, heard.error), (None, Some(AttemptError::Body)), "{:?}", heard.detail);
}

#[tokio::test]
async fn a_byte_now_and_then_ends_with_the_time_limit() {
    let drip = |head: &'static [u8]| {
        answering(move |mut stream: tokio::net::TcpStream| async move {
            stream.write_all(head).await?;
            loop {
                stream.write_all(b"x").await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
    };
    let poster = HttpClient::new(network());
    for (head, status) in [
        (&b"HTTP/1.1 200 OK\r\nx-"[..], None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n", Some(200)),
    ] {
        let (url, begun) = (drip(head).await, Instant::now());
        let heard = poster.post(&url, &[], bytes::Bytes::new(), Duration::from_millis(400)).await;
        assert_eq!((heard.status, heard.error), (status, Some(AttemptError::Timeout)));
        let took = begun.elapsed();
        assert!((400..2000).contains(&took.as_millis()), "{took:?}");
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_kept_as_they_are() {
    let url = answering(async |mut stream| {
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nx-odd: \xff\xfe\r\nContent-Length: 4\r\n\r\n\xff\x00\xfe\x80")
            .await
    })
    .await;
    let heard = post(&HttpClient::new(network()), &url).await;
    assert_eq!((heard.status, heard.error), (Some(200), None));
    assert_eq!(heard.body, b"\xff\x00\xfe\x80");
    assert!(
        heard.headers.contains(&("x-odd".to_owned(), "\u{fffd}\u{fffd}".to_owned())),
        "{:?}",
        heard.headers
    );
}

#[tokio::test]
async fn an_answer_that_is_a_little_too_long_keeps_its_connection() {
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", server.local_addr().unwrap());
    let made = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = made.clone();
    tokio::spawn(async move {
        let answer =
            [b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".to_vec(), vec![b'x'; 100_000]].concat();
        while let Ok((stream, _)) = server.accept().await {
            count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let answer = answer.clone();
            tokio::spawn(async move { super::network::serve(stream, &answer).await });
        }
    });
    let poster = HttpClient::new(network());
    for _ in 0..10 {
        let heard = post(&poster, &url).await;
        assert_eq!((heard.error, heard.truncated), (None, true));
    }
    assert_eq!(made.load(std::sync::atomic::Ordering::SeqCst), 1);
}
