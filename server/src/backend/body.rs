//! Bodies as people read them.

use std::fmt::Write;

use app::types::{BodyOddity, ShownBody};

use crate::db::Db;
use crate::error::Failure;
use crate::store::event;

/// The most bytes of a body that a page shows.
const SHOWN: i32 = 64 * 1024;
/// The most bytes of one that is no text.
const DUMPED: usize = 2048;

/// The beginning of an event's body.
pub(super) async fn text(db: &Db, event: i64) -> Result<ShownBody, Failure> {
    let bytes = event::list::body_start(db, event, SHOWN + 1).await?.unwrap_or_default();
    Ok(shown(&bytes))
}

/// The beginning of a body, and what its text does not show.
pub(super) fn shown(bytes: &[u8]) -> ShownBody {
    let start = &bytes[..bytes.len().min(SHOWN as usize)];
    let is_cut = start.len() < bytes.len();
    if is_binary(start) {
        let shown = start.get(..DUMPED).unwrap_or(start);
        let is_cut = is_cut || shown.len() < start.len();
        return ShownBody { text: dump(shown), is_cut, oddities: vec![BodyOddity::NotText] };
    }
    let whole = whole_letters(start, is_cut);
    let text = String::from_utf8_lossy(whole).into_owned();
    let without_mark = text.strip_prefix('\u{feff}');
    let oddities = [
        (BodyOddity::ByteOrderMark, without_mark.is_some()),
        (BodyOddity::CrLf, text.contains("\r\n")),
        (BodyOddity::NotUtf8, std::str::from_utf8(whole).is_err()),
    ];
    let oddities = oddities.into_iter().filter(|(_, is_so)| *is_so).map(|(oddity, _)| oddity).collect();
    ShownBody { text: without_mark.map(str::to_owned).unwrap_or(text), is_cut, oddities }
}

/// A character that the cut went through is left out.
fn whole_letters(bytes: &[u8], is_cut: bool) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if is_cut && error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// Compressed, say: nobody could read it as text. A few bad bytes in a text do not make it so.
fn is_binary(bytes: &[u8]) -> bool {
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 11 | 12 | 14..=31 | 127);
    let odd = bytes.iter().filter(|byte| is_odd(byte)).count();
    let bad = || bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum::<usize>();
    bytes.contains(&0) || (odd + bad()) * 10 > bytes.len()
}

/// Sixteen bytes a line: where, what, and the letters among them.
fn dump(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 5);
    for (line, bytes) in bytes.chunks(16).enumerate() {
        let _ = write!(out, "{:08x} ", line * 16);
        for at in 0..16 {
            let _ = match bytes.get(at) {
                Some(byte) => write!(out, " {byte:02x}"),
                None => write!(out, "   "),
            };
        }
        let letter = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' };
        let _ = writeln!(out, "  {}", bytes.iter().map(letter).collect::<String>());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_no_half_character() {
        assert_eq!(whole_letters(b"ab\xc3", true), b"ab");
        assert_eq!(whole_letters(b"ab\xc3", false), b"ab\xc3");
        assert_eq!(whole_letters(b"a\xffb", true), b"a\xffb");
    }

    #[test]
    fn what_the_text_does_not_show_is_said() {
        use BodyOddity::*;
        let cases: [(&[u8], &str, &[BodyOddity]); 6] = [
            (b"", "", &[]),
            (b"{}", "{}", &[]),
            (b"\xef\xbb\xbf{\r\n}", "{\r\n}", &[ByteOrderMark, CrLf]),
            (b"{\"note\":\"one \xff in a text\"}", "{\"note\":\"one \u{fffd} in a text\"}", &[NotUtf8]),
            (b"{\"note\":\"half of one \xc3", "{\"note\":\"half of one \u{fffd}", &[NotUtf8]),
            (b"\0", "00000000  00                                               .\n", &[NotText]),
        ];
        for (body, text, oddities) in cases {
            let shown = shown(body);
            assert_eq!((shown.text.as_str(), &shown.oddities[..]), (text, oddities), "{body:?}");
        }
        // The cut goes through a character: that is not the sender's doing.
        let long = ["x".repeat(SHOWN as usize - 1), "é".to_owned()].concat();
        let cut = shown(long.as_bytes());
        assert_eq!((cut.is_cut, cut.oddities.is_empty(), cut.text.len()), (true, true, SHOWN as usize - 1));
    }

    #[test]
    fn what_nobody_could_read_is_dumped() {
        let texts: [&[u8]; 5] = [
            b"",
            b"{}\r\n\t",
            "Zürich 日本 😀".as_bytes(),
            b"{\"note\":\"one \xff in a text\"}",
            b"\xef\xbb\xbf{\"a\":1}",
        ];
        for text in texts {
            assert!(!is_binary(text), "{}", String::from_utf8_lossy(text));
        }
        for binary in [b"\x1f\x8b\x08\x00\x00".as_slice(), b"a\0b", b"\xff\xfe\xc3\x28", b"\x01\x02abc"] {
            assert!(is_binary(binary), "{binary:?}");
        }
        assert_eq!(
            dump(b"\x1f\x8b<script>12345678"),
            "00000000  1f 8b 3c 73 63 72 69 70 74 3e 31 32 33 34 35 36  ..<script>123456\n\
             00000010  37 38                                            78\n"
        );
    }
}
