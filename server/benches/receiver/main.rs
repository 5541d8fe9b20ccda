//! The receiver against the budgets of `docs/ARCHITECTURE.md`: rates and latencies beside an empty `204` route in the
//! same process, as ratios of one run on one machine. The load comes from a second process with one thread.
//!
//! `cargo bench --bench receiver -- --help` tells the options. PostgreSQL is measured when `ACUSE_TEST_POSTGRES` names
//! a server; it should be one that writes to disk (`scripts/bench` starts one).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod cpu;
mod gateway;
mod load;
mod report;

use std::time::Duration;

use clap::Parser;

use gateway::{Gateway, Kind};
use load::{Measured, Order, Target};

/// What to measure.
#[derive(Debug, Parser)]
struct Options {
    /// Seconds of each measurement, after a fifth of it to warm up.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Numbers of connections.
    #[arg(long, value_delimiter = ',', default_value = "64,256")]
    connections: Vec<usize>,
    /// Databases.
    #[arg(long, value_delimiter = ',', default_value = "sqlite,postgres")]
    databases: Vec<String>,
    /// Only new events, alone and with as many bad signatures beside them.
    #[arg(long)]
    flood: bool,
    /// Only new events, for a profiler.
    #[arg(long)]
    only_new: bool,
    /// Leaves out the latency at half of the top rate.
    #[arg(long)]
    no_half_rate: bool,
    /// What `cargo bench` passes.
    #[arg(long, hide = true)]
    bench: bool,
    /// The part of the load's process: a JSON order on standard input.
    #[arg(long, hide = true)]
    load: bool,
}

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let options = Options::parse();
    if options.load {
        return load::run();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(&options));
}

async fn measure(options: &Options) {
    report::machine();
    let connections = &options.connections;
    for name in &options.databases {
        let Some(kind) = Kind::named(name) else { continue };
        println!("\n{}", kind.describe().await);
        report::head();
        for connections in connections.iter().copied() {
            let gateway = Gateway::start(kind).await;
            let order = |target, rate| Order {
                address: gateway.address,
                target,
                connections,
                seconds: options.seconds,
                rate,
                flood: false,
            };
            if options.flood {
                flood(&order(Target::New, None), connections).await;
                gateway.stop().await;
                continue;
            }
            if options.only_new {
                let new = load::measure(&order(Target::New, None)).await;
                report::row("new events", connections, &new, None);
                gateway.stop().await;
                continue;
            }
            let base = load::measure(&order(Target::Empty, None)).await;
            report::row("empty 204", connections, &base, None);
            let posted = load::measure(&order(Target::EmptyPost, None)).await;
            report::row("204, same posts", connections, &posted, Some((&base, None)));
            let new = load::measure(&order(Target::New, None)).await;
            report::row("new events", connections, &new, Some((&base, kind.budget(connections))));
            let repeated = load::measure(&order(Target::Repeated, None)).await;
            report::row("duplicates", connections, &repeated, Some((&base, None)));
            report::duplicates(&repeated, &new);
            if !options.no_half_rate {
                half_rate(&order(Target::New, Some(new.rate / 2.0)), connections).await;
            }
            // The same again, for how much the machine itself moved meanwhile.
            let again = load::measure(&order(Target::Empty, None)).await;
            report::row("empty 204 again", connections, &again, Some((&base, None)));
            gateway.stop().await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
    report::memory();
}

/// What bad signatures, half of the load, take from the good ones: at a rate that the gateway can serve, and when
/// both want all that it has.
async fn flood(alone: &Order, connections: usize) {
    let top = load::measure(alone).await;
    report::row("new events", connections, &top, None);
    let both = load::measure(&Order { flood: true, ..alone.clone() }).await;
    report::row("with as many bad", connections, &both, Some((&top, None)));
    let third = Order { rate: Some(top.rate / 3.0), ..alone.clone() };
    let calm = load::measure(&third).await;
    report::row("at a third of that", connections, &calm, None);
    let flooded = load::measure(&Order { flood: true, ..third }).await;
    report::row("with as many bad", connections, &flooded, Some((&calm, Some(0.8))));
    report::flood(&both, &top, &flooded, &calm);
}

async fn half_rate(order: &Order, connections: usize) {
    let half: Measured = load::measure(order).await;
    report::row("new at half rate", connections, &half, None);
    report::half_rate(&half);
}
