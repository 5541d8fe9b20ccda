//! Placeholders for statements whose number of rows is not known before.

use std::fmt::Write;

use crate::db::{Db, Tx};

/// Numbers of rows that large statements are made for: a batch is filled up to the next one by repeating its last row,
/// so that few statements stay prepared and serve batches of any size.
const SIZES: [usize; 18] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024];

/// Placeholders in the order in which their values are bound, each once. They carry numbers on PostgreSQL only: on
/// SQLite the driver looks every name up in a list of all of them, which takes a large statement longer than running it.
#[derive(Debug)]
pub struct Placeholders {
    numbered: bool,
    next: usize,
}

impl Placeholders {
    /// For a statement in this transaction.
    pub const fn within(tx: &Tx) -> Self {
        Self { numbered: matches!(tx, Tx::Postgres(_)), next: 1 }
    }

    /// For a statement on this database.
    pub const fn on(db: &Db) -> Self {
        Self { numbered: matches!(db, Db::Postgres(_)), next: 1 }
    }

    /// The next one.
    pub fn one(&mut self) -> String {
        self.list(1)
    }

    /// So many, separated by commas.
    pub fn list(&mut self, count: usize) -> String {
        let mut out = String::with_capacity(count * 6);
        for n in 0..count {
            out.push_str(if n == 0 { "" } else { ", " });
            if self.numbered {
                let _ = write!(out, "${}", self.next);
            } else {
                out.push('?');
            }
            self.next += 1;
        }
        out
    }

    /// So many rows of so many each, in brackets.
    pub fn rows(&mut self, count: usize, width: usize) -> String {
        (0..count).map(|_| format!("({})", self.list(width))).collect::<Vec<_>>().join(", ")
    }
}

/// How many rows a statement for so many has.
pub fn size_for(count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    SIZES.into_iter().find(|size| *size >= count).unwrap_or(count)
}

/// The rows, and the last one again until there are as many as the statement has.
pub fn filled<T>(rows: &[T]) -> impl Iterator<Item = &T> {
    let missing = size_for(rows.len()) - rows.len();
    rows.iter().chain(rows.iter().rev().take(1).cycle().take(missing))
}

/// `$3, $4, $5`.
pub fn list(count: usize, first: usize) -> String {
    let mut out = String::with_capacity(count * 6);
    for n in first..first + count {
        let _ = write!(out, "{}${n}", if n == first { "" } else { ", " });
    }
    out
}

/// `($3, $4), ($5, $6)`.
pub fn rows(count: usize, width: usize, first: usize) -> String {
    let mut out = String::with_capacity(count * (width * 6 + 4));
    for row in 0..count {
        let separator = if row == 0 { "" } else { ", " };
        let _ = write!(out, "{separator}({})", list(width, first + row * width));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Placeholders, filled, size_for};

    #[test]
    fn a_batch_is_filled_up_to_a_size() {
        assert_eq!(filled(&[1, 2, 3, 4, 5]).copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 5]);
        assert_eq!(filled(&[1, 2]).copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(filled::<u8>(&[]).count(), 0);
        assert_eq!([0, 1, 5, 250, 256, 300, 1025].map(size_for), [0, 1, 6, 256, 256, 512, 1025]);
    }

    #[test]
    fn marks_carry_numbers_on_postgres_only() {
        let both = [true, false].map(|numbered| {
            let mut marks = Placeholders { numbered, next: 1 };
            format!("{} {} {}", marks.one(), marks.rows(2, 2), marks.list(2))
        });
        assert_eq!(both, ["$1 ($2, $3), ($4, $5) $6, $7", "? (?, ?), (?, ?) ?, ?"]);
    }

    #[test]
    fn counts_on_from_the_first() {
        assert_eq!(super::list(3, 1), "$1, $2, $3");
        assert_eq!(super::rows(2, 2, 3), "($3, $4), ($5, $6)");
        assert_eq!(super::rows(0, 2, 1), "");
    }
}
