//! What the list's URL asks for.

use super::RejectionFilter;
use crate::ui::list::{Filter, Query, set, text};

/// The list's URL, understood.
pub type RejectionsQuery = Query<RejectionFilter>;

impl Filter for RejectionFilter {
    const PATH: &'static str = "/rejections";
    const OWN: &'static [&'static str] = &["verify", "of"];

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::query;

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
