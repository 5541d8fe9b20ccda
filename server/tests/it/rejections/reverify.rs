//! What cannot be verified again says so, and what is refused still says why.

use super::*;

const TOKEN: &str = "It cannot be verified again: it carries the secret itself in a header, which is never stored. Ask the sender to resend it when the cause is fixed.";
const BODY: &str = "It cannot be verified again: it is too large to be stored in full. Ask the sender to resend it when the cause is fixed.";

async fn reverify(app: &TestApp, rejection: &Value) -> Value {
    app.post(&format!("/rejections/{}/reverify", rejection["id"]), json!({})).await.expect(200)
}

on_both! {
    async fn a_token_is_not_kept_and_so_cannot_be_verified_again(test: TestDb) {
        let app = TestApp::start(test).await;
        let made = json!({"slug": "flutter", "provider": "hmac", "mode": "live", "secret": "an old hash",
            "hmac": {"preset": "flutterwave_static"}});
        app.post("/sources", made).await.expect(201);
        source(&app, "shop", SECRET).await;
        let body = r#"{"webhook_id":"wbk_1","type":"charge.completed"}"#;
        post(&app, "flutter", &[("verif-hash", "the right hash")], body).await.expect(401);
        let row = newest(&app, "flutter", 1).await;
        let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
        assert_eq!(one["not_kept"], "token");
        let finding = json!({"code": "token_not_kept", "message": "This sender signs nothing: the header Verif-Hash is the secret itself, and is never stored. So it cannot be checked or imported. Compare the secret at the sender with the one of this source, then ask for a resend."});
        assert_eq!(one["findings"], json!([finding]));

        // Not even with the secret that it came with.
        app.post("/sources/flutter/secrets", json!({"secret": "the right hash"})).await.expect(201);
        let refused = json!({"status": "rejected", "reason": "signature_mismatch", "not_kept": "token", "message": TOKEN,
            "event_id": null});
        assert_eq!(reverify(&app, &row).await, refused);
        let still = json!([{"count": 1, "reason": "signature_mismatch", "not_kept": "token", "message": TOKEN}]);
        let all = app.post("/sources/flutter/rejections/reverify", json!({})).await.expect(200);
        assert_eq!(all, json!({"stored": 0, "duplicate": 0, "rejected": 1, "still": still}));

        // One that came without the header can be examined; and the hash is nobody's to read, wherever it was sent.
        post(&app, "flutter", &[], body).await.expect(401);
        let bare = newest(&app, "flutter", 2).await;
        let bare = app.get(&format!("/rejections/{}", bare["id"])).await.expect(200);
        assert_eq!((&bare["not_kept"], &bare["findings"][0]["code"]), (&Value::Null, &json!("header_missing")));
        post(&app, "shop", &[("verif-hash", "the right hash")], body).await.expect(401);
        let elsewhere = newest(&app, "shop", 1).await;
        let elsewhere = app.get(&format!("/rejections/{}", elsewhere["id"])).await.expect(200);
        assert!(!elsewhere.to_string().contains("the right hash"), "{elsewhere}");
        assert_eq!(elsewhere["findings"][0]["code"], "other_scheme");
        app.stop().await;
    }

    async fn a_body_that_is_not_kept_whole_cannot_be_verified_again(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", "whsec_pasted_wrongly").await;
        let body = "x".repeat(300_000);
        let signature = signed(SECRET, app.test.clock.now().unix(), body.as_bytes());
        post(&app, "shop", &[("x-webhook-signature", &signature)], body).await.expect(401);
        let row = newest(&app, "shop", 1).await;
        assert_eq!(app.get(&format!("/rejections/{}", row["id"])).await.expect(200)["not_kept"], "body");
        app.post("/sources/shop/secrets", json!({"secret": SECRET})).await.expect(201);
        let refused = json!({"status": "rejected", "reason": "signature_mismatch", "not_kept": "body", "message": BODY,
            "event_id": null});
        assert_eq!(reverify(&app, &row).await, refused);
        // Where the body is not signed it is needed all the same: it is what would be delivered.
        let pago = json!({"slug": "pago", "provider": "hmac", "mode": "live", "secret": "a secret",
            "hmac": {"preset": "mercadopago"}});
        app.post("/sources", pago).await.expect(201);
        let now = app.test.clock.now().unix();
        post(&app, "pago", &[("x-signature", &format!("ts={now},v1={}", "0".repeat(64)))], "y".repeat(300_000)).await;
        let row = newest(&app, "pago", 1).await;
        let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
        assert_eq!((&one["not_kept"], &one["findings"][0]["code"]), (&json!("body"), &json!("body_not_whole")));
        app.stop().await;
    }

    async fn the_dashboard_says_what_can_never_be_verified(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", "whsec_pasted_wrongly").await;
        let now = app.test.clock.now().unix();
        for body in ["x".repeat(300_000), r#"{"event_id":"evt_1","event_type":"invoice.paid"}"#.to_owned()] {
            let signature = signed(SECRET, now, body.as_bytes());
            post(&app, "shop", &[("x-webhook-signature", &signature)], body).await.expect(401);
        }
        post(&app, "shop", &[], "{}").await.expect(401);
        newest(&app, "shop", 3).await;
        app.post("/sources/shop/secrets", json!({"secret": SECRET, "overlap_s": 0})).await.expect(201);
        let large = app.every("/rejections", "source=shop").await;
        let large = large.iter().find(|row| row["body_size"] == 300_000).unwrap()["id"].clone();
        let ana = app.session(Role::Support).await;
        let page = app.page(&ana, &format!("/rejections/{large}")).await;
        assert!(page.contains(BODY) && !page.contains("/rpc/rejections/verify\""), "{page}");
        let page = app.page_in("es", &ana, &format!("/rejections/{large}")).await;
        assert!(page.contains("No se puede verificar de nuevo: es demasiado grande"), "{page}");

        // With script, and without.
        let done = app.rpc(&ana, "/rpc/rejections/verify-all", &[("source", "shop")]).await.expect(200);
        assert_eq!((&done["stored"], &done["rejected"]), (&json!(1), &json!(2)));
        let mut still: Vec<_> = done["still"].as_array().unwrap().iter().map(|still| still["not_kept"].clone()).collect();
        still.sort_by_key(Value::is_null);
        assert_eq!(still, [json!("body"), json!(null)]);
        let answer = app.submit(&ana, "/rpc/rejections/verify-all", &[("source", "shop")]).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/rejections?source=shop&done=0.0.2.1"));
        let page = app.page(&ana, answer.header("location")).await;
        let said = "0 new events, 0 duplicates, 2 still rejected; 1 of these cannot be verified, because they were not stored in full";
        assert!(page.contains(said), "{page}");
        app.stop().await;
    }

    async fn each_reason_to_be_refused_still_has_a_sentence(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        let now = app.test.clock.now().unix();
        let at = |time: i64| signed(SECRET, time, b"{}");
        for (n, (signature, reason, said)) in [
            (Some(signed("whsec_other", now, b"{}")), "signature_mismatch", "None of the current secrets matches its signature."),
            (Some(at(now - 1000)), "timestamp_too_old", "It was signed too long before it arrived."),
            (Some(at(now + 1000)), "timestamp_too_new", "Its time is too far ahead of this server’s clock."),
            (None, "missing_header", "The header with its signature is missing, so no secret can verify it."),
            (Some("t=1;v1=2".to_owned()), "malformed_header", "The header with its signature is malformed"),
        ].into_iter().enumerate() {
            let headers: Vec<_> = signature.iter().map(|it| ("x-webhook-signature", it.as_str())).collect();
            post(&app, "shop", &headers, "{}").await.expect(401);
            let again = reverify(&app, &newest(&app, "shop", n + 1).await).await;
            assert_eq!((&again["status"], &again["reason"]), (&json!("rejected"), &json!(reason)));
            assert!(again["message"].as_str().unwrap().starts_with(said), "{again}");
        }
        let sql = "update secret set expires_at = $1";
        server::write!(&app.test.db, on => sqlx::query(sql).bind(app.test.clock.now().micros()).execute(on).await.map(drop)).unwrap();
        app.patch("/sources/shop", json!({"tolerance_s": null})).await.expect(200);
        let again = reverify(&app, &newest(&app, "shop", 5).await).await;
        assert_eq!(again["reason"], "bad_secret");
        assert_eq!(
            again["message"],
            "The source has no secret that can verify it. Paste the one of this endpoint, then verify again."
        );
        app.stop().await;
    }
}
