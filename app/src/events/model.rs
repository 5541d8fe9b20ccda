//! What the list's URL asks for.

use super::EventFilter;
use crate::types::{PageRequest, Timestamp};
use crate::ui::pager::Place;
use crate::ui::query;

/// The list's URL, understood. What was not understood is kept, to be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventsQuery {
    /// Which events.
    pub filter: EventFilter,
    /// Which page of them.
    pub page: PageRequest,
    /// The same as text, with the way back.
    pub place: Place,
    /// Pairs that were not understood.
    pub ignored: Vec<(String, String)>,
}

impl EventsQuery {
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
            let text = Some(value.clone());
            let understood = match name.as_str() {
                "source" => value.parse().is_ok_and(|slug| filter.source.replace(slug).is_none()),
                "from" => value.parse::<Timestamp>().is_ok_and(|at| filter.from.replace(at).is_none()),
                "to" => value.parse::<Timestamp>().is_ok_and(|at| filter.to.replace(at).is_none()),
                "limit" => value.parse().is_ok_and(|limit| {
                    this.page.limit = limit;
                    true
                }),
                "cursor" => value.parse().is_ok_and(|at| {
                    this.page.cursor = Some(at);
                    cursor = Some(value.clone());
                    true
                }),
                "type" => std::mem::replace(&mut filter.r#type, text).is_none(),
                "resource" => std::mem::replace(&mut filter.resource, text).is_none(),
                "event_id" => std::mem::replace(&mut filter.event_id, text).is_none(),
                "q" => std::mem::replace(&mut filter.q, text).is_none(),
                "back" => {
                    back.clone_from(&value);
                    true
                }
                "__path" | "__err" => true,
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
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let mut pairs = vec![
            ("q", text(&filter.q)),
            ("type", text(&filter.r#type)),
            ("resource", text(&filter.resource)),
            ("event_id", text(&filter.event_id)),
            ("source", filter.source.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("from", filter.from.map(|at| at.to_string()).unwrap_or_default()),
            ("to", filter.to.map(|at| at.to_string()).unwrap_or_default()),
        ];
        if self.page.limit != Default::default() {
            pairs.push(("limit", self.page.limit.get().to_string()));
        }
        pairs.retain(|(_, value)| !value.is_empty());
        pairs
    }

    /// A link to the list with these filters and other pairs.
    pub fn link(&self, more: impl IntoIterator<Item = (&'static str, String)>) -> String {
        query::link("/events", &query::write(self.filters().into_iter().chain(more)))
    }

    /// A link to the list without one of its filters.
    pub fn without(&self, name: &str) -> String {
        let pairs = self.filters().into_iter().filter(|(found, _)| *found != name);
        query::link("/events", &query::write(pairs))
    }

    /// Whether any filter narrows the list.
    pub fn narrows(&self) -> bool {
        self.filter != EventFilter::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for search in [
            "",
            "q=inv_74",
            "q=a&type=invoice.*&resource=inv_1&event_id=evt_1&source=paymos-live&from=2026-11-29T20:00:00Z\
             &to=2026-11-30T00:00:00Z&limit=200",
        ] {
            let query = EventsQuery::parse(search);
            assert_eq!(query.ignored, vec![], "{search}");
            assert_eq!(query::write(query.filters()), search);
        }
    }

    #[test]
    fn what_is_not_understood_is_named_and_not_applied() {
        let query = EventsQuery::parse("source=A+B&from=x&state=failed&limit=9999&cursor=--&q=a&q=b");
        let names: Vec<_> = query.ignored.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["source", "from", "state", "limit", "cursor", "q"]);
        assert!(query.page.cursor.is_none() && query.filter.source.is_none());
    }
}
