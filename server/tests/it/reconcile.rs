//! Reconciliation against the simulated provider, over real HTTP.

use std::sync::Arc;

use app::context::Viewer;
use app::error::{AppError, FieldError, Rule};
use app::reconciliation::{Comparison, Difference, DifferenceFilter, Reconciliations as Interface};
use app::types::{DifferenceKind, DifferenceState, PageRequest, Role, RunState, Slug, Timestamp};
use server::backend::reconciliation::Reconciliations;
use server::domain::secret::SecretValue;
use server::notify::Notifiers;
use server::receive::Receiver;
use server::reconcile::Reconciler;
use server::registry::Registry;
use server::sandbox::provider::invoice::Invoice;
use server::sandbox::provider::words::{Stage, Status};
use server::sandbox::provider::{self, Account, Provider, Sender};
use server::store::source::api_owner;
use server::vault::Vault;
use tokio_util::sync::CancellationToken;

use crate::on_both;
use crate::sandbox::{order, serve};
use crate::support::{TestDb, noon};

/// A source whose provider is simulated, and what reconciles it.
struct Bench {
    test: TestDb,
    registry: Arc<Registry>,
    provider: Provider,
    reconciler: Reconciler,
    backend: Reconciliations,
}

fn slug() -> Slug {
    "paymos-sandbox".parse().unwrap()
}

fn viewer() -> Viewer {
    Viewer { name: "ana@acuse.example".to_owned(), role: Role::Support, from: None }
}

fn asked(from: Timestamp, to: Timestamp) -> Comparison {
    Comparison { from, to, backfill: false }
}

fn reconciler(test: &TestDb, registry: &Arc<Registry>) -> Reconciler {
    let (db, notifiers, stop) = (test.db.clone(), Notifiers::default(), CancellationToken::new());
    let receiver = Receiver::start(db.clone(), test.clock.clone(), Arc::clone(registry), notifiers, stop);
    Reconciler::new(db, test.clock.clone(), Arc::clone(registry), receiver)
}

async fn execute(test: &TestDb, sql: String) {
    server::write!(&test.db, on => sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(on).await.map(drop))
        .unwrap();
}

impl Bench {
    async fn new(test: TestDb) -> Self {
        Self::with_secret(test, "sk_test_1").await
    }

    async fn with_secret(test: TestDb, secret: &str) -> Self {
        server::sandbox::records::create_tables(&test.db).await.unwrap();
        let vault = Arc::new(Vault::ephemeral());
        let registry = Arc::new(Registry::new(test.db.clone(), Arc::clone(&vault), test.clock.clone()));
        let stop = CancellationToken::new();
        let to = "http://127.0.0.1:9/".to_owned();
        let sender = Sender::new(test.clock.clone(), Arc::clone(&registry), slug(), to, stop).unwrap();
        let account = Account { key: "pk_test_1".to_owned(), secret: SecretValue::new("sk_test_1") };
        let provider = Provider::new(test.db.clone(), test.clock.clone(), sender);
        provider.open_account(account);
        let router = axum::Router::new().nest("/sandbox/paymos", provider::router(provider.clone()));
        let base_url = format!("http://{}/sandbox/paymos", serve(router).await);
        let sealed = vault.seal(&SecretValue::new(secret), &api_owner(&slug())).unwrap();
        let sql = "insert into source (id, slug, provider, mode, api_base_url, api_key, api_secret_sealed, \
                   api_secret_key_id, created_at) values (1, 'paymos-sandbox', 'paymos', 'test', $1, 'pk_test_1', $2, $3, $4)";
        server::write!(&test.db, on => sqlx::query(sql)
            .bind(base_url)
            .bind(&sealed.bytes)
            .bind(&sealed.key_id)
            .bind(noon().plus_seconds(-7 * 86_400).micros())
            .execute(on).await.map(drop))
        .unwrap();
        let settings = "insert into destination (id, slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, \
                        created_at) values (1, 'shop', 'http://127.0.0.1:9/', 'paymos', '[\"*\"]', '[\"*\"]', '1m', 10000, 16, 0)";
        execute(&test, settings.to_owned()).await;
        registry.reload().await.unwrap();
        let reconciler = reconciler(&test, &registry);
        let backend = Reconciliations::new(
            test.db.clone(),
            test.clock.clone(),
            Arc::clone(&registry),
            reconciler.clone(),
            server::request_coalescing::ChangeCount::default(),
        );
        Self { test, registry, provider, reconciler, backend }
    }

