//! A real broken request for each finding, and the exact sentence.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use server::clock::Clock;
use server::domain::secret::SecretValue;

use super::*;

const BODY: &str = "{\n  \"event_id\": \"evt_1\",\n  \"note\": \"a/b\"\n}";
/// 2026-11-30, 12:00 UTC.
const NOW: i64 = 1_796_040_000;
const UNTOUCHED: &str = "Something between the sender and Acuse rewrites bodies: have whoever runs it pass them through untouched.";

/// A broken request, and what is said first of it.
struct Broken {
    /// Also the name of its source, unless that has another.
    name: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    codes: Vec<&'static str>,
    sentence: String,
}

fn fingerprint(secret: &str) -> String {
    SecretValue::new(secret).fingerprint()
}

fn own(name: &str) -> String {
    format!("whsec_secret_of_{name}")
}

fn broken(
    name: &str,
    signature: Option<String>,
    body: &[u8],
    codes: &[&'static str],
    sentence: &str,
) -> Broken {
    Broken {
        name: name.to_owned(),
        headers: signature.map(|signature| ("x-webhook-signature", signature)).into_iter().collect(),
        body: body.to_vec(),
        codes: codes.to_vec(),
        sentence: sentence.to_owned(),
    }
}

/// A body that was signed in one form and came in another.
fn rewritten(name: &str, sent: &str, came: &str, code: &'static str, how: &str) -> Broken {
    let sentence = format!("{how} it matches the secret {}. {UNTOUCHED}", fingerprint(&own(name)));
    broken(name, Some(signed(&own(name), NOW, sent.as_bytes())), came.as_bytes(), &[code], &sentence)
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
    ]
}

fn headers() -> Vec<Broken> {
    let good = |name: &str| signed(&own(name), NOW, BODY.as_bytes());
    let body = BODY.as_bytes();
    let mut missing = broken(
        "missing",
        None,
        body,
        &["header_missing", "other_scheme", "proxy"],
        "The header X-Webhook-Signature did not arrive. Either the sender is not the provider of this source, or a proxy \
         takes the header away: have it let X-Webhook-Signature through.",
    );
    missing.headers = vec![("stripe-signature", good("missing")), ("via", "1.1 edge".to_owned())];
    let mut twice = broken(
        "twice",
        Some(good("twice")),
        body,
        &["header_repeated"],
        "The header X-Webhook-Signature came 2 times and must come once. A proxy probably adds it again: have it left as \
         it was sent.",
    );
    twice.headers.push(("x-webhook-signature", good("twice")));
    vec![
        missing,
        twice,
        broken(
            "malformed",
            Some(format!("t=17960x0000,v1={}", "0".repeat(64))),
            body,
            &["header_malformed"],
            "The header X-Webhook-Signature is malformed at character 8: the time is not a number of 1 to 18 digits. \
             Either a proxy changes it, or the sender is not the provider of this source.",
        ),
        broken(
            "unreadable",
            Some(format!("t={NOW},v1=abc")),
            body,
            &["signature_unreadable"],
            "In the header X-Webhook-Signature, the 3 characters from character 17 on have the wrong length or alphabet \
             for a signature of this provider. It was cut or written anew on the way, or made in another way: have the \
             sender log the header that it sends, and compare.",
        ),
    ]
}

fn times() -> Vec<Broken> {
    let at = |name: &str, time: i64| Some(signed(&own(name), time, BODY.as_bytes()));
    vec![
        broken(
            "ahead",
            at("ahead", NOW + 412),
            BODY.as_bytes(),
            &["time_ahead", "signature_good"],
            "The time in the signature is 6 min 52 s (412 s) ahead of our clock; 300 s are allowed. Check that the clock \
             of this server is right. If it is, and more of these come, allow more seconds at this source, then verify \
             again.",
        ),
        broken(
            "behind",
            at("behind", NOW - 7200),
            BODY.as_bytes(),
            &["time_behind", "signature_good"],
            "The time in the signature is 2 h (7200 s) behind our clock; 300 s are allowed. Either it waited on its way, \
             or somebody sends an old request again, or a clock is wrong. Check the clock of this server, then ask the \
             sender why it was late.",
        ),
        broken(
            "millis",
            at("millis", NOW * 1000),
            BODY.as_bytes(),
            &["time_in_milliseconds", "signature_good"],
            "The time in the signature is 1796040000000, which counts milliseconds; this provider counts seconds. Have \
             the sender divide by 1000 before it signs.",
        ),
    ]
}

