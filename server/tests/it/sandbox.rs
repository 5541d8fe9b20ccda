//! The simulated provider and shop, over real HTTP.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use app::types::Slug;
use axum::http::StatusCode;
use axum::http::header::{DATE, LOCATION, RETRY_AFTER};
use axum::response::IntoResponse;
use server::domain::secret::SecretValue;
use server::provider::api::ApiCredentials;
use server::provider::paymos::client::{ABOUT, CreatedWindow, PaymosClient};
use server::provider::problem::ApiError;
use server::registry::Registry;
use server::sandbox::provider::invoice::NewInvoice;
use server::sandbox::provider::{self, Account, Provider, Sender};
use server::vault::Vault;
use tokio_util::sync::CancellationToken;

use crate::on_both;
use crate::support::{TestDb, noon};

/// Serves on a free port of loopback for as long as the test runs.
pub async fn serve(router: axum::Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

pub fn order(number: usize) -> NewInvoice {
    NewInvoice {
        project_id: "prj_sandbox".to_owned(),
        amount: format!("{}.50", number + 1),
        currency: "USD".to_owned(),
        external_order_id: format!("order-{number:04}"),
        network: None,
        client_id: None,
        allow_multiple_payments: None,
        customer_fee_percent: None,
    }
}

async fn a_provider(test: &TestDb, posts_to: &str) -> Provider {
    server::sandbox::records::create_tables(&test.db).await.unwrap();
    let vault = Arc::new(Vault::ephemeral());
    let registry = Arc::new(Registry::new(test.db.clone(), vault, test.clock.clone()));
    registry.reload().await.unwrap();
    let slug: Slug = "paymos-sandbox".parse().unwrap();
    let stop = CancellationToken::new();
    let sender = Sender::new(test.clock.clone(), registry, slug, posts_to.to_owned(), stop).unwrap();
    let account = Account { key: "pk_test_1".to_owned(), secret: SecretValue::new("sk_test_1") };
    let provider = Provider::new(test.db.clone(), test.clock.clone(), sender);
    provider.open_account(account);
    provider
}

async fn api_of(provider: &Provider) -> String {
    let router = axum::Router::new().nest("/sandbox/paymos", provider::router(provider.clone()));
    format!("http://{}/sandbox/paymos", serve(router).await)
}

fn client(test: &TestDb, base_url: &str, secret: &str) -> PaymosClient {
    let credentials = ApiCredentials {
        base_url: base_url.to_owned(),
        key: "pk_test_1".to_owned(),
        secret: SecretValue::new(secret),
    };
    PaymosClient::new(&credentials, test.clock.clone()).unwrap()
}

fn last_day() -> CreatedWindow {
    CreatedWindow { from: noon().unix() - 86_400, to: noon().unix() }
}

on_both! {
    async fn a_client_follows_the_cursors_to_the_end(test: TestDb) {
        let provider = a_provider(&test, "http://127.0.0.1:9/").await;
        let mut made = Vec::new();
        for batch in 0..3 {
            test.clock.set(noon().plus_seconds(batch - 10));
            let orders = (0..90).map(|number| order(batch as usize * 90 + number)).collect();
            made.extend(provider.create_all(orders).await.unwrap());
        }
        test.clock.set(noon());
        let client = client(&test, &api_of(&provider).await, "sk_test_1");
        let (mut listed, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = client.invoices(last_day(), cursor.as_deref()).await.unwrap();
            pages += 1;
            listed.extend(page.items.into_iter().map(|item| item.invoice_id));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let mut wanted: Vec<_> = made.into_iter().map(|invoice| invoice.invoice_id).collect();
        wanted.sort();
        listed.sort();
        assert_eq!((pages, listed), (3, wanted));
    }

    async fn a_client_learns_the_providers_clock(test: TestDb) {
        let provider = a_provider(&test, "http://127.0.0.1:9/").await;
        let api = api_of(&provider).await;
        let client = client(&test, &api, "sk_test_1");
        provider.set_skew(40);
        assert_eq!(client.learn_clock().await, Ok(40));
        provider.set_skew(95);
        client.invoices(last_day(), None).await.unwrap();
        provider.set_skew(105);
        let error = client.invoices(last_day(), None).await.unwrap_err();
        assert_eq!(error, ApiError::Unauthorized { code: "timestamp_expired".to_owned(), about: &ABOUT });
    }

    async fn a_wrong_secret_is_one_sentence(test: TestDb) {
        let provider = a_provider(&test, "http://127.0.0.1:9/").await;
        let client = client(&test, &api_of(&provider).await, "sk_test_2");
        assert_eq!(
            client.learn_clock().await.unwrap_err().to_string(),
            "the API did not accept the credentials (401 invalid_signature): check the key, the secret and the clock"
        );
    }

    async fn an_order_has_one_invoice(test: TestDb) {
        let provider = a_provider(&test, "http://127.0.0.1:9/").await;
        let (first, is_new) = provider.create(order(1)).await.unwrap();
        let (second, is_newer) = provider.create(order(1)).await.unwrap();
        assert!(is_new && !is_newer && first == second);
        let other = NewInvoice { amount: "7".to_owned(), ..order(1) };
        assert_eq!(provider.create(other).await.unwrap_err().code, "external_order_id_conflict");
    }
}

/// An API that answers as the script says, and notes what it was asked.
async fn scripted(
    script: Vec<axum::response::Response>,
) -> (String, Arc<Mutex<Vec<axum::http::request::Parts>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (notes, script) = (Arc::clone(&asked), Arc::new(Mutex::new(VecDeque::from(script))));
    let router = axum::Router::new().fallback(move |request: axum::extract::Request| {
        notes.lock().unwrap().push(request.into_parts().0);
        let answer = script.lock().unwrap().pop_front();
        async move { answer.unwrap_or_else(|| StatusCode::IM_A_TEAPOT.into_response()) }
    });
    (format!("http://{}", serve(router).await), asked)
}

fn empty_page() -> axum::response::Response {
    r#"{"items":[],"next_cursor":null}"#.into_response()
}

on_both! {
    // reason: no statement is run, but the clock and the folder are those of every test
    async fn a_client_tries_again_what_may_pass(test: TestDb) {
        let again = || [(RETRY_AFTER, "0")];
        let (api, asked) = scripted(vec![
            StatusCode::BAD_GATEWAY.into_response(),
            (StatusCode::TOO_MANY_REQUESTS, again()).into_response(),
            empty_page(),
        ]).await;
        client(&test, &api, "sk_test_1").invoices(last_day(), Some("a+/=")).await.unwrap();
        let asked = std::mem::take(&mut *asked.lock().unwrap());
        assert_eq!(asked.len(), 3);
        let wanted = format!("created_from={}&created_to={}&cursor=a%2B%2F%3D&limit=100",
            noon().unix() - 86_400, noon().unix());
        assert!(asked.iter().all(|parts| parts.uri.query() == Some(&wanted)), "{asked:?}");
    }

    async fn a_client_leaves_what_does_not_pass(test: TestDb) {
        let status = |code| StatusCode::from_u16(code).unwrap().into_response();
        let located = (StatusCode::FOUND, [(LOCATION, "/v1/other")]).into_response();
        let slow = (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "3600")]).into_response();
        for (script, error, count) in [
            (vec![status(500), status(502), status(503)], "the API has a problem of its own (503), still after 2 retries", 3),
            (vec![status(429), status(429), status(429)], "the API asked to slow down (429) and did so again after 2 retries", 3),
            (vec![slow], "the API asked to wait 3600 seconds, longer than a run waits; try again later", 1),
            (vec![located], "the API refused the request (302 without a code)", 1),
            (vec!["<html>".into_response()], "the API's answer to /v1/invoices is not as documented \
                (expected value at line 1 column 1)", 1),
        ] {
            let (api, asked) = scripted(script).await;
            let told = client(&test, &api, "sk_test_1").invoices(last_day(), None).await.unwrap_err();
            assert_eq!((told.to_string().as_str(), asked.lock().unwrap().len()), (error, count));
        }
    }

    async fn a_clock_that_is_far_off_is_set_by_the_refusal(test: TestDb) {
        // noon() and 1000 s
        let date = (StatusCode::UNAUTHORIZED, [(DATE, "Mon, 30 Nov 2026 12:16:40 GMT")]).into_response();
        let time = format!("{{\"server_time\":{}}}", noon().unix() + 1000);
        let (api, asked) = scripted(vec![date, time.into_response(), empty_page()]).await;
        let client = client(&test, &api, "sk_test_1");
        assert_eq!(client.learn_clock().await, Ok(1000));
        client.invoices(last_day(), None).await.unwrap();
        let signed_at: Vec<_> = asked.lock().unwrap().iter()
            .map(|parts| parts.headers["x-request-timestamp"].to_str().unwrap().parse::<i64>().unwrap() - noon().unix())
            .collect();
        assert_eq!(signed_at, [0, 1000, 1000]);
    }
}

#[tokio::test]
async fn an_api_that_is_not_there_is_named() {
    let test = TestDb::new(crate::support::Kind::Sqlite).await; // reason: no statement is run
    let error = client(&test, "http://127.0.0.1:9", "sk_test_1").learn_clock().await.unwrap_err().to_string();
    assert!(error.starts_with("the API at 127.0.0.1:9 could not be reached ("), "{error}");
}