    /// Invoices in a status, whose webhooks are none of this test's business.
    async fn invoices(&self, statuses: &[Status]) -> Vec<Invoice> {
        let made = self.provider.create_all((0..statuses.len()).map(order).collect()).await.unwrap();
        for (invoice, status) in made.iter().zip(statuses) {
            if *status != Status::AwaitingPayment {
                self.provider.set_status(&invoice.invoice_id, *status).await.unwrap();
            }
        }
        made
    }

    /// An event that we have, so many seconds after noon, and its delivery in this state.
    async fn event(&self, number: i64, invoice: &Invoice, status: &str, after: i64, delivery: &str) {
        let at = noon().plus_seconds(after).micros();
        let (id, kind) = (&invoice.invoice_id, format!("invoice.{status}"));
        let body = format!("{{\"data\":{{\"invoice_id\":\"{id}\"}}}}");
        execute(&self.test, format!(
            "insert into event (id, source_id, event_id, type, resource_id, status, occurred_at, received_at, headers, \
             body_sha256, body_size) values ({number}, 1, 'evt_{number}', '{kind}', '{id}', '{status}', {at}, {at}, '[]', \
             '', 0)")).await;
        let sql = "insert into event_body (event_id, body) values ($1, $2)";
        server::write!(&self.test.db, on => sqlx::query(sql).bind(number).bind(body.as_bytes()).execute(on).await
            .map(drop)).unwrap();
        let (attempts, next, done) = match delivery {
            "pending" => (0, at.to_string(), "null".to_owned()),
            "retrying" => (1, at.to_string(), "null".to_owned()),
            "delivered" => (1, "null".to_owned(), at.to_string()),
            _ => (2, "null".to_owned(), "null".to_owned()),
        };
        let state = if delivery == "retrying" { "pending" } else { delivery };
        execute(&self.test, format!(
            "insert into delivery (id, event_id, destination_id, source_id, type, resource_id, received_at, state, \
             attempts, max_attempts, next_attempt_at, delivered_at) values ({}, {number}, 1, 1, '{kind}', '{id}', {at}, \
             '{state}', {attempts}, 2, {next}, {done})", 1000 + number)).await;
    }

    async fn reconcile(&self) -> i64 {
        let (from, to) = (noon().plus_seconds(-3600), noon().plus_seconds(3600));
        let id = self.backend.start(&viewer(), &slug(), asked(from, to)).await.unwrap();
        self.reconciler.idle().await;
        id
    }

    async fn differences(&self) -> Vec<Difference> {
        let mut all = self
            .backend
            .differences(DifferenceFilter::default(), PageRequest::default())
            .await
            .unwrap()
            .items;
        all.sort_by(|a, b| (&a.resource_id, a.kind).cmp(&(&b.resource_id, b.kind)));
        all
    }
}

/// Resource, kind and state of each, sorted.
fn facts(differences: &[Difference]) -> Vec<(&str, DifferenceKind, DifferenceState)> {
    differences.iter().map(|found| (found.resource_id.as_str(), found.kind, found.state)).collect()
}

