//! What the page's URL asks for.

use super::DifferenceFilter;
use crate::ui::list_query::{ListFilter, Query, set, text};

/// The page's URL, understood.
pub type DifferencesQuery = Query<DifferenceFilter>;

impl ListFilter for DifferenceFilter {
    const PATH: &'static str = "/reconciliation";
    const OWN: &'static [&'static str] = &["compare", "acknowledge"];

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "source" => set(&mut self.source, value),
            "kind" => set(&mut self.kind, value),
            "state" => set(&mut self.state, value),
            "resource" => set(&mut self.resource, value),
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("source", text(&self.source)),
            ("kind", text(&self.kind)),
            ("state", text(&self.state)),
            ("resource", text(&self.resource)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DifferenceKind, DifferenceState};
    use crate::ui::query;

    #[test]
    fn what_is_written_reads_back() {
        for search in ["", "kind=missing", "source=paymos-live&kind=status&state=open&resource=inv_1"] {
            let query = DifferencesQuery::parse(search);
            assert_eq!(query.url.ignored, vec![], "{search}");
            assert_eq!(query::write(query.url.pairs.iter().cloned()), search);
        }
    }

    #[test]
    fn filters_change_one_by_one() {
        let query = DifferencesQuery::parse("kind=missing&state=open&kind=bogus&x=1");
        assert_eq!(query.filter.kind, Some(DifferenceKind::Missing));
        assert_eq!(query.filter.state, Some(DifferenceState::Open));
        assert_eq!(query.url.with("state", ""), "/reconciliation?kind=missing");
        assert_eq!(query.url.with("state", "resolved"), "/reconciliation?kind=missing&state=resolved");
        assert_eq!(query.url.ignored.len(), 2);
    }
}
