//! What the pages about secrets say and ask, as a browser without script gets them.

use app::types::Role;
use serde_json::{Value, json};
use server::store::secret::usage::{self, Use};

use crate::api::{SECRET, add_destination, add_source, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

const SURE: &str = "name=\"sure\"";

fn id(list: &Value, place: usize) -> &str {
    list["secrets"][place]["id"].as_str().unwrap()
}

on_both! {
    async fn retiring_what_was_used_in_the_last_hour_is_warned_of_to_the_second(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Support).await;
        add_source(&app, "shop").await;
        for n in 0..2 {
            app.webhook("shop", SECRET, &webhook(&format!("evt_{n}"), "invoice.paid", "inv_1")).await.expect(200);
        }
        let list = app.post("/sources/shop/secrets", json!({"secret": "whsec_new"})).await.expect(201);
        app.until("the uses are counted", async || {
            app.get("/sources/shop/secrets").await.expect(200)["secrets"][1]["matches"] == 2
        }).await;
        let path = format!("/secrets?retire={}&of=source-shop", id(&list, 1));
        let warning = "verified 2 webhooks in the last hour";
        app.test.clock.advance(3599);
        let page = app.page(&ana, &path).await;
        assert!(page.contains(warning) && page.contains(SURE), "{page}");
        app.test.clock.advance(1);
        // What others read less than two seconds ago would be shown: somebody does something.
        add_source(&app, "other").await;
        let page = app.page(&ana, &path).await;
        assert!(page.contains("Retire the secret") && !page.contains("in the last hour") && !page.contains(SURE), "{page}");
        let fields = [("holder", "source"), ("slug", "shop"), ("id", id(&list, 1))];
        let done = app.form(&ana, &path, "/rpc/secrets/retire", &fields).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, "/secrets"));
        assert_eq!(app.get("/sources/shop/secrets").await.expect(200)["secrets"].as_array().unwrap().len(), 1);
        app.stop().await;
    }

    async fn the_page_says_in_words_what_to_do_next(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Viewer).await;
        add_source(&app, "shop").await;
        app.test.clock.advance(60);
        let list = app.post("/sources/shop/secrets", json!({"secret": "whsec_new"})).await.expect(201);
        let used = async |place: usize, times, after: i64| {
            let last = app.test.clock_now().plus_seconds(after);
            usage::add(&app.test.db, &[Use { id: id(&list, place).to_owned(), times, last }]).await.unwrap();
        };
        let says = async |texts: &[&str]| {
            app.test.clock.advance(2);
            let page = app.page(&ana, "/secrets").await;
            for text in texts {
                assert!(page.contains(text), "{text}: {page}");
            }
        };
        used(1, 50, 0).await;
        says(&["No webhook is signed with the new secret yet", "Is it saved at Paymos?"]).await;
        used(0, 1, 0).await;
        says(&["Both secrets are in use", "The new one verified ", "1 webhook"]).await;
        app.test.clock.advance(6 * 3600);
        used(0, 1203, 0).await;
        says(&["You can retire the old secret", "The new one verified 1\u{2009}204 webhooks; the old one none for 6 h."]).await;
        app.stop().await;
    }

    async fn retiring_the_newest_says_which_one_goes_on_and_when_it_was_to_end(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Support).await;
        add_source(&app, "shop").await;
        add_destination(&app, "erp", "https://erp.example", &["1m"]).await;
        for (path, of, new) in [
            ("/sources/shop/secrets", "source-shop", json!({"secret": "whsec_new", "overlap_s": 7200})),
            ("/destinations/erp/secrets", "destination-erp", json!({"overlap_s": 7200})),
        ] {
            let list = app.post(path, new).await.expect(201);
            let [new, old] = [0, 1].map(|place| list["secrets"][place]["fingerprint"].as_str().unwrap());
            let asked = format!("/secrets?retire={}&of={of}", id(&list, 0));
            let page = app.page(&ana, &asked).await;
            for told in ["This is the newest secret", "it stays active without an expiry instead", "datetime=\"2026-11-30T14:00:00Z\"", SURE, new, old] {
                assert!(page.contains(told), "{told}: {page}");
            }
            let (holder, slug) = of.split_once('-').unwrap();
            let fields = [("holder", holder), ("slug", slug), ("id", id(&list, 0)), ("sure", "true")];
            let done = app.form(&ana, &asked, "/rpc/secrets/retire", &fields).await;
            assert_eq!((done.status.as_u16(), done.header("location")), (303, "/secrets"));
            let left = app.get(path).await.expect(200);
            assert_eq!((left["secrets"].as_array().unwrap().len(), &left["secrets"][0]["expires_at"]), (1, &Value::Null));
            // It never ends: the moment at which it was to end passes.
        }
        app.test.clock.advance(7200);
        app.webhook("shop", SECRET, &webhook("evt_1", "invoice.paid", "inv_1")).await.expect(200);
        app.stop().await;
    }

    async fn the_audit_is_told_in_sentences_of_both_languages(test: TestDb) {
        let app = TestApp::start(test).await;
        let ana = app.session(Role::Viewer).await;
        add_source(&app, "shop").await;
        app.post("/sources/shop/secrets", json!({"secret": "whsec_new", "overlap_s": 7200})).await.expect(201);
        let english = app.page(&ana, "/audit").await;
        let spanish = app.page(&format!("{ana}; acuse_preferences=lang-es"), "/audit").await;
        for (page, told) in [
            (&english, ["Rotated the secret of the source shop", "both active for 2 h", "Secret rotated", "command line"]),
            (&spanish, ["Rotó el secreto del origen shop", "ambos activos 2 h", "Secreto rotado", "línea de comandos"]),
        ] {
            for told in told {
                assert!(page.contains(told), "{told}: {page}");
            }
            assert!(!page.contains(">secret.rotated"), "{page}");
        }
        app.stop().await;
    }

    async fn too_many_secrets_are_refused_in_words(test: TestDb) {
        let app = TestApp::start(test).await;
        add_source(&app, "shop").await;
        let paste = async |n: usize| app.post("/sources/shop/secrets", json!({"secret": format!("whsec_number_{n}")})).await;
        for n in 1..server::domain::secret::MOST_ACTIVE {
            paste(n).await.expect(201);
        }
        let refused = paste(99).await;
        assert_eq!(refused.problem(409), "too_many_secrets");
        assert!(refused.text().contains("16 secrets count already"), "the number is the one that counts");
        assert_eq!(server::domain::secret::MOST_ACTIVE, 16, "the texts say it");
        app.stop().await;
    }
}
