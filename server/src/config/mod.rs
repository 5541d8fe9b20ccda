//! Settings, from flags and the environment. A wrong value stops the start with one line that names the variable,
//! the value and what is accepted.

mod nets;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use nets::Nets;
use url::Url;

/// What `acuse serve` is told.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Base of receive URLs and links, and the allowed Origin; no slash at its end.
    pub public_url: Url,
    /// `sqlite://…` or `postgres://…`; may hold a password: never logged.
    pub database_url: String,
    /// Where the master keys are.
    pub key_file: PathBuf,
    /// Private networks that destinations may resolve to.
    pub allow_nets: Nets,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Nets,
    /// Bytes of a received body.
    pub max_body: usize,
    /// Events older than this are pruned; 0 keeps all.
    pub retention_days: u32,
    /// Apply migrations at start.
    pub migrate: bool,
    /// Run the sandbox beside.
    pub sandbox: bool,
}

impl Config {
    /// Whether the database is one file.
    pub fn is_sqlite(&self) -> bool {
        self.database_url.starts_with("sqlite:")
    }
}
