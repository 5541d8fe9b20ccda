//! What somebody writes for others to read: a reason, a note.

use crate::error::Rule;

/// Characters of it at most.
const LONGEST: usize = 500;

/// It as it is kept, without white space around it. It may have several lines; other control characters no keyboard
/// writes, and no database keeps all of them.
///
/// # Errors
/// It is blank, longer than 500 characters, or has such characters.
pub fn written(text: &str) -> Result<&str, Rule> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(Rule::Required),
        1..=LONGEST if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => {
            Err(Rule::Malformed)
        }
        1..=LONGEST => Ok(text),
        _ => Err(Rule::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_kept() {
        assert_eq!(written(" the shop was\r\n\tdown \n"), Ok("the shop was\r\n\tdown"));
        assert_eq!(written(" \n"), Err(Rule::Required));
        assert_eq!(written(&"é".repeat(500)), Ok("é".repeat(500).as_str()));
        assert_eq!(written(&"é".repeat(501)), Err(Rule::TooLong));
        for bad in ["a\0b", "a\u{1b}[2Jb", "a\u{7f}b", "a\u{85}b"] {
            assert_eq!(written(bad), Err(Rule::Malformed), "{bad:?}");
        }
    }
}
