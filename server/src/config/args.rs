//! The flags, each with its environment variable. Clap only collects the texts; they are read here, so that a wrong
//! one is told in one line.

use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use url::Url;

use super::{Config, ConfigError, DatabaseUrl, LogSettings, database_url, log};
use crate::net::RootCertificates;

/// The largest body that may be allowed: it is held in memory.
const LARGEST_BODY: usize = 1 << 30;
const MOST_DAYS: u32 = 36_500;
const NETS: &str = "CIDRs separated by commas, such as 10.0.0.0/8,::1/128";
const YES_OR_NO: &str = "true or false";

/// Which database.
#[derive(Args)]
pub struct DatabaseArgs {
    /// The database: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, env = "ACUSE_DATABASE_URL", value_name = "URL", default_value = "sqlite://data/acuse.db")]
    #[arg(hide_env_values = true)]
    database_url: OsString,
}

impl DatabaseArgs {
    /// The URL.
    ///
    /// # Errors
    /// It is not one of the two databases.
    pub fn url(&self) -> Result<DatabaseUrl, ConfigError> {
        let accepted = "sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME";
        let text = self.database_url.to_string_lossy();
        let wrong =
            |problem| ConfigError::new("ACUSE_DATABASE_URL", &database_url::redact(&text), problem, accepted);
        self.database_url.to_str().ok_or_else(|| wrong("is not UTF-8"))?.parse().map_err(wrong)
    }
}

/// Where the master keys are.
#[derive(Args)]
pub struct KeyFileArgs {
    /// Master key for secrets at rest
    #[arg(long, env = "ACUSE_KEY_FILE", value_name = "PATH", default_value = "data/acuse.key")]
    key_file: OsString,
}

impl KeyFileArgs {
    /// The path.
    ///
    /// # Errors
    /// It is empty.
    pub fn path(&self) -> Result<PathBuf, ConfigError> {
        key_file(&self.key_file)
    }
}

/// What is logged.
#[derive(Args)]
pub struct LogArgs {
    /// What is logged to standard error: a tracing filter, such as info or info,sqlx=debug
    #[arg(long, env = "ACUSE_LOG", value_name = "FILTER", default_value = "info", global = true)]
    log: OsString,
    /// How it is written: text for people, json for machines
    #[arg(long, env = "ACUSE_LOG_FORMAT", value_name = "FORMAT", default_value = "text", global = true)]
    log_format: OsString,
}

impl LogArgs {
    /// Both, read.
    ///
    /// # Errors
    /// One of them is not accepted.
    pub fn settings(&self) -> Result<LogSettings, ConfigError> {
        let accepted = "a level (off, error, warn, info, debug, trace) or directives such as info,sqlx=debug";
        let filter = text("ACUSE_LOG", &self.log, accepted)?;
        Ok(LogSettings {
            filter: log::parse_filter(filter)
                .map_err(|problem| ConfigError::new("ACUSE_LOG", filter, problem, accepted))?,
            format: parsed("ACUSE_LOG_FORMAT", &self.log_format, "text or json")?,
        })
    }
}

/// Everything that `acuse serve` takes.
#[derive(Args)]
pub struct ServeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Address and port to listen on
    #[arg(long, env = "ACUSE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    listen: OsString,
    /// Base of receive URLs and links, and the allowed Origin [default: http:// and the address]
    #[arg(long, env = "ACUSE_PUBLIC_URL", value_name = "URL")]
    public_url: Option<OsString>,
    /// Master key for secrets at rest; made when absent and the database is SQLite
    #[arg(long, env = "ACUSE_KEY_FILE", value_name = "PATH", default_value = "data/acuse.key")]
    key_file: OsString,
    /// Networks that destinations may resolve to although they are private or loopback, such as 127.0.0.0/8
    #[arg(long, env = "ACUSE_ALLOW_NETS", value_name = "CIDRS", default_value = "")]
    allow_nets: OsString,
    /// Certificates in PEM of authorities that are believed beside those of the system, for destinations over https
    #[arg(long, env = "ACUSE_CA_FILE", value_name = "PATH", default_value = "")]
    ca_file: OsString,
    /// Proxies whose X-Forwarded-For is believed
    #[arg(long, env = "ACUSE_TRUSTED_PROXIES", value_name = "CIDRS", default_value = "")]
    trusted_proxies: OsString,
    /// Bytes of a received body
    #[arg(long, env = "ACUSE_MAX_BODY", value_name = "BYTES", default_value = "1048576")]
    max_body: OsString,
    /// Days after which events and their deliveries are pruned; 0 keeps all
    #[arg(long, env = "ACUSE_RETENTION_DAYS", value_name = "DAYS", default_value = "400")]
    retention_days: OsString,
    /// Leave the tables as they are: `acuse migrate` brings them up to date
    #[arg(long, env = "ACUSE_NO_MIGRATE", value_name = "BOOL", default_value = "false")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    no_migrate: OsString,
    /// Run a simulated provider and a shop beside
    #[arg(long, env = "ACUSE_SANDBOX", value_name = "BOOL", default_value = "false")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sandbox: OsString,
}

