//! Processor time from `/proc`, in microseconds; 0 where there is none.

/// A tick of `/proc/PID/stat`.
const TICK_US: f64 = 10_000.0;

/// Of this process.
pub fn own() -> f64 {
    of("self").1
}

/// Of this process and of PostgreSQL's, if it runs on this machine.
pub fn serving() -> f64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let postgres = processes.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (command, cpu) = name.parse::<u32>().ok().map(|_| of(&name))?;
        (command == "postgres").then_some(cpu)
    });
    own() + postgres.sum::<f64>()
}

/// The command and the time in user and kernel mode.
fn of(process: &str) -> (String, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let command = stat.split(['(', ')']).nth(1).unwrap_or_default().to_owned();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    (command, ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * TICK_US)
}
