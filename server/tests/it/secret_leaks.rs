//! No secret is anywhere but where it is shown once: a full run of the real binary that logs all it can, and then every
//! byte of its log, of its answers and of its database is searched.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use reqwest::{Client, Method, RequestBuilder, redirect};
use serde_json::{Value, json};
use server::db::Db;
use sha2::Sha256;

use crate::api::webhook;
use crate::fixture::{Reply, Sink};
use crate::on_both;
use crate::support::TestDb;
use crate::support::test_app::Answer;

const PASSWORD: &str = "correct horse battery 9f3a";
const EMAIL: &str = "ana@shop.test";

/// One run of the product, and what came out of it.
struct Run {
    folder: PathBuf,
    url: String,
    base: String,
    child: Option<Child>,
    http: Client,
    token: String,
    cookie: String,
    bodies: Vec<u8>,
}

impl Run {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acuse"));
        command
            .current_dir(&self.folder)
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap());
        command.envs([
            ("ACUSE_DATABASE_URL", self.url.as_str()),
            ("ACUSE_KEY_FILE", "acuse.key"),
            ("ACUSE_LISTEN", "127.0.0.1:0"),
            ("ACUSE_ALLOW_NETS", "127.0.0.0/8"),
            ("ACUSE_LOG", "trace"),
        ]);
        let log = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        command
    }

    /// A command that ends; what it printed.
    fn output(&self, args: &[&str], input: &str) -> String {
        let mut child = self.command(args).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn log(&self) -> Vec<u8> {
        std::fs::read(self.folder.join("log")).unwrap()
    }

    async fn serve(&mut self) {
        let known = self.log().len();
        let mut command = self.command(&["serve"]);
        let printed = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        self.child = Some(command.stdin(Stdio::null()).stdout(printed).spawn().unwrap());
        for _ in 0..500 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let log = String::from_utf8_lossy(&self.log()[known..]).into_owned();
            let Some((_, rest)) = log.split_once("listening on http://") else { continue };
            self.base = format!("http://{}", rest.split([' ', '"', '\n', '\u{1b}']).next().unwrap());
            if self.http.get(format!("{}/readyz", self.base)).send().await.is_ok_and(|it| it.status() == 200)
            {
                return;
            }
        }
        panic!("it does not serve");
    }

    fn stop(&mut self) {
        let mut child = self.child.take().unwrap();
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        assert!(child.wait().unwrap().success());
    }

    /// Sends it and keeps all of the answer, unless it shows a secret this once.
    async fn send(&mut self, request: RequestBuilder, shows: bool) -> Answer {
        let answer = Answer::of(request.send().await.unwrap()).await;
        if !shows {
            self.bodies.extend(&answer.bytes);
            self.bodies.extend(format!("{:?}", answer.headers).into_bytes());
        }
        answer
    }

    async fn api(&mut self, method: Method, path: &str, body: Option<Value>, shows: bool) -> Answer {
        let request =
            self.http.request(method, format!("{}/api/v1{path}", self.base)).bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        self.send(request, shows).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.api(Method::POST, path, Some(body), false).await
    }

    async fn page(&mut self, path: &str, shows: bool) -> Answer {
        let request = self.http.get(format!("{}{path}", self.base)).header("cookie", &self.cookie);
        self.send(request.header("accept", "text/html"), shows).await
    }

    /// A form of a page, as a browser without script sends it.
    async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .header("origin", &self.base)
            .header("cookie", &self.cookie)
            .header("accept", "text/html")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body);
        let answer = self.send(request, false).await;
        for cookie in answer.headers.get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookie = format!("{}; {pair}", self.cookie).trim_start_matches("; ").to_owned();
        }
        answer
    }

    async fn webhook(&mut self, n: usize, secret: &str) -> Answer {
        let body = webhook(&format!("evt_{n}"), "invoice.paid", &format!("inv_{n}"));
        let t = server::clock::Clock::now(&server::clock::SystemClock).unix();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{t}.{body}").as_bytes());
        let signature = format!("t={t},v1={}", hex::encode(mac.finalize().into_bytes()));
        let request = self.http.post(format!("{}/webhooks/shop", self.base)).body(body);
        self.send(request.header("x-webhook-signature", signature), false).await
    }
}

