//! Statements of many rows on SQLite. Only a few sizes of each are prepared; a batch takes the next larger one, whose
//! surplus rows stay unbound and so are null: the statement must pass over rows whose first column is.
//!
//! The parameters have no names: to bind a named one SQLite looks through all names of the statement.

use std::sync::OnceLock;

/// Numbers of rows that statements are prepared for.
const SIZES: [usize; 13] = [1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512];

/// A statement around `(values …)`, whose columns it calls `column1`, `column2` and so on.
pub(crate) struct ValuesStatement {
    head: &'static str,
    columns: usize,
    tail: &'static str,
    texts: [OnceLock<String>; SIZES.len()],
}

impl ValuesStatement {
    pub(crate) const fn new(head: &'static str, columns: usize, tail: &'static str) -> Self {
        Self { head, columns, tail, texts: [const { OnceLock::new() }; SIZES.len()] }
    }

    /// The statements that take these rows one after another, each with its share of them.
    pub(crate) fn chunks<'s, 'r, T>(&'s self, rows: &'r [T]) -> impl Iterator<Item = (&'s str, &'r [T])> {
        rows.chunks(SIZES[SIZES.len() - 1]).map(|chunk| {
            let place = SIZES.partition_point(|size| *size < chunk.len());
            (self.texts[place].get_or_init(|| self.text(SIZES[place])).as_str(), chunk)
        })
    }

    fn text(&self, rows: usize) -> String {
        let row = format!("({})", vec!["?"; self.columns].join(", "));
        format!("{}(values {}){}", self.head, vec![row; rows].join(", "), self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::ValuesStatement;

    #[test]
    fn any_number_of_rows_takes_the_next_larger_statement() {
        static ROWS: ValuesStatement =
            ValuesStatement::new("insert into t (a, b) select * from ", 2, " where column1 is not null");
        let chunks = |rows: &[u8]| {
            ROWS.chunks(rows)
                .map(|(sql, chunk)| (sql.matches('(').count() - 2, chunk.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(chunks(&[0; 0]), []);
        assert_eq!(chunks(&[0; 1]), [(1, 1)]);
        assert_eq!(chunks(&[0; 65]), [(96, 65)]);
        assert_eq!(chunks(&[0; 700]), [(512, 512), (192, 188)]);
        let (text, _) = ROWS.chunks(&[0; 2]).next().unwrap();
        assert_eq!(
            text,
            "insert into t (a, b) select * from (values (?, ?), (?, ?)) where column1 is not null"
        );
    }
}
