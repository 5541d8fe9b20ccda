//! What is logged, and how it is written.

use std::str::FromStr;

use tracing_subscriber::EnvFilter;

/// How a log line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

impl FromStr for LogFormat {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err("is not a log format"),
        }
    }
}

/// What `ACUSE_LOG` and `ACUSE_LOG_FORMAT` say.
#[derive(Debug)]
pub struct LogSettings {
    /// Which lines.
    pub filter: EnvFilter,
    /// Written how.
    pub format: LogFormat,
}

/// Reads a filter such as `info` or `info,sqlx=warn`. A bare word must be a level: taken as the name of a target, as
/// the library would, a mistyped level would silence everything else.
///
/// # Errors
/// What is wrong with it.
pub fn parse_filter(text: &str) -> Result<EnvFilter, String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let is_level = |word: &str| LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word));
    // The library takes no blanks between the parts; people write them.
    let parts: Vec<_> = text.split(',').map(str::trim).collect();
    if let Some(word) = parts.iter().find(|part| !part.contains(['=', '[']) && !is_level(part)) {
        return Err(format!("holds {word:?}, which is not a level"));
    }
    // PostgreSQL says at every start that there is nothing to do: of interest to those who ask for it.
    let quiet = if text.contains("sqlx") { "" } else { ",sqlx::postgres::notice=warn" };
    EnvFilter::builder()
        .parse(format!("{}{quiet}", parts.join(",")))
        .map_err(|error| format!("is not a filter ({error})"))
}

#[cfg(test)]
mod tests {
    use super::parse_filter;

    #[test]
    fn a_filter_has_levels_and_targets() {
        for good in
            ["info", "WARN", "off", "info,sqlx=warn", "debug, hyper=off", "warn,server::deliver=trace"]
        {
            assert!(parse_filter(good).is_ok(), "{good}");
        }
        for bad in ["", "loud", "info,", "server=loud", "info,verbose", "9"] {
            assert!(parse_filter(bad).is_err(), "{bad}");
        }
    }
}
