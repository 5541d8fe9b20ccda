//! What the list's URL asks for.

use super::EventFilter;
use crate::ui::list_query::{ListFilter, Query, set, text};

/// The list's URL, understood.
pub type EventsQuery = Query<EventFilter>;

impl ListFilter for EventFilter {
    const PATH: &'static str = "/events";
    const OWN: &'static [&'static str] = &["deliver"];

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "source" => set(&mut self.source, value),
            "from" => set(&mut self.from, value),
            "to" => set(&mut self.to, value),
            "type" => set(&mut self.r#type, value),
            "resource" => set(&mut self.resource, value),
            "event_id" => set(&mut self.event_id, value),
            "unrouted" => {
                self.unrouted = value == "true";
                matches!(value, "true" | "false")
            }
            "q" => set(&mut self.q, value),
            "held" => {
                self.held = value == "true";
                matches!(value, "true" | "false")
            }
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("q", text(&self.q)),
            ("type", text(&self.r#type)),
            ("resource", text(&self.resource)),
            ("event_id", text(&self.event_id)),
            ("source", text(&self.source)),
            ("held", if self.held { "true".to_owned() } else { String::new() }),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
            ("unrouted", if self.unrouted { "true".to_owned() } else { String::new() }),
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
            "q=inv_74",
            "source=shop&unrouted=true",
            "q=a&type=invoice.*&resource=inv_1&event_id=evt_1&source=paymos-live&held=true&from=2026-11-29T20:00:00Z\
             &to=2026-11-30T00:00:00Z&limit=200",
        ] {
            let query = EventsQuery::parse(search);
            assert_eq!(query.url.ignored, vec![], "{search}");
            assert_eq!(query::write(query.url.pairs.iter().cloned()), search);
        }
    }

    #[test]
    fn what_is_not_understood_is_named_and_not_applied() {
        let query = EventsQuery::parse("source=A+B&from=x&state=failed&limit=9999&cursor=--&q=a&q=b");
        let names: Vec<_> = query.url.ignored.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["source", "from", "state", "limit", "cursor", "q"]);
        assert!(query.url.page.cursor.is_none() && query.filter.source.is_none());
    }
}
