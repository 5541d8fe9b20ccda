//! The envelope of Paymos: `{event_id, event_type, version, occurred_at, data}`. Versions and types that are not known
//! are read all the same. The header `X-Webhook-Id` is outside the signature and never looked at.

use crate::provider::envelope::{Envelope, LONGEST_NAME, Resource, id_of, unix};
use crate::provider::json::{self, MemberValues};

/// The event's id, and the rest.
pub(crate) fn read(text: &str) -> (Option<String>, Envelope) {
    let members = json::members(text, &["event_id", "event_type", "occurred_at", "data", "version"]);
    let data = members.read_nested(3, &["status", "is_test", "invoice_id", "withdrawal_id", "id"]);
    let mut envelope = Envelope::new(members.name(1, LONGEST_NAME));
    envelope.occurred_at = members.integer(2).and_then(unix);
    envelope.status = data.name(0, LONGEST_NAME);
    envelope.is_test = data.flag(1);
    envelope.version = members.name(4, LONGEST_NAME);
    envelope.resource = resource(&envelope.event_type, &data);
    (id_of(&members, &[0]), envelope)
}

/// A refund is a withdrawal that also names its invoice, so the type decides which of the ids counts.
fn resource(event_type: &str, data: &MemberValues<'_, 5>) -> Option<Resource> {
    let named = |kind: Option<&'static str>, at| {
        data.name(at, LONGEST_NAME).map(|id| Resource { kind: kind.map(Into::into), id })
    };
    let invoice = || named(Some("invoice"), 2);
    let withdrawal = || named(Some("withdrawal"), 3);
    match event_type.split('.').next() {
        Some("invoice") => invoice(),
        Some("withdrawal") => withdrawal(),
        Some("payment_channel") => named(Some("payment_channel_deposit"), 4),
        _ => withdrawal().or_else(invoice).or_else(|| named(None, 4)),
    }
}

#[cfg(test)]
mod tests {
    use app::types::Timestamp;
    use axum::http::HeaderMap;

    use super::*;
    use crate::domain::signature::Incoming;
    use crate::provider::envelope::Reader;

    fn read(body: &[u8]) -> Envelope {
        let headers = HeaderMap::new();
        let claim = crate::provider::envelope::tests::claim(None, None);
        Reader::Paymos.read(&Incoming::new(&headers, body), &claim)
    }

    fn event(event_type: &str, data: &str) -> Envelope {
        let head = r#""event_id":"evt_1","version":7,"occurred_at":1700000000"#;
        read(format!(r#"{{{head},"event_type":"{event_type}","data":{data},"new":[1,{{}}]}}"#).as_bytes())
    }

    #[test]
    fn the_type_decides_what_it_happened_to() {
        let refund = r#"{"withdrawal_id":"wdr_1","invoice_id":"inv_1","type":"refund","status":"completed"}"#;
        let both = r#"{"id":"pcd_1","invoice_id":"inv_1","is_test":true}"#;
        let cases = [
            ("invoice.paid", both, Some("invoice"), "inv_1"),
            ("withdrawal.completed", refund, Some("withdrawal"), "wdr_1"),
            ("payment_channel.deposit.confirmed", both, Some("payment_channel_deposit"), "pcd_1"),
            ("dispute.opened", refund, Some("withdrawal"), "wdr_1"),
            ("dispute.opened", r#"{"id":"dsp_1"}"#, None, "dsp_1"),
        ];
        for (event_type, data, kind, id) in cases {
            let envelope = event(event_type, data);
            assert_eq!(
                envelope.resource,
                Some(Resource { kind: kind.map(Into::into), id: id.to_owned() }),
                "{event_type}"
            );
            assert_eq!((envelope.event_id.as_str(), envelope.event_type.as_str()), ("evt_1", event_type));
            assert_eq!(envelope.version.as_deref(), Some("7"));
            assert_eq!(envelope.occurred_at, Some(Timestamp::from_unix(1_700_000_000)));
        }
        assert_eq!(event("withdrawal.completed", refund).status.as_deref(), Some("completed"));
        assert_eq!(event("invoice.paid", both).is_test, Some(true));
        assert_eq!(event("invoice.paid", r#"{"id":"x"}"#).resource, None);
    }

    #[test]
    fn a_body_without_a_usable_id_is_known_by_its_bytes() {
        let long = format!(r#"{{"event_id":"{}"}}"#, "x".repeat(513));
        let cases: &[&[u8]] = &[
            b"",
            b"\xef\xbb\xbf",
            b"hello",
            b"[]",
            b"null",
            b"{}",
            br#"{"event_id":""}"#,
            br#"{"event_id":"  "}"#,
            br#"{"event_id":null}"#,
            br#"{"event_id":{"a":1}}"#,
            br#"{"event_id":"a\u0000b"}"#,
            br#"{"event_id":"\ud800"}"#,
            // Broken: the whole event may come later under the same id.
            br#"{"event_id":"evt_1""#,
            br#"{"event_id":"evt_1"} x"#,
            long.as_bytes(),
            b"\xff\xfe\x00",
        ];
        for body in cases {
            let id = read(body).event_id;
            assert!(id.starts_with("sha256:") && id.len() == 71, "{:?}: {id}", String::from_utf8_lossy(body));
        }
        assert_eq!(
            read(b"").event_id,
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn what_can_be_read_is_read() {
        let cases: &[&[u8]] = &[
            b"\xef\xbb\xbf{\"event_id\":\"evt_1\",\"event_type\":\"invoice.paid\"}",
            b"{\r\n\"event_type\":\"invoice.paid\",\r\n\"event_id\":\"evt_1\"\r\n}\r\n",
            b"{\"event_id\":\"evt_1\",\"event_type\":\"invoice.paid\",\"note\":\"\xff\xfe\"}",
            br#"{"event_id":"evt_0","event_type":"x","event_id":"evt_1","event_type":"invoice.paid"}"#,
            br#"{"event_id":"evt_1","event_type":"invoice.paid","occurred_at":1e999,"n":1e99999,"data":[1]}"#,
            br#"{"event_id":"evt_1","event_type":"invoice.paid","occurred_at":99999999999999999999,"data":"x"}"#,
            br#"{"event_\u0069d":"evt_\u0031","event_type":"invoice.paid","surrogate":"\ud800"}"#,
        ];
        for body in cases {
            let envelope = read(body);
            let got = (envelope.event_id.as_str(), envelope.event_type.as_str(), envelope.occurred_at);
            assert_eq!(got, ("evt_1", "invoice.paid", None), "{}", String::from_utf8_lossy(body));
        }
        let deep = format!(r#"{{"event_id":"evt_1","deep":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert_eq!(read(deep.as_bytes()).event_id, "evt_1");
        assert_eq!(read(br#"{"event_id":"evt_\u0031\u00fc"}"#).event_id, "evt_1ü");
        assert_eq!(read(br#"{"event_type":"invoice.paid","event_id":"#).event_type, "invoice.paid");
    }
}
