//! Bodies as people read them.

use crate::db::Db;
use crate::error::Failure;
use crate::store::event_list;

/// The most bytes of a body that a page shows.
const SHOWN: i32 = 64 * 1024;

/// The beginning of an event's body as text, and whether there is more.
pub(super) async fn text(db: &Db, event: i64) -> Result<(String, bool), Failure> {
    let mut bytes = event_list::body_start(db, event, SHOWN + 1).await?.unwrap_or_default();
    let cut = bytes.len() > SHOWN as usize;
    bytes.truncate(SHOWN as usize);
    Ok((lossy(&bytes, cut), cut))
}

/// Bytes that are no UTF-8 are replaced; a character that the cut went through is left out.
fn lossy(bytes: &[u8], cut: bool) -> String {
    let end = match std::str::from_utf8(bytes) {
        Err(error) if cut && error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::lossy;

    #[test]
    fn a_cut_leaves_no_half_character() {
        assert_eq!(lossy(b"ab\xc3", true), "ab");
        assert_eq!(lossy(b"ab\xc3", false), "ab\u{fffd}");
        assert_eq!(lossy(b"a\xffb", true), "a\u{fffd}b");
    }
}
