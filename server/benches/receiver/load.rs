//! The load: a second process with one thread that keeps a number of connections busy and times every answer.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::process::Stdio;
use std::rc::Rc;
use std::time::{Duration, Instant};

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use server::clock::{Clock, SystemClock};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::cpu;
use crate::gateway::SECRET;

/// Bytes of a body.
const BODY: usize = 1024;
/// Events that the duplicates repeat.
const KNOWN: u64 = 2000;

/// What to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub address: SocketAddr,
    pub target: Target,
    pub connections: usize,
    pub seconds: f64,
    /// Requests a second; none: as fast as they are answered.
    pub rate: Option<f64>,
    /// As many connections beside these, whose requests have bad signatures: one for each good one, or at the same
    /// rate.
    pub flood: bool,
}

/// Where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// `GET` of the route that does nothing.
    Empty,
    /// The posts of `New`, to the route that does nothing.
    EmptyPost,
    /// Signed events, each with its own id.
    New,
    /// Signed events that are known.
    Repeated,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Answers a second, without those of the flood.
    pub rate: f64,
    /// Refused ones a second.
    pub refused: f64,
    /// Milliseconds.
    pub p50: f64,
    pub p99: f64,
    /// All requests, also those of the warm-up.
    pub requests: usize,
    /// Microseconds of processor time for each request: the load's, and everybody else's who works for it. Unlike
    /// the rate they do not depend on what else the machine does.
    pub load_cpu: f64,
    pub serving_cpu: f64,
}

/// Has another process do it.
pub async fn measure(order: &Order) -> Measured {
    let before = cpu::serving();
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap())
        .arg("--load")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let json = serde_json::to_vec(order).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&json).await.unwrap();
    drop(stdin);
    let output = child.wait_with_output().await.unwrap();
    assert!(output.status.success(), "the load failed");
    let mut measured: Measured = serde_json::from_slice(&output.stdout).unwrap();
    measured.serving_cpu = (cpu::serving() - before) / measured.requests as f64;
    measured
}

/// The other process.
pub fn run() {
    let order: Order = serde_json::from_reader(std::io::stdin()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let measured = tokio::task::LocalSet::new().block_on(&runtime, generate(order));
    println!("{}", serde_json::to_string(&measured).unwrap());
}

struct Shared {
    order: Order,
    requests: RefCell<Requests>,
    latencies: RefCell<Vec<u32>>,
    answers: Cell<usize>,
    refused: Cell<usize>,
    /// One for each good request that is not matched by a bad one yet.
    owed: tokio::sync::Semaphore,
    from: Instant,
    until: Instant,
}

async fn generate(order: Order) -> Measured {
    let warm_up = Duration::from_secs_f64(order.seconds / 5.0);
    let from = Instant::now() + warm_up;
    let until = from + Duration::from_secs_f64(order.seconds);
    let (connections, seconds, flood) = (order.connections, order.seconds, order.flood);
    let requests = RefCell::new(Requests::new(&order));
    let shared = Rc::new(Shared {
        order,
        requests,
        latencies: RefCell::default(),
        answers: Cell::new(0),
        refused: Cell::new(0),
        owed: tokio::sync::Semaphore::new(0),
        from,
        until,
    });
    let mut tasks: Vec<_> = (0..connections)
        .map(|place| tokio::task::spawn_local(connection(Rc::clone(&shared), place, false)))
        .collect();
    if flood {
        let bad = (0..connections).map(|place| connection(Rc::clone(&shared), place, true));
        tasks.extend(bad.map(tokio::task::spawn_local));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let mut latencies = shared.latencies.take();
    latencies.sort_unstable();
    let at = |share: f64| f64::from(latencies[(latencies.len() as f64 * share) as usize]) / 1000.0;
    let requests = shared.answers.get();
    let load_cpu = cpu::own() / requests as f64;
    let rate = latencies.len() as f64 / seconds;
    let refused = shared.refused.get() as f64 / seconds;
    Measured { rate, refused, p50: at(0.5), p99: at(0.99), requests, load_cpu, serving_cpu: 0.0 }
}

async fn connection(shared: Rc<Shared>, place: usize, is_bad: bool) {
    let mut stream = TcpStream::connect(shared.order.address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let gap = shared.order.rate.map(|rate| Duration::from_secs_f64(shared.order.connections as f64 / rate));
    let mut due = Instant::now() + gap.unwrap_or_default() * place as u32 / shared.order.connections as u32;
    let (mut request, mut answer) = (Vec::new(), vec![0; 4096]);
    loop {
        if let Some(gap) = gap {
            tokio::time::sleep_until(due.into()).await;
            due += gap;
        }
        if is_bad && gap.is_none() {
            let owed = tokio::time::timeout_at(shared.until.into(), shared.owed.acquire()).await;
            let Ok(owed) = owed else { return };
            owed.unwrap().forget();
        }
        shared.requests.borrow_mut().next(&mut request, is_bad);
        // At a given rate the time counts from when it was due: a late answer makes the next ones late as well.
        let begun = if let Some(gap) = gap { due - gap } else { Instant::now() };
        stream.write_all(&request).await.unwrap();
        read_answer(&mut stream, &mut answer, is_bad).await;
        shared.answers.update(|answers| answers + 1);
        let now = Instant::now();
        if now >= shared.until {
            return;
        }
        if !is_bad && shared.order.flood {
            shared.owed.add_permits(1);
        }
        if now >= shared.from && is_bad {
            shared.refused.update(|refused| refused + 1);
        } else if now >= shared.from {
            shared.latencies.borrow_mut().push(now.duration_since(begun).as_micros() as u32);
        }
    }
}

/// Reads one answer; anything but 200 and 204, or 401 to a bad one, ends the benchmark.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8], is_bad: bool) {
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).await.unwrap();
        assert!(read > 0, "the connection was closed");
        filled += read;
        let text = &buffer[..filled];
        let Some(end) = text.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let good = text.starts_with(b"HTTP/1.1 200") || text.starts_with(b"HTTP/1.1 204");
        assert!(
            if is_bad { text.starts_with(b"HTTP/1.1 401") } else { good },
            "{}",
            String::from_utf8_lossy(text)
        );
        let length = text[..end].split(|byte| *byte == b'\n').find_map(|line| {
            let line = std::str::from_utf8(line).ok()?;
            line.strip_prefix("content-length: ")?.trim().parse::<usize>().ok()
        });
        if filled >= end + 4 + length.unwrap_or(0) {
            return;
        }
    }
}