fn secrets() -> Vec<Broken> {
    let body = BODY.as_bytes();
    let by = |secret: &str| Some(signed(secret, NOW, body));
    let mut proxied = broken(
        "nothing",
        by("whsec_nobody_knows"),
        body,
        &["nothing_matches", "proxy"],
        "28 secrets were tried. No secret matches, read in any way, nor with what usually changes a body on its way. \
         Compare the secret at the provider with the one of this source. If they are the same, something rewrote the \
         body.",
    );
    proxied.headers.push(("via", "1.1 edge".to_owned()));
    vec![
        broken(
            "other",
            by(&own("nothing")),
            body,
            &["other_source_secret"],
            &format!(
                "It was signed with the secret {}, which belongs to the source nothing (test). At the provider, point \
                 this endpoint to /webhooks/nothing, or paste its secret here if it was pasted there by mistake.",
                fingerprint(&own("nothing"))
            ),
        ),
        broken(
            "expired",
            by(&own("expired")),
            body,
            &["expired_secret"],
            &format!(
                "It was signed with the secret {} of this source, which does not count since 2026-11-30 12:00 UTC. Look \
                 at the endpoints at the provider: one of them still signs with the old secret. Before you bring it \
                 back, find out why it was ended.",
                fingerprint(&own("expired"))
            ),
        ),
        broken(
            "reading",
            by("secret_of_reading"),
            body,
            &["other_key_reading"],
            &format!(
                "It matches when the secret {} is read as text, letter for letter, without its beginning whsec_; this \
                 source reads it as text, letter for letter. Set this source to the scheme that reads it so, or paste \
                 the secret in that form.",
                fingerprint(&own("reading"))
            ),
        ),
        broken(
            "mended",
            by("whsec_the_right_one"),
            body,
            &["good_now"],
            &format!(
                "With what counts today it is good: the secret {} signed it. Verify it again to take it in.",
                fingerprint("whsec_the_right_one")
            ),
        ),
        broken(
            "empty",
            by(&own("empty")),
            b"",
            &["empty_body", "nothing_matches"],
            "No body came. A redirect or a proxy in front drops it: have the provider post to the receive URL itself, \
             letter by letter, with https and without a slash at the end.",
        ),
        proxied,
        broken(
            "large",
            by("whsec_nobody_knows"),
            &vec![b'x'; 300_000],
            &["body_not_whole"],
            "Only the first 262144 of its 300000 bytes are kept, so its signature cannot be examined, nor can it be taken \
             in. Have the provider send it again once the cause is mended.",
        ),
    ]
}

/// The header of Standard Webhooks by a sender that takes the secret's text as the key.
fn standard(app: &TestApp, secret: &str) -> Vec<(&'static str, String)> {
    let now = app.test.clock.now().unix();
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let mac = mac.chain_update(format!("msg_1.{now}.{BODY}")).finalize().into_bytes();
    vec![
        ("webhook-id", "msg_1".to_owned()),
        ("webhook-timestamp", now.to_string()),
        ("webhook-signature", format!("v1,{}", STANDARD.encode(mac))),
    ]
}

async fn send(app: &TestApp, broken: &Broken) {
    let headers: Vec<(&str, &str)> =
        broken.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    post(app, &broken.name, &headers, broken.body.clone()).await.expect(401);
}

async fn examined(app: &TestApp, broken: &Broken) {
    let row = newest(app, &broken.name, 1).await;
    let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
    let findings = one["findings"].as_array().unwrap();
    let codes: Vec<_> = findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(codes, broken.codes, "{}: {findings:?}", broken.name);
    assert_eq!(findings[0]["message"].as_str().unwrap(), broken.sentence, "{}", broken.name);
}

on_both! {
    async fn each_finding_names_its_cause_and_what_to_do(test: TestDb) {
        let app = TestApp::start(test).await;
        assert_eq!(app.test.clock.now().unix(), NOW);
        let mut all: Vec<Broken> = [bodies(), headers(), times(), secrets()].into_iter().flatten().collect();
        for broken in &all {
            source(&app, &broken.name, &own(&broken.name)).await;
        }
        let raw = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        app.post("/sources", json!({"slug": "polar", "provider": "standard_webhooks", "mode": "test", "secret": raw}))
            .await
            .expect(201);
        all.push(Broken {
            name: "polar".to_owned(),
            headers: standard(&app, raw),
            body: BODY.into(),
            codes: vec!["other_key_reading"],
            sentence: format!(
                "It matches when the secret {} is read as text, letter for letter; this source reads it as base64. Set \
                 this source to the scheme that reads it so, or paste the secret in that form.",
                fingerprint(raw)
            ),
        });
        let rotate = json!({"secret": "whsec_the_new_one", "overlap_s": 0});
        app.post("/sources/expired/secrets", rotate).await.expect(201);
        for broken in &all {
            send(&app, broken).await;
        }
        app.until("all are kept", async || app.every("/rejections", "").await.len() == all.len()).await;
        app.post("/sources/mended/secrets", json!({"secret": "whsec_the_right_one"})).await.expect(201);
        for broken in &all {
            examined(&app, broken).await;
        }
        let row = newest(&app, "crlf", 1).await;
        app.delete("/sources/crlf").await.expect(204);
        let one = app.get(&format!("/rejections/{}", row["id"])).await.expect(200);
        assert_eq!(
            one["findings"],
            json!([{"code": "source_gone", "message": "The source that refused it was deleted. Make one of this name \
                    with the provider’s secret, then verify again."}])
        );
        app.stop().await;
    }
}
