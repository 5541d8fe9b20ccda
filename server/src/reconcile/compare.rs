//! What the provider lists against what we have: values in, differences out.

use std::collections::HashMap;

use app::types::{DeliveryState, DifferenceKind, Timestamp};

use crate::domain::difference::{FoundDifference, NewestEvent, UndeliveredDelivery};
use crate::provider::paymos::client::ListedInvoice;

/// What we have of the resources of one page.
#[derive(Debug, Default)]
pub struct StoredRecords {
    /// By resource: the newest events. More than one when they happened in the same second.
    pub newest: HashMap<String, Vec<NewestEvent>>,
    /// By event.
    pub undelivered: HashMap<i64, Vec<UndeliveredDelivery>>,
    /// Resources of which an event tells that they were paid late.
    pub told_late: Vec<String>,
}

/// The newest event of a resource. Of several that happened in the same second, the one that agrees with the
/// provider: nobody can say which of them was the last.
pub fn newest<'a>(theirs: &ListedInvoice, ours: &'a StoredRecords) -> Option<&'a NewestEvent> {
    let newest = ours.newest.get(&theirs.invoice_id)?;
    newest
        .iter()
        .find(|event| event.status() == theirs.status)
        .or_else(|| newest.iter().max_by_key(|event| event.id))
}

/// Every difference of one invoice; at most one of each kind.
pub fn compare(theirs: &ListedInvoice, ours: &StoredRecords) -> Vec<FoundDifference> {
    let is_late_untold = theirs.paid_late_at.is_some() && !ours.told_late.contains(&theirs.invoice_id);
    let theirs_text = match theirs.paid_late_at {
        Some(at) => format!("{}, paid late at {}", theirs.status, Timestamp::from_unix(at)),
        None => theirs.status.clone(),
    };
    let found = |kind, ours: Option<String>, event_id, delivery_id| FoundDifference {
        resource_id: theirs.invoice_id.clone(),
        kind,
        ours,
        theirs: Some(theirs_text.clone()),
        amount: theirs.amount.clone(),
        currency: theirs.currency.clone(),
        order_ref: theirs.external_order_id.clone(),
        event_id,
        delivery_id,
    };
    let Some(event) = newest(theirs, ours) else {
        let is_silent = is_told_by_no_webhook(&theirs.status) && !is_late_untold;
        return if is_silent { Vec::new() } else { vec![found(DifferenceKind::Missing, None, None, None)] };
    };
    let mut differences = Vec::new();
    let agrees = event.status() == theirs.status;
    if !agrees || is_late_untold {
        differences.push(found(
            DifferenceKind::Status,
            Some(event.status().to_owned()),
            Some(event.id),
            None,
        ));
    }
    if agrees
        && let Some((ours, delivery)) =
            ours.undelivered.get(&event.id).and_then(|all| describe_undelivered(all))
    {
        differences.push(found(DifferenceKind::Undelivered, Some(ours), Some(event.id), Some(delivery)));
    }
    differences
}

/// Deliveries that were never taken, in words, the worst one first, and the number of that one; none of none.
pub fn describe_undelivered(undelivered: &[UndeliveredDelivery]) -> Option<(String, i64)> {
    let mut worst_first: Vec<_> = undelivered.iter().collect();
    worst_first.sort_by_key(|delivery| (severity(delivery.state), delivery.id));
    let texts: Vec<_> =
        worst_first.iter().map(|delivery| format!("{} {}", delivery.destination, delivery.state)).collect();
    Some((texts.join(", "), worst_first.first()?.id))
}

/// An invoice reaches these without a webhook.
fn is_told_by_no_webhook(status: &str) -> bool {
    matches!(status, "awaiting_client" | "awaiting_payment")
}

