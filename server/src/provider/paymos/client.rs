//! The client of the Paymos API: signed reads. It only reads; nothing at the provider is changed.

use std::sync::atomic::{AtomicI64, Ordering};

use reqwest::header::AUTHORIZATION;
use serde::Deserialize;

use super::request::{SignedRequest, TIMESTAMP_HEADER, query};
use crate::clock::SharedClock;
use crate::domain::secret::SecretValue;
use crate::provider::api::{Answer, Api, ApiCredentials};
use crate::provider::problem::{ApiDescription, ApiError};

/// Rows of a page: the most that the API gives.
pub const PAGE: usize = 100;
/// What is told of it.
pub const ABOUT: ApiDescription =
    ApiDescription { lists: "invoices", check: "the key, the secret and the clock", needed: "a Payment key" };
/// The API refuses requests whose time is a minute off; nearer than this the clock is left alone.
const CLOCK_SLACK: i64 = 5;

/// Asks one account's API.
#[derive(Debug)]
pub struct PaymosClient {
    api: Api,
    key: String,
    secret: SecretValue,
    clock: SharedClock,
    /// Seconds that the API's clock is ahead of ours.
    offset: AtomicI64,
}

/// Creation times, Unix seconds, both inclusive, as the API takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreatedWindow {
    /// The first second.
    pub from: i64,
    /// The last second, after the first.
    pub to: i64,
}

/// An invoice, as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ListedInvoice {
    /// `inv_…`.
    pub invoice_id: String,
    /// The merchant's order.
    pub external_order_id: Option<String>,
    /// One of nine words.
    pub status: String,
    /// Decimal, in major units.
    pub amount: Option<String>,
    /// Of the amount.
    pub currency: Option<String>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds: paid in full after it had ended.
    pub paid_late_at: Option<i64>,
}

/// One page of invoices.
#[derive(Debug, Deserialize)]
pub struct InvoicePage {
    /// At most `PAGE`.
    pub items: Vec<ListedInvoice>,
    /// Where the next page begins; none on the last one.
    pub next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct ServerTime {
    server_time: i64,
}

impl PaymosClient {
    /// A client with these credentials.
    ///
    /// # Errors
    /// The base URL is none.
    pub fn new(credentials: &ApiCredentials, clock: SharedClock) -> Result<Self, ApiError> {
        Ok(Self {
            api: Api::new(&credentials.base_url, &ABOUT)?,
            key: credentials.key.clone(),
            secret: credentials.secret.clone(),
            clock,
            offset: AtomicI64::new(0),
        })
    }

    /// Learns how far the API's clock is ahead of ours; later requests are signed with its time. A clock that is so
    /// far off that the API refuses even this call is set by the `Date` of the refusal.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn learn_clock(&self) -> Result<i64, ApiError> {
        const PATH: &str = "/v1/time";
        let mut answer = self.get(PATH, "").await?;
        if answer.status == 401
            && let Some(theirs) = answer.date
            && (theirs - self.now()).abs() > CLOCK_SLACK
        {
            self.set_offset(theirs);
            answer = self.get(PATH, "").await?;
        }
        let time: ServerTime = answer.decode()?;
        self.set_offset(time.server_time);
        Ok(self.offset.load(Ordering::Relaxed))
    }

    /// One page of the invoices that were created in the window.
    ///
    /// # Errors
    /// The API gave no answer that can be used.
    pub async fn invoices(
        &self,
        window: CreatedWindow,
        cursor: Option<&str>,
    ) -> Result<InvoicePage, ApiError> {
        let mut parameters = vec![
            ("created_from", window.from.to_string()),
            ("created_to", window.to.to_string()),
            ("limit", PAGE.to_string()),
        ];
        parameters.extend(cursor.map(|cursor| ("cursor", cursor.to_owned())));
        let mut page: InvoicePage = self.get("/v1/invoices", &query(&parameters)).await?.decode()?;
        page.next_cursor = page.next_cursor.filter(|cursor| !cursor.is_empty());
        Ok(page)
    }

    fn now(&self) -> i64 {
        self.clock.now().unix() + self.offset.load(Ordering::Relaxed)
    }

    fn set_offset(&self, theirs: i64) {
        let offset = theirs.saturating_sub(self.clock.now().unix());
        self.offset.store(if offset.abs() > CLOCK_SLACK { offset } else { 0 }, Ordering::Relaxed);
    }

    /// Each try is signed at its own time.
    async fn get(&self, path: &'static str, query: &str) -> Result<Answer, ApiError> {
        let signed = |request: reqwest::RequestBuilder| {
            let timestamp = self.now().to_string();
            let signed = SignedRequest { timestamp: &timestamp, method: "GET", path, query, body: b"" };
            let authorization = signed.authorization(&self.key, &self.secret);
            request.header(AUTHORIZATION, authorization).header(TIMESTAMP_HEADER, &timestamp)
        };
        self.api.get(path, query, signed).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_base_url_that_is_none() {
        let client = |base_url: &str| {
            let credentials = ApiCredentials {
                base_url: base_url.to_owned(),
                key: "pk_test".to_owned(),
                secret: SecretValue::new("sk_test"),
            };
            PaymosClient::new(&credentials, std::sync::Arc::new(crate::clock::SystemClock))
        };
        assert!(client("https://api.paymos.io/").is_ok());
        for bad in ["", "api.paymos.io", "ftp://api.paymos.io", "file:///etc"] {
            assert!(matches!(client(bad), Err(ApiError::BaseUrl(_))), "{bad:?}");
        }
    }
}
