//! The whole way: the simulated provider posts, the receiver stores, the workers deliver, the shop books, and a
//! reconciliation finds exactly what went wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use app::context::Viewer;
use app::reconciliation::{Comparison, DifferenceFilter, Reconciliations as _};
use app::secrets::Secrets as _;
use app::types::{DifferenceKind, DifferenceState, PageRequest, Role, Slug};
use axum::Router;
use serde_json::{Value, json};
use server::backend::reconciliation::Reconciliations;
use server::backend::secrets::SecretsBackend;
use server::deliver::Deliverer;
use server::domain::secret::SecretValue;
use server::ledger::Ledger;
use server::net::CidrSet;
use server::notify::Notifiers;
use server::receive::{self, Receiver};
use server::reconcile::Reconciler;
use server::registry::Registry;
use server::sandbox::provider::Webhook;
use server::sandbox::provider::words::{Fault, Stage, Status};
use server::sandbox::shop::{CRM, ResponseMode};
use server::sandbox::{self, Parts, Sandbox};
use server::vault::Vault;
use tokio_util::sync::CancellationToken;

use crate::on_both;
use crate::sandbox::order;
use crate::support::{TestDb, noon};

/// A gateway with its sandbox, whose workers run when they are told to.
struct Chain {
    test: TestDb,
    base: String,
    sandbox: Sandbox,
    registry: Arc<Registry>,
    vault: Arc<Vault>,
    ledger: Ledger,
    deliverer: Deliverer,
    reconciler: Reconciler,
    backend: Reconciliations,
    http: reqwest::Client,
    orders: AtomicU32,
}

impl Chain {
    async fn new(test: TestDb) -> Self {
        let vault = Arc::new(Vault::ephemeral());
        let registry = Registry::load(test.db.clone(), Arc::clone(&vault), test.clock.clone()).await.unwrap();
        Self::start(test, vault, registry).await
    }

    async fn start(test: TestDb, vault: Arc<Vault>, registry: Arc<Registry>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listen = listener.local_addr().unwrap();
        let (db, notifiers, shutdown) = (test.db.clone(), Notifiers::default(), CancellationToken::new());
        let receiver = Receiver::start(
            db.clone(),
            test.clock.clone(),
            Arc::clone(&registry),
            notifiers.clone(),
            shutdown.clone(),
        );
        let reconciler =
            Reconciler::new(db.clone(), test.clock.clone(), Arc::clone(&registry), receiver.clone());
        let sandbox = Sandbox::new(Parts {
            db: db.clone(),
            vault: Arc::clone(&vault),
            clock: test.clock.clone(),
            registry: Arc::clone(&registry),
            notifiers: notifiers.clone(),
            reconciler: reconciler.clone(),
            base: sandbox::base_url(listen),
            shutdown,
        })
        .unwrap();
        let router =
            Router::new().merge(receive::router(receiver, 1 << 20)).nest("/sandbox", sandbox.router());
        tokio::spawn(async move { axum::serve(listener, router).await });
        sandbox.start().await.unwrap();
        let allowed = CidrSet::default().with_host(listen.ip());
        Self {
            ledger: Ledger::new(db.clone(), test.clock.clone(), Arc::clone(&registry), notifiers.clone()),
            deliverer: Deliverer::new(
                db.clone(),
                test.clock.clone(),
                Arc::clone(&registry),
                notifiers,
                server::deliver::Network::new(allowed),
            ),
            backend: Reconciliations::new(
                db,
                test.clock.clone(),
                Arc::clone(&registry),
                reconciler.clone(),
                server::request_coalescing::ChangeCount::default(),
            ),
            base: sandbox::base_url(listen),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            orders: AtomicU32::new(0),
            test,
            sandbox,
            registry,
            vault,
            reconciler,
        }
    }

    async fn invoice(&self) -> String {
        let number = self.orders.fetch_add(1, Ordering::Relaxed) as usize;
        self.sandbox.provider().create(order(number)).await.unwrap().0.invoice_id
    }