on_both! {
    async fn finds_exactly_what_differs_and_resolves_what_is_mended(test: TestDb) {
        let bench = Bench::new(test).await;
        let statuses = [
            Status::AwaitingPayment, Status::Paid, Status::Paid, Status::Paid, Status::Paid, Status::Expired,
            Status::Confirming, Status::Paid, Status::PaidOver,
        ];
        let made = bench.invoices(&statuses).await;
        bench.event(1, &made[1], "confirming", 1, "delivered").await;
        bench.event(2, &made[1], "paid", 2, "delivered").await; // agrees
        bench.event(3, &made[3], "confirming", 1, "delivered").await; // status
        bench.event(4, &made[4], "paid", 1, "failed").await; // undelivered
        bench.event(5, &made[5], "expired", 1, "delivered").await; // late: status
        bench.provider.simulate(&made[5].invoice_id, Stage::PaidLate).await.unwrap();
        bench.event(6, &made[6], "confirming", 1, "pending").await; // not yet tried: agrees
        bench.event(7, &made[7], "paid", 1, "retrying").await; // undelivered
        bench.event(8, &made[8], "paid_over", 9, "held").await; // undelivered
        let run = bench.reconcile().await;

        let id = |n: usize| made[n].invoice_id.as_str();
        let open = DifferenceState::Open;
        let mut wanted = vec![
            (id(2), DifferenceKind::Missing, open),
            (id(3), DifferenceKind::Status, open),
            (id(4), DifferenceKind::Undelivered, open),
            (id(5), DifferenceKind::Status, open),
            (id(7), DifferenceKind::Undelivered, open),
            (id(8), DifferenceKind::Undelivered, open),
        ];
        wanted.sort();
        let found = bench.differences().await;
        assert_eq!(facts(&found), wanted);
        let missing = found.iter().find(|found| found.kind == DifferenceKind::Missing).unwrap();
        assert_eq!((missing.amount.as_deref(), missing.currency.as_deref()), (Some("3.50"), Some("USD")));
        assert_eq!((missing.order_ref.as_deref(), missing.theirs.as_deref()), (Some("order-0002"), Some("paid")));
        let failed = found.iter().find(|found| found.resource_id == id(4)).unwrap();
        assert_eq!((failed.ours.as_deref(), failed.delivery, failed.event), (Some("shop failed"), Some(1004), Some(4)));

        let told = bench.backend.get(run).await.unwrap();
        assert_eq!((told.state, told.fetched, told.compared, told.error), (RunState::Done, 9, 9, None));
        let counts: Vec<_> = told.differences.into_iter().collect();
        assert_eq!(counts, [
            (DifferenceKind::Missing, 1), (DifferenceKind::Status, 2), (DifferenceKind::Undelivered, 3),
        ]);

        // What never came comes, the newest event arrives, and the failed delivery is taken.
        bench.event(9, &made[2], "paid", 3, "delivered").await;
        bench.event(10, &made[3], "paid", 3, "delivered").await;
        let mend = "update delivery set state = 'delivered', next_attempt_at = null, delivered_at = 1 \
                    where id in (1004, 1007, 1008)";
        execute(&bench.test, mend.to_owned()).await;
        bench.test.clock.advance(60);
        let again = bench.reconcile().await;
        let resolved = DifferenceState::Resolved;
        for difference in &mut wanted {
            difference.2 = if difference.0 == id(5) { open } else { resolved };
        }
        let found = bench.differences().await;
        assert_eq!(facts(&found), wanted);
        let late = found.iter().find(|found| found.resource_id == id(5)).unwrap();
        assert_eq!((late.first_seen, late.last_seen), (noon(), noon().plus_seconds(60)));
        let counts: i64 = bench.backend.get(again).await.unwrap().differences.into_values().sum();
        assert_eq!(counts, 1);
        let counts: i64 = bench.backend.get(run).await.unwrap().differences.into_values().sum();
        assert_eq!(counts, 6, "what the first run saw stays written");
    }

    async fn acknowledged_stays_so_while_it_says_the_same(test: TestDb) {
        let bench = Bench::new(test).await;
        let made = bench.invoices(&[Status::Confirming]).await;
        bench.reconcile().await;
        let id = bench.differences().await[0].id;
        let seen = bench.backend.acknowledge(&viewer(), id, "  asked the provider ").await.unwrap();
        assert_eq!(seen.state, DifferenceState::Acknowledged);
        assert_eq!((seen.note.as_deref(), seen.acknowledged_by.as_deref()),
            (Some("asked the provider"), Some("ana@acuse.example")));
        bench.reconcile().await;
        assert_eq!(bench.differences().await[0].state, DifferenceState::Acknowledged);
        bench.provider.set_status(&made[0].invoice_id, Status::Paid).await.unwrap();
        bench.reconcile().await;
        let reopened = &bench.differences().await[0];
        assert_eq!((reopened.state, reopened.theirs.as_deref()), (DifferenceState::Open, Some("paid")));
        assert_eq!(reopened.note.as_deref(), Some("asked the provider"));
        assert_eq!(bench.backend.acknowledge(&viewer(), id, " ").await,
            Err(AppError::Invalid(vec![FieldError::new("note", Rule::Required)])));
        assert_eq!(bench.backend.acknowledge(&viewer(), 999_999, "x").await, Err(AppError::NotFound));
    }

    async fn follows_the_cursors_and_keeps_to_the_window(test: TestDb) {
        let bench = Bench::new(test).await;
        for (after, count) in [(-3601, 3), (-3600, 120), (0, 141), (1, 4), (3599, 7), (3600, 5)] {
            bench.test.clock.set(noon().plus_seconds(after));
            bench.provider.create_all((0..count).map(order).collect()).await.unwrap();
        }
        bench.test.clock.set(noon());
        let run = bench.reconcile().await;
        let told = bench.backend.get(run).await.unwrap();
        assert_eq!((told.state, told.fetched, told.compared), (RunState::Done, 272, 272));
        assert_eq!(bench.differences().await, []);
        // The API is asked for two seconds, as it wants its end after its begin.
        let second = bench.backend.start(&viewer(), &slug(), asked(noon(), noon().plus_seconds(1))).await.unwrap();
        bench.reconciler.idle().await;
        assert_eq!(bench.backend.get(second).await.unwrap().fetched, 141);
    }

    async fn bad_credentials_fail_the_run_with_one_sentence(test: TestDb) {
        let bench = Bench::with_secret(test, "sk_test_wrong").await;
        let run = bench.reconcile().await;
        let told = bench.backend.get(run).await.unwrap();
        assert_eq!(told.state, RunState::Failed);
        assert_eq!(told.error.as_deref(), Some(
            "the API did not accept the credentials (401 invalid_signature): check the key, the secret and the clock"));
        assert!(told.finished_at.is_some());
        bench.reconcile().await; // and the next one can start
    }

    async fn a_run_must_be_possible(test: TestDb) {
        let bench = Bench::new(test).await;
        let start = |slug: &str, from: Timestamp, to: Timestamp| {
            let (backend, slug) = (bench.backend.clone(), slug.parse::<Slug>().unwrap());
            async move { backend.start(&viewer(), &slug, asked(from, to)).await }
        };
        let hour = noon().plus_seconds(3600);
        assert_eq!(start("nobody", noon(), hour).await, Err(AppError::NotFound));
        assert_eq!(start("paymos-sandbox", noon(), noon()).await, Err(AppError::field("from", Rule::NotBefore)));
        execute(&bench.test, "insert into reconciliation (source_id, trigger_kind, actor, window_from, window_to, state, \
            started_at, heartbeat_at) values (1, 'manual', 'bo', 0, 1, 'running', 0, \
            9000000000000000)".to_owned()).await;
        assert_eq!(start("paymos-sandbox", noon(), hour).await, Err(AppError::AlreadyRunning));
        execute(&bench.test, "update source set api_base_url = null, api_key = null, api_secret_sealed = null, \
            api_secret_key_id = null".to_owned()).await;
        bench.registry.reload().await.unwrap();
        assert_eq!(start("paymos-sandbox", noon(), hour).await, Err(AppError::NoCredentials));
        let page = bench.backend.page(DifferenceFilter::default(), PageRequest::default()).await.unwrap();
        assert_eq!(page.sources, []);
    }

    async fn a_night_has_one_run_however_many_processes(test: TestDb) {
        let bench = Bench::new(test).await;
        let other = reconciler(&bench.test, &bench.registry);
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let mut nights = Vec::new();
        for now in ["2026-11-30T02:59:59Z", "2026-11-30T03:00:00Z", "2026-11-30T12:00:00Z", "2026-12-01T03:00:00Z"] {
            bench.test.clock.set(at(now));
            let (a, b) = tokio::join!(bench.reconciler.run_due_once(at(now)), other.run_due_once(at(now)));
            nights.push(a.unwrap().len() + b.unwrap().len());
        }
        assert_eq!(nights, [1, 1, 0, 1]);
        let runs = bench.backend.list(Some(slug()), PageRequest::default()).await.unwrap().items;
        assert_eq!(runs.len(), 3);
        assert!(runs.iter().all(|run| run.trigger == "nightly" && run.state == RunState::Done), "{runs:?}");
        assert_eq!((runs[0].from, runs[0].to), (at("2026-11-29T03:00:00Z"), at("2026-12-01T03:00:00Z")));
    }

    async fn a_source_made_after_the_night_began_waits_for_the_next(test: TestDb) {
        let bench = Bench::new(test).await;
        execute(&bench.test, format!("update source set created_at = {}", noon().micros())).await;
        assert_eq!(bench.reconciler.run_due_once(noon()).await.unwrap(), Vec::<i64>::new());
        let tomorrow = noon().plus_seconds(86_400);
        assert_eq!(bench.reconciler.run_due_once(tomorrow).await.unwrap().len(), 1);
    }

    async fn a_run_that_was_cut_off_is_told_and_its_night_made_again(test: TestDb) {
        let bench = Bench::new(test).await;
        execute(&bench.test, format!("insert into reconciliation (id, source_id, trigger_kind, night, actor, window_from, \
            window_to, state, started_at, heartbeat_at) values (77, 1, 'nightly', '2026-11-30', 'acuse', 0, 1, 'running', \
            {0}, {0})", noon().micros())).await;
        bench.test.clock.advance(120);
        assert_eq!(bench.reconciler.run_due_once(bench.test.clock_now()).await.unwrap(), Vec::<i64>::new());
        assert_eq!(bench.backend.get(77).await.unwrap().state, RunState::Running);
        bench.test.clock.advance(1);
        assert_eq!(bench.reconciler.run_due_once(bench.test.clock_now()).await.unwrap(), Vec::<i64>::new());
        bench.test.clock.set(noon().plus_seconds(3600));
        let made = bench.reconciler.run_due_once(bench.test.clock_now()).await.unwrap();
        assert_eq!(made.len(), 1);
        let cut = bench.backend.get(77).await.unwrap();
        assert_eq!((cut.state, cut.error.as_deref()),
            (RunState::Failed, Some("the process that made this run ended before the run did")));
        assert_eq!(bench.backend.get(made[0]).await.unwrap().state, RunState::Done);
    }

    async fn a_night_that_the_api_spoilt_is_made_again_every_hour(test: TestDb) {
        let bench = Bench::new(test).await;
        let url = bench.registry.source(&slug()).unwrap().api.as_ref().unwrap().base_url.to_string();
        let broken = "http://127.0.0.1:1".to_owned();
        let mut made = Vec::new();
        for (after, url) in [(0, &broken), (3599, &url), (3600, &broken), (7199, &url), (7200, &url), (10_800, &url)] {
            execute(&bench.test, format!("update source set api_base_url = '{url}'")).await;
            bench.registry.reload().await.unwrap();
            bench.test.clock.set(noon().plus_seconds(after));
            for id in bench.reconciler.run_due_once(bench.test.clock_now()).await.unwrap() {
                made.push((after, bench.backend.get(id).await.unwrap().state));
            }
        }
        assert_eq!(made, [(0, RunState::Failed), (3600, RunState::Failed), (7200, RunState::Done)]);
    }

    async fn an_orderly_end_stops_a_run_and_says_so(test: TestDb) {
        let bench = Bench::new(test).await;
        // An API that never answers.
        let silent = axum::Router::new().fallback(async || std::future::pending::<()>().await);
        let url = format!("http://{}", serve(silent).await);
        execute(&bench.test, format!("update source set api_base_url = '{url}'")).await;
        bench.registry.reload().await.unwrap();
        let shutdown = CancellationToken::new();
        let worker = tokio::spawn(bench.reconciler.clone().run(shutdown.clone()));
        let started = loop {
            let runs = bench.backend.list(None, PageRequest::default()).await.unwrap().items;
            if let Some(run) = runs.first() { break run.id; }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        };
        shutdown.cancel();
        tokio::time::timeout(std::time::Duration::from_secs(4), worker).await.unwrap().unwrap();
        let told = bench.backend.get(started).await.unwrap();
        assert_eq!((told.state, told.error.as_deref()),
            (RunState::Failed, Some("Acuse was stopped before the run was through")));
    }

    async fn an_api_that_repeats_itself_is_left(test: TestDb) {
        let bench = Bench::new(test).await;
        let item = serde_json::json!({"invoice_id": "inv_1", "status": "paid", "created_at": noon().unix()});
        let page = serde_json::json!({"items": [item], "next_cursor": "again"}).to_string();
        let time = serde_json::json!({"server_time": noon().unix()}).to_string();
        let broken = axum::Router::new()
            .route("/v1/time", axum::routing::get(move || { let time = time.clone(); async move { time } }))
            .route("/v1/invoices", axum::routing::get(move || { let page = page.clone(); async move { page } }));
        let url = format!("http://{}", serve(broken).await);
        execute(&bench.test, format!("update source set api_base_url = '{url}'")).await;
        bench.registry.reload().await.unwrap();
        let told = bench.backend.get(bench.reconcile().await).await.unwrap();
        assert_eq!((told.state, told.fetched), (RunState::Failed, 2));
        assert_eq!(told.error.as_deref(), Some("the API gave the same cursor twice: its list would never end"));
        assert_eq!(bench.differences().await.len(), 1, "what it found until then stands");
    }
}
