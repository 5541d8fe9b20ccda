//! The dashboard's page of destinations: what their forms set, what the page shows of it, and what signatures follow.

use app::types::Role;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::fixture::{Got, Sink};
use crate::on_both;
use crate::support::test_app::TestApp;

const ORDER: &str = "form[signature_order]";

/// The form of a new destination.
fn form<'a>(slug: &'a str, url: &'a str, order: &'a str) -> [(&'static str, &'a str); 4] {
    [("form[slug]", slug), ("form[url]", url), ("form[format]", "paymos"), (ORDER, order)]
}

async fn order(app: &TestApp, slug: &str) -> Value {
    app.get(&format!("/destinations/{slug}")).await.expect(200)["signature_order"].clone()
}

/// The signatures of a request, in their order.
fn signatures(got: &Got) -> Vec<String> {
    got.header("x-webhook-signature").split(",v1=").skip(1).map(str::to_owned).collect()
}

/// What this secret makes of it now.
fn signature(app: &TestApp, secret: &str, got: &Got) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("{}.", app.test.clock_now().unix())).chain_update(&got.body);
    hex::encode(mac.finalize().into_bytes())
}

/// The value of the option that is chosen in the form of the page.
fn chosen(page: &str) -> &str {
    let (_, select) = page.split_once("<select id=\"signature-order\"").unwrap();
    let (select, _) = select.split_once("</select>").unwrap();
    let option = select.split("<option").find(|option| option.contains(" selected")).unwrap();
    option.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
}

on_both! {
    async fn the_order_of_signatures_is_set_by_the_forms_and_shown(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Admin).await;
        let url = "https://erp.example/hook";
        assert_eq!(chosen(&app.page(&ana, "/destinations?new=1").await), "newest_first");

        // Without script, and with it.
        let made = app.submit(&ana, "/rpc/destinations/create", &form("plain", url, "oldest_first")).await;
        assert_eq!((made.status.as_u16(), made.header("location")), (303, "/secrets?made=plain"));
        app.rpc(&ana, "/rpc/destinations/create", &form("script", url, "oldest_first")).await.expect(200);
        for slug in ["plain", "script"] {
            assert_eq!(order(&app, slug).await, "oldest_first", "{slug}");
            let page = app.page(&ana, &format!("/destinations?edit={slug}")).await;
            assert_eq!(chosen(&page), "oldest_first", "{slug}");
        }
        let page = app.page(&ana, "/destinations").await;
        assert_eq!(page.matches("signed as paymos, newest secret last").count(), 2);
        let page = app.page_in("es", &ana, "/destinations").await;
        assert_eq!(page.matches("firmado como paymos, al final el secreto más nuevo").count(), 2);

        let changed = app.submit(&ana, "/rpc/destinations/edit", &form("plain", url, "newest_first")).await;
        assert_eq!((changed.status.as_u16(), changed.header("location")), (303, "/destinations"));
        app.rpc(&ana, "/rpc/destinations/edit", &form("script", url, "newest_first")).await.expect(200);
        for slug in ["plain", "script"] {
            assert_eq!(order(&app, slug).await, "newest_first", "{slug}");
        }
        assert_eq!(app.page(&ana, "/destinations").await.matches("signed as paymos, newest secret first").count(), 2);

        let refused = app.rpc(&ana, "/rpc/destinations/edit", &form("plain", url, "random")).await;
        assert_eq!(refused.expect(422)["fields"], json!([{"field": "signature_order", "rule": "malformed"}]));
        let bob = app.session(Role::Support).await;
        assert_eq!(app.rpc(&bob, "/rpc/destinations/edit", &form("plain", url, "oldest_first")).await.status, 403);
        assert_eq!(order(&app, "plain").await, "newest_first");
        app.stop().await;
    }

    async fn a_test_delivery_is_signed_in_the_order_of_its_destination(test: TestDb) {
        let (app, sink) = (TestApp::start(test).await, Sink::start().await);
        let ana = app.session(Role::Admin).await;
        app.rpc(&ana, "/rpc/destinations/create", &form("erp", &sink.url, "newest_first")).await.expect(200);
        app.test.clock.advance(60);
        let rotated = app.post("/destinations/erp/secrets", json!({})).await.expect(201);
        let newest = rotated["secret"].as_str().unwrap();
        for (order, place) in [("newest_first", 0), ("oldest_first", 1)] {
            app.rpc(&ana, "/rpc/destinations/edit", &form("erp", &sink.url, order)).await.expect(200);
            let before = sink.got().len();
            app.rpc(&ana, "/rpc/secrets/test", &[("slug", "erp")]).await.expect(200);
            // The first is signed with a secret that nobody has.
            let [_, both, alone] = sink.got().split_off(before).try_into().unwrap();
            assert_eq!(signatures(&alone), [signature(&app, newest, &alone)], "{order}");
            assert_eq!(signatures(&both).len(), 2, "{order}");
            assert_eq!(signatures(&both)[place], signature(&app, newest, &both), "{order}");
        }
        app.stop().await;
    }
}
