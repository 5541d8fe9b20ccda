//! Events that never came are fetched from the provider's own list.

use std::sync::Arc;

use app::types::{Role, Timestamp};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use server::clock::Clock;
use server::notify::Notifiers;
use server::receive::Receiver;
use server::reconcile::Reconciler;
use server::registry::Registry;
use server::vault::Vault;
use sha2::Sha256;
use tokio_util::sync::CancellationToken;

use crate::api::add_destination;
use crate::feeds::{Event, FakeApi, KEY, Kind};
use crate::fixture::{Reply, Sink};
use crate::on_both;
use crate::support::noon;
use crate::support::test_app::{Answer, TestApp};

const DAY: i64 = 86_400;

fn days_ago(days: i64) -> Timestamp {
    noon().plus_seconds(-days * DAY)
}

/// A source whose signing secret is its name, with the credentials of an API.
async fn add_source(app: &TestApp, kind: Kind, api: &str, key: &str) -> String {
    let slug = kind.provider();
    let body = json!({"slug": slug, "provider": slug, "mode": "test", "secret": secret(slug),
        "api": {"base_url": api, "key": "the key that reads", "secret": key}});
    app.post("/sources", body).await.expect(201);
    slug.to_owned()
}

fn secret(slug: &str) -> String {
    format!("whsec_test_secret_of_{slug}")
}

/// Five events of the day before noon, and one of the day before that.
fn a_week(kind: Kind) -> Vec<Event> {
    let event =
        |n: i64| kind.event(&format!("evt_{n}"), "charge.captured", noon().plus_seconds(-DAY - 60 + n * 60));
    (0..6).map(event).collect()
}

async fn ask(app: &TestApp, slug: &str, from: Timestamp, backfill: Option<bool>) -> Answer {
    let mut body = json!({"from": from, "to": noon()});
    if let Some(backfill) = backfill {
        body["backfill"] = backfill.into();
    }
    app.post(&format!("/sources/{slug}/reconciliations"), body).await
}

/// A run over the last day, to its end.
async fn reconcile(app: &TestApp, slug: &str, backfill: bool) -> Value {
    let id = ask(app, slug, days_ago(1), Some(backfill)).await.expect(202)["id"].clone();
    ended(app, &id).await
}

async fn ended(app: &TestApp, id: &Value) -> Value {
    let mut run = Value::Null;
    app.until("the run is over", async || {
        run = app.get(&format!("/reconciliations/{id}")).await.expect(200);
        run["state"] != "running"
    })
    .await;
    run
}

/// What a run says of itself.
fn told(run: &Value) -> (&str, i64, i64, i64, &Value) {
    let number = |name: &str| run[name].as_i64().unwrap();
    let counts = (number("fetched"), number("backfilled"), run["differences"]["missing"].as_i64().unwrap());
    (run["state"].as_str().unwrap(), counts.0, counts.1, counts.2, &run["error"])
}

/// Event, kind, what we have, what they have, and state of each difference.
async fn differences(app: &TestApp) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |found: &Value| {
        ["resource_id", "kind", "ours", "theirs", "state"].map(|member| text(&found[member])).join(" ")
    };
    let mut lines: Vec<_> = app.every("/differences", "").await.iter().map(line).collect();
    lines.sort();
    lines
}

