//! Where the database is. The text may hold a password, so it is shown only without.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The whole text, password and all; for opening it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The file, when the database is one.
    pub fn sqlite_path(&self) -> Option<&Path> {
        let path = self.0.strip_prefix("sqlite://")?;
        Some(Path::new(path.split('?').next().unwrap_or(path)))
    }

    /// Whether the database is one file.
    pub fn is_sqlite(&self) -> bool {
        self.0.starts_with("sqlite:")
    }
}

impl FromStr for DatabaseUrl {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, &'static str> {
        let path = text.strip_prefix("sqlite://");
        let host = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
        match path.or(host) {
            None => Err("is not the URL of a database"),
            Some("") => Err("names no database"),
            Some(_) if host.is_some() && url::Url::parse(text).is_err() => Err("is not a URL"),
            Some(_) => Ok(Self(text.to_owned())),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redact(&self.0))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// The text without what may be a password: between the user and the host, and in the query. It need not be a URL.
pub fn redact(text: &str) -> String {
    let (text, query) = text.split_once('?').map_or((text, ""), |(text, _)| (text, "?…"));
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
    let separator = if scheme.is_empty() { "" } else { "://" };
    let Some((login, host)) = rest.rsplit_once('@') else {
        return format!("{scheme}{separator}{rest}{query}");
    };
    let user = login.split(':').next().unwrap_or_default();
    let password = if login.contains(':') { ":…" } else { "" };
    format!("{scheme}{separator}{user}{password}@{host}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_shows_a_password() {
        for text in [
            "postgres://acuse:hunter2@db:5432/acuse",
            "postgres://acuse:hunter2@x@db/acuse",
            "mysql://root:hunter2@db/acuse",
            "root:hunter2@db/acuse",
            "postgres://acuse@db/acuse?password=hunter2",
            "postgres://acuse:p?hunter2@db/acuse",
        ] {
            let shown = redact(text);
            assert!(!shown.contains("hunter2"), "{shown}");
            assert!(!format!("{:?}", DatabaseUrl(text.to_owned())).contains("hunter2"));
        }
        assert_eq!(redact("postgres://acuse:hunter2@db:5432/acuse"), "postgres://acuse:…@db:5432/acuse");
        assert_eq!(redact("sqlite://data/acuse.db"), "sqlite://data/acuse.db");
    }

    #[test]
    fn takes_the_two_databases() {
        for good in [
            "sqlite://data/acuse.db",
            "sqlite:///var/acuse.db",
            "postgres://db/acuse",
            "postgresql://a:b@db/c",
        ] {
            assert!(good.parse::<DatabaseUrl>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "sqlite://",
            "postgres://",
            "sqlite:acuse.db",
            "mysql://db/x",
            "data/acuse.db",
            "postgres://[::",
        ] {
            assert!(bad.parse::<DatabaseUrl>().is_err(), "{bad}");
        }
    }
}
