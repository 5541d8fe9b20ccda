//! The OpenAPI document says what there is, and nothing else.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use server::backend::destinations::Destinations;
use server::backend::sources::Sources;
use server::http::api::{ApiState, Route, document};
use server::notify::Notifiers;
use server::provider::presets::{self, Preset};
use server::registry::Registry;
use server::vault::Vault;
use std::sync::Arc;

use super::one_delivery;
use crate::browser::site;
use crate::fixture::Sink;
use crate::on_both;
use crate::support::test_app::TestApp;
use crate::support::{Kind, TestDb};

/// The routes of the API.
pub fn table(test: &TestDb) -> Vec<Route> {
    let (db, clock, vault) = (test.db.clone(), test.clock.clone(), Arc::new(Vault::ephemeral()));
    let registry = Arc::new(Registry::new(db.clone(), vault.clone(), clock.clone()));
    let acts = server::request_coalescing::ChangeCount::default();
    server::http::api::table(ApiState {
        backend: site(test, "http://localhost").backend,
        sources: Sources::new(db.clone(), vault.clone(), clock.clone(), registry.clone()),
        destinations: Destinations::new(
            db.clone(),
            vault,
            clock.clone(),
            registry,
            Notifiers::default(),
            acts.clone(),
        ),
        acts,
        db,
        clock,
        trusted_proxies: "".parse().unwrap(),
        base: "".into(),
    })
}

fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "patch", "delete", "head", "options", "trace"] {
            if let Some(operation) = item.get(method) {
                found.push((method.to_uppercase(), path.clone(), operation.clone()));
            }
        }
    }
    found
}

/// The members that a schema requires, which are all that it has.
fn members(document: &Value, schema: &Value) -> BTreeSet<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return members(document, document.pointer(&reference[1..]).unwrap());
    }
    let parts = schema["allOf"].as_array().into_iter().flatten().flat_map(|part| members(document, part));
    let required: BTreeSet<_> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| it.as_str().unwrap().to_owned())
        .collect();
    let properties: BTreeSet<_> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    assert_eq!(required, properties);
    parts.chain(required).collect()
}

