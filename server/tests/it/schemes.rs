//! Every provider, from its settings to what its endpoint is told.

use std::collections::{HashMap, HashSet};

use app::types::Role;
use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use server::domain::signature::{Draft, Incoming, Scheme};
use server::provider::presets;
use sha2::{Digest, Sha256};

use crate::fixture::Sink;
use crate::on_both;
use crate::support::test_app::{Answer, TestApp};

/// The secret of a source: hexadecimal, which is a text as well; for Standard Webhooks as they ask for it.
fn secret_of(slug: &str) -> String {
    let bytes = Sha256::digest(slug);
    match slug.starts_with("std") {
        true => format!("whsec_{}", STANDARD.encode(bytes)),
        false => hex::encode(bytes),
    }
}

/// Posts bytes with headers.
async fn post(app: &TestApp, path: &str, headers: &[(String, String)], body: &[u8]) -> Answer {
    let request = app.http.post(format!("{}{path}", app.base)).body(body.to_vec());
    let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
    Answer::of(request.send().await.unwrap()).await
}

async fn make(app: &TestApp, slug: &str, provider: &str, settings: Value) -> Answer {
    let field = if provider == "hmac" { "hmac" } else { "standard_webhooks" };
    let body = json!({"slug": slug, "provider": provider, "mode": "test", "secret": secret_of(slug), "tolerance_s": 300,
        field: settings});
    app.post("/sources", body).await
}