    /// Takes the invoice to a status, a second later, and sends the webhook so; gives it, to be sent again.
    async fn report_status(&self, id: &str, status: Status, fault: Fault) -> Webhook {
        self.test.clock.advance(1);
        let webhook = self.sandbox.provider().set_status(id, status).await.unwrap();
        self.sandbox.provider().sender().announce(webhook.clone(), fault).await;
        webhook
    }

    async fn deliver(&self) {
        self.ledger.run_once().await.unwrap();
        self.deliverer.run_once().await.unwrap();
    }

    async fn reconcile(&self) -> Vec<(String, DifferenceKind, DifferenceState)> {
        let now = self.test.clock_now();
        let asked = Comparison { from: noon(), to: now.plus_seconds(1), backfill: false };
        self.backend.start(&viewer(), &source(), asked).await.unwrap();
        self.reconciler.idle().await;
        let page =
            self.backend.differences(DifferenceFilter::default(), PageRequest::default()).await.unwrap();
        let mut found: Vec<_> =
            page.items.into_iter().map(|found| (found.resource_id, found.kind, found.state)).collect();
        found.sort();
        found
    }

    async fn orders(&self) -> Value {
        let body = self.http.get(format!("{}/sandbox/shop/orders", self.base)).send().await.unwrap();
        serde_json::from_slice(&body.bytes().await.unwrap()).unwrap()
    }

    async fn control(&self, path: &str, body: Value) -> u16 {
        let sent = self.http.post(format!("{}/sandbox/{path}", self.base));
        let sent = sent.header("Content-Type", "application/json").body(body.to_string()).send();
        sent.await.unwrap().status().as_u16()
    }

    async fn count(&self, sql: &'static str) -> i64 {
        server::read!(&self.test.db, on => sqlx::query_scalar(sql).fetch_one(on).await).unwrap()
    }
}

fn source() -> Slug {
    "paymos-sandbox".parse().unwrap()
}

async fn resend(chain: &Chain, delivery: i64, reason: &str) {
    let now = chain.test.clock_now();
    let mut tx = chain.test.db.begin_write().await.unwrap();
    assert!(server::store::attempt::enqueue_manual(&mut tx, delivery, "ana", reason, now).await.unwrap());
    tx.commit().await.unwrap();
}

fn viewer() -> Viewer {
    Viewer { name: "ana@acuse.example".to_owned(), role: Role::Admin, from: None }
}

