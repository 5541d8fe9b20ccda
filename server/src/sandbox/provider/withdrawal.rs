//! Money that leaves: withdrawals, and refunds, which the provider tells of as withdrawals too.

use serde_json::{Value, json};

use super::account::Problem;
use super::invoice::Invoice;
use super::{Provider, Webhook, event, new_hash, new_id};
use crate::sandbox::records::{self as store, Record};

/// The kind of the records of withdrawals.
pub(super) const WITHDRAWAL: &str = "withdrawal";
/// The kind of the records of refunds; the list of withdrawals leaves them out.
pub(super) const REFUND: &str = "refund";

/// How a withdrawal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalEnd {
    /// On chain.
    Completed,
    /// The money is back in the balance.
    Failed,
    /// Called off.
    Cancelled,
}

impl WithdrawalEnd {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Provider {
    /// Begins a withdrawal, or the refund of an invoice; gives its id and the webhook that tells of it.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn withdraw(
        &self,
        order_ref: &str,
        amount: &str,
        refunded: Option<&Invoice>,
    ) -> sqlx::Result<(String, Webhook)> {
        let (id, now) = (new_id("wdr"), self.unix_now());
        let mut data = json!({
            "withdrawal_id": id,
            "external_order_id": order_ref,
            "status": "created",
            "is_final": false,
            "is_test": true,
            "amount": amount,
            "fee": "1",
            "currency": "USDT",
            "network": "TRC20",
            "destination_address": format!("T{}", &id[4..]),
            "created_at": now,
        });
        if let Some(invoice) = refunded {
            data["type"] = json!("refund");
            data["invoice_id"] = json!(invoice.invoice_id);
            data["project_id"] = json!(invoice.project_id);
            data["mode"] = json!("overpayment");
            data["first_sender"] = json!(true);
        }
        let kind = if refunded.is_some() { REFUND } else { WITHDRAWAL };
        store::save(&self.0.db, &[record(kind, &data)]).await?;
        let webhook = event("withdrawal.created", &id, now, &data);
        Ok((id, webhook))
    }

    /// Ends a withdrawal or refund; gives it and the webhook that tells of it.
    ///
    /// # Errors
    /// 404, 409 when it has ended, or the database does not answer.
    pub async fn end_withdrawal(&self, id: &str, ending: WithdrawalEnd) -> Result<(Value, Webhook), Problem> {
        let _one = self.0.changing.lock().await;
        let now = self.unix_now();
        let (kind, mut data) = self.withdrawal(id).await?.ok_or_else(|| Problem::not_found(id))?;
        if data["is_final"] == true {
            return Err(Problem::conflict("the withdrawal is final"));
        }
        data["status"] = json!(ending.as_str());
        data["is_final"] = json!(true);
        data[format!("{}_at", ending.as_str())] = json!(now);
        if ending == WithdrawalEnd::Completed {
            data["tx_hash"] = json!(new_hash());
        }
        store::save(&self.0.db, &[record(kind, &data)]).await?;
        let webhook = event(&format!("withdrawal.{}", ending.as_str()), id, now, &data);
        Ok((data, webhook))
    }

    /// A withdrawal or refund, and which of the two it is.
    pub(super) async fn withdrawal(&self, id: &str) -> sqlx::Result<Option<(&'static str, Value)>> {
        for kind in [WITHDRAWAL, REFUND] {
            let body = store::get(&self.0.db, kind, id).await?;
            if let Some(data) = body.and_then(|body| serde_json::from_str(&body).ok()) {
                return Ok(Some((kind, data)));
            }
        }
        Ok(None)
    }
}

fn record(kind: &str, data: &Value) -> Record {
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    Record {
        kind: kind.to_owned(),
        id: text("withdrawal_id"),
        created_at: data["created_at"].as_i64().unwrap_or_default(),
        status: text("status"),
        order_ref: text("external_order_id"),
        project_id: text("project_id"),
        body: data.to_string(),
    }
}

/// As the list shows it: what is on chain stands in the answer by id only.
pub(super) fn listed(body: &str) -> Option<Value> {
    let mut item: Value = serde_json::from_str(body).ok()?;
    item.as_object_mut()?.remove("tx_hash");
    Some(item)
}
