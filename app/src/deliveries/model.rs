//! What the list's URL asks for.

use super::DeliveryFilter;
use crate::types::{DeliveryState, PageRequest, Timestamp};
use crate::ui::pager::Place;
use crate::ui::query;

/// The list's URL, understood. What was not understood is kept, to be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveriesQuery {
    /// Which deliveries.
    pub filter: DeliveryFilter,
    /// Which page of them.
    pub page: PageRequest,
    /// The same as text, with the way back.
    pub place: Place,
    /// Pairs that were not understood.
    pub ignored: Vec<(String, String)>,
}

impl DeliveriesQuery {
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
                "state" => value.parse().is_ok_and(|state: DeliveryState| {
                    if !filter.state.contains(&state) {
                        filter.state.push(state);
                    }
                    true
                }),
                "destination" => set(&mut filter.destination, value.parse().ok()),
                "source" => set(&mut filter.source, value.parse().ok()),
                "type" => set(&mut filter.r#type, Some(value.clone())),
                "resource" => set(&mut filter.resource, Some(value.clone())),
                "event_id" => set(&mut filter.event_id, Some(value.clone())),
                "overdue" => {
                    filter.overdue = value == "true";
                    matches!(value.as_str(), "true" | "false")
                }
                "from" => set(&mut filter.from, value.parse::<Timestamp>().ok()),
                "to" => set(&mut filter.to, value.parse::<Timestamp>().ok()),
                "limit" => value.parse().is_ok_and(|limit| {
                    this.page.limit = limit;
                    true
                }),
                "cursor" => value.parse().is_ok_and(|at| {
                    this.page.cursor = Some(at);
                    cursor = Some(value.clone());
                    true
                }),
                "back" => {
                    back.clone_from(&value);
                    true
                }
                // What a form without script left there, and the page's own.
                "__path" | "__err" | "resend" => true,
                _ => false,
            };
            if !understood {
                this.ignored.push((name, value));
            }
        }
        this.filter.state.sort();
        this.place = Place::parse(cursor, &back);
        this
    }

    /// The filters as a query, without the page.
    pub fn filters(&self) -> Vec<(&'static str, String)> {
        let filter = &self.filter;
        let mut pairs: Vec<_> = filter.state.iter().map(|state| ("state", state.to_string())).collect();
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        pairs.extend([
            ("destination", filter.destination.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("source", filter.source.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("type", text(&filter.r#type)),
            ("resource", text(&filter.resource)),
            ("event_id", text(&filter.event_id)),
            ("overdue", if filter.overdue { "true".to_owned() } else { String::new() }),
            ("from", filter.from.map(|at| at.to_string()).unwrap_or_default()),
            ("to", filter.to.map(|at| at.to_string()).unwrap_or_default()),
        ]);
        if self.page.limit != Default::default() {
            pairs.push(("limit", self.page.limit.get().to_string()));
        }
        pairs.retain(|(_, value)| !value.is_empty());
        pairs
    }

    /// A link to the list with these filters and other pairs.
    pub fn link(&self, more: impl IntoIterator<Item = (&'static str, String)>) -> String {
        query::link("/deliveries", &query::write(self.filters().into_iter().chain(more)))
    }

    /// A link to the list without one of its filters.
    pub fn without(&self, name: &str) -> String {
        let pairs = self.filters().into_iter().filter(|(found, _)| *found != name);
        query::link("/deliveries", &query::write(pairs))
    }

    /// Whether any filter narrows the list.
    pub fn narrows(&self) -> bool {
        self.filter != DeliveryFilter::default()
    }
}

fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let understood = value.is_some();
    if understood {
        *field = value;
    }
    understood
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for search in [
            "",
            "state=pending&state=failed",
            "state=failed&destination=shop-eu&source=paymos-live&type=invoice.*&resource=inv_1&event_id=evt_1\
             &overdue=true&from=2026-11-29T20:00:00Z&to=2026-11-30T00:00:00Z&limit=20",
            "type=a%26b%3Dc",
        ] {
            let query = DeliveriesQuery::parse(search);
            assert_eq!(query.ignored, vec![], "{search}");
            assert_eq!(query::write(query.filters()), search);
            assert_eq!(DeliveriesQuery::parse(&query::write(query.filters())), query);
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
        assert!(!query.filter.overdue && query.ignored.is_empty());
    }

    #[test]
    fn what_is_not_understood_is_named_and_not_applied() {
        let query = DeliveriesQuery::parse(
            "state=done&destination=Shop+EU&from=soon&limit=0&cursor=x&sort=1&state=held",
        );
        assert_eq!(query.filter, DeliveryFilter { state: vec![DeliveryState::Held], ..Default::default() });
        assert_eq!(query.page, PageRequest::default());
        let names: Vec<_> = query.ignored.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["state", "destination", "from", "limit", "cursor", "sort"]);
        assert_eq!(query.ignored[1].1, "Shop EU");
    }

    #[test]
    fn filters_can_be_dropped_one_by_one() {
        let query = DeliveriesQuery::parse("state=failed&state=held&destination=crm&cursor=1-2");
        assert_eq!(query.without("state"), "/deliveries?destination=crm");
        assert_eq!(query.without("destination"), "/deliveries?state=failed&state=held");
        assert!(query.narrows() && !DeliveriesQuery::parse("limit=20").narrows());
    }
}