/// Makes requests. All bodies begin with the same bytes, whose part of the signature is computed once.
struct Requests {
    target: Target,
    prefix: Vec<u8>,
    time: i64,
    begun: Hmac<Sha256>,
    run: u32,
    next: u64,
}

impl Requests {
    fn new(order: &Order) -> Self {
        let padding = "x".repeat(BODY - 190);
        let prefix = format!(
            r#"{{"event_type":"invoice.paid","version":1,"occurred_at":1700000000,"data":{{"invoice_id":"inv_74BPZFhr9qy9Uz2fbRkdJX","status":"paid","note":"{padding}"}},"event_id":""#
        );
        let time = SystemClock.now().unix();
        let mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
        let begun = mac.chain_update(format!("{time}.")).chain_update(&prefix);
        Self {
            target: order.target,
            prefix: prefix.into_bytes(),
            time,
            begun,
            run: std::process::id(),
            next: 0,
        }
    }

    fn next(&mut self, request: &mut Vec<u8>, is_bad: bool) {
        use std::io::Write;
        request.clear();
        self.next += 1;
        let (path, number) = match self.target {
            Target::Empty => {
                return request.extend_from_slice(b"GET /empty HTTP/1.1\r\nhost: localhost\r\n\r\n");
            }
            Target::EmptyPost => ("/empty", self.next),
            Target::New => ("/webhooks/shop", self.next),
            Target::Repeated => ("/webhooks/shop", self.next % KNOWN),
        };
        // Ids in no order, as providers' are.
        let id = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) ^ u64::from(self.run);
        let suffix = format!("evt_{id:016x}{:08x}\"}}", self.run);
        let mac = self.begun.clone().chain_update(&suffix).finalize().into_bytes();
        let mut hex = [0; 64];
        hex::encode_to_slice(mac, &mut hex).unwrap();
        if is_bad {
            hex.reverse();
        }
        write!(
            request,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: Paymos-Webhooks/1.0\r\n\
             content-type: application/json; charset=utf-8\r\ncontent-length: {}\r\nx-webhook-id: evt_{id:016x}\r\n\
             x-webhook-timestamp: {}\r\nx-webhook-signature: t={},v1={}\r\n\r\n",
            self.prefix.len() + suffix.len(),
            self.time,
            self.time,
            std::str::from_utf8(&hex).unwrap(),
        )
        .unwrap();
        request.extend_from_slice(&self.prefix);
        request.extend_from_slice(suffix.as_bytes());
    }
}