/// Every way in which a secret might be written.
fn needles(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut needles = vec![
        secret.to_vec(),
        hex::encode(secret).into_bytes(),
        hex::encode_upper(secret).into_bytes(),
        // The Debug form of bytes.
        secret.iter().map(u8::to_string).collect::<Vec<_>>().join(", ").into_bytes(),
        url::form_urlencoded::byte_serialize(secret).collect::<String>().into_bytes(),
    ];
    // In base64 it looks different at each of three places; what its neighbours touch is left out.
    for before in 0..3 {
        let padded = [&vec![0_u8; before][..], secret].concat();
        for encoded in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            needles.push(encoded.as_bytes()[[0, 2, 3][before]..encoded.len() - 1].to_vec());
        }
    }
    needles
}

fn found(haystack: &[u8], secret: &[u8]) -> bool {
    // The first byte is looked for first: a log of a run at its loudest is long.
    needles(secret).iter().any(|needle| {
        let first = needle[0];
        let mut rest = haystack;
        while let Some(at) = rest.iter().position(|byte| *byte == first) {
            if rest[at..].starts_with(needle) {
                return true;
            }
            rest = &rest[at + 1..];
        }
        false
    })
}

#[test]
fn what_is_looked_for_would_be_found() {
    let secret = b"whsec_0123456789abcdefghijklmnop";
    for text in [
        format!("a {} b", String::from_utf8_lossy(secret)),
        format!("\\x00{}", hex::encode(secret)),
        format!("{:?}", secret),
        STANDARD.encode(secret),
        STANDARD.encode([b"{\"x\":\"", &secret[..], b"\"}"].concat()),
        STANDARD.encode([b"ab", &secret[..]].concat()),
        URL_SAFE_NO_PAD.encode([b"abcd", &secret[..]].concat()),
    ] {
        assert!(found(text.as_bytes(), secret), "{text}");
    }
    assert!(!found(b"whsec_0123456789abcdefghijklmno", secret));
}

/// What is typed into the form for a source.
fn a_source(secret: &str) -> [(&str, &str); 7] {
    [
        ("form[act]", "new"),
        ("form[slug]", "typed"),
        ("form[sender]", "stripe"),
        ("form[mode]", "test"),
        ("form[secret]", secret),
        ("form[api_url]", "https://api.test"),
        ("form[api_key]", "pk_1"),
    ]
}

/// SQLite's files as they are, and PostgreSQL's tables as text.
async fn every_byte(run: &Run, test: &TestDb) -> Vec<u8> {
    let mut bytes = Vec::new();
    match &test.db {
        Db::Sqlite(_) => {
            for entry in std::fs::read_dir(&run.folder).unwrap() {
                let path = entry.unwrap().path();
                let is_data = path.file_name().unwrap().to_string_lossy().starts_with("acuse.db");
                bytes.extend(if is_data { std::fs::read(path).unwrap() } else { Vec::new() });
            }
        }
        Db::Postgres(pool) => {
            let sql = "select table_name::text from information_schema.tables where table_schema = 'public'";
            let tables: Vec<String> = sqlx::query_scalar(sql).fetch_all(pool).await.unwrap();
            for table in tables {
                let sql = format!("select coalesce(string_agg(t::text, ' '), '') from \"{table}\" t");
                let text: String =
                    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(pool).await.unwrap();
                bytes.extend(text.into_bytes());
            }
        }
    }
    bytes
}

fn master_keys(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("acuse.key")).unwrap();
    text.lines().filter_map(|line| line.split_once(' ')).map(|(_, key)| key.to_owned()).collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

