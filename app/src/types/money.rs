//! Numbers as people read them.

/// Groups the digits of a whole number in threes with thin spaces: the same in every language of the dashboard.
pub fn group_digits(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    if number < 0 {
        text.push('−');
    }
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::group_digits;

    #[test]
    fn groups_in_threes() {
        assert_eq!(group_digits(7), "7");
        assert_eq!(group_digits(16_858), "16\u{2009}858");
        assert_eq!(group_digits(-1_000_000), "−1\u{2009}000\u{2009}000");
    }
}
