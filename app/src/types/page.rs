//! Keyset pages: a cursor names the row after which the next page begins.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Timestamp;

/// Where a page begins: after this row, newest first. Opaque to those who hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The sort key of the last row of the page before.
    pub at: Timestamp,
    /// Its number, for rows of the same microsecond.
    pub id: i64,
}

/// Not a cursor that we gave out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a cursor; accepted: the next_cursor of a page")]
pub struct CursorError(String);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}", self.at.micros(), self.id)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;
    fn from_str(text: &str) -> Result<Self, CursorError> {
        let number = |part: &str| {
            part.bytes().all(|c| c.is_ascii_hexdigit()).then(|| i64::from_str_radix(part, 16).ok())?
        };
        text.split_once('-')
            .and_then(|(at, id)| Some(Self { at: Timestamp::from_micros(number(at)?), id: number(id)? }))
            .ok_or_else(|| CursorError(text.chars().take(64).collect()))
    }
}

/// Rows of a page: 1 to 200, 50 when not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(u16);

/// Not a number of rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a limit; accepted: 1 to 200")]
pub struct LimitError(String);

impl Limit {
    /// The number.
    pub const fn get(self) -> i64 {
        self.0 as i64
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

impl FromStr for Limit {
    type Err = LimitError;
    fn from_str(text: &str) -> Result<Self, LimitError> {
        match text.parse() {
            Ok(number @ 1..=200) => Ok(Self(number)),
            _ => Err(LimitError(text.chars().take(32).collect())),
        }
    }
}

/// Which page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// None: the first one.
    pub cursor: Option<Cursor>,
    /// At most so many rows.
    pub limit: Limit,
}

/// One page, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Where the next page begins; null on the last one.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// From `limit + 1` rows, newest first: the one too many tells that there is a next page.
    pub fn from_rows(mut rows: Vec<T>, limit: Limit, cursor_of: impl Fn(&T) -> Cursor) -> Self {
        let more = rows.len() > usize::from(limit.0);
        rows.truncate(usize::from(limit.0));
        let next_cursor = rows.last().filter(|_| more).map(|row| cursor_of(row).to_string());
        Self { items: rows, next_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_itself() {
        let cursor = Cursor { at: Timestamp::from_unix(1_700_000_000), id: 482_131 };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for bad in ["", "-", "1", "x-1", "1-+1", "1-", "ffffffffffffffffff-1"] {
            assert!(bad.parse::<Cursor>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_row_too_many_becomes_the_cursor() {
        let cursor_of = |id: &i64| Cursor { at: Timestamp::from_unix(0), id: *id };
        let limit: Limit = "2".parse().unwrap();
        let page = Page::from_rows(vec![9, 8, 7], limit, cursor_of);
        assert_eq!((page.items, page.next_cursor.as_deref()), (vec![9, 8], Some("0-8")));
        assert_eq!(Page::from_rows(vec![9, 8], limit, cursor_of).next_cursor, None);
    }

    #[test]
    fn a_limit_has_bounds() {
        assert_eq!("200".parse::<Limit>().unwrap().get(), 200);
        for bad in ["0", "201", "-1", "x", ""] {
            assert!(bad.parse::<Limit>().is_err(), "{bad:?}");
        }
    }
}
