//! The page of sources, as an admin's browser without script uses it.

use app::sources::{SourceRow, SourcesPage};
use app::types::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::webhook;
use crate::on_both;
use crate::support::test_app::TestApp;

const SECRET: &str = "whsec_test_secret";

/// What the page's own call answers.
async fn sources(app: &TestApp, session: &str) -> Vec<SourceRow> {
    let answer = app.rpc(session, "/rpc/sources/page", &[("search", "")]).await;
    serde_json::from_value::<SourcesPage>(answer.expect(200)).unwrap().sources
}

/// What was done to this subject, newest first, with its details.
async fn audit(app: &TestApp, subject: &str) -> Vec<(String, Value)> {
    let rows = app.every("/audit", &format!("subject={subject}")).await;
    rows.iter().map(|row| (row["action"].as_str().unwrap().to_owned(), row["detail"].clone())).collect()
}

on_both! {
    async fn a_source_is_made_changed_and_deleted_without_script(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Admin).await;
        let empty = app.open(&ana, "/sources").await;
        assert_eq!(empty.status, 200);
        assert!(empty.text().contains("No sources yet") && empty.text().contains("enter its receive URL there"));
        let form = app.open(&ana, "/sources?new=1").await.text();
        for offered in ["value=\"paymos\"", "value=\"stripe\"", "value=\"hmac:shopify\"", "value=\"hmac\"",
            "name=\"form[secret]\"", &format!("{}/webhooks/", app.base)] {
            assert!(form.contains(offered), "{offered}");
        }
        let fields = [("form[act]", "new"), ("form[slug]", "shop"), ("form[sender]", "paymos"),
            ("form[mode]", "test"), ("form[secret]", SECRET), ("form[tolerance_s]", "300"),
            ("form[api_url]", "https://api.paymos.io"), ("form[api_key]", "pk_test_1"), ("form[api_secret]", "sk_test_1")];
        let made = app.form(&ana, "/sources?new=1", "/rpc/sources/apply", &fields).await;
        assert_eq!((made.status.as_u16(), made.header("location")), (303, "/sources?setup=shop"));
        let page = app.open(&ana, "/sources?setup=shop").await.text();
        let url = format!("{}/webhooks/shop", app.base);
        assert!(page.contains(&url) && page.contains("At Paymos, open the webhooks"), "where to paste it");
        assert!(!page.contains(SECRET) && !page.contains("sk_test_1"));
        let source = app.get("/sources/shop").await.expect(200);
        assert_eq!((&source["mode"], &source["tolerance_s"]), (&json!("test"), &json!(300)));
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);

        let change = [("form[act]", "edit"), ("form[slug]", "shop"), ("form[sender]", "paymos"),
            ("form[mode]", "live"), ("form[api_url]", "https://api.paymos.io"), ("form[api_key]", "pk_test_1")];
        let form = app.open(&ana, "/sources?edit=shop").await.text();
        assert!(form.contains("pk_test_1") && form.contains("value=\"300\"") && !form.contains("form[secret]"));
        let changed = app.form(&ana, "/sources?edit=shop", "/rpc/sources/apply", &change).await;
        assert_eq!((changed.status.as_u16(), changed.header("location")), (303, "/sources"));
        let source = app.get("/sources/shop").await.expect(200);
        assert_eq!((&source["mode"], &source["tolerance_s"]), (&json!("live"), &json!(null)));
        assert_eq!(source["api"]["key"], "pk_test_1", "its secret stays");
        app.form(&ana, "/sources?edit=shop", "/rpc/sources/apply", &change).await;

        let delete = |typed| [("form[act]", "delete"), ("form[slug]", "shop"), ("form[confirm]", typed)];
        let form = app.open(&ana, "/sources?delete=shop").await.text();
        assert!(form.contains("stay visible") && form.contains("Type shop"));
        let refused = app.form(&ana, "/sources?delete=shop", "/rpc/sources/apply", &delete("shop-eu")).await;
        assert!(refused.header("location").contains("__err="), "{:?}", refused.headers);
        let again = app.open(&ana, refused.header("location").trim_start_matches(&app.base)).await.text();
        assert!(again.contains("The name does not match"), "it is said at the field");
        app.get("/sources/shop").await.expect(200);
        app.form(&ana, "/sources?delete=shop", "/rpc/sources/apply", &delete("shop")).await;
        assert_eq!(app.get("/sources/shop").await.problem(404), "not_found");
        assert_eq!(app.every("/events", "source=shop").await.len(), 1, "what it received stays");

        let done = audit(&app, "source/shop").await;
        let names: Vec<_> = done.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(names, ["source.deleted", "source.changed", "secret.made", "source.created"]);
        assert_eq!(done[1].1, json!({"mode": "live", "tolerance_s": null}), "what did not change is not told");
        app.stop().await;
    }

    async fn what_is_wrong_is_said_and_what_was_typed_is_kept(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Admin).await;
        let fields = [("form[act]", "new"), ("form[slug]", "shop"), ("form[sender]", "stripe"),
            ("form[mode]", "test"), ("form[secret]", "sk_live_theWrongOne"), ("form[tolerance_s]", "12")];
        let refused = app.form(&ana, "/sources?new=1", "/rpc/sources/apply", &fields).await;
        let back = refused.header("location").trim_start_matches(&app.base).to_owned();
        assert!(!back.contains("theWrongOne"), "{back}");
        let page = app.open(&ana, &back).await.text();
        assert!(page.contains("This is an API key") && page.contains("aria-invalid=\"true\""), "{page}");
        assert!(page.contains("value=\"shop\"") && page.contains("value=\"12\""), "{back}");
        assert!(page.contains("<option value=\"stripe\" selected"), "{page}");
        assert_eq!(app.get("/sources").await.expect(200)["items"], json!([]));

        // A preset, and settings that are not good.
        let fields = |settings| [("form[act]", "new"), ("form[slug]", "square"), ("form[sender]", "hmac:square"),
            ("form[mode]", "test"), ("form[secret]", "a secret of Square"), ("form[settings]", settings)];
        let refused = app.rpc(&ana, "/rpc/sources/apply", &fields(r#"{"events": {}}"#)).await;
        let told = refused.expect(422);
        assert_eq!(told["fields"][0], json!({"field": "settings.events", "rule": "malformed"}));
        let made = app.rpc(&ana, "/rpc/sources/apply", &fields("")).await;
        assert_eq!(made.expect(200), "/sources?setup=square");
        let source = app.get("/sources/square").await.expect(200);
        assert_eq!(source["hmac"], json!({"preset": "square", "url": format!("{}/webhooks/square", app.base)}));
        let change = [("form[act]", "edit"), ("form[slug]", "square"), ("form[sender]", "hmac:shopify"), ("form[mode]", "test")];
        assert_eq!(app.rpc(&ana, "/rpc/sources/apply", &change).await.expect(200), "/sources");
        assert_eq!(app.get("/sources/square").await.expect(200)["hmac"], json!({"preset": "shopify"}));

        let page = app.open(&ana, "/sources?setup=square").await.text();
        assert!(page.contains("Paste the client secret of the app"), "how to set a preset up: {page}");

        // Others may look, and no more.
        let eva = app.session(Role::Support).await;
        let page = app.open(&eva, "/sources?new=1").await.text();
        assert!(page.contains("square") && !page.contains("form[act]") && !page.contains("New source"));
        let refused = app.rpc(&eva, "/rpc/sources/apply", &change).await;
        assert_eq!(refused.expect(403)["code"], "forbidden");
        app.stop().await;
    }

    async fn the_list_says_what_each_source_did_in_the_last_day(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Admin).await;
        for (slug, mode) in [("shop", "test"), ("quiet", "live")] {
            let body = json!({"slug": slug, "provider": "paymos", "mode": mode, "secret": format!("{SECRET}_{slug}")});
            app.post("/sources", body).await.expect(201);
        }
        let secret = format!("{SECRET}_shop");
        for n in 0..3 {
            app.webhook("shop", &secret, &webhook(&format!("evt_{n}"), "invoice.paid", "inv_1")).await.expect(200);
        }
        app.webhook("shop", "whsec_not_it", &webhook("evt_9", "invoice.paid", "inv_1")).await.problem(401);
        let rotated = json!({"secret": format!("{secret}_2"), "overlap_s": 7200});
        app.post("/sources/shop/secrets", rotated).await.expect(201);
        let arrived = app.test.clock_now();
        let mut shop = None;
        app.until("it is counted", async || {
            // What was read a moment ago is shown again.
            app.test.clock.advance(2);
            let rows = sources(&app, &ana).await;
            assert_eq!(rows.iter().map(|row| row.slug.as_str()).collect::<Vec<_>>(), ["quiet", "shop"], "by name");
            assert_eq!((rows[0].day, rows[0].rejected, rows[0].last, rows[0].secrets), (0, 0, None, 1));
            shop = Some(rows[1].clone());
            (rows[1].day, rows[1].rejected, rows[1].unrouted) == (3, 1, 3)
        }).await;
        let shop = shop.unwrap();
        assert_eq!((shop.secrets, shop.ends), (2, Some(arrived.plus_seconds(7200))));
        assert_eq!((shop.last, shop.held), (Some(arrived), 0));
        let page = app.open(&ana, "/sources").await.text();
        for link in ["/events?source=shop&amp;from=", "/rejections?source=shop&amp;from=", "/events?source=shop&amp;unrouted=true",
            "href=\"/secrets\""] {
            assert!(page.contains(link), "{link}");
        }
        app.test.clock.advance(86_400 + 600);
        let rows = sources(&app, &app.session(Role::Viewer).await).await;
        assert_eq!((rows[1].day, rows[1].rejected, rows[1].unrouted, rows[1].secrets), (0, 0, 0, 1), "a day later");
        assert_eq!(rows[1].last, Some(arrived));
        app.stop().await;
    }
}

/// Nobody makes a source by a link.
#[tokio::test]
async fn a_source_is_not_made_by_a_get() {
    let test = crate::support::TestDb::new(crate::support::Kind::Sqlite).await; // reason: no statement is run
    let app = TestApp::start(test).await;
    let answer = app.plain(Method::GET, "/rpc/sources/apply?form[act]=new").await;
    assert!(!answer.status.is_success());
    app.stop().await;
}
