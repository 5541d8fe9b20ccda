//! An invoice of the simulated provider: its shape on the wire, and how it goes from one status to the next.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::words::{Stage, Status};

/// An invoice, as `GET /v1/invoices/{id}` and the webhooks show it. Absent fields are left out, as the provider does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Invoice {
    /// `inv_…`.
    pub invoice_id: String,
    /// `prj_…`.
    pub project_id: String,
    /// How it stands.
    pub status: Status,
    /// Nothing more happens to it, but for a late payment.
    pub is_final: bool,
    /// Always, here.
    pub is_test: bool,
    /// Where the customer pays.
    pub payment_url: String,
    /// What the merchant asked for.
    pub order: Order,
    /// What the customer pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<Payment>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    pub updated_at: i64,
    /// Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<i64>,
    /// Unix seconds: paid in full after it had ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_late_at: Option<i64>,
}

/// What the merchant asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The merchant's order.
    pub external_id: String,
    /// The merchant's customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Decimal, in major units.
    pub amount: String,
    /// Of the amount.
    pub currency: String,
}

/// What the customer pays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Payment {
    /// The coin.
    pub currency: String,
    /// The chain.
    pub network: String,
    /// Its number.
    pub chain_id: i64,
    /// What is to be paid.
    pub expected: String,
    /// Where to.
    pub address: String,
    /// What came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid: Option<String>,
    /// What is still to come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<String>,
    /// Payments on chain.
    pub transfers: Vec<Transfer>,
}

/// One payment on chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Its hash.
    pub tx_hash: String,
    /// Decimal.
    pub amount: String,
    /// `confirming` or `confirmed`.
    pub status: String,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<i64>,
}

/// What a merchant may ask for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewInvoice {
    /// `prj_…`.
    pub project_id: String,
    /// Decimal, in major units.
    pub amount: String,
    /// Of the amount.
    pub currency: String,
    /// The merchant's order: the same one again gives the same invoice.
    pub external_order_id: String,
    /// The chain, if the merchant chooses.
    pub network: Option<String>,
    /// The merchant's customer.
    pub client_id: Option<String>,
    /// Taken and not looked at.
    pub allow_multiple_payments: Option<bool>,
    /// Taken and not looked at.
    pub customer_fee_percent: Option<i64>,
}

/// How long an invoice can be paid.
const LIFE: i64 = 3600;

impl Invoice {
    /// A new one, of this id.
    pub fn new(invoice_id: String, asked: NewInvoice, now: i64) -> Self {
        let network = asked.network.unwrap_or_else(|| "TRC20".to_owned());
        Self {
            payment_url: format!("https://pay.paymos.example/{invoice_id}"),
            project_id: asked.project_id,
            status: Status::AwaitingPayment,
            is_final: false,
            is_test: true,
            payment: Some(Payment {
                currency: "USDT".to_owned(),
                chain_id: if network == "TRC20" { 728_126_428 } else { 1 },
                network,
                expected: asked.amount.clone(),
                address: format!("T{}", &invoice_id[4..]),
                paid: None,
                remaining: None,
                transfers: Vec::new(),
            }),
            order: Order {
                external_id: asked.external_order_id,
                client_id: asked.client_id,
                amount: asked.amount,
                currency: asked.currency,
            },
            invoice_id,
            created_at: now,
            updated_at: now,
            expires_at: Some(now + LIFE),
            completed_at: None,
            paid_late_at: None,
        }
    }

    /// Takes it to another status, with what that says of its payment.
    pub fn set_status(&mut self, status: Status, tx_hash: &str, now: i64) {
        self.status = status;
        self.is_final = status.is_final();
        self.updated_at = now;
        self.completed_at = status.is_final().then_some(now);
        let Some(payment) = &mut self.payment else { return };
        let whole: rust_decimal::Decimal = payment.expected.parse().unwrap_or_default();
        let came = match status {
            Status::Confirming | Status::Paid => Some(whole),
            Status::PaidOver => Some(whole * rust_decimal::Decimal::new(11, 1)),
            Status::UnderpaidWaiting | Status::Underpaid => Some(whole / rust_decimal::Decimal::TWO),
            _ => None,
        };
        let Some(came) = came.map(|came| came.round_dp(8).normalize()) else { return };
        let short = (whole - came).max(rust_decimal::Decimal::ZERO).normalize();
        payment.paid = Some(came.to_string());
        payment.remaining = (!short.is_zero()).then(|| short.to_string());
        let confirmed = status != Status::Confirming;
        let since = payment.transfers.first().map_or(now, |transfer| transfer.created_at);
        payment.transfers = vec![Transfer {
            tx_hash: payment
                .transfers
                .first()
                .map_or_else(|| tx_hash.to_owned(), |first| first.tx_hash.clone()),
            amount: came.to_string(),
            status: if confirmed { "confirmed" } else { "confirming" }.to_owned(),
            created_at: since,
            confirmed_at: confirmed.then_some(now),
        }];
    }