on_both! {
    async fn a_reconciliation_finds_exactly_what_went_wrong(test: TestDb) {
        let chain = Chain::new(test).await;
        let (good, doubled, swapped) = (chain.invoice().await, chain.invoice().await, chain.invoice().await);
        let (dropped, altered, half) = (chain.invoice().await, chain.invoice().await, chain.invoice().await);
        let (late, refused, silent) = (chain.invoice().await, chain.invoice().await, chain.invoice().await);
        chain.report_status(&good, Status::Confirming, Fault::None).await;
        chain.report_status(&good, Status::Paid, Fault::None).await;
        chain.report_status(&doubled, Status::Paid, Fault::Duplicate).await;
        chain.report_status(&swapped, Status::Confirming, Fault::Reorder).await;
        chain.report_status(&swapped, Status::Paid, Fault::None).await;
        let dropped_webhook = chain.report_status(&dropped, Status::Paid, Fault::Drop).await;
        let altered_webhook = chain.report_status(&altered, Status::Paid, Fault::Alter).await;
        chain.report_status(&half, Status::Confirming, Fault::None).await;
        let half_webhook = chain.report_status(&half, Status::PaidOver, Fault::Drop).await;
        chain.report_status(&late, Status::Expired, Fault::None).await;
        chain.sandbox.provider().simulate(&late, Stage::PaidLate).await.unwrap();
        chain.deliver().await;
        // The CRM is down for the whole of its short ladder.
        assert_eq!(chain.control("crm/behaviour", json!({"mode": "fail", "status": 500})).await, 200);
        chain.report_status(&refused, Status::Paid, Fault::None).await;
        for _ in 0..4 {
            chain.deliver().await;
            chain.test.clock.advance(8);
        }
        assert_eq!(chain.count("select count(*) from delivery where state = 'failed'").await, 1);

        let open = DifferenceState::Open;
        let mut wanted = vec![
            (dropped.clone(), DifferenceKind::Missing, open),
            (altered.clone(), DifferenceKind::Missing, open),
            (half.clone(), DifferenceKind::Status, open),
            (late.clone(), DifferenceKind::Status, open),
            (refused.clone(), DifferenceKind::Undelivered, open),
        ];
        wanted.sort();
        assert_eq!(chain.reconcile().await, wanted);
        assert!(wanted.iter().all(|(id, _, _)| *id != silent));

        // The provider replays what never came, and staff resend what failed.
        for webhook in [dropped_webhook, altered_webhook, half_webhook] {
            chain.sandbox.provider().sender().announce(webhook, Fault::None).await;
        }
        assert_eq!(chain.control("crm/behaviour", json!({"mode": "ok"})).await, 200);
        let failed = chain.count("select id from delivery where state = 'failed'").await;
        resend(&chain, failed, "crm is back").await;
        chain.deliver().await;
        for difference in &mut wanted {
            difference.2 = if difference.0 == late { open } else { DifferenceState::Resolved };
        }
        assert_eq!(chain.reconcile().await, wanted);

        let orders = chain.orders().await;
        let mut booked: Vec<_> = orders["orders"].as_array().unwrap().iter()
            .map(|order| (order["resource_id"].as_str().unwrap(), order["booked"].as_i64().unwrap()))
            .collect();
        booked.sort();
        let mut paid: Vec<_> = [&good, &doubled, &swapped, &dropped, &altered, &half, &refused]
            .map(|id| (id.as_str(), 1)).to_vec();
        paid.sort();
        assert_eq!(booked, paid);
    }

    async fn the_shop_books_once_what_it_is_told_twice(test: TestDb) {
        let chain = Chain::new(test).await;
        let id = chain.invoice().await;
        chain.report_status(&id, Status::Paid, Fault::Duplicate).await;
        chain.deliver().await;
        assert_eq!(chain.count("select count(*) from event").await, 1);
        assert_eq!(chain.count("select arrivals from event").await, 2);
        let delivery = chain.count("select min(id) from delivery where destination_id = 1").await;
        for _ in 0..3 {
            resend(&chain, delivery, "again").await;
            chain.deliver().await;
        }
        let orders = chain.orders().await;
        assert_eq!(orders["totals"], json!({"orders": 1, "booked": 1, "events": 1, "deliveries": 4}));
        assert_eq!(orders["orders"][0]["deliveries"], 4);
    }

    async fn a_fault_is_armed_for_one_resource(test: TestDb) {
        let chain = Chain::new(test).await;
        let (spared, hit) = (chain.invoice().await, chain.invoice().await);
        let fault = json!({"fault": "alter", "count": 1, "resource": hit});
        assert_eq!(chain.control("provider/faults", fault).await, 200);
        chain.report_status(&spared, Status::Paid, Fault::None).await;
        assert_eq!(chain.count("select count(*) from event").await, 1);
        chain.report_status(&hit, Status::Confirming, Fault::None).await;
        assert_eq!(chain.count("select count(*) from event").await, 1);
        chain.report_status(&hit, Status::Paid, Fault::None).await;
        assert_eq!(chain.count("select count(*) from event").await, 2);
        assert_eq!(chain.control("provider/faults", json!({"fault": "eat", "count": 1})).await, 422);
    }

    async fn the_shop_answers_as_it_is_told(test: TestDb) {
        let chain = Chain::new(test).await;
        for (told, status) in [
            (json!({"mode": "fail"}), 503),
            (json!({"mode": "fail", "status": 418}), 418),
            (json!({"mode": "refuse"}), 403),
            (json!({"mode": "ok"}), 401),
            (json!({"mode": "fail", "for_s": 60}), 503),
        ] {
            assert_eq!(chain.control("shop/behaviour", told.clone()).await, 200);
            assert_eq!(chain.control("shop", json!({})).await, status, "{told}");
        }
        chain.test.clock.advance(60);
        assert_eq!(chain.control("shop", json!({})).await, 401, "the time is over, and nothing is signed");
        assert_eq!(chain.control("shop/behaviour", json!({"mode": "sulk"})).await, 422);
        assert_eq!(chain.control("bank/behaviour", json!({"mode": "ok"})).await, 404);
        chain.sandbox.shop().set_response_mode(CRM, ResponseMode::Fail, 60);
        assert_eq!(chain.control("crm", json!({})).await, 503);
    }

    async fn a_rotated_source_takes_both_secrets_for_a_day(test: TestDb) {
        let chain = Chain::new(test).await;
        let sender = chain.sandbox.provider().sender().clone();
        let old = chain.registry.source(&source()).unwrap().secrets[0].value.clone();
        let new = SecretValue::new("whsec_test_theNewOne0123456789");
        let secrets = SecretsBackend::new(
            chain.test.db.clone(), chain.test.clock.clone(), Arc::clone(&chain.vault), Arc::clone(&chain.registry),
            server::deliver::Network::new("".parse().unwrap()), server::request_coalescing::ChangeCount::default());
        secrets.rotate_source(&viewer(), &source(), new.expose(), 86_400, "").await.unwrap();
        let rotated = chain.test.clock_now();
        let mut stored = 0;
        for (after, told, is_taken) in [
            (0, vec![&old], true),
            (0, vec![&new], true),
            (86_399, vec![&old], true),
            (86_399, vec![&new, &old], true),
            (86_400, vec![&old], false),
            (86_400, vec![&new], true),
        ] {
            chain.test.clock.set(rotated.plus_seconds(after));
            sender.set_secrets(Some(told.into_iter().cloned().collect()));
            let before = sender.counts();
            chain.tell_at_once(Status::Paid).await;
            stored += i64::from(is_taken);
            assert_eq!(sender.counts().accepted - before.accepted, u64::from(is_taken), "+{after} s");
            assert_eq!(chain.count("select count(*) from event").await, stored, "+{after} s");
        }
        sender.set_secrets(None);
        chain.tell_at_once(Status::Paid).await;
        assert_eq!(chain.count("select count(*) from event").await, stored + 1, "signed with what the source has");
    }

    async fn a_second_start_makes_nothing_new(test: TestDb) {
        let first = Chain::new(test).await;
        let id = first.invoice().await;
        first.report_status(&id, Status::Paid, Fault::None).await;
        let counted = ["select count(*) from source", "select count(*) from destination", "select count(*) from secret",
            "select count(*) from token", "select count(*) from \"user\""];
        let before = [first.count(counted[0]).await, first.count(counted[1]).await, first.count(counted[2]).await,
            first.count(counted[3]).await, first.count(counted[4]).await];
        assert_eq!(before, [1, 2, 3, 1, 1]);
        let Chain { test, vault, registry, .. } = first;
        // On another port, as after a restart.
        let second = Chain::start(test, vault, registry).await;
        let after = [second.count(counted[0]).await, second.count(counted[1]).await, second.count(counted[2]).await,
            second.count(counted[3]).await, second.count(counted[4]).await];
        assert_eq!(after, before);
        second.deliver().await;
        assert_eq!(second.count("select count(*) from delivery where state = 'delivered'").await, 2);
        assert_eq!(second.reconcile().await, [], "the provider remembers its invoices");
        assert_eq!(second.orders().await["totals"]["orders"], 1);
    }
}

impl Chain {
    async fn tell_at_once(&self, status: Status) {
        let id = self.invoice().await;
        self.sandbox.provider().report_status(&id, status, Fault::None).await.unwrap();
    }
}
