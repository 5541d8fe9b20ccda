//! What the URLs of the pages ask for.

use super::Resend;
use crate::deliveries::DeliveryFilter;
use crate::ui::list_query::{ListFilter, Query};
use crate::ui::query;

/// The list of resends has no filters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoFilter;

/// The list's URL, understood.
pub type ResendsQuery = Query<NoFilter>;

impl ListFilter for NoFilter {
    const PATH: &'static str = "/resends";

    fn read(&mut self, _: &str, _: &str) -> bool {
        false
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The deliveries that a filter is about.
pub fn deliveries_link(filter: &DeliveryFilter) -> String {
    query::link("/deliveries", &query::write(filter.pairs()))
}

/// How much of it is over, in per cent.
pub fn percent(resend: &Resend) -> i64 {
    if resend.matching == 0 { 100 } else { resend.done * 100 / resend.matching }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_leads_to_its_deliveries() {
        let filter = DeliveryFilter { destination: "shop-eu".parse().ok(), ..DeliveryFilter::default() };
        assert_eq!(deliveries_link(&filter), "/deliveries?destination=shop-eu");
        assert_eq!(deliveries_link(&DeliveryFilter::default()), "/deliveries");
    }
}
