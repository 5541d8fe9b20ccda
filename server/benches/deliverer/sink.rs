//! The receiver: a process of its own that answers everything with an empty 200, but `/hole` never.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The process; it ends with this.
pub struct Sink {
    pub url: String,
    child: Child,
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts it.
pub fn start() -> Sink {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).arg("--sink").stdout(Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    Sink { url: url.trim().to_owned(), child }
}

/// The part of the other process.
pub fn run() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}/hook", listener.local_addr().unwrap());
        let hang = || async { tokio::time::sleep(std::time::Duration::from_secs(3600)).await };
        let router = axum::Router::new()
            .route("/hole", axum::routing::post(hang))
            .fallback(|_: bytes::Bytes| async {});
        axum::serve(listener, router).await.unwrap();
    });
}
