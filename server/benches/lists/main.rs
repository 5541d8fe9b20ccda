//! The first page of the lists that support staff open, over few rows and over many, by every filter: a list must not
//! grow slower with the years. Budget in `docs/ARCHITECTURE.md`: 1.5 times.
//!
//! `cargo bench --bench lists -- --help` tells the options. PostgreSQL is measured when `ACUSE_TEST_POSTGRES` names a
//! server.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod filled;
#[path = "../shared/postgres.rs"]
mod postgres;
mod question;

use std::time::Instant;

use clap::Parser;

use filled::Filled;
use question::Question;

/// What to measure.
#[derive(Debug, Parser)]
struct Options {
    /// Deliveries in the small database.
    #[arg(long, default_value_t = 10_000)]
    few: i64,
    /// Deliveries in the large one.
    #[arg(long, default_value_t = 1_000_000)]
    many: i64,
    /// How often each page is asked for.
    #[arg(long, default_value_t = 200)]
    times: usize,
    /// Seconds after which one question is asked no more.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Databases.
    #[arg(long, value_delimiter = ',', default_value = "sqlite,postgres")]
    databases: Vec<String>,
    /// What `cargo bench` passes.
    #[arg(long, hide = true)]
    bench: bool,
}

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let options = Options::parse();
    for name in &options.databases {
        let Some(few) = Filled::new(name, options.few).await else {
            println!("{name}: not measured, ACUSE_TEST_POSTGRES names no server");
            continue;
        };
        let many = Filled::new(name, options.many).await.unwrap();
        println!(
            "\n{name:<52} {:>10} {:>10} ratio (budget 1.5)",
            format!("{} ms", options.few),
            format!("{} ms", options.many)
        );
        for question in question::all(options.few).into_iter().zip(question::all(options.many)) {
            let (small, large) = question;
            let name = small.name;
            let small = median(&options, &few, &small).await;
            let large = median(&options, &many, &large).await;
            println!("{name:<52} {small:>10.2} {large:>10.2} {:>5.1}", large / small);
        }
    }
}

/// Milliseconds of the median page; the first one, which prepares the statement, does not count.
async fn median(options: &Options, filled: &Filled, question: &Question) -> f64 {
    let (begun, mut took) = (Instant::now(), Vec::new());
    for _ in 0..=options.times {
        let asked = Instant::now();
        filled.ask(question).await;
        took.push(asked.elapsed());
        if begun.elapsed().as_secs() >= options.seconds {
            break;
        }
    }
    if took.len() > 1 {
        took.remove(0);
    }
    took.sort_unstable();
    took[took.len() / 2].as_secs_f64() * 1000.0
}
