//! A real broken request for each finding, and the exact sentences.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use server::clock::Clock;
use server::domain::secret::SecretValue;

use super::*;

const BODY: &str = "{\n  \"event_id\": \"evt_1\",\n  \"note\": \"a/b\"\n}";
/// 2026-11-30, 12:00 UTC.
const NOW: i64 = 1_796_040_000;
const UNTOUCHED: &str = "Something between the sender and Acuse rewrites bodies: ask whoever runs it to pass them \
                         through unchanged.";
const TIME_RIGHT: (&str, &str) = (
    "time_right",
    "The time in the signature is 0 s from our clock; 5 min are allowed. It is not the clock.",
);
const NOTHING: (&str, &str) = (
    "nothing_matches",
    "{tried} secrets were tried. None matches this signature, in any encoding, nor with the usual changes to a body \
     on its way. Copy the secret of this endpoint at the provider and paste it here as a new one. If that is the \
     one that is here already, something on the way rewrote the body: ask whoever runs it.",
);
const PROXY: (&str, &str) = (
    "proxy",
    "It came through a proxy (Via: 1.1 edge). Proxies that unpack, filter or rewrite bodies or headers break \
     signatures: \
     look there first.",
);

/// A broken request, and all that is said of it.
struct Broken {
    /// Also the name of its source.
    name: String,
    /// What its source is made of; none: Paymos with [`own`] secret and 300 s.
    source: Option<Value>,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    said: Vec<(&'static str, String)>,
}

fn fingerprint(secret: &str) -> String {
    SecretValue::new(secret).fingerprint()
}

fn own(name: &str) -> String {
    format!("whsec_secret_of_{name}")
}

fn broken(name: &str, signature: Option<String>, body: &[u8], said: &[(&'static str, &str)]) -> Broken {
    Broken {
        name: name.to_owned(),
        source: None,
        headers: signature.map(|signature| ("x-webhook-signature", signature)).into_iter().collect(),
        body: body.to_vec(),
        said: said.iter().map(|(code, sentence)| (*code, (*sentence).to_owned())).collect(),
    }
}

impl Broken {
    fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Something more is said at this place.
    fn also(mut self, place: usize, (code, sentence): (&'static str, &str)) -> Self {
        self.said.insert(place, (code, sentence.to_owned()));
        self
    }

    /// Of a source of the provider `hmac`.
    fn of(self, secret: &str, hmac: Value) -> Self {
        let name = &self.name;
        let source =
            json!({"slug": name, "provider": "hmac", "mode": "live", "secret": secret, "hmac": hmac});
        Self { source: Some(source), ..self }
    }
}

/// A body that was signed in one form and came in another.
fn rewritten(name: &str, sent: &str, came: &str, code: &'static str, how: &str) -> Broken {
    let sentence = format!("{how} it matches the secret {}. {UNTOUCHED}", fingerprint(&own(name)));
    let signature = signed(&own(name), NOW, sent.as_bytes());
    broken(name, Some(signature), came.as_bytes(), &[(code, &sentence), TIME_RIGHT])
}

fn bodies() -> Vec<Broken> {
    let crlf = BODY.replace('\n', "\r\n");
    let bom = format!("\u{feff}{BODY}");
    let compact = "{\"event_id\":\"evt_1\",\"note\":\"a/b\"}";
    vec![
        rewritten("crlf", BODY, &crlf, "body_line_ends_crlf", "With LF in place of CR LF at the line ends"),
        rewritten("lf", &crlf, BODY, "body_line_ends_lf", "With CR LF in place of LF at the line ends"),
        rewritten("bom", BODY, &bom, "body_bom_added", "Without the byte order mark at its beginning"),
        rewritten("no-bom", &bom, BODY, "body_bom_lost", "With a byte order mark at its beginning"),
        rewritten(
            "line",
            BODY,
            &format!("{BODY}\n"),
            "body_line_end_added",
            "With one line end fewer after it",
        ),
        rewritten(
            "no-line",
            &format!("{BODY}\n"),
            BODY,
            "body_line_end_lost",
            "With one line end more after it",
        ),
        rewritten("blank", "a=b", " a=b ", "body_white_space_added", "Without the white space around it"),
        rewritten("compact", compact, BODY, "body_json_was_compact", "As compact JSON, without spaces,"),
        rewritten(
            "spaced",
            "{\"event_id\": \"evt_1\", \"note\": \"a/b\"}",
            compact,
            "body_json_was_spaced",
            "As JSON with a space after each comma and colon",
        ),
        rewritten("indented", BODY, compact, "body_json_was_indented", "As indented JSON"),
        rewritten(
            "escaped",
            "{\"event_id\":\"evt_1\",\"note\":\"a\\/b\"}",
            compact,
            "body_json_was_escaped",
            "As JSON whose slashes or letters are escaped in another way",
        ),
        rewritten("base64", BODY, &STANDARD.encode(BODY), "body_into_base64", "Decoded from base64"),
        rewritten(
            "string",
            BODY,
            &json!(BODY).to_string(),
            "body_into_string",
            "Taken out of the JSON string that it is in",
        ),
        rewritten("proxied", compact, BODY, "body_json_was_compact", "As compact JSON, without spaces,")
            .header("via", "1.1 edge")
            .also(1, PROXY),
    ]
}

fn headers() -> Vec<Broken> {
    let good = |name: &str| signed(&own(name), NOW, BODY.as_bytes());
    let body = BODY.as_bytes();
    vec![
        broken(
            "missing",
            None,
            body,
            &[
                (
                    "header_missing",
                    "The header X-Webhook-Signature did not arrive. Either the sender is not the provider of this \
                     source, or a proxy removes the header: configure it to pass X-Webhook-Signature.",
                ),
                PROXY,
            ],
        )
        .header("via", "1.1 edge"),
        // What the sender is told is that ours is missing; what came instead says more.
        broken(
            "instead",
            None,
            body,
            &[
                (
                    "other_scheme",
                    "It carries Stripe-Signature, which belongs to the scheme stripe. Check at that provider to which \
                     address it sends: it should be the receive URL of a source of that kind.",
                ),
                (
                    "header_missing",
                    "The header X-Webhook-Signature did not arrive. Either the sender is not the provider of this \
                     source, or a proxy removes the header: configure it to pass X-Webhook-Signature.",
                ),
            ],
        )
        .header("stripe-signature", &good("instead")),
        broken(
            "twice",
            Some(good("twice")),
            body,
            &[(
                "header_repeated",
                "The header X-Webhook-Signature came 2 times and must come once. A proxy probably adds it again: \
                 configure the proxy to leave it unchanged.",
            )],
        )
        .header("x-webhook-signature", &good("twice")),
        broken(
            "malformed",
            Some(format!("t=17960x0000,v1={}", "0".repeat(64))),
            body,
            &[(
                "header_malformed",
                "The header X-Webhook-Signature is malformed at character 8: the time is not a number of 1 to 18 \
                 digits. \
                 Either a proxy changes it, or the sender is not the provider of this source.",
            )],
        ),
        broken(
            "two-times",
            Some(format!("{},t=1", good("two-times"))),
            body,
            &[(
                "header_malformed",
                "The header X-Webhook-Signature is malformed at character 82: a second time begins there. Either a \
                 proxy \
                 changes it, or the sender is not the provider of this source.",
            )],
        ),
        broken(
            "no-time",
            Some("v1=00".to_owned()),
            body,
            &[(
                "header_malformed",
                "The header X-Webhook-Signature is malformed at character 6: there is no time in it. Either a proxy \
                 changes it, or the sender is not the provider of this source.",
            )],
        ),
        broken(
            "no-prefix",
            None,
            body,
            &[(
                "header_malformed",
                "The header X-Hub-Signature-256 is malformed at character 1: the signature does not begin as it must. \
                 Either a proxy changes it, or the sender is not the provider of this source.",
            )],
        )
        .header("x-hub-signature-256", &"0".repeat(64))
        .of("a secret of GitHub", json!({"preset": "github_sha256"})),
        broken(
            "unreadable",
            Some(format!("t={NOW},v1=abc")),
            body,
            &[
                (
                    "signature_unreadable",
                    "In the header X-Webhook-Signature, the 3 characters from character 17 on have the wrong length \
                     or alphabet for a signature of this provider. It was cut or rewritten on the way, or created \
                     in another way: ask the sender to log the header that it sends, and compare.",
                ),
                TIME_RIGHT,
            ],
        ),
        broken(
            "adyen",
            None,
            br#"{"live":"false","notificationItems":[{"NotificationRequestItem":{"pspReference":"1"}}]}"#,
            &[(
                "no_signatures_in_body",
                "This provider puts its signatures into the body, and there are none in this one. Either HMAC \
                 signatures are not enabled at the provider, or something else sent it.",
            )],
        )
        .of(&"a1".repeat(32), json!({"preset": "adyen_standard"})),
    ]
}

fn times() -> Vec<Broken> {
    let at = |name: &str, time: i64| Some(signed(&own(name), time, BODY.as_bytes()));
    let good = |name: &str| {
        format!(
            "Except for the time it is valid: the secret {} of this source signed exactly the bytes that arrived.",
            fingerprint(&own(name))
        )
    };
    let cases = [
        (
            "ahead",
            NOW + 412,
            "time_ahead",
            "The time in the signature is 6 min 52 s (412 s) ahead of our clock; 5 min (300 s) are allowed. Check that \
             the clock of this server is right. If it is, and more of these come, allow more seconds at this source, then \
             verify again.",
        ),
        (
            "behind",
            NOW - 7200,
            "time_behind",
            "The time in the signature is 2 h (7200 s) behind our clock; 5 min (300 s) are allowed. Either it was \
             delayed on the way, or someone replays an old request, or a clock is wrong. Check the clock of this \
             server, then ask the sender why it was late.",
        ),
        (
            "millis",
            NOW * 1000,
            "time_in_milliseconds",
            "The time in the signature is 1796040000000, which counts milliseconds; this provider counts seconds. Have \
             the sender divide by 1000 before it signs.",
        ),
    ];
    let case = |(name, time, code, sentence): (&str, i64, &'static str, &str)| {
        broken(name, at(name, time), BODY.as_bytes(), &[(code, sentence), ("signature_good", &good(name))])
    };
    cases.into_iter().map(case).collect()
}

fn secrets() -> Vec<Broken> {
    let body = BODY.as_bytes();
    let by = |secret: &str| Some(signed(secret, NOW, body));
    let other = format!(
        "It was signed with the secret {}, which belongs to the source nothing (test). At the provider, point this \
         endpoint to /webhooks/nothing, or paste its secret here if it was pasted there by mistake.",
        fingerprint(&own("nothing"))
    );
    let expired = format!(
        "It was signed with the secret {} of this source, which expired on 2026-11-30 12:00 UTC. Look at the \
         endpoints at the provider: one of them still signs with the old secret. Before you bring it back, find out \
         why it was retired.",
        fingerprint(&own("expired"))
    );
    let reading = format!(
        "It matches when the secret {} is read as text, letter for letter, without its beginning whsec_; this source \
         reads it as text, letter for letter. Set this source to the scheme that reads it so, or paste the secret in \
         that form.",
        fingerprint(&own("reading"))
    );
    let mended = format!(
        "It is valid with the current secrets: the secret {} signed it. Verify it again to store it.",
        fingerprint("whsec_the_right_one")
    );
    let nobody = by("whsec_nobody_knows");
    vec![
        broken("other", by(&own("nothing")), body, &[("other_source_secret", &other), TIME_RIGHT]),
        broken("expired", by(&own("expired")), body, &[("expired_secret", &expired), TIME_RIGHT]),
        broken("reading", by("secret_of_reading"), body, &[("other_key_reading", &reading), TIME_RIGHT]),
        broken("mended", by("whsec_the_right_one"), body, &[("good_now", &mended)]),
        broken("nothing", nobody.clone(), body, &[NOTHING, PROXY, TIME_RIGHT]).header("via", "1.1 edge"),
        broken(
            "empty",
            by(&own("empty")),
            b"",
            &[
                (
                    "empty_body",
                    "No body arrived. A redirect or a proxy in front drops it: have the provider post to the \
                     receive URL itself, letter by letter, with https and without a slash at the end.",
                ),
                NOTHING,
                TIME_RIGHT,
            ],
        ),
        broken(
            "unpacked",
            nobody.clone(),
            body,
            &[
                (
                    "body_unpacked",
                    "Its header says that the body is packed with gzip, and it is not: something between the sender \
                     and \
                     Acuse unpacked it. Have whoever runs it pass bodies through untouched, then have it sent again.",
                ),
                NOTHING,
                TIME_RIGHT,
            ],
        )
        .header("content-encoding", "gzip"),
        broken(
            "large",
            nobody,
            &vec![b'x'; 300_000],
            &[
                (
                    "body_not_whole",
                    "Only the first 262144 of its 300000 bytes are stored, so its signature cannot be checked and \
                     it cannot be imported. Ask the provider to resend it when the cause is fixed.",
                ),
                TIME_RIGHT,
            ],
        ),
        polar(),
        square(),
    ]
}

/// Standard Webhooks by a sender that takes the secret's text as the key.
fn polar() -> Broken {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let sentence = format!(
        "It matches when the secret {} is read as text, letter for letter; this source reads it as base64. Set this \
         source to the scheme that reads it so, or paste the secret in that form.",
        fingerprint(secret)
    );
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("msg_1.{NOW}.{BODY}")).finalize().into_bytes();
    let source = json!({"slug": "polar", "provider": "standard_webhooks", "mode": "test", "secret": secret});
    let broken = broken("polar", None, BODY.as_bytes(), &[("other_key_reading", &sentence)])
        .header("webhook-id", "msg_1")
        .header("webhook-timestamp", &NOW.to_string())
        .header("webhook-signature", &format!("v1,{}", STANDARD.encode(mac)));
    Broken { source: Some(source), ..broken }
}

/// A sender that signs the address, and knows another one.
fn square() -> Broken {
    let mac = Hmac::<Sha256>::new_from_slice(b"a secret of Square").unwrap();
    let mac = mac.chain_update("https://shop.example/hook").chain_update(BODY).finalize().into_bytes();
    let sentence = "This provider signs the address that it posts to. It matches https://shop.example/hook; this \
                    source \
                    has https://shop.example/hook/. Make the two the same, letter by letter.";
    broken("square", None, BODY.as_bytes(), &[("other_url", sentence)])
        .header("x-square-hmacsha256-signature", &STANDARD.encode(mac))
        .of("a secret of Square", json!({"preset": "square", "url": "https://shop.example/hook/"}))
}

async fn send(app: &TestApp, broken: &Broken) {
    let headers: Vec<(&str, &str)> =
        broken.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    post(app, &broken.name, &headers, broken.body.clone()).await.expect(401);
}

async fn findings(app: &TestApp, slug: &str) -> Vec<(String, String)> {
    let row = newest(app, slug, 1).await;
    let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
    let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
    let findings = one["findings"].as_array().unwrap().iter();
    findings.map(|finding| (text(finding, "code"), text(finding, "message"))).collect()
}

async fn examined(app: &TestApp, broken: &Broken, tried: &str) {
    let expected: Vec<_> = broken
        .said
        .iter()
        .map(|(code, sentence)| ((*code).to_owned(), sentence.replace("{tried}", tried)))
        .collect();
    assert_eq!(findings(app, &broken.name).await, expected, "{}", broken.name);
}

on_both! {
    async fn each_finding_names_its_cause_and_what_to_do(test: TestDb) {
        let app = TestApp::start(test).await;
        assert_eq!(app.test.clock.now().unix(), NOW);
        let all: Vec<Broken> = [bodies(), headers(), times(), secrets()].into_iter().flatten().collect();
        for broken in &all {
            match &broken.source {
                None => source(&app, &broken.name, &own(&broken.name)).await,
                Some(made) => drop(app.post("/sources", made.clone()).await.expect(201)),
            }
        }
        let rotate = json!({"secret": "whsec_the_new_one", "overlap_s": 0});
        app.post("/sources/expired/secrets", rotate).await.expect(201);
        for broken in &all {
            send(&app, broken).await;
        }
        app.until("all are kept", async || app.every("/rejections", "").await.len() == all.len()).await;
        app.post("/sources/mended/secrets", json!({"secret": "whsec_the_right_one"})).await.expect(201);
        // One of each source, and the two new ones.
        let tried = (all.len() + 2).to_string();
        for broken in &all {
            examined(&app, broken, &tried).await;
        }
        let gone = newest(&app, "crlf", 1).await;
        app.delete("/sources/crlf").await.expect(204);
        let one = app.get(&format!("/rejections/{}", gone["id"])).await.expect(200);
        assert_eq!(
            one["findings"],
            json!([{"code": "source_gone", "message": "The source that rejected it was deleted. Create one with the \
                     same name and the provider’s secret, then verify again."}])
        );
        app.stop().await;
    }

    async fn a_source_that_can_verify_nothing_is_named_first(test: TestDb) {
        let app = TestApp::start(test).await;
        for (slug, hmac) in [("key", json!({"header": "x-sig"})), ("scheme", json!({"header": "x-sig"}))] {
            let body = json!({"slug": slug, "provider": "hmac", "mode": "live", "secret": "no base64!", "hmac": hmac});
            app.post("/sources", body).await.expect(201);
        }
        source(&app, "none", SECRET).await;
        // Settings of another version; and none of its secrets counts.
        let sql = "update source set settings = '{\"preset\":\"gone\"}' where slug = 'scheme'";
        server::write!(&app.test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        let sql = "update secret set expires_at = $1 where source_id = (select id from source where slug = 'none')";
        let now = app.test.clock.now();
        server::write!(&app.test.db, on => sqlx::query(sql).bind(now.micros()).execute(on).await.map(drop)).unwrap();
        app.patch("/sources/key", json!({"hmac": {"header": "x-sig", "key": "base64"}})).await.expect(200);
        for (slug, code, sentence) in [
            (
                "key",
                "unusable_secret",
                "No active secret of the source can be read as base64. Copy it from the provider once more, all of \
                 it and \
                 nothing else, then verify again.",
            ),
            (
                "scheme",
                "no_scheme",
                "The settings of the source do not say how its sender signs, so it rejects everything. Set its \
                 scheme, then verify again.",
            ),
            (
                "none",
                "no_active_secret",
                "The source has no active secret, so it rejects everything. Paste the secret that the provider \
                 shows for this endpoint, then verify again.",
            ),
        ] {
            let answer = post(&app, slug, &[("x-sig", &"0".repeat(64))], "{}").await;
            assert_eq!(answer.problem(401), "signature_refused", "{slug}");
            let first = findings(&app, slug).await.swap_remove(0);
            assert_eq!(first, (code.to_owned(), sentence.to_owned()));
        }
        app.stop().await;
    }

    async fn the_page_says_the_cause_first_in_the_readers_language(test: TestDb) {
        let app = TestApp::start(test).await;
        source(&app, "shop", SECRET).await;
        let signature = signed(SECRET, NOW + 412, b"{}");
        post(&app, "shop", &[("x-webhook-signature", &signature)], "{}").await.expect(401);
        let path = format!("/rejections/{}", newest(&app, "shop", 1).await["id"]);
        let ana = app.session(Role::Support).await;
        let english = app.said("en", &ana, &path).await;
        for said in [
            "The sender’s clock is 6 min 52 s ahead of ours",
            "6 min 52 s ahead; 5 min allowed",
            "The signature matches",
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
            "Verify again",
        ] {
            assert!(english.contains(said), "{said}: {english}");
        }
        let spanish = app.said("es", &ana, &path).await;
        for said in [
            "El reloj de quien envía va 6 min 52 s por delante",
            "La hora de la firma va 6 min 52 s (412 s) por delante de nuestro reloj; se permiten 5 min (300 s).",
            "6 min 52 s por delante; se permiten 5 min",
            "La firma coincide",
            "Verificar de nuevo",
        ] {
            assert!(spanish.contains(said), "{said}: {spanish}");
        }
        app.stop().await;
    }
}
