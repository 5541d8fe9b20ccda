//! Bodies as people read them.

use std::fmt::Write;

use crate::db::Db;
use crate::error::Failure;
use crate::store::event_list;

/// The most bytes of a body that a page shows.
const SHOWN: i32 = 64 * 1024;
/// The most bytes of one that is no text.
const DUMPED: usize = 2048;

/// The beginning of an event's body as text, and whether there is more.
pub(super) async fn text(db: &Db, event: i64) -> Result<(String, bool), Failure> {
    let bytes = event_list::body_start(db, event, SHOWN + 1).await?.unwrap_or_default();
    Ok(shown(&bytes))
}

/// The beginning of a body as text, and whether there is more.
pub(super) fn shown(bytes: &[u8]) -> (String, bool) {
    let start = &bytes[..bytes.len().min(SHOWN as usize)];
    let cut = start.len() < bytes.len();
    if is_binary(start) {
        let shown = start.get(..DUMPED).unwrap_or(start);
        return (dump(shown), cut || shown.len() < start.len());
    }
    (lossy(start, cut), cut)
}

/// Bytes that are no UTF-8 are replaced; a character that the cut went through is left out.
fn lossy(bytes: &[u8], cut: bool) -> String {
    let end = match std::str::from_utf8(bytes) {
        Err(error) if cut && error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    String::from_utf8_lossy(&bytes[..end]).into_owned()
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
        assert_eq!(lossy(b"ab\xc3", true), "ab");
        assert_eq!(lossy(b"ab\xc3", false), "ab\u{fffd}");
        assert_eq!(lossy(b"a\xffb", true), "a\u{fffd}b");
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
            assert!(!is_binary(text), "{}", lossy(text, false));
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
