//! How long healthy deliveries take from the event to the answer, alone and beside a black hole with ten thousand
//! overdue deliveries. Alone means that the same ten thousand were taken long ago.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::setting::Setting;

/// Prints the latencies at a steady pace, for each database without and with the black hole.
pub async fn measure(databases: &[String], url: &str, pace: usize, seconds: usize) {
    println!("\n{:<10} {:>12} {:>9} {:>9} {:>9}", "database", "black hole", "p50 ms", "p99 ms", "of alone");
    for name in databases {
        let mut alone = None;
        for hole in [false, true] {
            let Some(setting) = Setting::new(name, url, 16).await else { continue };
            // The same rows in both: a larger database is slower by itself.
            setting.add_black_hole(&url.replace("/hook", "/hole"), 10_000, hole).await;
            let (p50, p99) = run(&setting, pace, seconds).await;
            let ratio = alone.map_or_else(String::new, |alone: f64| format!("{:.0} %", 100.0 * p99 / alone));
            alone.get_or_insert(p99);
            println!(
                "{name:<10} {:>12} {p50:>9.1} {p99:>9.1} {ratio:>9}",
                if hole { "beside" } else { "none" }
            );
        }
    }
}

async fn run(setting: &Setting, pace: usize, seconds: usize) -> (f64, f64) {
    let shutdown = CancellationToken::new();
    let ledger = tokio::spawn(setting.ledger().run(shutdown.clone()));
    let deliverer = tokio::spawn(setting.deliverer().run(shutdown.clone()));
    let each = pace / 100;
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    for _ in 0..seconds * 100 {
        tick.tick().await;
        setting.fill(each, 1024).await;
        setting.notify();
    }
    let wanted = (each * seconds * 100) as i64;
    while setting.delivered().await < wanted {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let latencies = setting.latencies().await;
    shutdown.cancel();
    ledger.abort();
    deliverer.abort();
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize] as f64 / 1000.0;
    (at(0.5), at(0.99))
}