on_both! {
    async fn what_was_missed_is_fetched_once_and_delivered(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_destination(&app, "erp", &sink.url, &["1m"]).await;
        for (count, kind) in (1..).zip(Kind::BOTH) {
            let events = a_week(kind);
            let api = FakeApi::start(kind, events.clone()).await;
            let slug = add_source(&app, kind, &api.url, KEY).await;
            let run = reconcile(&app, &slug, true).await;
            assert_eq!(told(&run), ("done", 5, 5, 0, &Value::Null), "{kind:?}");
            assert_eq!(run["backfill"], true);
            assert_eq!(api.asked(), 4, "three pages, and the first was asked for twice");
            sink.wait_for(count * 5).await;
            let again = reconcile(&app, &slug, true).await;
            assert_eq!(told(&again), ("done", 5, 0, 0, &Value::Null), "{kind:?}");
            assert_eq!(app.every("/deliveries", &format!("source={slug}")).await.len(), 5);
            let kept = app.every("/events", &format!("source={slug}&event_id=evt_3")).await;
            let kept = app.get(&format!("/events/{}", kept[0]["id"])).await.expect(200);
            let host = api.url.strip_prefix("http://").unwrap();
            assert_eq!(kept["headers"], json!([["acuse-fetched-from", host]]));
            // To the byte what stands in the list, and nothing of the day before.
            let mut wanted: Vec<_> = events[1..].iter().map(|event| event.body.as_bytes().to_vec()).collect();
            let mut got: Vec<_> =
                sink.got().into_iter().skip((count - 1) * 5).map(|got| got.body.to_vec()).collect();
            wanted.sort();
            got.sort();
            assert!(wanted == got, "{kind:?}");
        }
        assert_eq!(sink.got().len(), 10);
        assert!(sink.got().iter().all(|got| got.headers["content-type"] == "application/json"));
        assert_eq!(differences(&app).await, [""; 0]);
        app.stop().await;
    }

    async fn a_run_without_backfill_only_reports(test: TestDb) {
        let app = TestApp::start(test).await;
        let api = FakeApi::start(Kind::Stripe, a_week(Kind::Stripe)[3..].to_vec()).await;
        let slug = add_source(&app, Kind::Stripe, &api.url, KEY).await;
        let id = ask(&app, &slug, days_ago(1), None).await.expect(202)["id"].clone();
        let run = ended(&app, &id).await;
        assert_eq!((told(&run), &run["backfill"]), (("done", 3, 0, 3, &Value::Null), &json!(false)));
        let line = |n: u8, state: &str| format!("evt_{n} missing - charge.captured {state}");
        assert_eq!(differences(&app).await, [3, 4, 5].map(|n| line(n, "open")));
        assert_eq!(app.every("/events", "").await.len(), 0);
        // Taken in, they are missing no more.
        assert_eq!(told(&reconcile(&app, &slug, true).await), ("done", 3, 3, 0, &Value::Null));
        assert_eq!(differences(&app).await, [3, 4, 5].map(|n| line(n, "resolved")));
        let audit = app.every("/audit", "action=reconciliation.started").await;
        let asked: Vec<_> = audit.iter().map(|entry| entry["detail"]["backfill"].clone()).collect();
        assert_eq!(asked, [json!(true), json!(false)]);
        app.stop().await;
    }

    async fn a_night_reports_and_takes_in_nothing(test: TestDb) {
        let app = TestApp::start(test).await;
        let event = Kind::Paddle.event("evt_1", "transaction.paid", noon().plus_seconds(-60));
        let api = FakeApi::start(Kind::Paddle, vec![event]).await;
        let slug = add_source(&app, Kind::Paddle, &api.url, KEY).await;
        let vault = Arc::new(Vault::read(&app.test.folder.path().join("acuse.key")).unwrap());
        let (db, clock, stop) = (app.test.db.clone(), app.test.clock.clone(), CancellationToken::new());
        let registry = Registry::load(db.clone(), vault, clock.clone()).await.unwrap();
        let receiver =
            Receiver::start(db.clone(), clock.clone(), Arc::clone(&registry), Notifiers::default(), stop);
        clock.advance(DAY);
        let reconciler = Reconciler::new(db, clock.clone(), registry, receiver);
        reconciler.run_due_once(clock.now()).await.unwrap();
        let runs = app.every("/reconciliations", &format!("source={slug}")).await;
        let run = ended(&app, &runs[0]["id"]).await;
        assert_eq!(told(&run), ("done", 1, 0, 1, &Value::Null));
        assert_eq!((&run["trigger"], &run["backfill"]), (&json!("nightly"), &json!(false)));
        assert_eq!(app.every("/events", "").await.len(), 0);
        app.stop().await;
    }

    async fn a_type_added_later_comes_along(test: TestDb) {
        let app = TestApp::start(test).await;
        for kind in Kind::BOTH {
            let event = kind.event("evt_new", "thing.nobody_knew_of", noon().plus_seconds(-60));
            let api = FakeApi::start(kind, vec![event]).await;
            let slug = add_source(&app, kind, &api.url, KEY).await;
            assert_eq!(told(&reconcile(&app, &slug, true).await), ("done", 1, 1, 0, &Value::Null));
            let found = app.every("/events", &format!("source={slug}&type=thing.nobody_knew_of")).await;
            assert_eq!((found.len(), &found[0]["event_id"]), (1, &json!("evt_new")));
            assert_eq!(found[0]["occurred_at"], json!(noon().plus_seconds(-60)));
        }
        app.stop().await;
    }

    async fn a_webhook_that_comes_after_is_a_duplicate(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_destination(&app, "erp", &sink.url, &["1m"]).await;
        let event = Kind::Stripe.event("evt_1", "charge.captured", noon().plus_seconds(-60));
        let api = FakeApi::start(Kind::Stripe, vec![event.clone()]).await;
        let slug = add_source(&app, Kind::Stripe, &api.url, KEY).await;
        reconcile(&app, &slug, true).await;
        // The webhook is written in other bytes than the list: nothing to be alarmed about.
        let body = event.body.replace('\n', "");
        let t = noon().unix();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret(&slug).as_bytes()).unwrap();
        mac.update(format!("{t}.{body}").as_bytes());
        let signature = format!("t={t},v1={}", hex::encode(mac.finalize().into_bytes()));
        let post = app.http.post(format!("{}/webhooks/{slug}", app.base)).header("stripe-signature", signature);
        let answer = Answer::of(post.body(body).send().await.unwrap()).await;
        assert_eq!(answer.expect(200), json!({"status": "duplicate", "event_id": "evt_1"}));
        sink.wait_for(1).await;
        assert_eq!(app.every("/deliveries", "").await.len(), 1);
        assert_eq!(app.every("/alerts", "").await, [Value::Null; 0]);
        let listed = app.every("/events", "").await;
        assert_eq!((listed.len(), &listed[0]["arrivals"]), (1, &json!(2)));
        app.stop().await;
    }

    async fn what_no_destination_took_is_undelivered(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        sink.reply(Reply::Status(500));
        add_destination(&app, "erp", &sink.url, &["1h"]).await;
        let event = Kind::Paddle.event("evt_1", "transaction.paid", noon().plus_seconds(-60));
        let api = FakeApi::start(Kind::Paddle, vec![event]).await;
        let slug = add_source(&app, Kind::Paddle, &api.url, KEY).await;
        reconcile(&app, &slug, true).await;
        app.until("it was tried", async || {
            app.every("/deliveries", "").await.iter().any(|delivery| delivery["attempts"] == 1)
        }).await;
        let run = reconcile(&app, &slug, false).await;
        assert_eq!(run["differences"]["undelivered"], 1);
        assert_eq!(differences(&app).await, ["evt_1 undelivered erp pending transaction.paid open"]);
        app.stop().await;
    }

    async fn an_event_of_the_other_mode_waits_for_a_person(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        add_destination(&app, "erp", &sink.url, &["1m"]).await;
        let mut event = Kind::Stripe.event("evt_1", "charge.captured", noon().plus_seconds(-60));
        event.body = event.body.replace("\"livemode\": false", "\"livemode\": true");
        let api = FakeApi::start(Kind::Stripe, vec![event]).await;
        let slug = add_source(&app, Kind::Stripe, &api.url, KEY).await;
        for backfilled in [1, 0] {
            assert_eq!(told(&reconcile(&app, &slug, true).await), ("done", 1, backfilled, 0, &Value::Null));
        }
        let alerts = app.every("/alerts", "").await;
        assert_eq!((alerts.len(), &alerts[0]["kind"]), (1, &json!("mode_mismatch")));
        assert_eq!(app.every("/deliveries", "").await.len(), 0);
        app.stop().await;
    }

    async fn a_key_that_is_not_accepted_is_told_in_a_sentence(test: TestDb) {
        let app = TestApp::start(test).await;
        let api = FakeApi::start(Kind::Stripe, a_week(Kind::Stripe)).await;
        let slug = add_source(&app, Kind::Stripe, &api.url, "sk_test_of_somebody_else").await;
        let run = reconcile(&app, &slug, true).await;
        let sentence = "the API did not accept the credentials (401 invalid_key): check the API key, which is the secret \
                        half of the credentials";
        assert_eq!(told(&run), ("failed", 0, 0, 0, &json!(sentence)));
        app.stop().await;
    }

    async fn a_window_beyond_the_providers_reach_is_refused(test: TestDb) {
        let app = TestApp::start(test).await;
        for (kind, days) in Kind::BOTH.into_iter().zip([30, 90]) {
            let api = FakeApi::start(kind, Vec::new()).await;
            let slug = add_source(&app, kind, &api.url, KEY).await;
            for backfill in [None, Some(true)] {
                let answer = ask(&app, &slug, days_ago(days).plus_seconds(-1), backfill).await;
                assert_eq!(answer.refused(), [("from".to_owned(), "out_of_reach".to_owned())]);
                let accepted = format!("accepted: at most {days} days before now");
                assert!(answer.text().contains(&accepted), "{}", answer.text());
            }
            let id = ask(&app, &slug, days_ago(days), Some(true)).await.expect(202)["id"].clone();
            assert_eq!(told(&ended(&app, &id).await), ("done", 0, 0, 0, &Value::Null));
        }
        app.stop().await;
    }

    async fn paymos_lists_no_events(test: TestDb) {
        let app = TestApp::start(test).await;
        let api = json!({"base_url": "http://127.0.0.1:9", "key": "pk_test", "secret": "sk_test"});
        for (provider, api) in [("paymos", api), ("standard_webhooks", Value::Null)] {
            let body = json!({"slug": "shop", "provider": provider, "mode": "test", "api": api,
                "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"});
            app.post("/sources", body).await.expect(201);
            let answer = ask(&app, "shop", days_ago(1), Some(true)).await;
            assert_eq!(answer.refused(), [("backfill".to_owned(), "lists_no_events".to_owned())]);
            assert!(answer.text().contains("The API of Paymos lists no events"), "{}", answer.text());
            // It reaches back as far as it likes.
            let far = ask(&app, "shop", days_ago(400), Some(false)).await;
            match provider {
                "paymos" => drop(ended(&app, &far.expect(202)["id"]).await),
                _ => assert_eq!(far.problem(409), "no_credentials"),
            }
            app.delete("/sources/shop").await.expect(204);
        }
        app.stop().await;
    }

    async fn the_page_offers_it_where_a_source_has_such_a_list(test: TestDb) {
        let app = TestApp::start(test).await;
        let session = app.session(Role::Support).await;
        let paymos = json!({"slug": "paymos", "provider": "paymos", "mode": "test", "secret": secret("paymos"),
            "api": {"base_url": "http://127.0.0.1:9", "key": "pk_test", "secret": "sk_test"}});
        app.post("/sources", paymos).await.expect(201);
        let form = "/reconciliation?compare=1";
        assert!(!app.page(&session, form).await.contains("name=\"backfill\""));
        let api = FakeApi::start(Kind::Stripe, a_week(Kind::Stripe)).await;
        let slug = add_source(&app, Kind::Stripe, &api.url, KEY).await;
        assert!(app.page(&session, form).await.contains("name=\"backfill\""));
        // As a browser without script sends it: times without a zone.
        let at = |time: Timestamp| time.to_string().get(..16).unwrap().to_owned();
        let (from, far, to) = (at(days_ago(1)), at(days_ago(40)), at(noon()));
        let fields = [("source", slug.as_str()), ("from", &from), ("to", &to), ("backfill", "true")];
        let refused = [("source", slug.as_str()), ("from", &far), ("to", &to)];
        let refused = app.form(&session, form, "/rpc/reconciliation/start", &refused).await;
        for (lang, sentence) in [("en", "lists events of the last 30 days: choose a later start."),
            ("es", "lista los eventos de los últimos 30 días: elija un comienzo posterior.")] {
            let said = app.said(lang, &session, refused.header("location").trim_start_matches(&app.base)).await;
            assert!(said.contains(sentence), "{said}");
        }
        app.form(&session, form, "/rpc/reconciliation/start", &fields).await;
        app.until("it is done", async || app.every("/events", "").await.len() == 5).await;
        app.until("it is told", async || {
            app.said("en", &session, "/reconciliation").await.contains("5 imported")
        }).await;
        app.stop().await;
    }
}
