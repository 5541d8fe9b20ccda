//! What is asked of the lists.

use app::deliveries::DeliveryFilter;
use app::events::EventFilter;
use app::types::DeliveryState;

use crate::filled;

/// A page that somebody opens.
pub struct Question {
    pub name: &'static str,
    pub of: Of,
}

/// Which list, and what of it.
pub enum Of {
    Deliveries(DeliveryFilter),
    /// How many stand in each state.
    Counts,
    Events(EventFilter),
}

/// Every filter, and pairs of them that people use, of so many deliveries.
pub fn all(deliveries: i64) -> Vec<Question> {
    let some = DeliveryFilter::default;
    let state = |state| DeliveryFilter { state: vec![state], ..some() };
    let to = Some("shop-1".parse().unwrap());
    let from = Some("source-1".parse().unwrap());
    let middle = filled::received_at(deliveries / 2, deliveries);
    let resource = Some(filled::resource(deliveries / 3));
    let event_id = Some(filled::event_id(deliveries / 3));
    let (common, rare) = (Some("invoice.paid".to_owned()), Some("dispute.lost".to_owned()));
    let deliveries = [
        ("deliveries", some()),
        ("deliveries, failed", state(DeliveryState::Failed)),
        ("deliveries, pending", state(DeliveryState::Pending)),
        ("deliveries, held (none)", state(DeliveryState::Held)),
        (
            "deliveries, pending or failed",
            DeliveryFilter { state: vec![DeliveryState::Pending, DeliveryState::Failed], ..some() },
        ),
        ("deliveries, destination", DeliveryFilter { destination: to.clone(), ..some() }),
        ("deliveries, source", DeliveryFilter { source: from.clone(), ..some() }),
        ("deliveries, type", DeliveryFilter { r#type: common.clone(), ..some() }),
        ("deliveries, rare type", DeliveryFilter { r#type: rare.clone(), ..some() }),
        ("deliveries, types", DeliveryFilter { r#type: Some("invoice.*".to_owned()), ..some() }),
        ("deliveries, resource", DeliveryFilter { resource: resource.clone(), ..some() }),
        ("deliveries, event", DeliveryFilter { event_id: event_id.clone(), ..some() }),
        ("deliveries, overdue", DeliveryFilter { overdue: true, ..some() }),
        ("deliveries, before", DeliveryFilter { to: Some(middle), ..some() }),
        (
            "deliveries, failed and destination",
            DeliveryFilter { destination: to.clone(), ..state(DeliveryState::Failed) },
        ),
        (
            "deliveries, failed and source",
            DeliveryFilter { source: from.clone(), ..state(DeliveryState::Failed) },
        ),
        (
            "deliveries, failed and type",
            DeliveryFilter { r#type: common.clone(), ..state(DeliveryState::Failed) },
        ),
        (
            "deliveries, delivered and rare type",
            DeliveryFilter { r#type: rare.clone(), ..state(DeliveryState::Delivered) },
        ),
        (
            "deliveries, destination and rare type",
            DeliveryFilter { destination: to.clone(), r#type: rare.clone(), ..some() },
        ),
        (
            "deliveries, source and rare type",
            DeliveryFilter { source: from.clone(), r#type: rare.clone(), ..some() },
        ),
        (
            "deliveries, destination and source",
            DeliveryFilter { destination: to, source: from.clone(), ..some() },
        ),
        ("deliveries, failed before", DeliveryFilter { to: Some(middle), ..state(DeliveryState::Failed) }),
    ];
    let every = EventFilter::default;
    let search = |q: Option<String>| EventFilter { q, ..every() };
    let events = [
        ("events", every()),
        ("events, source", EventFilter { source: from, ..every() }),
        ("events, type", EventFilter { r#type: common, ..every() }),
        ("events, rare type", EventFilter { r#type: rare.clone(), ..every() }),
        ("events, resource", EventFilter { resource: resource.clone(), ..every() }),
        ("events, event", EventFilter { event_id: event_id.clone(), ..every() }),
        ("events, search for a resource", search(resource)),
        ("events, search for an event", search(event_id)),
        ("events, search for a rare type", search(rare)),
        ("events, search for what is not there", search(Some("nothing".to_owned()))),
        ("events, no destination", EventFilter { unrouted: true, ..every() }),
        ("events, held (none)", EventFilter { held: true, ..every() }),
    ];
    let mut all: Vec<_> =
        deliveries.into_iter().map(|(name, filter)| Question { name, of: Of::Deliveries(filter) }).collect();
    all.push(Question { name: "deliveries, how many in each state", of: Of::Counts });
    all.extend(events.into_iter().map(|(name, filter)| Question { name, of: Of::Events(filter) }));
    all
}
