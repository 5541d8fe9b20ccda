//! The simulated provider: it keeps invoices, answers the merchant API, and signs and posts webhooks, over real HTTP.

pub mod account;
mod api;
mod control;
pub mod invoice;
mod list;
mod sender;
pub mod withdrawal;
pub mod words;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use rand::Rng;
use serde_json::{Value, json};

pub use account::Account;
use account::Problem;
pub use api::router;
pub use control::router as control_router;
use invoice::{Invoice, NewInvoice};
pub use sender::{Sender, Webhook};
use words::{Fault, Stage, Status};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::sandbox::records::{self as store, Record, RecordFilter};

const INVOICE: &str = "invoice";

/// The simulated provider. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Provider(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    db: Db,
    clock: SharedClock,
    /// Set as soon as there are tables; nobody may ask before.
    account: OnceLock<Account>,
    sender: Sender,
    /// Seconds that its clock is ahead of ours.
    skew: AtomicI64,
    /// One change at a time.
    changing: tokio::sync::Mutex<()>,
}

impl Provider {
    /// A provider; it takes no request until it has an account.
    pub fn new(db: Db, clock: SharedClock, sender: Sender) -> Self {
        let (account, skew, changing) = (OnceLock::new(), AtomicI64::new(0), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { db, clock, account, sender, skew, changing }))
    }

    /// The account whose requests it takes from now on; it has one for its whole life.
    pub fn open_account(&self, account: Account) {
        let _ = self.0.account.set(account);
    }

    /// Who may ask.
    fn account(&self) -> Option<&Account> {
        self.0.account.get()
    }

    /// What posts its webhooks.
    pub fn sender(&self) -> &Sender {
        &self.0.sender
    }

    /// Its time.
    pub fn unix_now(&self) -> i64 {
        self.0.clock.now().unix() + self.0.skew.load(Ordering::Relaxed)
    }

    /// Puts its clock so many seconds ahead of ours.
    pub fn set_skew(&self, seconds: i64) {
        self.0.skew.store(seconds, Ordering::Relaxed);
    }

    /// Makes invoices, all in one transaction.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn create_all(&self, asked: Vec<NewInvoice>) -> sqlx::Result<Vec<Invoice>> {
        let now = self.unix_now();
        let made: Vec<_> = asked.into_iter().map(|new| Invoice::new(new_id("inv"), new, now)).collect();
        store::save(&self.0.db, &made.iter().map(record).collect::<Vec<_>>()).await?;
        Ok(made)
    }

    /// Makes one; the same order again gives the invoice that is there, and false.
    ///
    /// # Errors
    /// 409 when the order is there with other terms; the database does not answer.
    pub async fn create(&self, asked: NewInvoice) -> Result<(Invoice, bool), Problem> {
        let _one = self.0.changing.lock().await;
        let order_ref = Some(asked.external_order_id.clone());
        let same =
            store::list(&self.0.db, INVOICE, &RecordFilter { order_ref, ..RecordFilter::default() }, 1)
                .await?;
        if let Some(there) = same.into_iter().next().and_then(|record| read(&record.body)) {
            let same_terms = there.order.amount == asked.amount && there.order.currency == asked.currency;
            return same_terms.then_some((there, false)).ok_or_else(|| {
                let status = axum::http::StatusCode::CONFLICT;
                Problem::new(status, "external_order_id_conflict", "the order is there with other terms")
            });
        }
        let invoice = Invoice::new(new_id("inv"), asked, self.unix_now());
        store::save(&self.0.db, &[record(&invoice)]).await?;
        Ok((invoice, true))
    }

    /// One invoice.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn invoice(&self, id: &str) -> sqlx::Result<Option<Invoice>> {
        Ok(store::get(&self.0.db, INVOICE, id).await?.as_deref().and_then(read))
    }

    /// Takes an invoice to another status; gives the webhook that tells of it.
    ///
    /// # Errors
    /// There is none of this id; the database does not answer.
    pub async fn set_status(&self, id: &str, status: Status) -> Result<Webhook, Problem> {
        let _one = self.0.changing.lock().await;
        let mut invoice = self.invoice(id).await?.ok_or_else(|| Problem::not_found(id))?;
        invoice.set_status(status, &new_hash(), self.unix_now());
        store::save(&self.0.db, &[record(&invoice)]).await?;
        Ok(webhook(&invoice))
    }

    /// Takes an invoice to another status and tells of it; comes back after the first attempt.
    ///
    /// # Errors
    /// As `set_status`.
    pub async fn report_status(&self, id: &str, status: Status, fault: Fault) -> Result<(), Problem> {
        let webhook = self.set_status(id, status).await?;
        self.0.sender.announce(webhook, fault).await;
        Ok(())
    }

    /// Simulates a payment; gives the invoice and the webhook that tells of it, if one does.
    ///
    /// # Errors
    /// 404, 409, or the database does not answer.
    pub async fn simulate(&self, id: &str, stage: Stage) -> Result<(Invoice, Option<Webhook>), Problem> {
        let _one = self.0.changing.lock().await;
        let mut invoice = self.invoice(id).await?.ok_or_else(|| Problem::not_found(id))?;
        let told = invoice.simulate(stage, &new_hash(), self.unix_now()).map_err(Problem::conflict)?;
        store::save(&self.0.db, &[record(&invoice)]).await?;
        let webhook = told.then(|| webhook(&invoice));
        Ok((invoice, webhook))
    }
}

fn record(invoice: &Invoice) -> Record {
    Record {
        kind: INVOICE.to_owned(),
        id: invoice.invoice_id.clone(),
        created_at: invoice.created_at,
        status: invoice.status.as_str().to_owned(),
        order_ref: invoice.order.external_id.clone(),
        project_id: invoice.project_id.clone(),
        body: serde_json::to_string(invoice).unwrap_or_default(),
    }
}

fn read(body: &str) -> Option<Invoice> {
    serde_json::from_str(body)
        .inspect_err(|error| tracing::warn!(%error, "a sandbox invoice is not valid"))
        .ok()
}

fn webhook(invoice: &Invoice) -> Webhook {
    let data = serde_json::to_value(invoice).unwrap_or(Value::Null);
    let event_type = format!("invoice.{}", invoice.status.as_str());
    event(&event_type, &invoice.invoice_id, invoice.updated_at, &data)
}

/// An event as the provider writes it.
fn event(event_type: &str, resource: &str, occurred_at: i64, data: &Value) -> Webhook {
    let event_id = new_id("evt");
    let body = json!({
        "event_id": event_id,
        "event_type": event_type,
        "version": 1,
        "occurred_at": occurred_at,
        "data": data,
    });
    Webhook { event_id, resource: resource.to_owned(), body: body.to_string().into() }
}

/// A prefix and 22 letters and digits.
pub fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", letters(22))
}

/// So many random letters and digits.
pub fn letters(count: usize) -> String {
    rand::rng().sample_iter(rand::distr::Alphanumeric).take(count).map(char::from).collect()
}

fn new_hash() -> String {
    format!("0x{}", hex::encode(rand::random::<[u8; 32]>()))
}