    /// Takes it where a simulated payment takes it; tells whether a webhook follows. A late payment has none.
    ///
    /// # Errors
    /// It is not in a status from which that can be.
    pub fn simulate(&mut self, stage: Stage, tx_hash: &str, now: i64) -> Result<bool, &'static str> {
        match (stage, self.status) {
            (Stage::PaidLate, Status::Expired | Status::Underpaid) if self.paid_late_at.is_none() => {
                self.paid_late_at = Some(now);
                self.updated_at = now;
                return Ok(false);
            }
            (Stage::PaidLate, _) => return Err("only an expired or underpaid invoice can be paid late"),
            (_, status) if status.is_final() => return Err("the invoice is final"),
            (Stage::Paid, _) => self.set_status(Status::Paid, tx_hash, now),
            (Stage::Overpaid, _) => self.set_status(Status::PaidOver, tx_hash, now),
            (Stage::Underpay, _) => self.set_status(Status::UnderpaidWaiting, tx_hash, now),
            (Stage::Cancel, _) => self.set_status(Status::Cancelled, tx_hash, now),
        }
        Ok(true)
    }

    /// As the list shows it.
    pub fn listed(&self) -> Value {
        let mut item = json!({
            "invoice_id": self.invoice_id,
            "project_id": self.project_id,
            "external_order_id": self.order.external_id,
            "status": self.status,
            "is_final": self.is_final,
            "is_test": self.is_test,
            "amount": self.order.amount,
            "currency": self.order.currency,
            "created_at": self.created_at,
        });
        let times = [
            ("expires_at", self.expires_at),
            ("completed_at", self.completed_at),
            ("paid_late_at", self.paid_late_at),
        ];
        for (name, time) in times {
            if let Some(time) = time {
                item[name] = json!(time);
            }
        }
        if let Some(client) = &self.order.client_id {
            item["client_id"] = json!(client);
        }
        if let Some(payment) = &self.payment {
            item["network"] = json!(payment.network);
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invoice() -> Invoice {
        let asked = NewInvoice {
            project_id: "prj_1".to_owned(),
            amount: "100.00".to_owned(),
            currency: "USD".to_owned(),
            external_order_id: "order-1".to_owned(),
            network: None,
            client_id: None,
            allow_multiple_payments: None,
            customer_fee_percent: None,
        };
        Invoice::new("inv_1".to_owned(), asked, 1_000)
    }

    #[test]
    fn a_late_payment_keeps_the_status_and_tells_nobody() {
        let mut invoice = invoice();
        invoice.set_status(Status::Expired, "0x1", 2_000);
        assert_eq!(invoice.simulate(Stage::PaidLate, "0x1", 3_000), Ok(false));
        assert_eq!((invoice.status, invoice.paid_late_at), (Status::Expired, Some(3_000)));
        assert!(invoice.simulate(Stage::PaidLate, "0x1", 3_000).is_err());
        assert!(invoice.simulate(Stage::Paid, "0x1", 3_000).is_err());
        assert_eq!(invoice.listed()["paid_late_at"], 3_000);
    }

    #[test]
    fn half_of_it_leaves_the_other_half() {
        let mut invoice = invoice();
        assert_eq!(invoice.simulate(Stage::Underpay, "0x1", 2_000), Ok(true));
        let payment = invoice.payment.clone().unwrap();
        assert_eq!((payment.paid.as_deref(), payment.remaining.as_deref()), (Some("50"), Some("50")));
        assert_eq!(invoice.simulate(Stage::Paid, "0x2", 2_100), Ok(true));
        assert!(invoice.is_final && invoice.payment.unwrap().remaining.is_none());
    }
}
