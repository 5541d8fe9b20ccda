//! Signatures on the wire, in every format and through a rotation.

use app::types::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::fixture::{Fixture, Got, Sink, Target};
use crate::on_both;
use crate::support::noon;

const OLD: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NEW: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const DAY: i64 = 86_400;

fn mac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

fn paymos(now: Timestamp, secrets: &[&str], body: &[u8]) -> String {
    let time = now.unix().to_string();
    let signature = |secret: &&str| {
        format!(",v1={}", hex::encode(mac(secret.as_bytes(), &[time.as_bytes(), b".", body])))
    };
    format!("t={time}{}", secrets.iter().map(signature).collect::<String>())
}

async fn send_at(fixture: &Fixture, sink: &Sink, now: Timestamp) -> Got {
    fixture.clock.set(now);
    fixture.event(&format!("evt_{}", now.micros())).await;
    fixture.ledger().run_once().await.unwrap();
    assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 1);
    sink.got().pop().unwrap()
}

on_both! {
    async fn both_secrets_sign_until_the_old_one_ends(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let rotated = noon().plus_seconds(60);
        let ends = rotated.plus_seconds(DAY);
        let secrets = vec![(OLD, noon().plus_seconds(-DAY), Some(ends)), (NEW, rotated, None)];
        fixture.destination(Target { url: sink.url.clone(), secrets, ..Target::default() }).await;
        for (now, expected) in [
            (noon(), &[OLD][..]),
            (rotated.plus_seconds(-1), &[OLD]),
            (rotated, &[NEW, OLD]),
            (rotated.plus_seconds(DAY - 1), &[NEW, OLD]),
            (ends, &[NEW]),
            (ends.plus_seconds(DAY), &[NEW]),
        ] {
            let got = send_at(&fixture, &sink, now).await;
            assert_eq!(got.header("x-webhook-signature"), paymos(now, expected, b"{}"), "{now}");
        }
        let kept = fixture.attempts(1).await.remove(0).request_headers.unwrap();
        assert!(kept.contains("X-Webhook-Signature") && !kept.contains("MfKQ9r8"), "{kept}");
    }

    async fn each_format_has_its_headers(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sinks = [Sink::start().await, Sink::start().await, Sink::start().await, Sink::start().await];
        let [to_paymos, to_stripe, to_paddle, to_standard] = &sinks;
        for (format, sink) in ["paymos", "stripe", "paddle", "standard_webhooks"].iter().zip(&sinks) {
            let slug = format.replace('_', "-");
            fixture.destination(Target { slug: &slug, format, url: sink.url.clone(), ..Target::default() }).await;
        }
        fixture.event("evt_1").await;
        fixture.ledger().run_once().await.unwrap();
        assert_eq!(fixture.deliverer().await.run_once().await.unwrap(), 4);
        let time = noon().unix().to_string();
        let hash = |separator: &[u8]| hex::encode(mac(OLD.as_bytes(), &[time.as_bytes(), separator, b"{}"]));

        let got = to_paymos.got().remove(0);
        assert_eq!(got.header("x-webhook-id"), "evt_1");
        assert_eq!(got.header("x-webhook-timestamp"), time);
        assert_eq!(got.header("x-webhook-signature"), format!("t={time},v1={}", hash(b".")));
        let got = to_stripe.got().remove(0);
        assert_eq!(got.header("acuse-event-id"), "evt_1");
        assert_eq!(got.header("stripe-signature"), format!("t={time},v1={}", hash(b".")));
        let got = to_paddle.got().remove(0);
        assert_eq!(got.header("acuse-event-id"), "evt_1");
        assert_eq!(got.header("paddle-signature"), format!("ts={time};h1={}", hash(b":")));
        let got = to_standard.got().remove(0);
        let key = STANDARD.decode(&OLD[6..]).unwrap();
        let signature = STANDARD.encode(mac(&key, &[b"evt_1.", time.as_bytes(), b".{}"]));
        assert_eq!(got.header("webhook-id"), "evt_1");
        assert_eq!(got.header("webhook-timestamp"), time);
        assert_eq!(got.header("webhook-signature"), format!("v1,{signature}"));

        for sink in &sinks {
            let got = sink.got().remove(0);
            assert_eq!(got.header("acuse-attempt"), "1");
            assert_eq!(got.header("acuse-source"), "paymos");
            assert_eq!(got.header("user-agent"), concat!("Acuse/", env!("CARGO_PKG_VERSION")));
            assert_eq!(got.header("content-type"), "application/json");
            assert!(got.header("acuse-delivery").parse::<i64>().is_ok());
        }
    }

    async fn a_receiver_that_reads_the_last_signature_gets_the_newest_there(test: TestDb) {
        let fixture = Fixture::new(test).await;
        let sink = Sink::start().await;
        let secrets = vec![(OLD, noon().plus_seconds(-DAY), Some(noon().plus_seconds(DAY))), (NEW, noon(), None)];
        let destination = fixture.destination(Target { url: sink.url.clone(), secrets, ..Target::default() }).await;
        for (order, expected) in [("newest_first", [NEW, OLD]), ("oldest_first", [OLD, NEW])] {
            let sql = match order {
                "newest_first" => "update destination set signature_order = 'newest_first' where id = $1",
                _ => "update destination set signature_order = 'oldest_first' where id = $1",
            };
            fixture.run(sql, destination).await;
            fixture.registry.reload().await.unwrap();
            let now = noon().plus_seconds(if order == "newest_first" { 1 } else { 2 });
            let got = send_at(&fixture, &sink, now).await;
            assert_eq!(got.header("x-webhook-signature"), paymos(now, &expected, b"{}"), "{order}");
        }
    }
}
