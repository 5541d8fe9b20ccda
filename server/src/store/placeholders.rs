//! Placeholders for statements whose number of rows is not known before.

use std::fmt::Write;

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
    #[test]
    fn counts_on_from_the_first() {
        assert_eq!(super::list(3, 1), "$1, $2, $3");
        assert_eq!(super::rows(2, 2, 3), "($3, $4), ($5, $6)");
        assert_eq!(super::rows(0, 2, 1), "");
    }
}
