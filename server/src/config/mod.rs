//! Settings, from flags and the environment. A wrong value stops the start with one line that names the variable,
//! the value and what is accepted.

mod args;
mod database_url;
mod error;
mod log;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use args::{DatabaseArgs, KeyFileArgs, LogArgs, ServeArgs};
pub use database_url::DatabaseUrl;
pub use error::ConfigError;
pub use log::{LogFormat, LogSettings};
use url::Url;

use crate::net::{CidrSet, RootCertificates};

/// What `acuse serve` is told.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Base of receive URLs and links, and the allowed Origin: a scheme, a host and perhaps a port.
    pub public_url: Url,
    /// `sqlite://…` or `postgres://…`.
    pub database_url: DatabaseUrl,
    /// Where the master keys are.
    pub key_file: PathBuf,
    /// Private networks that destinations may resolve to.
    pub allow_nets: CidrSet,
    /// Root certificates that deliveries over TLS trust.
    pub root_certificates: RootCertificates,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: CidrSet,
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
    /// The public URL without a slash at its end, to put a path behind.
    pub fn public_base(&self) -> &str {
        self.public_url.as_str().trim_end_matches('/')
    }
}
