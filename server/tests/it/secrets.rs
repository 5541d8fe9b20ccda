//! Rotating secrets, by the clock.

use std::sync::Arc;

use app::audit::AuditFilter;
use app::context::Viewer;
use app::error::{AppError, Rule};
use app::secrets::{Extension, Holder, Secret, Secrets};
use app::text::Lang;
use app::types::{PageRequest, Role, Slug};
use base64::Engine;
use server::backend::secrets::SecretsBackend;
use server::domain::secret::{self, SecretValue};
use server::registry::Registry;
use server::request_coalescing::ChangeCount;
use server::store::audit::{self, AuditEntry};
use server::store::secret::usage::{self, Use};
use server::store::secret::{HolderId, SecretRow};
use server::vault::Vault;

use crate::on_both;
use crate::support::{TestDb, noon};

const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;

/// A source `shop` and a destination `books`, each with one secret.
struct Setting {
    backend: SecretsBackend,
    registry: Arc<Registry>,
    vault: Arc<Vault>,
    acts: ChangeCount,
}

fn support() -> Viewer {
    Viewer { name: "ana@shop.test".to_owned(), role: Role::Support, from: Some("203.0.113.7".to_owned()) }
}

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

async fn setting(test: &TestDb) -> Setting {
    let now = test.clock_now().micros();
    for (sql, name) in [
        ("insert into source (slug, provider, mode, created_at) values ($1, 'paymos', 'test', $2)", "shop"),
        (
            "insert into destination (slug, url, format, sources, events, ladder, timeout_ms, max_in_flight, created_at) \
             values ($1, 'http://127.0.0.1:9/', 'stripe', '[\"*\"]', '[\"*\"]', '1m', 10000, 16, $2)",
            "books",
        ),
    ] {
        server::write!(&test.db, on => sqlx::query(sql).bind(name).bind(now).execute(on).await.map(drop))
            .unwrap();
    }
    let vault = Arc::new(Vault::ephemeral());
    for (holder, value) in
        [(HolderId::Source(1), "whsec_source_0"), (HolderId::Destination(1), "whsec_destination_0")]
    {
        add(test, &vault, holder, value).await;
    }
    let registry = Registry::load(test.db.clone(), vault.clone(), test.clock.clone()).await.unwrap();
    let nets = server::deliver::Network::new("127.0.0.0/8".parse().unwrap());
    let acts = ChangeCount::default();
    let backend = SecretsBackend::new(
        test.db.clone(),
        test.clock.clone(),
        vault.clone(),
        Arc::clone(&registry),
        nets,
        acts.clone(),
    );
    Setting { backend, registry, vault, acts }
}

async fn add(test: &TestDb, vault: &Vault, holder: HolderId, value: &str) {
    let (id, value) = (secret::new_id(), SecretValue::new(value));
    let row = SecretRow {
        sealed: vault.seal(&value, &server::store::secret::owner(&id)).unwrap(),
        id,
        holder,
        fingerprint: value.fingerprint(),
        created_by: "setup".to_owned(),
        created_at: test.clock_now(),
        expires_at: None,
        last_used_at: None,
        matches: 0,
    };
    let mut tx = test.db.begin_write().await.unwrap();
    server::store::secret::insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
}

impl Setting {
    /// The values that verify what `shop` sends now, newest first.
    fn verifying(&self, test: &TestDb) -> Vec<String> {
        values(&self.registry.source(&slug("shop")).unwrap().secrets, test)
    }

    /// The values that sign what `books` is sent now, newest first.
    fn signing(&self, test: &TestDb) -> Vec<String> {
        values(&self.registry.snapshot().destination(&slug("books")).unwrap().secrets, test)
    }

    async fn paste(&self, value: &str, overlap_s: i64) -> Vec<Secret> {
        self.backend.rotate_source(&support(), &slug("shop"), value, overlap_s, "").await.unwrap().secrets
    }

    /// What the audit says of this action, newest first.
    async fn audit(&self, test: &TestDb, action: &str) -> Vec<AuditEntry> {
        let filter = AuditFilter { action: Some(action.to_owned()), ..AuditFilter::default() };
        audit::page(&test.db, &filter, PageRequest::default()).await.unwrap().items
    }

