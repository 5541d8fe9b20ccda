//! What the list's URL asks for.

use super::DeliveryFilter;
use crate::ui::list_query::{ListFilter, Query, set, text};

/// The list's URL, understood.
pub type DeliveriesQuery = Query<DeliveryFilter>;

/// Numbers that one filter can ask for: the rows of the largest page.
pub const MOST_NUMBERS: usize = 200;

impl ListFilter for DeliveryFilter {
    const PATH: &'static str = "/deliveries";
    const OWN: &'static [&'static str] = &["resend"];

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "state" => value.parse().is_ok_and(|state| {
                self.state.push(state);
                self.state.sort();
                self.state.dedup();
                true
            }),
            "id" => {
                self.id.len() < MOST_NUMBERS
                    && value.parse().is_ok_and(|id| {
                        self.id.push(id);
                        true
                    })
            }
            "destination" => set(&mut self.destination, value),
            "source" => set(&mut self.source, value),
            "type" => set(&mut self.r#type, value),
            "resource" => set(&mut self.resource, value),
            "event_id" => set(&mut self.event_id, value),
            "overdue" => {
                self.overdue = value == "true";
                matches!(value, "true" | "false")
            }
            "from" => set(&mut self.from, value),
            "to" => set(&mut self.to, value),
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs: Vec<_> = self.state.iter().map(|state| ("state", state.to_string())).collect();
        pairs.extend(self.id.iter().map(|id| ("id", id.to_string())));
        pairs.extend([
            ("destination", text(&self.destination)),
            ("source", text(&self.source)),
            ("type", text(&self.r#type)),
            ("resource", text(&self.resource)),
            ("event_id", text(&self.event_id)),
            ("overdue", if self.overdue { "true".to_owned() } else { String::new() }),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
        ]);
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DeliveryState, PageRequest};
    use crate::ui::query;

    #[test]
    fn what_is_written_reads_back() {
        for search in [
            "",
            "state=pending&state=failed",
            "id=7&id=5&destination=crm",
            "state=failed&destination=shop-eu&source=paymos-live&type=invoice.*&resource=inv_1&event_id=evt_1\
             &overdue=true&from=2026-11-29T20:00:00Z&to=2026-11-30T00:00:00Z&limit=20",
            "type=a%26b%3Dc",
        ] {
            let query = DeliveriesQuery::parse(search);
            assert_eq!(query.url.ignored, vec![], "{search}");
            assert_eq!(query::write(query.url.pairs.iter().cloned()), search);
            assert_eq!(DeliveriesQuery::parse(&query::write(query.url.pairs.iter().cloned())), query);
        }
    }

    #[test]
    fn forms_and_people_may_write_it_their_way() {
        let query = DeliveriesQuery::parse(
            "?state=failed&state=pending&state=failed&destination=&type=+invoice.paid+&from=2026-11-29T21:00&overdue=false",
        );
        assert_eq!(query.filter.state, [DeliveryState::Pending, DeliveryState::Failed]);
        assert_eq!(query.filter.destination, None);
        assert_eq!(query.filter.r#type.as_deref(), Some("invoice.paid"));
        assert_eq!(query.filter.from.map(|at| at.to_string()).as_deref(), Some("2026-11-29T21:00:00Z"));
        assert!(!query.filter.overdue && query.url.ignored.is_empty());
    }

    #[test]
    fn what_is_not_understood_is_named_and_not_applied() {
        let query = DeliveriesQuery::parse(
            "state=done&destination=Shop+EU&from=soon&limit=0&cursor=x&sort=1&state=held",
        );
        assert_eq!(query.filter, DeliveryFilter { state: vec![DeliveryState::Held], ..Default::default() });
        assert_eq!(query.url.page, PageRequest::default());
        let names: Vec<_> = query.url.ignored.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["state", "destination", "from", "limit", "cursor", "sort"]);
        assert_eq!(query.url.ignored[1].1, "Shop EU");
    }

    #[test]
    fn filters_can_be_dropped_one_by_one() {
        let query = DeliveriesQuery::parse("state=failed&state=held&destination=crm&cursor=1-2");
        assert_eq!(query.url.with("state", ""), "/deliveries?destination=crm");
        assert_eq!(query.url.with("destination", ""), "/deliveries?state=failed&state=held");
        assert!(query.url.narrows() && !DeliveriesQuery::parse("limit=20").url.narrows());
    }
}
