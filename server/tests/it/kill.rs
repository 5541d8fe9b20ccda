//! The process is killed with SIGKILL under load, many times, at random points: every id that was answered 200 is in
//! the database and is delivered in the end, and the shop books each order once.
//!
//! Real time and real processes: what is tested is what survives a kill, so there is no clock to inject.

mod shop;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hmac::{Hmac, Mac};
use rand::Rng;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::on_both;
use crate::support::TestDb;
use shop::Shop;

const SECRET: &str = "whsec_test_of_the_kill_test";
const KILLS: usize = 12;
const SENDERS: usize = 12;

on_both! {
    async fn nothing_acknowledged_is_lost_when_the_process_is_killed(test: TestDb) {
        let shop = Shop::start().await;
        let gateway = Gateway::new(&test);
        let token = gateway.set_up();
        let mut process = gateway.start().await;
        let destination = gateway.connect(&token, &shop.url).await;
        shop.trust(&destination);

        let sent = Arc::new(Sent::default());
        let senders: Vec<_> = (0..SENDERS)
            .map(|number| tokio::spawn(send(number, gateway.receive_url(), Arc::clone(&sent))))
            .collect();
        for _ in 0..KILLS {
            let life = rand::rng().random_range(80..700);
            tokio::time::sleep(Duration::from_millis(life)).await;
            process.kill().unwrap();
            process.wait().unwrap();
            process = gateway.start().await;
        }
        sent.over.store(true, Ordering::Relaxed);
        for sender in senders {
            sender.await.unwrap();
        }

        let acknowledged = sent.acknowledged.lock().unwrap().clone();
        assert!(acknowledged.len() > 100, "only {} were acknowledged: no load", acknowledged.len());
        shop.wait_for(&acknowledged, Duration::from_secs(120)).await;
        let states = wait_for_rows(&test, acknowledged.len()).await;
        let missing: Vec<_> = acknowledged.iter().filter(|id| !states.contains_key(*id)).collect();
        assert!(missing.is_empty(), "acknowledged and not in the database: {missing:?}");
        let twice: Vec<_> = shop.bookings().into_iter().filter(|(_, times)| *times != 1).collect();
        assert!(twice.is_empty(), "booked more than once: {twice:?}");
        process.kill().unwrap();
        process.wait().unwrap();
        assert!(!gateway.log().contains("panicked at"), "{}", gateway.log());
    }
}

/// Every event's delivery state, once all of them are delivered.
async fn wait_for_rows(test: &TestDb, at_least: usize) -> BTreeMap<String, String> {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let sql = "select e.event_id, coalesce(d.state, 'none') from event e left join delivery d on d.event_id = e.id";
        let rows: Vec<(String, String)> =
            server::read!(&test.db, on => sqlx::query_as(sql).fetch_all(on).await).unwrap();
        let states: BTreeMap<_, _> = rows.iter().cloned().collect();
        assert_eq!(states.len(), rows.len(), "an event has two rows or two deliveries");
        let open: Vec<_> = states.iter().filter(|(_, state)| *state != "delivered").collect();
        if open.is_empty() && states.len() >= at_least {
            return states;
        }
        assert!(Instant::now() < until, "never delivered: {open:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[derive(Default)]
struct Sent {
    acknowledged: Mutex<BTreeSet<String>>,
    over: AtomicBool,
}

/// Posts event after event as a provider does: again and again until it is answered 200, and now and then once more.
async fn send(number: usize, url: String, sent: Arc<Sent>) {
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
    for event in 0.. {
        let (id, order) = (format!("evt_{number}_{event}"), format!("inv_{number}_{event}"));
        let body = json!({
            "event_id": id, "event_type": "invoice.paid", "version": 1, "occurred_at": 1_796_040_000,
            "data": { "invoice_id": order, "status": "paid", "is_final": true, "is_test": true },
        })
        .to_string();
        let repeats = if event % 7 == 0 { 2 } else { 1 };
        let mut answered = 0;
        while answered < repeats {
            if sent.over.load(Ordering::Relaxed) {
                return;
            }
            match client
                .post(&url)
                .header("x-webhook-signature", sign(SECRET, &body))
                .body(body.clone())
                .send()
                .await
            {
                Ok(answer) if answer.status() == 200 => {
                    answered += 1;
                    sent.acknowledged.lock().unwrap().insert(id.clone());
                }
                Ok(answer) => assert_eq!(answer.status(), 503, "{}", answer.text().await.unwrap_or_default()),
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

fn sign(secret: &str, body: &str) -> String {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{now}.{body}").as_bytes());
    format!("t={now},v1={}", hex::encode(mac.finalize().into_bytes()))
}

/// The real binary on a port of its own.
struct Gateway {
    port: u16,
    environment: Vec<(&'static str, String)>,
    log_file: std::path::PathBuf,
}

impl Gateway {
    fn new(test: &TestDb) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let key = test.folder.path().join("acuse.key");
        server::vault::key_file::create(&key).unwrap();
        let environment = vec![
            ("ACUSE_LISTEN", format!("127.0.0.1:{port}")),
            ("ACUSE_DATABASE_URL", test.url.clone()),
            ("ACUSE_KEY_FILE", key.display().to_string()),
            ("ACUSE_ALLOW_NETS", "127.0.0.0/8".to_owned()),
        ];
        Self { port, environment, log_file: test.folder.path().join("acuse.log") }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acuse"));
        command.envs(self.environment.iter().map(|(name, value)| (*name, value)));
        command
    }

    /// An admin's token.
    fn set_up(&self) -> String {
        let output = self.command().args(["token", "create", "kill", "--role", "admin"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Starts it and waits until it is ready.
    async fn start(&self) -> Child {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let log = std::fs::OpenOptions::new().create(true).append(true).open(&self.log_file).unwrap();
        let child = self.command().arg("serve").stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let until = Instant::now() + Duration::from_secs(30);
        let ready = format!("http://127.0.0.1:{}/readyz", self.port);
        while !client.get(&ready).send().await.is_ok_and(|answer| answer.status() == 200) {
            assert!(Instant::now() < until, "it does not start: {}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        child
    }

    /// Makes the source and the destination; returns the destination's secret.
    async fn connect(&self, token: &str, shop: &str) -> String {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let post = async |path: &str, body: Value| -> Value {
            let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port);
            let request = client.post(url).bearer_auth(token).header("content-type", "application/json");
            let answer = request.body(body.to_string()).send().await.unwrap();
            let (status, text) = (answer.status(), answer.text().await.unwrap());
            assert_eq!(status, 201, "{text}");
            serde_json::from_str(&text).unwrap()
        };
        post("/sources", json!({"slug": "paymos", "provider": "paymos", "mode": "test", "secret": SECRET}))
            .await;
        let destination =
            post("/destinations", json!({"slug": "shop", "url": shop, "format": "paymos"})).await;
        destination["secret"].as_str().unwrap().to_owned()
    }

    fn receive_url(&self) -> String {
        format!("http://127.0.0.1:{}/webhooks/paymos", self.port)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(&self.log_file).unwrap_or_default()
    }
}
