//! What the page's URL asks for.

use super::DifferenceFilter;
use crate::types::PageRequest;
use crate::ui::pager::Place;
use crate::ui::query;

/// The page's URL, understood. What was not understood is kept, to be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DifferencesQuery {
    /// Which differences.
    pub filter: DifferenceFilter,
    /// Which page of them.
    pub page: PageRequest,
    /// The same as text, with the way back.
    pub place: Place,
    /// Pairs that were not understood.
    pub ignored: Vec<(String, String)>,
}

impl DifferencesQuery {
    /// Reads a URL's query.
    pub fn parse(search: &str) -> Self {
        let mut this = Self::default();
        let (mut cursor, mut back) = (None, String::new());
        for (name, value) in query::parse(search) {
            let value = value.trim().to_owned();
            if value.is_empty() {
                continue;
            }
            let filter = &mut this.filter;
            let understood = match name.as_str() {
                "source" => value.parse().is_ok_and(|slug| filter.source.replace(slug).is_none()),
                "kind" => value.parse().is_ok_and(|kind| filter.kind.replace(kind).is_none()),
                "state" => value.parse().is_ok_and(|state| filter.state.replace(state).is_none()),
                "resource" => filter.resource.replace(value.clone()).is_none(),
                "cursor" => value.parse().is_ok_and(|at| {
                    this.page.cursor = Some(at);
                    cursor = Some(value.clone());
                    true
                }),
                "back" => {
                    back.clone_from(&value);
                    true
                }
                "__path" | "__err" | "compare" | "acknowledge" => true,
                _ => false,
            };
            if !understood {
                this.ignored.push((name, value));
            }
        }
        this.place = Place::parse(cursor, &back);
        this
    }

    /// The filters as a query, without the page.
    pub fn filters(&self) -> Vec<(&'static str, String)> {
        let filter = &self.filter;
        let mut pairs = vec![
            ("source", filter.source.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("kind", filter.kind.map(|kind| kind.to_string()).unwrap_or_default()),
            ("state", filter.state.map(|state| state.to_string()).unwrap_or_default()),
            ("resource", filter.resource.clone().unwrap_or_default()),
        ];
        pairs.retain(|(_, value)| !value.is_empty());
        pairs
    }

    /// A link to the page with these filters and other pairs.
    pub fn link(&self, more: impl IntoIterator<Item = (&'static str, String)>) -> String {
        query::link("/reconciliation", &query::write(self.filters().into_iter().chain(more)))
    }

    /// A link with one filter changed; an empty value drops it.
    pub fn with(&self, name: &'static str, value: &str) -> String {
        let others = self.filters().into_iter().filter(|(found, _)| *found != name);
        query::link("/reconciliation", &query::write(others.chain([(name, value.to_owned())])))
    }

    /// Whether any filter narrows the list.
    pub fn narrows(&self) -> bool {
        self.filter != DifferenceFilter::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DifferenceKind, DifferenceState};

    #[test]
    fn what_is_written_reads_back() {
        for search in ["", "kind=missing", "source=paymos-live&kind=status&state=open&resource=inv_1"] {
            let query = DifferencesQuery::parse(search);
            assert_eq!(query.ignored, vec![], "{search}");
            assert_eq!(query::write(query.filters()), search);
        }
    }

    #[test]
    fn filters_change_one_by_one() {
        let query = DifferencesQuery::parse("kind=missing&state=open&kind=bogus&x=1");
        assert_eq!(query.filter.kind, Some(DifferenceKind::Missing));
        assert_eq!(query.filter.state, Some(DifferenceState::Open));
        assert_eq!(query.with("state", ""), "/reconciliation?kind=missing");
        assert_eq!(query.with("state", "resolved"), "/reconciliation?kind=missing&state=resolved");
        assert_eq!(query.ignored.len(), 2);
    }
}
