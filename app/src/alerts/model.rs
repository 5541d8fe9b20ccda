//! What the list's URL asks for, and where what an alert is about can be looked at.

use super::{Alert, AlertFilter};
use crate::types::AlertKind;
use crate::ui::list_query::{ListFilter, Query, set, text};
use crate::ui::query;

/// The list's URL, understood.
pub type AlertsQuery = Query<AlertFilter>;

impl ListFilter for AlertFilter {
    const PATH: &'static str = "/alerts";

    fn read(&mut self, name: &str, value: &str) -> bool {
        match name {
            "state" => set(&mut self.state, value),
            "kind" => set(&mut self.kind, value),
            _ => false,
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![("state", text(&self.state)), ("kind", text(&self.kind))]
    }
}

/// The page where what it is about can be seen.
pub fn target(alert: &Alert) -> String {
    let subject = &alert.subject;
    let to = |path: &str, pairs: &[(&'static str, &str)]| {
        query::link(path, &query::write(pairs.iter().map(|(name, value)| (*name, (*value).to_owned()))))
    };
    match alert.kind {
        AlertKind::AlteredRepeat => match subject.split_once('/') {
            Some((source, event)) => to("/events", &[("source", source), ("event_id", event)]),
            None => to("/events", &[]),
        },
        AlertKind::ModeMismatch => to("/events", &[("source", subject), ("held", "true")]),
        AlertKind::RejectionJump => to("/rejections", &[("source", subject)]),
        AlertKind::DeliveryOverdue => to("/deliveries", &[("destination", subject), ("overdue", "true")]),
        AlertKind::DeliveryFailed => to("/deliveries", &[("destination", subject), ("state", "failed")]),
        AlertKind::DestinationFailing => to("/deliveries", &[("destination", subject), ("state", "pending")]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::Facts;
    use crate::types::{AlertState, Timestamp};

    #[test]
    fn an_alert_leads_to_what_it_is_about() {
        let alert = |kind, subject: &str| Alert {
            id: 1,
            kind,
            opened_at: Timestamp::from_unix(0),
            subject: subject.to_owned(),
            detail: String::new(),
            facts: Facts::DeliveryOverdue { count: 1, oldest: Timestamp::from_unix(0) },
            state: AlertState::Open,
            acknowledged_by: None,
            acknowledged_at: None,
            resolved_at: None,
        };
        let event = target(&alert(AlertKind::AlteredRepeat, "shop/evt_1/a&b"));
        assert_eq!(event, "/events?source=shop&event_id=evt_1%2Fa%26b");
        assert_eq!(target(&alert(AlertKind::ModeMismatch, "shop")), "/events?source=shop&held=true");
        assert_eq!(target(&alert(AlertKind::RejectionJump, "shop")), "/rejections?source=shop");
    }
}