/// Signs as a sender of the scheme does, with the secret of the source.
fn signed(
    app: &TestApp,
    slug: &str,
    scheme: Scheme,
    url: &str,
    query: &str,
    body: &[u8],
) -> Vec<(String, String)> {
    let headers = HeaderMap::new();
    let incoming = Incoming { url: Some(url), query: Some(query), ..Incoming::new(&headers, body) };
    let draft = Draft { id: "msg_1", stamp: app.test.clock_now().unix(), incoming };
    let signed = scheme.policy().sign(&[secret_of(slug).as_bytes()], &draft);
    signed.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// The same with an id of the sender's.
fn signed_as(app: &TestApp, slug: &str, scheme: Scheme, id: &str, body: &[u8]) -> Vec<(String, String)> {
    let headers = HeaderMap::new();
    let draft = Draft { id, stamp: app.test.clock_now().unix(), incoming: Incoming::new(&headers, body) };
    let signed = scheme.policy().sign(&[secret_of(slug).as_bytes()], &draft);
    signed.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Name, provider and settings of a source of that scheme.
fn source_of(scheme: Scheme) -> (String, &'static str, Value) {
    let slug = scheme.as_str().replace('_', "-");
    match scheme {
        Scheme::Paymos => (slug, "paymos", Value::Null),
        Scheme::Stripe => (slug, "stripe", Value::Null),
        Scheme::Paddle => (slug, "paddle", Value::Null),
        Scheme::StandardWebhooks => ("std-webhooks".to_owned(), "standard_webhooks", Value::Null),
        Scheme::StandardWebhooksRawKey => ("std-raw".to_owned(), "standard_webhooks", json!({"key": "raw"})),
        Scheme::Svix => ("std-svix".to_owned(), "standard_webhooks", Value::Null),
        preset => (slug, "hmac", json!({"preset": preset.as_str()})),
    }
}

/// The signature of the item of a body that has one.
fn item_signature(slug: &str, row: &Value) -> String {
    let body: Value = serde_json::from_str(row["body"].as_str().unwrap()).unwrap();
    let item = &body["notificationItems"][0]["NotificationRequestItem"];
    let signature = Scheme::AdyenStandard.policy().sign_item(secret_of(slug).as_bytes(), &item.to_string());
    signature.unwrap_or_default()
}

/// A post of Adyen with these items, each of them signed.
fn adyen(slug: &str, references: &[&str]) -> String {
    let secret = secret_of(slug);
    let item = |reference: &&str| {
        let fields = format!(
            r#""pspReference":"{reference}","originalReference":"PSP0","eventCode":"REFUND","success":"true""#
        );
        let signature =
            Scheme::AdyenStandard.policy().sign_item(secret.as_bytes(), &format!("{{{fields}}}")).unwrap();
        format!(
            r#"{{"NotificationRequestItem":{{{fields},"additionalData":{{"hmacSignature":"{signature}"}}}}}}"#
        )
    };
    let items: Vec<_> = references.iter().map(item).collect();
    format!(r#"{{"live":"false","notificationItems":[{}]}}"#, items.join(","))
}

on_both! {
    async fn every_preset_takes_what_its_sender_signs(test: TestDb) {
        let app = TestApp::start(test).await;
        for preset in presets::ALL.iter().map(|preset| preset.scheme) {
            let slug = preset.as_str().replace('_', "-");
            let made = make(&app, &slug, "hmac", json!({"preset": preset.as_str()})).await.expect(201);
            assert!(!made.to_string().contains(&secret_of(&slug)), "{made}");
            assert_eq!(made["hmac"]["preset"], preset.as_str());
            let receive_url = made["receive_url"].as_str().unwrap();
            let url = made["hmac"]["url"].as_str();
            assert_eq!(url, (preset == Scheme::Square).then_some(receive_url), "{preset}");

            let path = format!("/webhooks/{slug}?data.id=PAY-1");
            let body = match preset {
                Scheme::AdyenStandard => adyen(&slug, &["PSP1"]),
                _ => r#"{"id":"evt_1","event_id":"evt_1","type":"a.b","event":{"id":"evt_1"}}"#.to_owned(),
            };
            let headers = signed(&app, &slug, preset, receive_url, "data.id=PAY-1", body.as_bytes());
            let told = post(&app, &path, &headers, body.as_bytes()).await.expect(200);
            assert_eq!(told["status"], "stored", "{preset}");
            assert_eq!(post(&app, &path, &headers, body.as_bytes()).await.expect(200)["status"], "duplicate");
            assert_eq!(app.every("/events", &format!("source={slug}")).await.len(), 1, "{preset}");
            assert_eq!(post(&app, &path, &[], b"").await.problem(401), "signature_refused", "{preset}");
        }
        // What is signed beside the body.
        let headers = signed(&app, "mercadopago", Scheme::MercadoPago, "", "data.id=PAY-1", b"{}");
        let other = post(&app, "/webhooks/mercadopago?data.id=PAY-2", &headers, b"{}").await;
        assert_eq!(other.json()["reason"], "signature_mismatch");
        let headers = signed(&app, "square", Scheme::Square, "https://gateway.test/webhooks/square", "", b"{}");
        assert_eq!(post(&app, "/webhooks/square", &headers, b"{}").await.json()["reason"], "signature_mismatch");
        let hmac = json!({"preset": "square", "url": "https://gateway.test/webhooks/square"});
        app.patch("/sources/square", json!({"hmac": hmac})).await.expect(200);
        post(&app, "/webhooks/square", &headers, b"{}").await.expect(200);
        app.stop().await;
    }

    async fn what_events_say_of_themselves_is_kept(test: TestDb) {
        let app = TestApp::start(test).await;
        let file: Value = serde_json::from_str(include_str!("../data/envelopes.json")).unwrap();
        let mut made = HashSet::new();
        for row in file["rows"].as_array().unwrap() {
            let scheme: Scheme = row["scheme"].as_str().unwrap().parse().unwrap();
            let (slug, provider, settings) = source_of(scheme);
            if made.insert(scheme) {
                make(&app, &slug, provider, settings).await.expect(201);
            }
            let url = format!("{}/webhooks/{slug}", app.base);
            let query = row["query"].as_str().unwrap();
            let body = row["body"].as_str().unwrap().replace("SIGNATURE", &item_signature(&slug, row));
            let mut headers = signed(&app, &slug, scheme, &url, query, body.as_bytes());
            let id = ["webhook-id", "svix-id"].iter().find_map(|name| row["headers"][name].as_str());
            if let Some(id) = id {
                headers = signed_as(&app, &slug, scheme, id, body.as_bytes());
            }
            let own = row["headers"].as_object().unwrap().iter().filter(|(name, _)| !name.ends_with("-id") || id.is_none());
            headers.extend(own.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())));
            let told = post(&app, &format!("/webhooks/{slug}?{query}"), &headers, body.as_bytes()).await.expect(200);
            let id = row["expect"]["event_id"].as_str().map_or_else(
                || format!("sha256:{}", hex::encode(Sha256::digest(&body))),
                str::to_owned,
            );
            assert_eq!((&told["status"], &told["event_id"]), (&json!("stored"), &json!(id)), "{scheme}");
            let events = app.every("/events", &format!("source={slug}")).await;
            let number = events.iter().find(|event| event["event_id"] == id).unwrap()["id"].clone();
            let event = app.get(&format!("/events/{number}")).await.expect(200);
            for (name, value) in row["expect"].as_object().unwrap().iter().filter(|(name, _)| *name != "status") {
                assert_eq!(&event[name], value, "{scheme} {name}");
            }
        }
        assert_eq!(made.len(), Scheme::ALL.len());
        app.stop().await;
    }

    async fn a_replay_of_paddle_is_the_same_event(test: TestDb) {
        let app = TestApp::start(test).await;
        make(&app, "paddle", "paddle", Value::Null).await.expect(201);
        let body = |notification: &str| {
            json!({"event_id": "evt_1", "event_type": "transaction.paid", "notification_id": notification,
                "data": {"id": "txn_1", "status": "paid"}})
            .to_string()
        };
        for (notification, status) in [("ntf_1", "stored"), ("ntf_1", "duplicate"), ("ntf_2", "duplicate")] {
            let body = body(notification);
            let headers = signed(&app, "paddle", Scheme::Paddle, "", "", body.as_bytes());
            let told = post(&app, "/webhooks/paddle", &headers, body.as_bytes()).await.expect(200);
            assert_eq!(told, json!({"status": status, "event_id": "evt_1"}), "{notification}");
        }
        assert_eq!(app.every("/events", "source=paddle").await.len(), 1);
        app.stop().await;
    }

    async fn no_header_and_no_body_is_answered_500(test: TestDb) {
        let app = TestApp::start(test).await;
        let mut runner = TestRunner::deterministic();
        let value = prop::collection::vec(prop::sample::select((b' '..=255).filter(|byte| *byte != 127).collect::<Vec<_>>()), 0..120);
        let near = "(t|ts|v1|h1|sha256)=[0-9a-f]{0,66}([,; ](t|ts|v1|h1|v1a)[=,][0-9a-zA-Z+/=]{0,130}){0,4}";
        let body = prop::collection::vec(any::<u8>(), 0..300);
        for scheme in Scheme::ALL {
            let (slug, provider, settings) = source_of(*scheme);
            make(&app, &slug, provider, settings).await.expect(201);
            for n in 0..12 {
                let mut request = app.http.post(format!("{}/webhooks/{slug}?data.id=%ff&data.id", app.base));
                for name in scheme.policy().header_names() {
                    let value = match n % 2 {
                        0 => value.new_tree(&mut runner).unwrap().current(),
                        _ => near.new_tree(&mut runner).unwrap().current().into_bytes(),
                    };
                    let times = if n % 5 == 4 { 2 } else { 1 };
                    for _ in 0..times {
                        request = request.header(name, reqwest::header::HeaderValue::from_bytes(&value).unwrap());
                    }
                }
                let answer = Answer::of(request.body(body.new_tree(&mut runner).unwrap().current()).send().await.unwrap()).await;
                assert_eq!(answer.problem(401), "signature_refused", "{scheme} {n}");
            }
        }
        app.stop().await;
    }

    async fn a_scheme_by_settings_is_read_as_they_say(test: TestDb) {
        let app = TestApp::start(test).await;
        let hmac = json!({
            "header": ["X-Sig", "X-Sig-2"], "algorithm": "sha512", "encoding": "base64", "key": "hex",
            "parts": {"separator": ";", "joint": ":", "signature": "s", "timestamp": "at"}, "timestamp": {"unit": "ms"},
            "signed": "{timestamp}|[{header:x-trace}|]{url}|{body}",
            "event": {"id": ["/none", "header:X-Event"], "type": ["/a/0"], "resource": "/b/c~1d", "kind": "/kind",
                "occurred_at": "/at", "test": {"at": "/sandbox", "is": "true"}, "version": "/v"},
        });
        let made = make(&app, "own", "hmac", hmac.clone()).await.expect(201);
        let mut expected = hmac.clone();
        expected["url"] = made["receive_url"].clone();
        assert_eq!(made["hmac"], expected);
        assert_eq!(app.get("/sources/own").await.expect(200), made);

        let body = r#"{"a":["order.paid"],"b":{"c/d":"ord_1"},"kind":"order","at":"2026-11-30T11:00:00Z","sandbox":true,"v":3}"#;
        let stamp = app.test.clock_now().unix() * 1000 + 7;
        let sign = |trace: &str| {
            use hmac::Mac;
            let key = hex::decode(secret_of("own")).unwrap();
            let text = format!("{stamp}|{trace}{}|{body}", made["receive_url"].as_str().unwrap());
            let mac = hmac::Hmac::<sha2::Sha512>::new_from_slice(&key).unwrap().chain_update(text);
            let mac = STANDARD.encode(mac.finalize().into_bytes());
            ("x-sig".to_owned(), format!("s:AAAA; at:{stamp} ;s:{mac}"))
        };
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let good = [sign("t1|"), header("x-trace", "t1"), header("x-event", "e1")];
        assert_eq!(post(&app, "/webhooks/own", &good, body.as_bytes()).await.expect(200)["event_id"], "e1");
        let untraced = [sign(""), header("x-event", "e2")];
        post(&app, "/webhooks/own", &untraced, body.as_bytes()).await.expect(200);
        let cut = [sign("t1|"), header("x-event", "e3")];
        assert_eq!(post(&app, "/webhooks/own", &cut, body.as_bytes()).await.json()["reason"], "signature_mismatch");
        let events = app.every("/events", "source=own").await;
        assert_eq!((&events[0]["type"], &events[0]["resource_id"]), (&json!("order.paid"), &json!("ord_1")));
        assert_eq!(events[0]["occurred_at"], "2026-11-30T11:00:00Z");
        let id = events[0]["id"].as_i64().unwrap();
        let event = app.get(&format!("/events/{id}")).await.expect(200);
        assert_eq!((&event["resource_kind"], &event["is_test"], &event["version"]), (&json!("order"), &json!(true), &json!("3")));

        // Other settings take the place of all of them.
        let changed = app.patch("/sources/own", json!({"hmac": {"preset": "github_sha256"}})).await.expect(200);
        assert_eq!(changed["hmac"], json!({"preset": "github_sha256"}));
        assert_eq!(post(&app, "/webhooks/own", &good, body.as_bytes()).await.json()["reason"], "missing_header");
        app.stop().await;
    }

    async fn standard_webhooks_are_read_with_either_key_and_names(test: TestDb) {
        let app = TestApp::start(test).await;
        let body = br#"{"type":"user.created","ref":"u_1"}"#;
        let cases = [
            (json!(null), [200, 200, 401]),
            (json!({"headers": "webhook"}), [200, 401, 401]),
            (json!({"headers": "svix", "key": "base64"}), [401, 200, 401]),
            (json!({"key": "raw", "event": {"resource": "/ref"}}), [401, 401, 200]),
        ];
        for (n, (settings, expected)) in cases.into_iter().enumerate() {
            let slug = format!("std-{n}");
            let made = make(&app, &slug, "standard_webhooks", settings.clone()).await.expect(201);
            assert_eq!((&made["standard_webhooks"], &made["hmac"]), (&settings, &json!(null)));
            let schemes = [Scheme::StandardWebhooks, Scheme::Svix, Scheme::StandardWebhooksRawKey];
            for (scheme, status) in schemes.into_iter().zip(expected) {
                let headers = signed(&app, &slug, scheme, "", "", body);
                let answer = post(&app, &format!("/webhooks/{slug}"), &headers, body).await;
                assert_eq!(answer.status, status, "{slug} {scheme}");
                if status == 200 {
                    assert_eq!(answer.json()["event_id"], "msg_1");
                }
            }
        }
        assert_eq!(app.every("/events", "resource=u_1").await.len(), 1);
        let back = app.patch("/sources/std-3", json!({"standard_webhooks": null})).await.expect(200);
        assert_eq!(back["standard_webhooks"], json!(null));
        app.stop().await;
    }

    async fn settings_that_are_not_accepted_are_named(test: TestDb) {
        let app = TestApp::start(test).await;
        let cases = [
            (json!(null), vec!["hmac"]),
            (json!("github"), vec!["hmac"]),
            (json!({}), vec!["hmac.header"]),
            (json!({"preset": "paypal"}), vec!["hmac.preset"]),
            (json!({"preset": "stripe"}), vec!["hmac.preset"]),
            (json!({"preset": "shopify", "header": "x", "url": "https://x.test/", "colour": 1}),
                vec!["hmac.header", "hmac.url", "hmac.colour"]),
            (json!({"header": "a b"}), vec!["hmac.header"]),
            (json!({"header": []}), vec!["hmac.header"]),
            (json!({"header": "x", "algorithm": "md5", "encoding": "hexx", "key": 7, "prefix": "é", "signed": "{bdy}",
                "url": "ftp://x"}),
                vec!["hmac.url", "hmac.algorithm", "hmac.encoding", "hmac.key", "hmac.prefix", "hmac.signed"]),
            (json!({"header": "x", "signed": "{timestamp}"}), vec!["hmac.signed"]),
            (json!({"header": "x", "signed": "{timestamp}.{body}"}), vec!["hmac.signed"]),
            (json!({"header": "x", "timestamp": {"header": "y"}}), vec!["hmac.signed"]),
            (json!({"header": "x", "timestamp": {"unit": "s"}}), vec!["hmac.timestamp.header"]),
            (json!({"header": "x", "timestamp": {"unit": "h", "more": 1}}), vec!["hmac.timestamp.unit", "hmac.timestamp.more"]),
            (json!({"header": "x", "parts": {"separator": ";", "joint": ";", "joints": "="}, "prefix": "p"}),
                vec!["hmac.parts.joint", "hmac.parts.joints", "hmac.prefix"]),
            (json!({"header": "x", "parts": {"separator": "=", "joint": "a", "signature": "v 1"}}),
                vec!["hmac.parts.separator", "hmac.parts.joint", "hmac.parts.signature"]),
            (json!({"header": "x", "timestamp": {"header": "a b", "unit": "s"}}), vec!["hmac.timestamp.header"]),
            (json!({"header": "x", "event": {"id": "id", "when": "/at"}}), vec!["hmac.event.id", "hmac.event.when"]),
        ];
        for (hmac, fields) in cases {
            let answer = make(&app, "bad", "hmac", hmac.clone()).await;
            let refused = answer.refused();
            let named: Vec<_> = refused.iter().map(|(field, _)| field.as_str()).collect();
            assert_eq!(named, fields, "{hmac}");
            for error in answer.json()["errors"].as_array().unwrap() {
                assert!(error["message"].as_str().unwrap().contains("accepted: "), "{error}");
            }
        }
        make(&app, "good", "hmac", json!({"preset": "shopify"})).await.expect(201);
        for (change, field) in [
            (json!({"hmac": null}), "hmac"),
            (json!({"standard_webhooks": {}}), "standard_webhooks"),
            (json!({"hmac": {"preset": "x"}}), "hmac.preset"),
        ] {
            let refused = app.patch("/sources/good", change.clone()).await.refused();
            assert_eq!(refused.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), [field], "{change}");
        }
        assert_eq!(app.get("/sources/good").await.expect(200)["hmac"], json!({"preset": "shopify"}));
        app.stop().await;
    }

    async fn each_item_of_a_post_is_an_event(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        make(&app, "adyen", "hmac", json!({"preset": "adyen_standard"})).await.expect(201);
        app.post("/destinations", json!({"slug": "erp", "url": sink.url, "format": "paymos"})).await.expect(201);
        let two = adyen("adyen", &["PSP1", "PSP2"]);
        let told = post(&app, "/webhooks/adyen", &[], two.as_bytes()).await.expect(200);
        let event = |status: &str, n: u8| json!({"status": status, "event_id": format!("PSP{n}:REFUND:true")});
        let mut expected = event("stored", 1);
        expected["events"] = json!([event("stored", 1), event("stored", 2)]);
        assert_eq!(told, expected);
        let told = post(&app, "/webhooks/adyen", &[], adyen("adyen", &["PSP2", "PSP3"]).as_bytes()).await.expect(200);
        assert_eq!(told["events"], json!([event("duplicate", 2), event("stored", 3)]));
        assert_eq!((&told["status"], &told["event_id"]), (&json!("stored"), &json!("PSP2:REFUND:true")));
        // Twice in one post.
        let told = post(&app, "/webhooks/adyen", &[], adyen("adyen", &["PSP4", "PSP4"]).as_bytes()).await.expect(200);
        assert_eq!(told["events"], json!([event("stored", 4), event("duplicate", 4)]));

        // One that is not signed, and none of them is stored.
        let forged = adyen("adyen", &["PSP5", "PSP6"]).replace("\"PSP6\"", "\"PSP7\"");
        let refused = post(&app, "/webhooks/adyen", &[], forged.as_bytes()).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["reason"]), (401, &json!("signature_mismatch")));
        let mut ids: Vec<_> = app.every("/events", "").await.iter().map(|it| it["event_id"].to_string()).collect();
        ids.sort();
        assert_eq!(ids, [1, 2, 3, 4].map(|n| format!("\"PSP{n}:REFUND:true\"")));
        assert_eq!(app.every("/events", "resource=PSP0").await.len(), 4);

        // Each is delivered under its own id, with all that was received.
        sink.wait_for(4).await;
        let mut got: Vec<_> = sink.got().iter().map(|got| (got.header("x-webhook-id").to_owned(), got.body.clone())).collect();
        got.sort();
        let ids: Vec<_> = got.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["PSP1:REFUND:true", "PSP2:REFUND:true", "PSP3:REFUND:true", "PSP4:REFUND:true"]);
        assert_eq!([&got[0].1[..], &got[1].1[..]], [two.as_bytes(); 2]);
        app.stop().await;
    }

    async fn any_bytes_come_out_as_they_came_in(test: TestDb) {
        let app = TestApp::start(test).await;
        let sink = Sink::start().await;
        make(&app, "shop", "hmac", json!({"preset": "checkout_com"})).await.expect(201);
        app.post("/destinations", json!({"slug": "erp", "url": sink.url, "format": "paymos"})).await.expect(201);
        let mut sent = HashMap::new();
        for (body, content_type, encoding) in arrivals() {
            let mut headers = signed(&app, "shop", Scheme::CheckoutCom, "", "", &body);
            let named = [("content-type", &content_type), ("content-encoding", &encoding)];
            headers.extend(named.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value).clone()?))));
            let told = post(&app, "/webhooks/shop", &headers, &body).await.expect(200);
            let id = told["event_id"].as_str().unwrap().to_owned();
            let known = sent.insert(id, (body, content_type, encoding)).is_some();
            assert_eq!(told["status"] == "duplicate", known);
        }
        sink.wait_for(sent.len()).await;
        let got = sink.got();
        assert_eq!(got.len(), sent.len());
        for got in got {
            let (body, content_type, encoding) = &sent[got.header("x-webhook-id")];
            assert_eq!(&got.body[..], body, "{content_type:?}");
            let header = |name| got.headers.get(name).map(|value| value.to_str().unwrap());
            assert_eq!(header("content-type"), content_type.as_deref());
            assert_eq!(header("content-encoding"), encoding.as_deref());
            assert_eq!(header("content-length"), Some(body.len().to_string().as_str()));
        }
        for event in app.every("/events", "").await {
            let (body, ..) = &sent[event["event_id"].as_str().unwrap()];
            let path = format!("{}/api/v1/events/{}/body", app.base, event["id"]);
            let answer = app.http.get(path).bearer_auth(app.token(Role::Viewer)).send().await.unwrap();
            assert_eq!(&answer.bytes().await.unwrap()[..], body);
        }
        app.stop().await;
    }

    async fn odd_bodies_are_shown_sensibly(test: TestDb) {
        let app = TestApp::start(test).await;
        make(&app, "shop", "hmac", json!({"preset": "checkout_com"})).await.expect(201);
        let ana = app.session(Role::Viewer).await;
        let cases: [(&[u8], &[&str], &[&str]); 10] = [
            (b"", &["The body is empty."], &[]),
            (
                b"\xef\xbb\xbf{\"a\":1}",
                &["{\n  \"a\": 1\n}", "Starts with a byte order mark."],
                &["\u{feff}"],
            ),
            (b"{\r\n  \"a\" : 1.10\r\n}\r\n", &["{\n  \"a\": 1.10\n}", "Lines end in CR LF."], &[]),
            ("{\"note\":\"Zürich 日本 😀\"}".as_bytes(), &["\"Zürich 日本 😀\""], &["no UTF-8"]),
            (
                b"{\"note\":\"one \xff byte of many is bad\"}",
                &["\"one \u{fffd} byte of many is bad\"", "Some bytes are not UTF-8 and appear as \u{fffd}."],
                &[],
            ),
            (br#"{"a":1,"a":2,"a":{"b":1,"b":1}}"#, &["\"a\": 1,\n  \"a\": 2,\n  \"a\": {\n    \"b\": 1,\n    \"b\": 1"], &[]),
            (
                br#"{"n":123456789012345678901234567890.10e-400,"m":9007199254740993,"z":-0.0}"#,
                &["123456789012345678901234567890.10e-400", "9007199254740993", "-0.0"],
                &[],
            ),
            (b"id=tr_12345&a=<script>alert(1)</script>", &["id=tr_12345&a=<script>alert(1)</script>"], &[]),
            (
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xabV*\xc9\xcf\x8e",
                &["00000000  1f 8b 08 00", "Not text: each row shows sixteen bytes"],
                &["\u{fffd}"],
            ),
            (br#"{"s":"\u0000\ud800\/\u00e9"}"#, &[r#""\u0000\ud800\/\u00e9""#], &[]),
        ];
        for (body, shown, not_shown) in cases {
            let mut headers = signed(&app, "shop", Scheme::CheckoutCom, "", "", body);
            if body.starts_with(b"\x1f\x8b") {
                headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
            }
            let told = post(&app, "/webhooks/shop", &headers, body).await.expect(200);
            let event = &app.every("/events", &format!("event_id={}", told["event_id"].as_str().unwrap())).await[0];
            let page = app.page(&ana, &format!("/events/{}", event["id"])).await;
            assert!(!page.contains("<script>alert"), "{page}");
            let text = app.said("en", &ana, &format!("/events/{}", event["id"])).await;
            for said in shown {
                assert!(text.contains(said), "{said:?}: {text}");
            }
            for said in not_shown {
                assert!(!text.contains(said), "{said:?}: {text}");
            }
            let exact = app.http.get(format!("{}/events/{}/body", app.base, event["id"])).header("cookie", &ana);
            assert_eq!(&exact.send().await.unwrap().bytes().await.unwrap()[..], body);
        }
        app.stop().await;
    }
}

/// Bodies that gateways are known to break, and any others, each with a content type and an encoding.
fn arrivals() -> Vec<(Vec<u8>, Option<String>, Option<String>)> {
    let known: [&[u8]; 12] = [
        b"",
        b"\xef\xbb\xbf{\"a\":1}",
        b"{\r\n  \"a\" : 1.10\r\n}\r\n",
        "{\"note\":\"Zürich 日本 😀\"}".as_bytes(),
        b"{\"x\":\"\xff\xfe\xc3\x28\"}",
        br#"{"a":1,"a":2,"a":{"b":1,"b":1}}"#,
        br#"{"n":123456789012345678901234567890.10e-400,"m":9007199254740993,"z":-0.0}"#,
        br#"{"s":"\u0000\ud800\/\u00e9"}"#,
        b"id=tr_12345&a=%20+",
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xabV*\xc9\xcf\x8e",
        b"\0",
        b" \n",
    ];
    let types = [
        None,
        Some("application/json"),
        Some("application/x-www-form-urlencoded"),
        Some("text/plain; charset=\"x\""),
        Some("?"),
    ];
    let encodings = [None, None, Some("gzip"), Some("br, x-odd")];
    let mut runner = TestRunner::deterministic();
    let any = prop::collection::vec(any::<u8>(), 0..3000);
    let json =
        r#"\{("[a-zé😀]{1,4}": ?(-?[0-9]{1,30}(\.[0-9]{1,9})?|"[^"\\]{0,20}"|null|\[ \]),?\r?\n?){0,6}\}"#;
    let bytes = (0..30).map(|n| match n % 2 {
        0 => any.new_tree(&mut runner).unwrap().current(),
        _ => json.new_tree(&mut runner).unwrap().current().into_bytes(),
    });
    let bodies: Vec<Vec<u8>> = known.iter().map(|body| body.to_vec()).chain(bytes).collect();
    let with = |(n, body): (usize, Vec<u8>)| {
        (body, types[n % 5].map(str::to_owned), encodings[n % 4].map(str::to_owned))
    };
    // The same bytes would be the same event.
    let mut seen = HashSet::new();
    bodies.into_iter().enumerate().map(with).filter(|(body, ..)| seen.insert(body.clone())).collect()
}
