//! What the list's URL asks for.

use super::RejectionFilter;
use crate::ui::list_query::{ListFilter, Query, set, text};
use crate::ui::query;

/// The list's URL, understood.
pub type RejectionsQuery = Query<RejectionFilter>;

impl ListFilter for RejectionFilter {
    const PATH: &'static str = "/rejections";
    const OWN: &'static [&'static str] = &["verify", "of", "done"];

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "source" => set(&mut self.source, value),
            "reason" => set(&mut self.reason, value),
            "from" => set(&mut self.from, value),
            "to" => set(&mut self.to, value),
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("source", text(&self.source)),
            ("reason", text(&self.reason)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
        ]
    }
}

/// The counts of a URL that says what came of verifying all of a source: new, known, refused still, and how many of
/// these can never be.
pub fn counts(search: &str) -> Option<[i64; 4]> {
    let said = query::value(search, "done")?;
    let counts: Vec<i64> = said.split('.').filter_map(|count| count.parse().ok()).collect();
    counts.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rejections::{ReverifySummary, StillFailing};
    use crate::types::{NotKept, RejectionReason};

    #[test]
    fn counts_are_read_as_they_are_written() {
        let still = |count, not_kept| {
            let reason = RejectionReason::SignatureMismatch;
            StillFailing { count, reason, not_kept, message: String::new() }
        };
        let still = vec![still(4, None), still(2, Some(NotKept::Body)), still(1, Some(NotKept::Token))];
        let done = ReverifySummary { stored: 3, duplicate: 0, rejected: 7, still };
        assert_eq!(counts(&format!("source=shop&done={}", done.written())), Some([3, 0, 7, 3]));
        for odd in ["", "done=", "done=1.2.3", "done=1.2.3.4.5", "done=a.b.c.d"] {
            assert_eq!(counts(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for search in [
            "",
            "source=shop&reason=signature_mismatch&from=2026-11-29T20:00:00Z&to=2026-11-30T00:00:00Z&limit=20",
        ] {
            let query = RejectionsQuery::parse(search);
            assert_eq!(query.url.ignored, vec![], "{search}");
            assert_eq!(query::write(query.url.pairs.iter().cloned()), search);
        }
        let query = RejectionsQuery::parse("reason=late&source=Shop+EU&sort=1&verify=all&of=shop");
        let names: Vec<_> = query.url.ignored.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["reason", "source", "sort"]);
    }
}
