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
            ("shop", "paymos", "whsec_of_the_pos", "of_another_source", "accepted: the one of this endpoint"),
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
}