impl ServeArgs {
    /// All of it, read.
    ///
    /// # Errors
    /// The first value that is not accepted.
    pub fn config(&self) -> Result<Config, ConfigError> {
        let listen = listen(&self.listen)?;
        Ok(Config {
            listen,
            public_url: match &self.public_url {
                Some(url) => public_url(url)?,
                None => default_public_url(listen)?,
            },
            database_url: self.database.url()?,
            key_file: key_file(&self.key_file)?,
            allow_nets: parsed("ACUSE_ALLOW_NETS", &self.allow_nets, NETS)?,
            root_certificates: root_certificates(&self.ca_file)?,
            trusted_proxies: parsed("ACUSE_TRUSTED_PROXIES", &self.trusted_proxies, NETS)?,
            max_body: number(
                "ACUSE_MAX_BODY",
                &self.max_body,
                1..=LARGEST_BODY,
                "bytes, from 1 to 1073741824",
            )?,
            retention_days: number(
                "ACUSE_RETENTION_DAYS",
                &self.retention_days,
                0..=MOST_DAYS,
                "days, from 0 (keep all) to 36500",
            )?,
            migrate: !flag("ACUSE_NO_MIGRATE", &self.no_migrate)?,
            sandbox: flag("ACUSE_SANDBOX", &self.sandbox)?,
        })
    }

    /// The public URL when none was given: where the listener really is.
    ///
    /// # Errors
    /// Never, for an address that is listened on.
    pub fn public_url_at(&self, listen: SocketAddr) -> Result<Option<Url>, ConfigError> {
        self.public_url.is_none().then(|| default_public_url(listen)).transpose()
    }
}

fn text<'a>(
    variable: &'static str,
    value: &'a OsStr,
    accepted: &'static str,
) -> Result<&'a str, ConfigError> {
    value
        .to_str()
        .ok_or_else(|| ConfigError::new(variable, &value.to_string_lossy(), "is not UTF-8", accepted))
}

fn parsed<T>(variable: &'static str, value: &OsStr, accepted: &'static str) -> Result<T, ConfigError>
where
    T: FromStr<Err: Into<String>>,
{
    let text = text(variable, value, accepted)?;
    text.parse().map_err(|problem: T::Err| ConfigError::new(variable, text, problem, accepted))
}

fn number<T>(
    variable: &'static str,
    value: &OsStr,
    range: std::ops::RangeInclusive<T>,
    accepted: &'static str,
) -> Result<T, ConfigError>
where
    T: FromStr + PartialOrd,
{
    let text = text(variable, value, accepted)?;
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| ConfigError::new(variable, text, "is not such a number", accepted))
}

fn flag(variable: &'static str, value: &OsStr) -> Result<bool, ConfigError> {
    match text(variable, value, YES_OR_NO)? {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" | "" => Ok(false),
        other => Err(ConfigError::new(variable, other, "is neither yes nor no", YES_OR_NO)),
    }
}

fn listen(value: &OsStr) -> Result<SocketAddr, ConfigError> {
    let accepted = "an IP address and a port, such as 127.0.0.1:3000 or [::]:3000";
    let text = text("ACUSE_LISTEN", value, accepted)?;
    text.parse()
        .map_err(|_| ConfigError::new("ACUSE_LISTEN", text, "is not an address to listen on", accepted))
}

