//! `acuse verify`: the doctor on the command line, without a database.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use app::text::Lang;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use clap::Args;
use zeroize::Zeroizing;

use crate::clock::{Clock, SystemClock};
use crate::config::ConfigError;
use crate::domain::doctor::{self, CandidateSecret, Case, SecretOwner};
use crate::domain::signature::{Incoming, Scheme};

/// Seconds that the clock may be off when nothing is said.
const TOLERANCE_S: i64 = 300;

#[derive(Args)]
#[command(
    after_help = "The first line of output is `valid`, or the reason alone; what the doctor found comes after it. \
                        Status: 0 valid, 1 not, 2 called wrongly."
)]
pub(super) struct VerifyArgs {
    /// How the sender signs, such as paymos, stripe, paddle, standard_webhooks, svix or github_sha256
    #[arg(long, env = "ACUSE_VERIFY_SCHEME", value_name = "SCHEME")]
    scheme: OsString,
    /// The secrets, one a line, as the provider shows them
    #[arg(long, env = "ACUSE_VERIFY_SECRET_FILE", value_name = "FILE")]
    secret_file: PathBuf,
    /// A header of the request; once for each of them
    #[arg(long = "header", env = "ACUSE_VERIFY_HEADER", value_name = "NAME: VALUE", value_delimiter = '\n')]
    headers: Vec<OsString>,
    /// When it came, in Unix seconds; now when left out
    #[arg(long, env = "ACUSE_VERIFY_NOW", value_name = "UNIX", allow_hyphen_values = true)]
    now: Option<String>,
    /// Seconds that the sender's clock may be off, or none for no window
    #[arg(long, env = "ACUSE_VERIFY_TOLERANCE", value_name = "SECONDS", allow_hyphen_values = true)]
    tolerance: Option<String>,
    /// The URL that it was posted to, for schemes that sign it or its query
    #[arg(long, env = "ACUSE_VERIFY_URL", value_name = "URL")]
    url: Option<String>,
    /// The exact bytes of the body; - for standard input
    #[arg(value_name = "BODY_FILE")]
    body: PathBuf,
}

/// What is to be verified.
struct Request {
    scheme: Scheme,
    secrets: Vec<Zeroizing<String>>,
    headers: HeaderMap,
    body: Vec<u8>,
    now: i64,
    tolerance: Option<i64>,
    url: Option<String>,
}

/// Whether it is valid, after saying so.
pub(super) fn run(args: &VerifyArgs) -> Result<bool, ConfigError> {
    let (is_valid, said) = Request::read(args)?.examine();
    print!("{said}");
    Ok(is_valid)
}

impl Request {
    fn read(args: &VerifyArgs) -> Result<Self, ConfigError> {
        let body = match args.body.as_os_str() == "-" {
            true => {
                let mut body = Vec::new();
                std::io::stdin().read_to_end(&mut body).map(|_| body)
            }
            false => std::fs::read(&args.body),
        };
        Ok(Self {
            scheme: scheme(&args.scheme)?,
            secrets: secrets(&args.secret_file)?,
            headers: headers(&args.headers)?,
            body: body.map_err(|error| unreadable("BODY_FILE", &args.body, &error))?,
            now: match &args.now {
                Some(text) => integer("ACUSE_VERIFY_NOW", text, "is not a time (--now)", "Unix seconds")?,
                None => SystemClock.now().unix(),
            },
            tolerance: match args.tolerance.as_deref() {
                None => Some(TOLERANCE_S),
                Some("none") => None,
                Some(text) => Some(tolerance(text)?),
            },
            url: args.url.clone(),
        })
    }

    fn examine(&self) -> (bool, String) {
        let url = self.url.as_deref();
        let query = url.and_then(|url| url.split_once('?')).map(|(_, query)| query);
        let incoming = Incoming { url, query, ..Incoming::new(&self.headers, &self.body) };
        let policy = self.scheme.policy();
        let secrets: Vec<&[u8]> = self.secrets.iter().map(|secret| secret.as_bytes()).collect();
        let Err(reason) = policy.verify(&secrets, &incoming, self.now, self.tolerance) else {
            return (true, "valid\n".to_owned());
        };
        let secrets: Vec<CandidateSecret<'_>> = (1..)
            .zip(&self.secrets)
            .map(|(line, text)| CandidateSecret {
                name: format!("on line {line}"),
                value: text,
                whose: SecretOwner::Own,
            })
            .collect();
        let case = Case {
            policy,
            incoming,
            target: url.unwrap_or_default(),
            cut_from: None,
            left_out: None,
            arrived_at: self.now,
            tolerance: self.tolerance,
            secrets: &secrets,
        };
        let mut said = format!("{reason}\n");
        for finding in doctor::examine(&case) {
            // Writing to a string does not fail.
            let _ = writeln!(said, "\n{}", doctor::describe(&finding, Lang::En).message);
        }
        (false, said)
    }
}

fn scheme(text: &OsStr) -> Result<Scheme, ConfigError> {
    let text = text.to_string_lossy();
    text.parse()
        .map_err(|_| ConfigError::new("ACUSE_VERIFY_SCHEME", &text, "is not a scheme (--scheme)", names()))
}

/// The names of all schemes.
fn names() -> &'static str {
    static NAMES: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| Scheme::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", "));
    &NAMES
}

/// The lines as they are: white space in a secret counts, and is what the doctor looks for.
fn secrets(file: &Path) -> Result<Vec<Zeroizing<String>>, ConfigError> {
    let text = std::fs::read_to_string(file)
        .map(Zeroizing::new)
        .map_err(|error| unreadable("ACUSE_VERIFY_SECRET_FILE", file, &error))?;
    Ok(text.lines().map(|line| Zeroizing::new(line.to_owned())).collect())
}

fn headers(given: &[OsString]) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::new();
    for given in given {
        let read = || {
            let bytes = given.as_bytes();
            let colon = bytes.iter().position(|byte| *byte == b':')?;
            let name = HeaderName::from_bytes(bytes[..colon].trim_ascii()).ok()?;
            Some((name, HeaderValue::from_bytes(bytes[colon + 1..].trim_ascii()).ok()?))
        };
        let (name, value) = read().ok_or_else(|| {
            let accepted = "NAME: VALUE, once for each header";
            ConfigError::new(
                "ACUSE_VERIFY_HEADER",
                &given.to_string_lossy(),
                "is not a header (--header)",
                accepted,
            )
        })?;
        headers.append(name, value);
    }
    Ok(headers)
}

fn tolerance(text: &str) -> Result<i64, ConfigError> {
    let accepted = "a number of seconds from 0 on, or none";
    let seconds = integer("ACUSE_VERIFY_TOLERANCE", text, "is not a tolerance (--tolerance)", accepted)?;
    match seconds {
        0.. => Ok(seconds),
        _ => Err(ConfigError::new("ACUSE_VERIFY_TOLERANCE", text, "is below zero (--tolerance)", accepted)),
    }
}

fn integer(
    variable: &'static str,
    text: &str,
    problem: &'static str,
    accepted: &'static str,
) -> Result<i64, ConfigError> {
    text.parse().map_err(|_| ConfigError::new(variable, text, problem, accepted))
}

fn unreadable(variable: &'static str, file: &Path, error: &std::io::Error) -> ConfigError {
    ConfigError::new(variable, &file.to_string_lossy(), format!("cannot be read: {error}"), "a file of text")
}