fn severity(state: DeliveryState) -> u8 {
    match state {
        DeliveryState::Failed => 0,
        DeliveryState::Pending => 1,
        DeliveryState::Held => 2,
        DeliveryState::Cancelled | DeliveryState::Delivered => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(status: &str, paid_late_at: Option<i64>) -> ListedInvoice {
        ListedInvoice {
            invoice_id: "inv_1".to_owned(),
            external_order_id: Some("order-1".to_owned()),
            status: status.to_owned(),
            amount: Some("10.00".to_owned()),
            currency: Some("USD".to_owned()),
            created_at: 0,
            paid_late_at,
        }
    }

    fn event(id: i64, status: &str) -> NewestEvent {
        NewestEvent { id, r#type: format!("invoice.{status}"), status: Some(status.to_owned()) }
    }

    fn stored_records(newest: Vec<NewestEvent>) -> StoredRecords {
        StoredRecords { newest: HashMap::from([("inv_1".to_owned(), newest)]), ..StoredRecords::default() }
    }

    fn kinds(found: &[FoundDifference]) -> Vec<(DifferenceKind, Option<&str>, Option<&str>)> {
        found.iter().map(|found| (found.kind, found.ours.as_deref(), found.theirs.as_deref())).collect()
    }

    #[test]
    fn a_status_that_a_webhook_tells_needs_one() {
        for (status, is_missing) in [
            ("awaiting_client", false),
            ("awaiting_payment", false),
            ("confirming", true),
            ("underpaid_waiting", true),
            ("paid", true),
            ("paid_over", true),
            ("underpaid", true),
            ("expired", true),
            ("cancelled", true),
        ] {
            let found = compare(&listed(status, None), &StoredRecords::default());
            let wanted =
                if is_missing { vec![(DifferenceKind::Missing, None, Some(status))] } else { vec![] };
            assert_eq!(kinds(&found), wanted, "{status}");
        }
    }

    #[test]
    fn the_newest_event_has_the_last_word() {
        let agrees = compare(&listed("paid", None), &stored_records(vec![event(1, "paid")]));
        assert_eq!(agrees, []);
        let regressed =
            compare(&listed("awaiting_payment", None), &stored_records(vec![event(1, "confirming")]));
        assert_eq!(
            kinds(&regressed),
            [(DifferenceKind::Status, Some("confirming"), Some("awaiting_payment"))]
        );
        let named = NewestEvent { status: None, ..event(1, "paid") };
        assert_eq!(compare(&listed("paid", None), &stored_records(vec![named])), []);
    }

    #[test]
    fn events_of_one_second_agree_if_one_does() {
        let both = || stored_records(vec![event(1, "paid"), event(2, "confirming")]);
        assert_eq!(compare(&listed("paid", None), &both()), []);
        let found = compare(&listed("expired", None), &both());
        assert_eq!(kinds(&found), [(DifferenceKind::Status, Some("confirming"), Some("expired"))]);
    }

    #[test]
    fn a_late_payment_is_told_by_nobody_else() {
        let late = listed("expired", Some(1_700_000_000));
        let theirs = Some("expired, paid late at 2023-11-14T22:13:20Z");
        let found = compare(&late, &stored_records(vec![event(1, "expired")]));
        assert_eq!(kinds(&found), [(DifferenceKind::Status, Some("expired"), theirs)]);
        assert_eq!(
            kinds(&compare(&late, &StoredRecords::default())),
            [(DifferenceKind::Missing, None, theirs)]
        );
        let told = StoredRecords {
            told_late: vec!["inv_1".to_owned()],
            ..stored_records(vec![event(1, "expired")])
        };
        assert_eq!(compare(&late, &told), []);
    }

    #[test]
    fn the_worst_delivery_is_the_one_to_look_at() {
        let delivery = |id, state, destination: &str| UndeliveredDelivery {
            id,
            state,
            destination: destination.to_owned(),
        };
        let mut ours = stored_records(vec![event(7, "paid")]);
        ours.undelivered.insert(
            7,
            vec![delivery(1, DeliveryState::Pending, "shop"), delivery(2, DeliveryState::Failed, "crm")],
        );
        let found = compare(&listed("paid", None), &ours);
        assert_eq!(
            kinds(&found),
            [(DifferenceKind::Undelivered, Some("crm failed, shop pending"), Some("paid"))]
        );
        assert_eq!((found[0].event_id, found[0].delivery_id), (Some(7), Some(2)));
        let other = compare(&listed("paid_over", None), &ours);
        assert_eq!(kinds(&other), [(DifferenceKind::Status, Some("paid"), Some("paid_over"))]);
    }
}
