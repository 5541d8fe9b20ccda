//! Lifelike traffic: at the first start a burst, so that a newcomer sees everything within seconds, then invoices now
//! and then. What goes wrong goes wrong for real: webhooks that are dropped, altered, doubled and out of order, and a
//! merchant that is down for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::reconciliation::Comparison;
use app::types::Slug;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::Parts;
use super::provider::invoice::NewInvoice;
use super::provider::withdrawal::WithdrawalEnd;
use super::provider::words::{Fault, Stage, Status};
use super::provider::{Provider, Webhook, letters};
use super::setup::SOURCE;
use super::shop::{CRM, ResponseMode, SHOP, Shop};
use crate::sandbox::records as store;
use crate::store::sandbox_setting;

/// Lives at the same time.
const MOST_LIVES: usize = 24;
/// A quicker pace for the first minutes.
const QUICK: Duration = Duration::from_secs(5);
const QUICK_COUNT: u32 = 60;
const GENTLE: Duration = Duration::from_secs(20);
/// How often the shop is down, and for how long.
const BETWEEN_MOODS: Duration = Duration::from_secs(300);
const MOOD: i64 = 60;
/// Seconds after which the provider and the shop forget.
const MEMORY: i64 = 3 * 86_400;
/// One payout to so many invoices.
const PAYOUTS: u32 = 30;
const HOUR: Duration = Duration::from_secs(3600);

/// What happens to an invoice: the statuses that it goes through, and what goes wrong with the webhook of each.
type InvoiceScript = &'static [(Status, Fault)];

const PAID: InvoiceScript = &[(Status::Confirming, Fault::None), (Status::Paid, Fault::None)];
const PAID_TWICE_TOLD: InvoiceScript = &[(Status::Confirming, Fault::None), (Status::Paid, Fault::Duplicate)];
const OUT_OF_ORDER: InvoiceScript = &[(Status::Confirming, Fault::Reorder), (Status::Paid, Fault::None)];
const SLOWLY_TOLD: InvoiceScript = &[(Status::Confirming, Fault::None), (Status::Paid, Fault::Delay)];
const PAID_OVER: InvoiceScript = &[(Status::Confirming, Fault::None), (Status::PaidOver, Fault::None)];
const UNDERPAID: InvoiceScript = &[(Status::UnderpaidWaiting, Fault::None), (Status::Underpaid, Fault::None)];
const TOPPED_UP: InvoiceScript = &[
    (Status::UnderpaidWaiting, Fault::None),
    (Status::Confirming, Fault::None),
    (Status::Paid, Fault::None),
];
const EXPIRED: InvoiceScript = &[(Status::Expired, Fault::None)];
const CANCELLED: InvoiceScript = &[(Status::Cancelled, Fault::None)];
const REORGANISED: InvoiceScript = &[
    (Status::Confirming, Fault::None),
    (Status::AwaitingPayment, Fault::None),
    (Status::Confirming, Fault::None),
    (Status::Paid, Fault::None),
];
const NEVER_TOLD: InvoiceScript = &[(Status::Confirming, Fault::Drop), (Status::Paid, Fault::Drop)];
const LAST_NEVER_TOLD: InvoiceScript = &[(Status::Confirming, Fault::None), (Status::Paid, Fault::Drop)];
const ALTERED: InvoiceScript = &[(Status::Paid, Fault::Alter)];

/// Of a hundred invoices.
const SHARES: &[(u32, InvoiceScript)] = &[
    (48, PAID),
    (8, PAID_TWICE_TOLD),
    (6, OUT_OF_ORDER),
    (4, SLOWLY_TOLD),
    (6, PAID_OVER),
    (5, UNDERPAID),
    (4, TOPPED_UP),
    (9, EXPIRED),
    (3, CANCELLED),
    (2, REORGANISED),
    (1, NEVER_TOLD),
    (2, LAST_NEVER_TOLD),
    (2, ALTERED),
];

