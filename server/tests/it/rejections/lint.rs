//! Secrets are looked at when they are pasted.

use super::*;

on_both! {
    async fn a_secret_that_is_certainly_wrong_is_refused_with_what_to_paste_instead(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        source(&app, "pos", "whsec_of_the_pos").await;
        let svix = json!({"slug": "svix", "provider": "standard_webhooks", "mode": "test",
                          "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"});
        app.post("/sources", svix).await.expect(201);
        for (slug, provider, secret, code, message) in [
            ("shop", "paymos", " whsec_x_y_z", "white_space", "accepted: a string of 1 to 1024 characters without white space around it"),
            ("shop", "paymos", "sk_test_0123456789", "api_key", "accepted: the signing secret of the webhook endpoint, such as whsec_…"),
            ("shop", "paymos", "pk_live_0123456789", "api_key", "which signs no webhooks"),
            ("shop", "paymos", "rk_live_0123456789", "api_key", "which signs no webhooks"),
            ("svix", "standard_webhooks", "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx", "version_prefix", "accepted: what comes after it, from whsec_ on"),
            ("svix", "standard_webhooks", "whsec_MfKQ9r8G", "too_short", "accepted: all of what the provider shows"),
            ("svix", "standard_webhooks", "whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!", "undecodable", "accepted: the secret as the provider shows it"),
            ("shop", "paymos", "whsec_of_the_pos", "of_another_source", "is the secret of the source pos; accepted: the one of this endpoint"),
        ] {
            let made = json!({"slug": "new", "provider": provider, "mode": "test", "secret": secret});
            let answers = [
                app.post("/sources", made).await,
                app.post(&format!("/sources/{slug}/secrets"), json!({"secret": secret})).await,
            ];
            for answer in answers {
                assert_eq!(answer.refused(), [("secret".to_owned(), code.to_owned())], "{secret}");
                let said = answer.json()["errors"][0]["message"].as_str().unwrap().to_owned();
                assert!(said.contains(message), "{said}");
                assert!(!String::from_utf8_lossy(&answer.bytes).contains(secret.trim()), "{said}");
            }
        }
        app.delete("/sources/pos").await.expect(204);
        source(&app, "pos2", "whsec_of_the_pos").await;
        app.stop().await;
    }

    async fn a_secret_of_another_source_is_refused_where_each_endpoint_has_its_own(test: TestDb) {
        let app = TestApp::start(test).await;
        let made = |slug: &str, settings: Value| {
            let mut body = json!({"slug": slug, "mode": "test", "secret": "whsec_one_for_two_sources"});
            body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
            body
        };
        for (name, settings) in [
            ("paymos", json!({"provider": "paymos"})),
            ("stripe", json!({"provider": "stripe"})),
            ("paddle", json!({"provider": "paddle"})),
            ("square", json!({"provider": "hmac", "hmac": {"preset": "square"}})),
            ("mollie", json!({"provider": "hmac", "hmac": {"preset": "mollie"}})),
        ] {
            app.post("/sources", made(&format!("{name}-live"), settings.clone())).await.expect(201);
            let refused = app.post("/sources", made(&format!("{name}-test"), settings.clone())).await;
            assert_eq!(refused.refused(), [("secret".into(), "of_another_source".into())], "{name}");
            let mut own = made(&format!("{name}-test"), settings);
            own["secret"] = json!(format!("whsec_of_its_own_{name}"));
            app.post("/sources", own).await.expect(201);
            let path = format!("/sources/{name}-test/secrets");
            let refused = app.post(&path, json!({"secret": "whsec_one_for_two_sources"})).await;
            assert_eq!(refused.refused(), [("secret".into(), "of_another_source".into())], "{name}");
            assert!(String::from_utf8_lossy(&refused.bytes).contains(&format!("the source {name}-live")), "{name}");
        }
        app.stop().await;
    }

    async fn a_secret_that_several_sources_may_have_is_taken_with_a_warning(test: TestDb) {
        let app = TestApp::start(test).await;
        let both = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let senders = [
            ("app-eu", json!({"provider": "hmac", "hmac": {"preset": "shopify"}})),
            ("app-us", json!({"provider": "hmac", "hmac": {"preset": "shopify"}})),
            ("own", json!({"provider": "hmac", "hmac": {"header": "x-signature"}})),
            ("std", json!({"provider": "standard_webhooks"})),
            ("paymos", json!({"provider": "paymos"})),
        ];
        let mut before: Vec<&str> = Vec::new();
        for (slug, settings) in &senders {
            let mut body = json!({"slug": slug, "mode": "test", "secret": both});
            body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
            let made = app.post("/sources", body).await.expect(201);
            if before.is_empty() {
                assert!(made["warnings"].is_null(), "{made}");
            } else {
                let message = format!(
                    "is also the secret of {}; if that is not meant, rotate to the one of this endpoint",
                    before.join(", ")
                );
                assert_eq!(made["warnings"], json!([{"field": "secret", "code": "shared", "message": message}]));
            }
            before.push(slug);
            before.sort_unstable();
        }
        let shared = |list: &Value| list["secrets"].as_array().unwrap().iter().map(|it| it["shared_with"].clone()).collect::<Vec<_>>();
        let list = app.get("/sources/std/secrets").await.expect(200);
        assert_eq!(shared(&list), [json!(["app-eu", "app-us", "own", "paymos"])]);

        // What ends here is shared there no more; and the page says what the list says.
        let rotated = json!({"secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "overlap_s": 0});
        let rotated = app.post("/sources/std/secrets", rotated).await.expect(201);
        assert_eq!((shared(&rotated), &rotated["warnings"]), (vec![json!([])], &Value::Null));
        app.delete("/sources/paymos").await.expect(204);
        let rotated = app.post("/sources/own/secrets", json!({"secret": "another one", "overlap_s": 3600})).await.expect(201);
        assert_eq!(shared(&rotated), [json!([]), json!(["app-eu", "app-us"])]);
        let again = app.post("/sources/own/secrets", json!({"secret": both})).await;
        assert_eq!(again.refused(), [("secret".into(), "repeated".into())]);
        let back = app.post("/sources/std/secrets", json!({"secret": both})).await.expect(201);
        assert_eq!(shared(&back)[0], json!(["app-eu", "app-us", "own"]));
        assert_eq!(back["warnings"][0]["code"], "shared");
        app.stop().await;
    }
}
