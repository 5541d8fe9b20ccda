//! The way from a stored event to a delivery that was taken, against the budgets of `docs/ARCHITECTURE.md`: the rate
//! beside a bare loop of the same client over the same bodies to the same receiver; the round trips to the database that
//! an event costs; and how long healthy deliveries take with and without a black hole beside them. The receiver is a
//! second process with one thread.
//!
//! `cargo bench --bench deliverer -- --help` tells the options. PostgreSQL is measured when `ACUSE_TEST_POSTGRES` names
//! a server.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod beside;
mod count;
#[path = "../shared/postgres.rs"]
mod postgres;
mod setting;
mod sink;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use server::deliver::{HttpClient, Network};
use tokio_util::sync::CancellationToken;

use setting::Setting;

/// What to measure.
#[derive(Debug, Parser)]
struct Options {
    /// Events to deliver in each measurement.
    #[arg(long, default_value_t = 20_000)]
    events: usize,
    /// Bytes of a body.
    #[arg(long, default_value_t = 1024)]
    bytes: usize,
    /// Attempts that the destination allows at the same time.
    #[arg(long, value_delimiter = ',', default_value = "16,64")]
    in_flight: Vec<usize>,
    /// Databases.
    #[arg(long, value_delimiter = ',', default_value = "sqlite,postgres")]
    databases: Vec<String>,
    /// Events a second while latencies are measured, with and without a black hole.
    #[arg(long, default_value_t = 500)]
    pace: usize,
    /// Seconds of that.
    #[arg(long, default_value_t = 5)]
    seconds: usize,
    /// What `cargo bench` passes.
    #[arg(long, hide = true)]
    bench: bool,
    /// The part of the receiver's process.
    #[arg(long, hide = true)]
    sink: bool,
}

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let options = Options::parse();
    if options.sink {
        return sink::run();
    }
    count::install();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(&options));
}

async fn measure(options: &Options) {
    let sink = sink::start();
    println!(
        "{:<10} {:>9} {:>12} {:>12} {:>7} {:>8} {:>8} {:>12} {:>10}",
        "database",
        "in flight",
        "bare loop/s",
        "delivered/s",
        "ratio",
        "cpu us",
        "cpu us",
        "round trips",
        "per event"
    );
    for name in &options.databases {
        for in_flight in options.in_flight.iter().copied() {
            let Some(setting) = Setting::new(name, &sink.url, in_flight).await else { continue };
            let before = cpu_micros();
            let bare = bare_loop(options, &sink.url, in_flight).await;
            let bare_cpu = (cpu_micros() - before) / options.events as u64;
            setting.fill(options.events, options.bytes).await;
            count::take();
            let before = cpu_micros();
            let rate = deliver(&setting, options.events).await;
            let cpu = (cpu_micros() - before) / options.events as u64;
            let statements = count::take();
            println!(
                "{name:<10} {in_flight:>9} {bare:>12.0} {rate:>12.0} {:>6.0}% {bare_cpu:>8} {cpu:>8} {statements:>12} {:>10.2}",
                100.0 * rate / bare,
                statements as f64 / options.events as f64,
            );
        }
    }
    beside::measure(&options.databases, &sink.url, options.pace, options.seconds).await;
}

/// What this process has computed so far; of the machine's other work it knows nothing, and so says more than the rates
/// when there is some.
fn cpu_micros() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    // Columns 14 and 15 of proc(5), in hundredths of a second.
    let ticks =
        after_name.split_whitespace().skip(11).take(2).filter_map(|column| column.parse::<u64>().ok());
    ticks.sum::<u64>() * 10_000
}

/// The same client, the same bodies, the same number at once, and nothing else.
async fn bare_loop(options: &Options, url: &str, in_flight: usize) -> f64 {
    let poster = HttpClient::new(Network::new("127.0.0.0/8".parse().unwrap()));
    let body = bytes::Bytes::from(vec![b'x'; options.bytes]);
    let left = Arc::new(AtomicUsize::new(options.events));
    let begun = Instant::now();
    let loops = (0..in_flight).map(|_| {
        let (poster, body, left, url) = (poster.clone(), body.clone(), Arc::clone(&left), url.to_owned());
        tokio::spawn(async move {
            let headers = [("Content-Type", "application/json".to_owned())];
            let more = || left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
            while more().is_ok() {
                let heard = poster.post(&url, &headers, body.clone(), Duration::from_secs(10)).await;
                assert_eq!(heard.error, None);
            }
        })
    });
    futures_util::future::join_all(loops.collect::<Vec<_>>()).await;
    options.events as f64 / begun.elapsed().as_secs_f64()
}

/// The ledger and the deliverer, from the first event to the last delivery.
async fn deliver(setting: &Setting, events: usize) -> f64 {
    let shutdown = CancellationToken::new();
    let begun = Instant::now();
    let ledger = tokio::spawn(setting.ledger().run(shutdown.clone()));
    let deliverer = tokio::spawn(setting.deliverer().run(shutdown.clone()));
    while setting.delivered().await < events as i64 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let took = begun.elapsed();
    shutdown.cancel();
    let _ = tokio::join!(ledger, deliverer);
    events as f64 / took.as_secs_f64()
}