/// What every newcomer sees: some of everything.
const BURST: &[(usize, InvoiceScript)] = &[
    (14, PAID),
    (3, PAID_TWICE_TOLD),
    (2, OUT_OF_ORDER),
    (2, PAID_OVER),
    (2, UNDERPAID),
    (1, TOPPED_UP),
    (3, EXPIRED),
    (1, CANCELLED),
    (1, REORGANISED),
    (1, NEVER_TOLD),
    (1, LAST_NEVER_TOLD),
    (1, ALTERED),
];
/// Invoices that are paid while the shop is down.
const WHILE_DOWN: usize = 5;

const PRICES: &[(&str, &str)] = &[
    ("19.00", "USD"),
    ("49.90", "EUR"),
    ("120", "USD"),
    ("7.50", "EUR"),
    ("349.99", "USD"),
    ("1250", "USD"),
    ("25", "USDT"),
    ("89.00", "GBP"),
];
const NETWORKS: &[&str] = &["TRC20", "ERC20", "BEP20", "POLYGON", "TON"];

/// Makes the traffic. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Traffic {
    parts: Parts,
    provider: Provider,
    shop: Shop,
    running: Arc<AtomicBool>,
    lives: Arc<Semaphore>,
}

impl Traffic {
    /// Between this provider and this shop.
    pub fn new(parts: Parts, provider: Provider, shop: Shop) -> Self {
        let (running, lives) = (Arc::new(AtomicBool::new(true)), Arc::new(Semaphore::new(MOST_LIVES)));
        Self { parts, provider, shop, running, lives }
    }

