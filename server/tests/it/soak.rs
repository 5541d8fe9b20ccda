//! Ten rotations of a source and of a destination under steady traffic. The provider and the merchant each know one
//! secret at a time and change over at a random moment of the window; nothing may be rejected, and nothing refused.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use hmac::{Hmac, Mac};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;
use sha2::Sha256;

use crate::api::{add_destination, webhook};
use crate::on_both;
use crate::support::test_app::TestApp;

const DAY: i64 = 86_400;
const ROUNDS: usize = 10;
/// Moments of a window at which webhooks come, beside those of its beginning and end.
const MOMENTS: usize = 5;
const TOGETHER: usize = 3;

/// The merchant's server: it takes what one of the signatures in the header is right for, by the one secret it has.
#[derive(Clone, Default)]
struct Merchant {
    secret: Arc<Mutex<String>>,
    taken: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
}

impl Merchant {
    async fn start(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new().fallback(take).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }
}

async fn take(State(merchant): State<Merchant>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let header = headers["x-webhook-signature"].to_str().unwrap();
    let (time, signatures) = header.strip_prefix("t=").unwrap().split_once(',').unwrap();
    let secret = merchant.secret.lock().unwrap().clone();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.").as_bytes());
    mac.update(&body);
    let right = hex::encode(mac.finalize().into_bytes());
    let is_right = signatures.split(',').any(|part| part.strip_prefix("v1=") == Some(&right));
    let (count, status) = match is_right {
        true => (&merchant.taken, StatusCode::OK),
        false => (&merchant.refused, StatusCode::UNAUTHORIZED),
    };
    count.fetch_add(1, Ordering::SeqCst);
    status
}

/// Sends some webhooks at this moment, and waits until the merchant has them.
async fn traffic(app: &TestApp, merchant: &Merchant, secret: &str, sent: &mut usize) {
    let bodies: Vec<_> = (0..TOGETHER)
        .map(|n| webhook(&format!("evt_{}", *sent + n), "invoice.paid", &format!("inv_{}", *sent + n)))
        .collect();
    let answers =
        futures_util::future::join_all(bodies.iter().map(|body| app.webhook("shop", secret, body))).await;
    for answer in answers {
        assert_eq!(answer.expect(200)["status"], "stored");
    }
    *sent += TOGETHER;
    // Until it is written down, too: the clock is about to jump, and a lease must not end meanwhile.
    let sql = "select count(*) from delivery where state = 'delivered' and attempts = 1";
    app.until("the merchant has them", async || {
        let done: i64 =
            server::read!(&app.test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap();
        let refused = merchant.refused.load(Ordering::SeqCst);
        assert_eq!(refused, 0, "by a merchant with one secret");
        done == i64::try_from(*sent).unwrap()
    })
    .await;
}

on_both! {
    async fn ten_rotations_under_traffic_reject_and_refuse_nothing(test: TestDb) {
        let seed: u64 = rand::rng().random();
        println!("seed {seed}");
        let mut random = StdRng::seed_from_u64(seed);
        let mut app = TestApp::start(test).await;
        let mut provider = "whsec_provider_0".to_owned();
        let body = json!({"slug": "shop", "provider": "paymos", "mode": "test", "secret": provider, "tolerance_s": 300});
        app.post("/sources", body).await.expect(201);
        let merchant = Merchant::default();
        let made = add_destination(&app, "erp", &merchant.start().await, &["1m"]).await;
        *merchant.secret.lock().unwrap() = made["secret"].as_str().unwrap().to_owned();
        let mut sent = 0;
        for round in 1..=ROUNDS {
            let begun = app.test.clock_now();
            let new = format!("whsec_provider_{round}");
            app.post("/sources/shop/secrets", json!({"secret": new, "overlap_s": DAY})).await.expect(201);
            let made = app.post("/destinations/erp/secrets", json!({"overlap_s": DAY})).await.expect(201);
            let mut new_of_merchant = made["secret"].as_str().map(str::to_owned);
            let mut new_of_provider = Some(new);
            let [provider_at, merchant_at] = [(); 2].map(|()| random.random_range(0..DAY));
            let restart_at = (round == ROUNDS / 2).then(|| random.random_range(0..DAY));
            let mut moments: Vec<i64> = (0..MOMENTS).map(|_| random.random_range(0..DAY)).collect();
            moments.extend([0, provider_at, merchant_at, DAY - 1]);
            moments.extend(restart_at);
            moments.sort_unstable();
            for at in moments {
                app.test.clock.set(begun.plus_seconds(at));
                traffic(&app, &merchant, &provider, &mut sent).await;
                if at >= provider_at && let Some(new) = new_of_provider.take() {
                    provider = new;
                }
                if at >= merchant_at && let Some(new) = new_of_merchant.take() {
                    *merchant.secret.lock().unwrap() = new;
                }
                if restart_at == Some(at) {
                    app = TestApp::start(app.stop().await).await;
                }
                traffic(&app, &merchant, &provider, &mut sent).await;
            }
            app.test.clock.set(begun.plus_seconds(DAY));
            let list = app.get("/sources/shop/secrets").await.expect(200);
            assert_eq!(list["secrets"].as_array().unwrap().len(), 1, "the overlap is over");
        }
        assert_eq!(merchant.refused.load(Ordering::SeqCst), 0, "seed {seed}");
        assert_eq!(merchant.taken.load(Ordering::SeqCst), sent, "seed {seed}");
        assert!(sent > 500, "{sent} webhooks");
        app.stop().await;
    }
}
