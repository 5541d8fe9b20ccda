//! Rotating secrets, by the clock.

use std::sync::Arc;

use app::context::Viewer;
use app::error::{AppError, Rule};
use app::secrets::{Holder, Secret, Secrets};
use app::types::{Role, Slug};
use base64::Engine;
use server::backend::secrets::SecretsBackend;
use server::directory::Directory;
use server::domain::secret::{self, SecretValue};
use server::store::secret::{HolderId, SecretRow};
use server::vault::Vault;

use crate::on_both;
use crate::support::TestDb;

const DAY: i64 = 86_400;

/// A source `shop` and a destination `books`, each with one secret.
struct Setting {
    backend: SecretsBackend,
    directory: Arc<Directory>,
    vault: Arc<Vault>,
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
    let directory = Directory::load(test.db.clone(), vault.clone(), test.clock.clone()).await.unwrap();
    let backend =
        SecretsBackend::new(test.db.clone(), test.clock.clone(), vault.clone(), Arc::clone(&directory));
    Setting { backend, directory, vault }
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
        values(&self.directory.source(&slug("shop")).unwrap().secrets, test)
    }

    /// The values that sign what `books` is sent now, newest first.
    fn signing(&self, test: &TestDb) -> Vec<String> {
        values(&self.directory.snapshot().destination(&slug("books")).unwrap().secrets, test)
    }

    async fn paste(&self, value: &str, overlap_s: i64) -> Vec<Secret> {
        self.backend.rotate_source(&support(), &slug("shop"), value, overlap_s).await.unwrap().secrets
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
            setting.backend.rotate_destination(&support(), &slug("books"), DAY).await.unwrap();
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

    async fn without_an_overlap_the_old_one_ends_at_once(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        assert_eq!(setting.paste("whsec_source_1", 0).await.len(), 1);
        assert_eq!(setting.verifying(&test), ["whsec_source_1"]);
        test.clock.advance(1);
        setting.paste("whsec_source_2", DAY).await;
        test.clock.advance(1);
        assert_eq!(setting.paste("whsec_source_3", 0).await.len(), 1, "those in an overlap too");
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

    async fn an_end_is_never_made_later(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        let ends = setting.paste("whsec_source_1", 60).await[1].expires_at;
        test.clock.advance(1);
        let list = setting.paste("whsec_source_2", 604_800).await;
        assert_eq!(list[2].expires_at, ends);
        test.clock.advance(1);
        let list = setting.paste("whsec_source_3", 10).await;
        assert_eq!(list[2].expires_at, list[1].expires_at, "a shorter overlap makes a longer one end sooner");
    }

    async fn a_retired_secret_ends_now_and_the_last_one_stays(test: TestDb) {
        let setting = setting(&test).await;
        let only = setting.list(Holder::Destination, "books").await[0].id.clone();
        let retire = async |holder, name: &str, id: &str| {
            setting.backend.retire(&support(), holder, &slug(name), id).await
        };
        assert_eq!(retire(Holder::Destination, "books", &only).await, Err(AppError::OnlyActiveSecret));
        test.clock.advance(1);
        let (list, made) = setting.backend.rotate_destination(&support(), &slug("books"), DAY).await.unwrap();
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
            setting.backend.rotate_destination(&support(), &slug("books"), DAY).await.unwrap();
            for secret in setting.list(Holder::Destination, "books").await.iter().skip(2) {
                setting.backend.retire(&support(), Holder::Destination, &slug("books"), &secret.id).await.unwrap();
            }
            let ids: Vec<_> = setting.list(Holder::Destination, "books").await.into_iter().map(|s| s.id).collect();
            let (viewer, books) = (support(), slug("books"));
            let retire = |id| setting.backend.retire(&viewer, Holder::Destination, &books, id);
            let (first, second) = tokio::join!(retire(&ids[0]), retire(&ids[1]));
            assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
            assert_eq!(setting.list(Holder::Destination, "books").await.len(), 1);
        }
    }

    async fn what_is_certainly_wrong_is_refused(test: TestDb) {
        let setting = setting(&test).await;
        let paste = async |value: &str, overlap_s| {
            setting.backend.rotate_source(&support(), &slug("shop"), value, overlap_s).await.map(drop)
        };
        let long = "x".repeat(513);
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
            let made = setting.backend.rotate_destination(&support(), &slug("books"), overlap_s).await;
            assert_eq!(made.map(drop), refused);
        }
        let Err(AppError::Invalid(both)) = paste("", -1).await else { panic!("two things are wrong") };
        assert_eq!(both.len(), 2);
        let unknown = setting.backend.rotate_source(&support(), &slug("nobody"), "whsec_new", DAY).await;
        assert_eq!(unknown.map(drop), Err(AppError::NotFound));
        assert_eq!(setting.list(Holder::Source, "shop").await.len(), 1, "nothing was written");

        test.clock.advance(1);
        paste("whsec_source_1", 60).await.unwrap();
        assert_eq!(paste("whsec_source_0", 60).await, Err(AppError::field("secret", Rule::Repeated)));
        test.clock.advance(60);
        paste("whsec_source_0", 60).await.unwrap();
    }

    async fn a_new_start_in_the_middle_changes_nothing(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        setting.paste("whsec_source_1", DAY).await;
        test.clock.advance(DAY / 2);
        let load = async || {
            let directory =
                Directory::load(test.db.clone(), setting.vault.clone(), test.clock.clone()).await.unwrap();
            values(&directory.source(&slug("shop")).unwrap().secrets, &test)
        };
        assert_eq!(load().await, ["whsec_source_1", "whsec_source_0"]);
        test.clock.advance(DAY / 2);
        assert_eq!(load().await, ["whsec_source_1"]);
    }

    async fn another_key_file_is_named_as_the_trouble(test: TestDb) {
        let _setting = setting(&test).await;
        let other = Arc::new(Vault::ephemeral());
        let error = Directory::load(test.db.clone(), other, test.clock.clone()).await.unwrap_err();
        assert!(error.to_string().contains("is not in the key file"), "{error}");
    }

    async fn no_value_is_in_any_byte_of_the_database(test: TestDb) {
        let setting = setting(&test).await;
        test.clock.advance(1);
        setting.paste("whsec_pasted_by_ana", DAY).await;
        let (_, made) = setting.backend.rotate_destination(&support(), &slug("books"), DAY).await.unwrap();
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
            let page = setting.backend.page().await.unwrap();
            assert_eq!((page.now, page.made), (test.clock_now(), None));
            page.keyrings.into_iter()
                .map(|keyring| (keyring.slug.to_string(), keyring.scheme, keyring.secrets.len()))
                .collect::<Vec<_>>()
        };
        let row = |name: &str, scheme: &str, count| (name.to_owned(), scheme.to_owned(), count);
        assert_eq!(page().await, [row("shop", "paymos", 1), row("books", "stripe", 1)]);
        test.clock.advance(1);
        setting.backend.rotate_destination(&support(), &slug("books"), DAY).await.unwrap();
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