    /// Holds it, or lets it go on.
    pub fn set_running(&self, running: bool) {
        self.running.store(running, Ordering::Relaxed);
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Relaxed)
    }

    /// Makes traffic until the end is asked for.
    pub async fn run(self, shutdown: CancellationToken) {
        let all = async {
            if matches!(sandbox_setting::setting(&self.parts.db, "burst").await, Ok(None)) {
                self.burst().await;
                let _ = sandbox_setting::set_setting(&self.parts.db, "burst", "done").await;
            }
            tokio::join!(
                self.continue_invoices(),
                self.change_responses(),
                self.reconcile_once(),
                self.remove_expired()
            );
        };
        tokio::select! { () = all => {}, () = shutdown.cancelled() => {} }
    }

    /// Some of everything, and then a moment in which the merchant is down: the CRM gives up, the shop tries again.
    async fn burst(&self) {
        let lives = BURST.iter().flat_map(|(count, life)| std::iter::repeat_n(*life, *count));
        futures_util::future::join_all(lives.map(|life| self.live(life, (50, 900)))).await;
        self.pay_late().await;
        self.refund_an_excess().await;
        self.pay_out().await;
        self.shop.set_response_mode(CRM, ResponseMode::Fail, 10);
        self.shop.set_response_mode(SHOP, ResponseMode::Fail, 10);
        futures_util::future::join_all((0..WHILE_DOWN).map(|_| self.live(PAID, (50, 400)))).await;
    }

    /// An invoice that is paid in full after it has expired: nobody is told.
    async fn pay_late(&self) {
        let Some(id) = self.live(EXPIRED, (50, 100)).await else { return };
        if let Err(problem) = self.provider.simulate(&id, Stage::PaidLate).await {
            tracing::warn!(detail = problem.detail, "the sandbox could not pay an invoice late");
        }
    }

    /// An invoice that is overpaid, and its excess sent back.
    async fn refund_an_excess(&self) {
        let Some(id) = self.live(PAID_OVER, (50, 100)).await else { return };
        let Ok(Some(invoice)) = self.provider.invoice(&id).await else { return };
        let order_ref = format!("refund-{}", invoice.order.external_id);
        let begun = self.provider.withdraw(&order_ref, "10", Some(&invoice)).await;
        self.end_withdrawal(begun).await;
    }

    /// Money that goes to the merchant's own wallet.
    async fn pay_out(&self) {
        let order_ref = format!("payout-{}", letters(6).to_uppercase());
        let begun = self.provider.withdraw(&order_ref, "500", None).await;
        self.end_withdrawal(begun).await;
    }

    async fn end_withdrawal(&self, begun: sqlx::Result<(String, Webhook)>) {
        let Ok((id, webhook)) = begun else { return };
        self.provider.sender().announce(webhook, Fault::None).await;
        if let Ok((_, webhook)) = self.provider.end_withdrawal(&id, WithdrawalEnd::Completed).await {
            self.provider.sender().announce(webhook, Fault::None).await;
        }
    }

    /// Makes an invoice and lets it go through its life, with pauses of so many milliseconds.
    async fn live(&self, life: InvoiceScript, pauses: (u64, u64)) -> Option<String> {
        let _place = self.lives.acquire().await.ok()?;
        let invoice = match self.provider.create(self.order()).await {
            Ok((invoice, _)) => invoice,
            Err(problem) => {
                tracing::warn!(detail = problem.detail, "the sandbox could not make an invoice");
                return None;
            }
        };
        for (status, fault) in life {
            tokio::time::sleep(Duration::from_millis(rand::random_range(pauses.0..pauses.1))).await;
            self.provider.report_status(&invoice.invoice_id, *status, *fault).await.ok()?;
        }
        Some(invoice.invoice_id)
    }

    fn order(&self) -> NewInvoice {
        let (amount, currency) = PRICES[rand::random_range(0..PRICES.len())];
        NewInvoice {
            project_id: "prj_sandbox".to_owned(),
            amount: amount.to_owned(),
            currency: currency.to_owned(),
            external_order_id: format!("ORD-{}", letters(8).to_uppercase()),
            network: Some(NETWORKS[rand::random_range(0..NETWORKS.len())].to_owned()),
            client_id: Some(format!("customer-{:03}", rand::random_range(1..400))),
            allow_multiple_payments: None,
            customer_fee_percent: None,
        }
    }

    /// An invoice now and then.
    async fn continue_invoices(&self) {
        for number in 0_u32.. {
            tokio::time::sleep(if number < QUICK_COUNT { QUICK } else { GENTLE }).await;
            let is_wanted = self.is_running() && self.is_there() && self.lives.available_permits() > 0;
            if is_wanted && number % PAYOUTS == PAYOUTS - 1 {
                self.pay_out().await;
            }
            if is_wanted {
                let (traffic, life) = (self.clone(), pick());
                let shutdown = self.parts.shutdown.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = traffic.live(life, (1500, 8000)) => {}
                        () = shutdown.cancelled() => {}
                    }
                });
            }
        }
    }

    /// Now and then the shop is down for a minute, or does not answer, and the CRM after it.
    async fn change_responses(&self) {
        for number in 0_u32.. {
            tokio::time::sleep(BETWEEN_MOODS).await;
            if self.is_running() {
                let manner = if number % 3 == 2 { ResponseMode::Hang } else { ResponseMode::Fail };
                self.shop.set_response_mode(if number % 2 == 0 { SHOP } else { CRM }, manner, MOOD);
            }
        }
    }

    /// One reconciliation by itself, soon after the start.
    async fn reconcile_once(&self) {
        // By then the CRM has given up what it could not take.
        tokio::time::sleep(Duration::from_secs(12)).await;
        let Ok(slug) = SOURCE.parse::<Slug>() else { return };
        // What happened a moment ago is still on its way.
        let to = self.parts.clock.now().plus_seconds(-2);
        let asked = Comparison { from: to.plus_seconds(-86_400), to, backfill: false };
        let started = self.parts.reconciler.start(&super::setup::viewer(), &slug, asked).await;
        if let Err(error) = started {
            tracing::warn!(%error, "the sandbox could not start a reconciliation");
        }
    }

    async fn remove_expired(&self) {
        loop {
            let before = self.parts.clock.now().unix() - MEMORY;
            if let Err(error) = store::prune(&self.parts.db, before).await {
                tracing::warn!(%error, "the sandbox could not forget");
            }
            tokio::time::sleep(HOUR).await;
        }
    }

    /// Somebody may have removed the source.
    fn is_there(&self) -> bool {
        SOURCE.parse::<Slug>().is_ok_and(|slug| self.parts.registry.source(&slug).is_some())
    }
}

fn pick() -> InvoiceScript {
    let mut left = rand::random_range(0..SHARES.iter().map(|(share, _)| share).sum());
    for (share, life) in SHARES {
        if left < *share {
            return life;
        }
        left -= share;
    }
    PAID
}
