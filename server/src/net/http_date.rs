//! Dates in HTTP headers.

use app::types::Timestamp;

/// Parses a date in any of the three forms of RFC 9110, 5.6.7. Returns none for any other text.
pub fn parse_http_date(text: &str) -> Option<Timestamp> {
    let since_epoch = httpdate::parse_http_date(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since_epoch.as_secs()).ok().map(Timestamp::from_unix)
}
