//! Logs to standard error, and the recorder behind `/metrics`.

use std::io::IsTerminal;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::config::{LogFormat, LogSettings};

/// Upper bounds of the buckets of every `…_seconds` histogram.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Begins to log. Called once, by `main`.
pub fn start_logs(settings: LogSettings) {
    let log = tracing_subscriber::fmt()
        .with_env_filter(settings.filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // A second subscriber, in a process that has one, is not worth a failure.
    let _ = match settings.format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}

/// The handle of the process's metrics; the first call begins to record.
///
/// # Errors
/// Something else records already.
pub fn metrics() -> anyhow::Result<PrometheusHandle> {
    static HANDLE: OnceLock<Result<PrometheusHandle, String>> = OnceLock::new();
    let handle = HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .map_err(|error| error.to_string())?;
        let handle = builder.install_recorder().map_err(|error| error.to_string())?;
        metrics::describe_gauge!("acuse_build_info", "The version that runs; always 1.");
        metrics::gauge!("acuse_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Ok(handle)
    });
    handle.clone().map_err(anyhow::Error::msg)
}