fn public_url(value: &OsStr) -> Result<Url, ConfigError> {
    let accepted = "http:// or https://, a host and perhaps a port, such as https://hooks.example.com";
    let text = text("ACUSE_PUBLIC_URL", value, accepted)?;
    let wrong =
        |problem: &str| ConfigError::new("ACUSE_PUBLIC_URL", &database_url::redact(text), problem, accepted);
    let url = Url::parse(text).map_err(|_| wrong("is not a URL"))?;
    let problem = match &url {
        url if !matches!(url.scheme(), "http" | "https") => "is neither http nor https",
        url if !url.username().is_empty() || url.password().is_some() => "holds a user or a password",
        url if url.path() != "/" || url.query().is_some() || url.fragment().is_some() => {
            "has a path, a query or a fragment"
        }
        _ => return Ok(url),
    };
    Err(wrong(problem))
}

fn default_public_url(listen: SocketAddr) -> Result<Url, ConfigError> {
    public_url(OsStr::new(&format!("http://{listen}")))
}

fn root_certificates(path: &OsStr) -> Result<RootCertificates, ConfigError> {
    if path.is_empty() {
        return Ok(RootCertificates::default());
    }
    let wrong = |problem| {
        ConfigError::new("ACUSE_CA_FILE", &path.to_string_lossy(), problem, "a file of certificates in PEM")
    };
    RootCertificates::with_file(Path::new(path)).map_err(wrong)
}

fn key_file(path: &OsStr) -> Result<PathBuf, ConfigError> {
    if path.is_empty() {
        return Err(ConfigError::new("ACUSE_KEY_FILE", "", "names no file", "the path of a file"));
    }
    Ok(path.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Serve {
        #[command(flatten)]
        serve: ServeArgs,
        #[command(flatten)]
        log: LogArgs,
    }

    fn config(flags: &[&str]) -> Result<Config, ConfigError> {
        let args = Serve::parse_from(["acuse"].iter().chain(flags));
        args.log.settings()?;
        args.serve.config()
    }

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        let config = config(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:3000");
        assert_eq!(config.public_base(), "http://127.0.0.1:3000");
        assert_eq!(config.database_url.expose(), "sqlite://data/acuse.db");
        assert_eq!((config.max_body, config.retention_days), (1_048_576, 400));
        assert!(config.migrate && !config.sandbox);
    }

    #[test]
    fn a_wrong_value_is_named_with_its_variable_and_what_is_accepted() {
        for (flag, variable) in [
            ("--listen=localhost", "ACUSE_LISTEN=\"localhost\""),
            ("--listen=127.0.0.1:70000", "ACUSE_LISTEN"),
            ("--public-url=ftp://x", "ACUSE_PUBLIC_URL=\"ftp://x\""),
            ("--public-url=https://x/hooks", "ACUSE_PUBLIC_URL"),
            ("--public-url=x", "ACUSE_PUBLIC_URL"),
            ("--database-url=mysql://a:hunter2@x/y", "ACUSE_DATABASE_URL=\"mysql://a:…@x/y\""),
            ("--key-file=", "ACUSE_KEY_FILE"),
            ("--allow-nets=127.0.0.0/40", "ACUSE_ALLOW_NETS=\"127.0.0.0/40\""),
            ("--ca-file=/dev/null", "ACUSE_CA_FILE=\"/dev/null\""),
            ("--ca-file=/no/such/file", "ACUSE_CA_FILE"),
            ("--trusted-proxies=proxy", "ACUSE_TRUSTED_PROXIES=\"proxy\""),
            ("--max-body=0", "ACUSE_MAX_BODY=\"0\""),
            ("--max-body=1MB", "ACUSE_MAX_BODY"),
            ("--max-body=99999999999999999999999", "ACUSE_MAX_BODY"),
            ("--retention-days=-1", "ACUSE_RETENTION_DAYS=\"-1\""),
            ("--retention-days=", "ACUSE_RETENTION_DAYS=\"\""),
            ("--log=loud", "ACUSE_LOG=\"loud\""),
            ("--log-format=xml", "ACUSE_LOG_FORMAT=\"xml\""),
            ("--sandbox=maybe", "ACUSE_SANDBOX=\"maybe\""),
            ("--no-migrate=\n", "ACUSE_NO_MIGRATE"),
        ] {
            let line = config(&[flag]).unwrap_err().to_string();
            assert!(line.starts_with(variable) && line.contains("; accepted: "), "{line}");
            assert!(!line.contains('\n') && !line.contains("hunter2"), "{line}");
        }
    }

    #[test]
    fn switches_stand_alone() {
        let config = config(&["--sandbox", "--no-migrate"]).unwrap();
        assert!(config.sandbox && !config.migrate);
    }
}
