//! Statements of many rows on SQLite. Their number of rows is a power of two, so that a batch of any size is made of
//! a few statements that stay prepared.

use std::fmt::Write;
use std::sync::OnceLock;

/// Most rows of one statement, as a power of two.
const LARGEST: usize = 8;

/// A statement around `values (…), (…)`.
pub(crate) struct Rows {
    head: &'static str,
    columns: usize,
    tail: &'static str,
    texts: [OnceLock<String>; LARGEST + 1],
}

impl Rows {
    pub(crate) const fn new(head: &'static str, columns: usize, tail: &'static str) -> Self {
        Self { head, columns, tail, texts: [const { OnceLock::new() }; LARGEST + 1] }
    }

    /// The statements that take these rows one after another, each with its share of them.
    pub(crate) fn chunks<'s, 'r, T>(&'s self, mut rows: &'r [T]) -> impl Iterator<Item = (&'s str, &'r [T])> {
        std::iter::from_fn(move || {
            let power = (rows.len().checked_ilog2()? as usize).min(LARGEST);
            let (chunk, rest) = rows.split_at(1 << power);
            rows = rest;
            Some((self.texts[power].get_or_init(|| self.text(chunk.len())).as_str(), chunk))
        })
    }

    fn text(&self, rows: usize) -> String {
        let mut text = self.head.to_owned();
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { "), (" });
            for column in 1..=self.columns {
                let comma = if column == 1 { "" } else { ", " };
                // Writing to a string does not fail.
                let _ = write!(text, "{comma}${}", row * self.columns + column);
            }
        }
        text.push(')');
        text.push_str(self.tail);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn any_number_of_rows_is_made_of_powers_of_two() {
        static ROWS: Rows = Rows::new("insert into t (a, b) values ", 2, " returning a");
        let chunks = |rows: &[u8]| ROWS.chunks(rows).map(|(_, chunk)| chunk.len()).collect::<Vec<_>>();
        assert_eq!(chunks(&[0; 0]), [0; 0]);
        assert_eq!(chunks(&[0; 7]), [4, 2, 1]);
        assert_eq!(chunks(&[0; 700]), [256, 256, 128, 32, 16, 8, 4]);
        let (text, _) = ROWS.chunks(&[0; 2]).next().unwrap();
        assert_eq!(text, "insert into t (a, b) values ($1, $2), ($3, $4) returning a");
    }
}