    async fn list(&self, holder: Holder, name: &str) -> Vec<Secret> {
        self.backend.list(holder, &slug(name)).await.unwrap().secrets
    }
}

fn values(secrets: &[secret::TimedSecret], test: &TestDb) -> Vec<String> {
    secret::active(secrets, test.clock_now()).iter().map(|secret| secret.value.expose().to_owned()).collect()
}

on_both! {
    async fn both_secrets_of_a_source_verify_for_a_day_to_the_second(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(100);
        let list = setting.paste("whsec_source_1", DAY).await;
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].created_by.as_str(), list[0].expires_at), ("ana@shop.test", None));
        assert_eq!(list[1].expires_at, Some(test.clock_now().plus_seconds(DAY)));
        let both = ["whsec_source_1", "whsec_source_0"];
        assert_eq!(setting.verifying(&test), both, "+00:00:00");
        test.clock.advance(DAY - 1);
        assert_eq!(setting.verifying(&test), both, "+23:59:59");
        assert_eq!(setting.list(Holder::Source, "shop").await.len(), 2);
        test.clock.advance(1);
        assert_eq!(setting.verifying(&test), ["whsec_source_1"], "+24:00:00");
        assert_eq!(setting.list(Holder::Source, "shop").await.len(), 1);
    }

    async fn both_secrets_of_a_destination_sign_for_a_day_newest_first(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(100);
        let (list, made) =
            setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        assert_eq!((list.secrets.len(), made.destination.as_str()), (2, "books"));
        assert!(made.secret.starts_with("whsec_"), "it is made here");
        assert_eq!(SecretValue::new(made.secret.clone()).fingerprint(), list.secrets[0].fingerprint);
        let both = [made.secret.clone(), "whsec_destination_0".to_owned()];
        assert_eq!(setting.signing(&test), both);
        test.clock.advance(DAY - 1);
        assert_eq!(setting.signing(&test), both);
        test.clock.advance(1);
        assert_eq!(setting.signing(&test), [made.secret]);
        assert!(!format!("{list:?}").contains("destination_0"));
    }

    async fn without_an_overlap_the_one_that_is_replaced_ends_at_once(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        assert_eq!(setting.paste("whsec_source_1", 0).await.len(), 1);
        assert_eq!(setting.verifying(&test), ["whsec_source_1"]);
        test.clock.advance(1);
        setting.paste("whsec_source_2", 60).await;
        test.clock.advance(1);
        setting.paste("whsec_source_3", 0).await;
        let both = ["whsec_source_3", "whsec_source_1"];
        assert_eq!(setting.verifying(&test), both, "what was replaced before keeps its own end");
        test.clock.advance(58);
        assert_eq!(setting.verifying(&test), both);
        test.clock.advance(1);
        assert_eq!(setting.verifying(&test), ["whsec_source_3"]);
    }

    async fn rotating_again_keeps_every_one_to_its_own_end(test: TestDb) {
        let setting = setting(&test).await;
        let start = test.clock_now();
        for n in 1..=3 {
            test.clock.advance(3600);
            setting.paste(&format!("whsec_source_{n}"), DAY).await;
        }
        let ends: Vec<_> = setting.list(Holder::Source, "shop").await.iter()
            .map(|secret| secret.expires_at.map(|end| end.seconds_since(start))).collect();
        assert_eq!(ends, [None, Some(3 * 3600 + DAY), Some(2 * 3600 + DAY), Some(3600 + DAY)]);
        assert_eq!(setting.verifying(&test).len(), 4);
        test.clock.set(start.plus_seconds(3600 + DAY));
        assert_eq!(setting.verifying(&test), ["whsec_source_3", "whsec_source_2", "whsec_source_1"]);
        test.clock.set(start.plus_seconds(3 * 3600 + DAY));
        assert_eq!(setting.verifying(&test), ["whsec_source_3"]);
    }

    async fn a_rotation_gives_an_end_to_the_one_that_it_replaces_only(test: TestDb) {
        let setting = setting(&test).await;
        let ends = async || setting.list(Holder::Source, "shop").await.iter().rev()
            .map(|secret| secret.expires_at.map(|end| end.seconds_since(noon()))).collect::<Vec<_>>();
        test.clock.advance(1);
        setting.paste("whsec_source_1", 60).await;
        test.clock.advance(1);
        setting.paste("whsec_source_2", WEEK).await;
        assert_eq!(ends().await, [Some(61), Some(2 + WEEK), None], "a longer overlap makes no end later");
        test.clock.advance(1);
        setting.paste("whsec_source_3", 10).await;
        assert_eq!(ends().await, [Some(61), Some(2 + WEEK), Some(13), None], "a shorter one none sooner");
    }

    async fn many_rotations_at_one_moment_keep_their_order(test: TestDb) {
        let setting = setting(&test).await;
        for n in 1..=9 {
            setting.paste(&format!("whsec_source_{n}"), DAY).await;
        }
        let wanted: Vec<_> = (0..=9).rev().map(|n| format!("whsec_source_{n}")).collect();
        assert_eq!(setting.verifying(&test), wanted);
        // The machine's clock is set back: the newest stays the newest.
        test.clock.advance(3600);
        setting.paste("whsec_source_10", DAY).await;
        test.clock.advance(-1800);
        setting.paste("whsec_source_11", DAY).await;
        test.clock.advance(1800);
        assert_eq!(setting.verifying(&test)[..3], ["whsec_source_11", "whsec_source_10", "whsec_source_9"]);
    }

    async fn retiring_the_newest_leaves_one_that_does_not_end(test: TestDb) {
        let setting = setting(&test).await;
        for n in 1..=2 {
            test.clock.advance(60);
            setting.paste(&format!("whsec_source_{n}"), DAY).await;
        }
        let retire = async |id: String| {
            setting.backend.retire(&support(), Holder::Source, &slug("shop"), &id, "it leaked").await.unwrap();
            setting.list(Holder::Source, "shop").await
        };
        let newest = setting.list(Holder::Source, "shop").await[0].id.clone();
        let left = retire(newest).await;
        assert_eq!(left[0].expires_at, None, "the one before goes on");
        assert_eq!(left[1].expires_at, Some(noon().plus_seconds(60 + DAY)), "the others end as they would");
        let left = retire(left[0].id.clone()).await;
        assert_eq!((left.len(), left[0].expires_at), (1, None));
        test.clock.advance(100 * DAY);
        assert_eq!(setting.verifying(&test), ["whsec_source_0"]);
        let entry = &setting.audit(&test, "secret.retired").await[0];
        assert_eq!(entry.reason.as_deref(), Some("it leaked"));
        assert_eq!(entry.detail.as_ref().unwrap()["goes_on"], left[0].id);
    }

    async fn the_audit_says_when_a_retired_secret_was_of_use_last(test: TestDb) {
        let setting = setting(&test).await;
        let old = setting.paste("whsec_source_1", DAY).await[1].id.clone();
        let last = noon().plus_seconds(1800);
        usage::add(&test.db, &[Use { id: old.clone(), times: 3, last }]).await.unwrap();
        test.clock.advance(3600);
        setting.backend.retire(&support(), Holder::Source, &slug("shop"), &old, "done").await.unwrap();
        let entry = &setting.audit(&test, "secret.retired").await[0];
        let detail = entry.detail.as_ref().unwrap();
        assert_eq!((&detail["secret"], &detail["matches"]), (&old.into(), &3.into()));
        assert_eq!(detail["last_used_at"], last.to_string());
    }

    async fn an_overlap_is_extended_to_the_second(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(10);
        let list = setting.paste("whsec_source_1", 3600).await;
        let (new, old) = (list[0].id.clone(), list[1].id.clone());
        let extend = async |id: &str, extension| {
            let done = setting.backend.extend(&support(), Holder::Source, &slug("shop"), id, extension, "late").await;
            done.map(|list| list.secrets[1].expires_at.unwrap().seconds_since(noon()))
        };
        assert_eq!(extend(&old, Extension::By(3600)).await, Ok(10 + 7200));
        assert_eq!(extend(&old, Extension::Until(noon().plus_seconds(7300))).await, Ok(7300));
        let range = |field| Err(AppError::field(field, Rule::OutOfRange));
        assert_eq!(extend(&old, Extension::Until(noon().plus_seconds(7300))).await, range("expires_at"), "not later");
        assert_eq!(extend(&old, Extension::Until(noon().plus_seconds(11 + WEEK))).await, range("expires_at"));
        assert_eq!(extend(&old, Extension::By(WEEK)).await, range("extend_s"), "a week from now is the most");
        assert_eq!(extend(&old, Extension::By(-5)).await, range("extend_s"));
        assert_eq!(extend(&new, Extension::By(60)).await, Err(AppError::NoEnd));
        assert_eq!(extend("sec_none", Extension::By(60)).await, Err(AppError::NotFound));
        assert_eq!(extend(&old, Extension::Until(noon().plus_seconds(10 + WEEK))).await, Ok(10 + WEEK));
        test.clock.set(noon().plus_seconds(9 + WEEK));
        assert_eq!(setting.verifying(&test).len(), 2);
        test.clock.advance(1);
        assert_eq!(setting.verifying(&test), ["whsec_source_1"]);
        assert_eq!(extend(&old, Extension::By(60)).await, Err(AppError::NotFound), "what has ended stays so");
        assert_eq!(setting.audit(&test, "secret.extended").await.len(), 3);
    }

    async fn a_rotation_is_undone_while_what_it_replaced_counts(test: TestDb) {
        let setting = setting(&test).await;
        let undo = async || {
            setting.backend.undo(&support(), Holder::Source, &slug("shop"), "the wrong one").await.map(drop)
        };
        assert_eq!(undo().await, Err(AppError::NothingToUndo), "the first one replaced nothing");
        test.clock.advance(1);
        setting.paste("whsec_source_1", DAY).await;
        test.clock.advance(DAY - 1);
        assert_eq!(undo().await, Ok(()));
        assert_eq!(setting.verifying(&test), ["whsec_source_0"]);
        test.clock.advance(DAY);
        assert_eq!(setting.verifying(&test), ["whsec_source_0"], "it has no end again");
        assert_eq!(undo().await, Err(AppError::NothingToUndo));

        // Two in a row are undone one after the other; an end of another rotation stays as it was.
        setting.paste("whsec_source_2", DAY).await;
        test.clock.advance(60);
        setting.paste("whsec_source_3", 600).await;
        assert_eq!(undo().await, Ok(()));
        assert_eq!(setting.verifying(&test), ["whsec_source_2", "whsec_source_0"]);
        assert_eq!(undo().await, Ok(()));
        assert_eq!(setting.verifying(&test), ["whsec_source_0"]);
        setting.paste("whsec_source_4", 600).await;
        test.clock.advance(600);
        assert_eq!(undo().await, Err(AppError::NothingToUndo), "the window is over");
        let replaced = setting.paste("whsec_source_5", DAY).await[1].id.clone();
        setting.backend.retire(&support(), Holder::Source, &slug("shop"), &replaced, "").await.unwrap();
        assert_eq!(undo().await, Err(AppError::NothingToUndo), "what it replaced was retired");
        assert_eq!(setting.verifying(&test), ["whsec_source_5"]);
        assert_eq!(setting.audit(&test, "secret.undone").await[0].reason.as_deref(), Some("the wrong one"));
    }

    async fn a_destination_that_is_undone_signs_with_the_old_one_only(test: TestDb) {
        let setting = setting(&test).await;
        setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        setting.backend.undo(&support(), Holder::Destination, &slug("books"), "").await.unwrap();
        assert_eq!(setting.signing(&test), ["whsec_destination_0"]);
        let list = setting.list(Holder::Destination, "books").await;
        assert_eq!((list.len(), list[0].expires_at), (1, None));
    }

    async fn every_change_survives_a_start_in_the_middle(test: TestDb) {
        let setting = setting(&test).await;
        let again = async || {
            let registry =
                Registry::load(test.db.clone(), setting.vault.clone(), test.clock.clone()).await.unwrap();
            values(&registry.source(&slug("shop")).unwrap().secrets, &test)
        };
        let old = setting.paste("whsec_source_1", 600).await[1].id.clone();
        test.clock.advance(300);
        assert_eq!(again().await, ["whsec_source_1", "whsec_source_0"]);
        let by = Extension::By(600);
        setting.backend.extend(&support(), Holder::Source, &slug("shop"), &old, by, "").await.unwrap();
        test.clock.advance(899);
        assert_eq!(again().await, ["whsec_source_1", "whsec_source_0"]);
        setting.backend.undo(&support(), Holder::Source, &slug("shop"), "").await.unwrap();
        assert_eq!(again().await, ["whsec_source_0"]);
        setting.paste("whsec_source_2", DAY).await;
        test.clock.advance(DAY - 1);
        assert_eq!(again().await, ["whsec_source_2", "whsec_source_0"]);
        test.clock.advance(1);
        assert_eq!(again().await, ["whsec_source_2"]);
    }

    async fn uses_are_added_up_by_ten_minutes(test: TestDb) {
        let used = |id: &str, times, after: i64| Use {
            id: id.to_owned(), times, last: noon().plus_seconds(after),
        };
        usage::add(&test.db, &[used("sec_a", 3, 0), used("sec_b", 1, 599)]).await.unwrap();
        usage::add(&test.db, &[used("sec_a", 4, 599), used("sec_a", 5, 600)]).await.unwrap();
        let slot = usage::slot(noon());
        let mut counts = usage::since(&test.db, noon()).await.unwrap();
        counts.sort();
        let row = |id: &str, slot, times| (id.to_owned(), slot, times);
        assert_eq!(counts, [row("sec_a", slot, 7), row("sec_a", slot + 1, 5), row("sec_b", slot, 1)]);
        usage::prune(&test.db, noon().plus_seconds(15 * DAY + 600)).await.unwrap();
        assert_eq!(usage::since(&test.db, noon()).await.unwrap(), [row("sec_a", slot + 1, 5)]);
    }

    async fn the_last_hour_is_counted_to_the_second(test: TestDb) {
        let setting = setting(&test).await;
        setting.paste("whsec_source_1", DAY).await;
        let [new, old] = setting.list(Holder::Source, "shop").await.try_into().unwrap();
        let used = |id: &str, times, after: i64| Use {
            id: id.to_owned(), times, last: noon().plus_seconds(after),
        };
        usage::add(&test.db, &[used(&old.id, 3, 0), used(&old.id, 4, 1)]).await.unwrap();
        usage::add(&test.db, &[used(&old.id, 5, 1), used(&new.id, 7, 1800)]).await.unwrap();
        let last_hour = async || {
            // What was read less than two seconds ago would be shown again.
            setting.acts.done();
            let page = setting.backend.page(Lang::En).await.unwrap();
            let ring = page.keyrings.into_iter().find(|ring| ring.slug.as_str() == "shop").unwrap();
            ring.uses.iter().map(|uses| uses.last_hour).collect::<Vec<_>>()
        };
        for (after, expected) in [(3599, [7, 12]), (1, [7, 9]), (1, [7, 0]), (1798, [7, 0]), (1, [0, 0])] {
            test.clock.advance(after);
            assert_eq!(last_hour().await, expected, "{}", test.clock_now());
            usage::prune(&test.db, test.clock_now()).await.unwrap();
            assert_eq!(last_hour().await, expected, "what counts is not pruned");
        }
        let old = [old.id];
        assert_eq!(usage::count_recent_uses(&test.db, &old, noon()).await.unwrap(), [], "what is old is gone");
    }

    async fn a_retired_secret_ends_now_and_the_last_one_stays(test: TestDb) {
        let setting = setting(&test).await;
        let only = setting.list(Holder::Destination, "books").await[0].id.clone();
        let retire = async |holder, name: &str, id: &str| {
            setting.backend.retire(&support(), holder, &slug(name), id, "").await
        };
        assert_eq!(retire(Holder::Destination, "books", &only).await, Err(AppError::OnlyActiveSecret));
        test.clock.advance(1);
        let (list, made) = setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        assert_eq!(retire(Holder::Destination, "books", &only).await, Ok(()));
        assert_eq!(setting.signing(&test), [made.secret]);
        assert_eq!(retire(Holder::Destination, "books", &only).await, Err(AppError::NotFound), "it ended");
        let newest = &list.secrets[0].id;
        assert_eq!(retire(Holder::Destination, "books", newest).await, Err(AppError::OnlyActiveSecret));
        assert_eq!(retire(Holder::Source, "shop", newest).await, Err(AppError::NotFound), "it is another's");
        assert_eq!(retire(Holder::Source, "nobody", newest).await, Err(AppError::NotFound));
    }

    async fn two_who_retire_at_once_leave_one(test: TestDb) {
        let setting = setting(&test).await;
        for _ in 0..5 {
            test.clock.advance(1);
            setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
            for secret in setting.list(Holder::Destination, "books").await.iter().skip(2) {
                setting.backend.retire(&support(), Holder::Destination, &slug("books"), &secret.id, "").await.unwrap();
            }
            let ids: Vec<_> = setting.list(Holder::Destination, "books").await.into_iter().map(|s| s.id).collect();
            let (viewer, books) = (support(), slug("books"));
            let retire = |id| setting.backend.retire(&viewer, Holder::Destination, &books, id, "");
            let (first, second) = tokio::join!(retire(&ids[0]), retire(&ids[1]));
            assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
            assert_eq!(setting.list(Holder::Destination, "books").await.len(), 1);
        }
    }

    async fn what_is_certainly_wrong_is_refused(test: TestDb) {
        let setting = setting(&test).await;
        let paste = async |value: &str, overlap_s| {
            setting.backend.rotate_source(&support(), &slug("shop"), value, overlap_s, "").await.map(drop)
        };
        let long = "x".repeat(1025);
        for (value, rule) in [
            ("", Rule::Required),
            (" whsec_new", Rule::WhiteSpace),
            ("whsec_source_0", Rule::Repeated),
            (long.as_str(), Rule::TooLong),
        ] {
            assert_eq!(paste(value, DAY).await, Err(AppError::field("secret", rule)), "{value}");
        }
        for overlap_s in [-1, 604_801, i64::MIN, i64::MAX] {
            let refused = Err(AppError::field("overlap_s", Rule::OutOfRange));
            assert_eq!(paste("whsec_new", overlap_s).await, refused);
            let made = setting.backend.rotate_destination(&support(), &slug("books"), overlap_s, "").await;
            assert_eq!(made.map(drop), refused);
        }
        let Err(AppError::Invalid(both)) = paste("", -1).await else { panic!("two things are wrong") };
        assert_eq!(both.len(), 2);
        let unknown = setting.backend.rotate_source(&support(), &slug("nobody"), "whsec_new", DAY, "").await;
        assert_eq!(unknown.map(drop), Err(AppError::NotFound));
        assert_eq!(setting.list(Holder::Source, "shop").await.len(), 1, "nothing was written");

        test.clock.advance(1);
        paste("whsec_source_1", 60).await.unwrap();
        assert_eq!(paste("whsec_source_0", 60).await, Err(AppError::field("secret", Rule::Repeated)));
        test.clock.advance(60);
        paste("whsec_source_0", 60).await.unwrap();
    }

    async fn no_more_secrets_count_than_can(test: TestDb) {
        let setting = setting(&test).await;
        let paste = async |n: usize, overlap_s| {
            let value = format!("whsec_source_{n}");
            setting.backend.rotate_source(&support(), &slug("shop"), &value, overlap_s, "").await.map(drop)
        };
        for n in 1..secret::MOST_ACTIVE {
            assert_eq!(paste(n, DAY).await, Ok(()));
        }
        assert_eq!(setting.verifying(&test).len(), 16);
        assert_eq!(paste(20, DAY).await, Err(AppError::TooManySecrets));
        assert_eq!(setting.verifying(&test)[0], "whsec_source_15", "nothing was written");
        assert_eq!(paste(21, 0).await, Ok(()), "it takes the place of another");
        assert_eq!((setting.verifying(&test).len(), setting.verifying(&test)[0].as_str()), (16, "whsec_source_21"));
        for _ in 1..secret::MOST_ACTIVE {
            setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        }
        let one_more = setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await;
        assert_eq!(one_more.map(drop), Err(AppError::TooManySecrets));
        test.clock.advance(DAY);
        assert_eq!(paste(22, DAY).await, Ok(()), "the others have ended");
    }

    async fn a_new_start_in_the_middle_changes_nothing(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        setting.paste("whsec_source_1", DAY).await;
        test.clock.advance(DAY / 2);
        let load = async || {
            let registry =
                Registry::load(test.db.clone(), setting.vault.clone(), test.clock.clone()).await.unwrap();
            values(&registry.source(&slug("shop")).unwrap().secrets, &test)
        };
        assert_eq!(load().await, ["whsec_source_1", "whsec_source_0"]);
        test.clock.advance(DAY / 2);
        assert_eq!(load().await, ["whsec_source_1"]);
    }

    async fn another_key_file_is_named_as_the_trouble(test: TestDb) {
        let _setting = setting(&test).await;
        let other = Arc::new(Vault::ephemeral());
        let error = Registry::load(test.db.clone(), other, test.clock.clone()).await.unwrap_err();
        assert!(error.to_string().contains("is not in the key file"), "{error}");
    }

    async fn no_value_is_in_any_byte_of_the_database(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        setting.paste("whsec_pasted_by_ana", DAY).await;
        let (_, made) = setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        let bytes = every_byte(&test).await;
        let holds = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        assert!(holds(b"ana@shop.test"), "what is looked for would be found");
        for value in ["whsec_source_0", "whsec_destination_0", "whsec_pasted_by_ana", &made.secret] {
            let value = value.strip_prefix("whsec_").unwrap();
            assert!(!holds(value.as_bytes()), "{value}");
            assert!(!holds(hex::encode(value).as_bytes()), "{value}");
            assert!(!holds(base64::engine::general_purpose::STANDARD_NO_PAD.encode(value).as_bytes()), "{value}");
        }
    }

    async fn the_page_shows_rotations_first(test: TestDb) {
        let setting = setting(&test).await;
        let page = async || {
            let page = setting.backend.page(Lang::En).await.unwrap();
            assert_eq!((page.now, page.made), (test.clock_now(), None));
            page.keyrings.into_iter()
                .map(|keyring| (keyring.slug.to_string(), keyring.scheme, keyring.secrets.len()))
                .collect::<Vec<_>>()
        };
        let row = |name: &str, scheme: &str, count| (name.to_owned(), scheme.to_owned(), count);
        assert_eq!(page().await, [row("shop", "paymos", 1), row("books", "stripe", 1)]);
        test.clock.advance(2);
        setting.backend.rotate_destination(&support(), &slug("books"), DAY, "").await.unwrap();
        assert_eq!(page().await, [row("books", "stripe", 2), row("shop", "paymos", 1)]);
        test.clock.advance(DAY);
        assert_eq!(page().await, [row("shop", "paymos", 1), row("books", "stripe", 1)]);
    }
}

/// SQLite's files, and PostgreSQL's tables as text.
async fn every_byte(test: &TestDb) -> Vec<u8> {
    let mut bytes = Vec::new();
    match &test.db {
        server::db::Db::Sqlite(_) => {
            for entry in std::fs::read_dir(test.folder.path()).unwrap() {
                bytes.extend(std::fs::read(entry.unwrap().path()).unwrap());
            }
        }
        server::db::Db::Postgres(pool) => {
            let tables: Vec<String> = sqlx::query_scalar(
                "select table_name::text from information_schema.tables where table_schema = 'public'",
            )
            .fetch_all(pool)
            .await
            .unwrap();
            for table in tables {
                let sql = format!("select coalesce(string_agg(t::text, ' '), '') from \"{table}\" t");
                let text: String =
                    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(pool).await.unwrap();
                bytes.extend(text.into_bytes());
            }
        }
    }
    bytes
}
