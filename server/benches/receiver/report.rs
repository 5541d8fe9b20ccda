//! What is printed.

use crate::load::Measured;

pub fn machine() {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1)).unwrap_or("?");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!("{model}, {cores} cores, shared with the load; load average before: {}", load.trim());
}

pub fn head() {
    println!(
        "{:<18} {:>5} {:>10} {:>9} {:>9}   of the empty route",
        "", "conn.", "per s", "p50 ms", "p99 ms"
    );
}

/// One line; beside it the share of the base's rate, and the least share that it should have.
pub fn row(name: &str, connections: usize, measured: &Measured, base: Option<(&Measured, Option<f64>)>) {
    let Measured { rate, p50, p99, load_cpu, serving_cpu, .. } = measured;
    let share = base.map_or_else(String::new, |(base, budget)| {
        let share = rate / base.rate;
        let budget = budget.map_or_else(String::new, |least| {
            let verdict = if share >= least { "kept" } else { "MISSED" };
            format!("  budget {:.0} %: {verdict}", least * 100.0)
        });
        format!("{:>5.0} %{budget}", share * 100.0)
    });
    println!(
        "{name:<18} {connections:>5} {rate:>8.0} {p50:>8.2} {p99:>8.2} {load_cpu:>6.1} µs {serving_cpu:>6.1} µs   {share}"
    );
}

pub fn half_rate(half: &Measured) {
    let kept = half.p99 <= 10.0 * half.p50 && half.p99 < 50.0;
    let verdict = if kept { "kept" } else { "MISSED" };
    println!("{:>68} p99 is {:.1} × p50  budget 10 × and 50 ms: {verdict}", "", half.p99 / half.p50);
}

pub fn duplicates(repeated: &Measured, new: &Measured) {
    let verdict = if repeated.rate >= new.rate { "kept" } else { "MISSED" };
    println!("{:>68} {:.0} % of new  budget 100 %: {verdict}", "", repeated.rate / new.rate * 100.0);
}

/// What the bad ones took from the good ones.
pub fn flood(both: &Measured, top: &Measured, flooded: &Measured, calm: &Measured) {
    let taken = |with: &Measured, without: &Measured| (1.0 - with.rate / without.rate) * 100.0;
    println!(
        "{:>68} refused a second: {:.0} and {:.0}; taken from the good ones: {:.0} % of all it can, {:.1} % of a third",
        "",
        both.refused,
        flooded.refused,
        taken(both, top),
        taken(flooded, calm),
    );
}

pub fn memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("?");
    println!("\npeak resident memory of the serving process: {}", peak.trim());
}
