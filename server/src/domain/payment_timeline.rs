//! What happened to a resource, in the provider's order of time, and what of it arrived out of that order.

use app::events::TimelineEvent;

/// In the order in which it happened; what has no time of the provider counts as having happened when it arrived. Each
/// event that arrived after one that happened later is marked.
pub fn order_timeline(mut events: Vec<TimelineEvent>) -> Vec<TimelineEvent> {
    events.sort_by_key(|event| (event.received_at, event.id));
    let mut newest = None;
    for event in &mut events {
        let happened = Some(event.occurred_at.unwrap_or(event.received_at));
        event.out_of_order = event.occurred_at.is_some() && happened < newest;
        newest = newest.max(happened);
    }
    events.sort_by_key(|event| (event.occurred_at.unwrap_or(event.received_at), event.received_at, event.id));
    events
}

#[cfg(test)]
mod tests {
    use app::types::Timestamp;
    use proptest::prelude::*;

    use super::*;

    fn event(id: i64, occurred_at: Option<i64>) -> TimelineEvent {
        TimelineEvent {
            id,
            event_id: format!("evt_{id}"),
            r#type: "invoice.paid".to_owned(),
            status: None,
            occurred_at: occurred_at.map(Timestamp::from_unix),
            received_at: Timestamp::from_unix(1000 + id),
            out_of_order: false,
        }
    }

    fn shown(events: &[TimelineEvent]) -> Vec<(i64, bool)> {
        events.iter().map(|event| (event.id, event.out_of_order)).collect()
    }

    #[test]
    fn updated_before_created_is_told_in_order_and_marked() {
        let told = order_timeline(vec![
            event(1, Some(20)),
            event(2, Some(10)),
            event(3, Some(30)),
            event(4, Some(25)),
        ]);
        assert_eq!(shown(&told), [(2, true), (1, false), (4, true), (3, false)]);
    }

    #[test]
    fn what_happened_in_the_same_second_is_in_order() {
        assert_eq!(
            shown(&order_timeline(vec![event(2, Some(10)), event(1, Some(10))])),
            [(1, false), (2, false)]
        );
    }

    #[test]
    fn an_event_without_a_time_is_where_it_arrived_and_never_late() {
        let told = order_timeline(vec![event(1, Some(5000)), event(2, None), event(3, Some(900))]);
        assert_eq!(shown(&told), [(3, true), (2, false), (1, false)]);
    }

    proptest! {
        #[test]
        fn without_a_mark_arrivals_and_story_are_the_same(times in proptest::collection::vec(0_i64..6, 0..8)) {
            let events: Vec<_> = (1..).zip(&times).map(|(id, at)| event(id, Some(*at))).collect();
            let told = order_timeline(events);
            let is_sorted = times.is_sorted();
            prop_assert_eq!(told.iter().all(|event| !event.out_of_order), is_sorted);
            prop_assert!(told.is_sorted_by_key(|event| event.occurred_at));
            prop_assert!(!is_sorted || told.is_sorted_by_key(|event| event.id));
        }
    }
}
