//! Network values that several areas share: CIDR sets, TLS root certificates, HTTP dates and `Retry-After`.
//!
//! Nothing here opens a connection, and nothing here imports another module of the server.

mod cidr;
mod http_date;
mod retry_after;
mod tls_roots;

pub use self::cidr::CidrSet;
pub use self::http_date::parse_http_date;
pub use self::retry_after::RetryAfter;
pub use self::tls_roots::RootCertificates;