/// Every `$ref` in it.
fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_and_the_routes_are_the_same() {
    // reason: no statement is run.
    let test = TestDb::new(Kind::Sqlite).await;
    let routes = table(&test);
    let document = serde_json::to_value(document(&routes)).unwrap();
    let routed: BTreeSet<_> = routes.iter().map(|it| (it.method.to_string(), it.path.to_owned())).collect();
    let operations = operations(&document);
    let described: BTreeSet<_> =
        operations.iter().map(|(method, path, _)| (method.clone(), path.clone())).collect();
    assert_eq!(described, routed);
    assert_eq!(routes.len(), routed.len());
    let ids: BTreeSet<_> = operations.iter().map(|(_, _, it)| it["operationId"].to_string()).collect();
    assert_eq!(ids.len(), operations.len());
    for (method, path, operation) in &operations {
        assert!(operation["summary"].is_string(), "{method} {path}");
        assert!(operation["description"].as_str().unwrap().contains("Role: `"), "{method} {path}");
        assert!(operation["responses"]["default"].is_object(), "{method} {path}");
        let named: BTreeSet<_> =
            path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let of_path =
            parameters.iter().filter(|it| it["in"] == "path").map(|it| it["name"].as_str().unwrap());
        assert_eq!(of_path.collect::<BTreeSet<_>>(), named, "{method} {path}");
    }
    let mut referenced = BTreeSet::new();
    references(&document, &mut referenced);
    for reference in referenced {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

on_both! {
    async fn what_the_document_says_is_accepted_is_known(test: TestDb) {
        let app = TestApp::start(test).await;
        let document = app.plain(Method::GET, "/api/v1/openapi.json").await.expect(200);
        for (method, path, operation) in operations(&document) {
            let url = path.replace("{slug}", "none").replace("{id}", "999999");
            for parameter in operation["parameters"].as_array().unwrap_or(&Vec::new()) {
                if parameter["in"] == "query" {
                    let answer = app.get(&format!("{url}?{}=", parameter["name"].as_str().unwrap())).await;
                    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
                    assert!(!text.contains("\"unknown\""), "{method} {path} {parameter}: {text}");
                }
            }
            let Some(reference) = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str() else {
                continue;
            };
            let schema = document.pointer(&reference[1..]).unwrap();
            let names: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
            let mut body: serde_json::Map<_, _> = names.iter().map(|name| (name.clone(), json!([]))).collect();
            body.insert("not_there".to_owned(), json!(1));
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let refused = app.call(app::types::Role::Admin, method, &url, Some(Value::Object(body))).await.refused();
            let unknown: Vec<_> = refused.iter().filter(|(_, code)| code == "unknown").map(|(field, _)| field).collect();
            assert_eq!(unknown, ["not_there"], "{path}");
            for name in schema["required"].as_array().unwrap_or(&Vec::new()) {
                assert!(refused.iter().any(|(field, _)| name == field), "{path} {name}");
            }
        }
        app.stop().await;
    }

    async fn answers_have_the_members_of_their_schemas(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        let delivery = one_delivery(&app, &sink, "delivered").await;
        let document = app.plain(Method::GET, "/api/v1/openapi.json").await.expect(200);
        let full = app.get(&format!("/deliveries/{}", delivery["id"])).await.expect(200);
        for (schema, answer) in [
            ("Source", app.get("/sources/shop").await.expect(200)),
            ("Destination", app.get("/destinations/erp").await.expect(200)),
            ("Secret", app.get("/sources/shop/secrets").await.expect(200)["secrets"][0].clone()),
            ("DeliverySummary", delivery.clone()),
            ("DeliveryDetail", full.clone()),
            ("Attempt", full["attempt_log"][0].clone()),
            ("EventSummary", app.every("/events", "").await[0].clone()),
            ("EventDetail", app.get(&format!("/events/{}", delivery["event"])).await.expect(200)),
        ] {
            let given: BTreeSet<_> = answer.as_object().unwrap().keys().cloned().collect();
            assert_eq!(members(&document, &document["components"]["schemas"][schema]), given, "{schema}");
        }
        let states = &document["components"]["schemas"]["DeliveryState"]["enum"];
        assert_eq!(*states, json!(["pending", "failed", "held", "delivered", "cancelled"]));
        // The presets: what the document lists is what a wrong one is told.
        let presets: Vec<_> = presets::ALL.iter().map(Preset::word).collect();
        assert_eq!(document["components"]["schemas"]["Preset"]["enum"], json!(presets));
        let wrong = json!({"slug": "wrong", "provider": "hmac", "mode": "test", "secret": "a secret of its own",
            "hmac": {"preset": "gitlab"}});
        let wrong = app.post("/sources", wrong).await.json();
        let told = json!({"field": "hmac.preset", "code": "malformed",
            "message": format!("\"gitlab\" is not accepted; accepted: {}", presets.join(", "))});
        assert_eq!(wrong["errors"], json!([told]));
        app.stop().await;
    }

    async fn the_page_needs_nothing_from_elsewhere(test: TestDb) {
        let app = TestApp::start(test).await;
        let page = app.plain(Method::GET, "/api/docs").await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
        let text = String::from_utf8(page.bytes.clone()).unwrap();
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("<script>"), "{text}");
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
        for (path, kind) in [("/api/docs.js", "text/javascript; charset=utf-8"), ("/api/docs.css", "text/css; charset=utf-8")] {
            assert!(text.contains(path));
            let file = app.plain(Method::GET, path).await;
            assert_eq!((file.status.as_u16(), file.header("content-type")), (200, kind));
        }
        app.stop().await;
    }
}