on_both! {
    async fn no_secret_is_in_a_log_an_answer_or_a_byte_of_the_database(test: TestDb) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        let mut run = Run {
            folder: test.folder.path().to_owned(), url: test.url.clone(), base: String::new(), child: None, http,
            token: String::new(), cookie: String::new(), bodies: Vec::new(),
        };
        server::vault::key_file::create(&run.folder.join("acuse.key")).unwrap();
        run.output(&["user", "add", EMAIL, "--role", "admin"], &format!("{PASSWORD}\n"));
        run.token = run.output(&["token", "create", "ci", "--role", "admin"], "");
        run.serve().await;
        let mut secrets: Vec<String> = vec![PASSWORD.to_owned(), run.token.clone()];
        let pasted: Vec<String> = (0..4).map(|n| format!("whsec_pastedByAnaAtTheProvider_{n}_kT7q")).collect();
        let api = "sk_test_theSecretHalfOfTheApiKey_Zb41".to_owned();
        let refused = "whsec_thisOneWasRefused_77Qx".to_owned();
        secrets.extend(pasted.iter().cloned());
        secrets.extend([api.clone(), refused.clone()]);

        let sink = Sink::start().await;
        let credentials = json!({"base_url": sink.url, "key": "pk_test_1", "secret": api});
        let source = json!({"slug": "shop", "provider": "paymos", "mode": "test", "secret": pasted[0],
            "tolerance_s": 300, "api": credentials});
        run.post("/sources", source).await.expect(201);
        let erp = json!({"slug": "erp", "url": sink.url, "format": "paymos", "ladder": ["1s", "1s"]});
        let made = run.api(Method::POST, "/destinations", Some(erp), true).await.expect(201);
        secrets.push(text_of(&made["secret"]));

        // Rotations both ways, all that can be done about them, and what is refused.
        run.webhook(1, &pasted[0]).await.expect(200);
        run.post("/sources/shop/secrets", json!({"secret": pasted[1], "overlap_s": 600, "reason": "tuesday"})).await.expect(201);
        run.webhook(2, &pasted[1]).await.expect(200);
        run.webhook(3, &pasted[2]).await.problem(401);
        run.post("/sources/shop/secrets/undo", json!({})).await.expect(200);
        run.post("/sources/shop/secrets", json!({"secret": pasted[2]})).await.expect(201);
        let list = run.api(Method::GET, "/sources/shop/secrets", None, false).await.expect(200);
        let old = format!("/sources/shop/secrets/{}", text_of(&list["secrets"][1]["id"]));
        run.api(Method::PATCH, &old, Some(json!({"extend_s": 3600})), false).await.expect(200);
        run.api(Method::DELETE, &old, None, false).await.expect(204);
        for bad in [json!(refused), json!([refused]), json!({"base_url": sink.url, "key": [refused]})] {
            assert!(!run.post("/sources", json!({"slug": "other", "provider": "paymos", "mode": "test", "api": bad,
                "secret": format!("{refused}\n")})).await.status.is_success());
        }
        for bad in [
            json!({"secret": format!(" {refused}")}), json!({"secret": [refused]}), json!({"secret": {"a": refused}}),
            json!({"secret": format!("{refused}\u{0}")}), json!({"secret": pasted[2]}),
        ] {
            assert!(!run.post("/sources/shop/secrets", bad).await.status.is_success());
        }
        let url = format!("{}/api/v1/sources/shop/secrets", run.base);
        let broken = run.http.post(&url).bearer_auth(&run.token).header("content-type", "application/json");
        let broken = broken.body(format!("{{\"secret\": \"{refused}\", "));
        assert_eq!(run.send(broken, false).await.problem(400), "malformed_json");
        let stranger = run.http.get(&url).bearer_auth(&refused);
        assert_eq!(run.send(stranger, false).await.status, 401);
        let made = run.api(Method::POST, "/destinations/erp/secrets", Some(json!({})), true).await.expect(201);
        secrets.push(text_of(&made["secret"]));
        run.post("/destinations/erp/secrets/test", json!({})).await.expect(200);
        sink.reply(Reply::Status(500));
        run.webhook(4, &pasted[2]).await.expect(200);
        sink.wait_for(6).await;
        sink.reply(Reply::Status(200));

        // A new master key in between, and a new start.
        secrets.extend(master_keys(&run.folder));
        run.output(&["keys", "rotate"], "");
        secrets.extend(master_keys(&run.folder));
        run.post("/sources/shop/secrets", json!({"secret": pasted[3]})).await.expect(201);
        let mut database = every_byte(&run, &test).await;
        run.stop();
        run.serve().await;
        run.webhook(5, &pasted[3]).await.expect(200);

        // The dashboard, without script: a wrong log-in, a right one, the pages, and a secret that is shown once.
        run.form("/login", &[("email", EMAIL), ("password", &refused)]).await;
        run.cookie.clear();
        run.form("/login", &[("email", EMAIL), ("password", PASSWORD)]).await;
        let done = run.form("/rpc/secrets/rotate-source",
            &[("slug", "shop"), ("secret", &format!("{refused} ")), ("overlap_s", "60")]).await;
        assert!(done.status.is_redirection(), "{}", done.status);
        let padded = format!(" {refused}");
        let done = run.form("/rpc/sources/apply", &a_source(&padded)).await;
        assert!(done.header("location").contains("__err="), "{:?}", done.headers);
        run.page(done.header("location"), false).await;
        let typed = ["whsec_typedIntoTheFormByAna_kX31".to_owned(), "sk_test_typedIntoTheFormToo_9Lq".to_owned()];
        secrets.extend(typed.iter().cloned());
        let done = run.form("/rpc/sources/apply", &[&a_source(&typed[0])[..], &[("form[api_secret]", &typed[1])]].concat()).await;
        assert_eq!(done.header("location"), "/sources?setup=typed");
        let done = run.form("/rpc/secrets/rotate-destination", &[("slug", "erp"), ("overlap_s", "60")]).await;
        assert!(done.header("location").starts_with("/secrets?made=erp"), "{:?}", done.headers);
        let shown = run.page("/secrets?made=erp", true).await;
        let page = String::from_utf8(shown.bytes).unwrap();
        let value = page.split("whsec_").nth(1).expect("it is shown").split(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c));
        let value = format!("whsec_{}", value.clone().next().unwrap());
        assert_eq!(value.len(), 6 + 44, "{value}");
        secrets.push(value);
        run.cookie = run.cookie.split("; ").filter(|pair| !pair.contains("made")).collect::<Vec<_>>().join("; ");
        for path in ["/secrets", "/deliveries", "/events", "/reconciliation", "/deliveries/1", "/events/1", "/nowhere",
            "/secrets?rotate=shop&of=source", "/secrets?undo=erp&of=destination", "/sources?setup=typed", "/sources?edit=typed"] {
            assert!(run.page(path, false).await.bytes.len() > 1000, "{path}");
        }
        for path in ["/sources", "/destinations", "/events", "/deliveries", "/alerts", "/audit?limit=200", "/audit/verify",
            "/sources/shop", "/destinations/erp", "/destinations/erp/secrets", "/deliveries/1", "/events/1",
            "/openapi.json"] {
            run.api(Method::GET, path, None, false).await.expect(200);
        }
        for path in ["/metrics", "/healthz", "/readyz"] {
            let request = run.http.get(format!("{}{path}", run.base));
            assert_eq!(run.send(request, false).await.status, 200, "{path}");
        }
        run.api(Method::DELETE, "/destinations/erp", None, false).await.expect(204);
        run.api(Method::DELETE, "/sources/shop", None, false).await.expect(204);
        database.extend(every_byte(&run, &test).await);
        run.stop();
        database.extend(every_byte(&run, &test).await);

        let log = run.log();
        for (place, bytes, known) in [
            ("log", &log, "secrets changed"), ("answers", &run.bodies, "secret.rotated"), ("database", &database, "tuesday"),
        ] {
            assert!(bytes.windows(known.len()).any(|window| window == known.as_bytes()), "{place} is what it should be");
            for secret in &secrets {
                assert!(!found(bytes, secret.as_bytes()), "{secret} is in the {place}");
                let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret)).unwrap_or_default();
                assert!(key.len() < 32 || !found(bytes, &key), "the bytes of {secret} are in the {place}");
            }
        }
        assert!(log.len() > 100_000, "it logs all that it can");
    }
}
