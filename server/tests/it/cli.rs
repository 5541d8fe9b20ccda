//! The real binary, as a user runs it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use app::types::Role;
use server::store::user;

use crate::on_both;
use crate::support::{Kind, TestDb};

/// `acuse` in this folder, knowing nothing of the environment but what is given, and listening on a free port: the
/// usual one may be that of somebody who tries Acuse on this machine.
fn acuse(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acuse"));
    command.current_dir(folder).args(args).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    command.env("ACUSE_LISTEN", "127.0.0.1:0").envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the binary did, with this on standard input.
fn output_of(mut command: Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // One that does not read it may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The only line on standard error; nothing is on standard output.
#[track_caller]
fn only_line(output: &Output, status: i32) -> String {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert_eq!(text(&output.stdout), "");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr.trim_end().to_owned()
}

/// `acuse serve` on a port of its own.
struct Serving {
    child: Child,
    base: String,
}

impl Serving {
    fn start(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = acuse(folder, &[&["serve"], args].concat(), environment).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut seen) = (String::new(), String::new());
        let base = loop {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "it ended: {seen}");
            seen.push_str(&line);
            if let Some((_, rest)) = line.split_once("listening on ") {
                break rest.split([' ', '"']).next().unwrap().trim_end().to_owned();
            }
        };
        std::thread::spawn(move || log.read_to_end(&mut Vec::new()));
        Self { child, base }
    }

    async fn status(&self, path: &str) -> u16 {
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::get(format!("{}{path}", self.base)).await.unwrap().status().as_u16()
    }

    async fn until_ready(&self) {
        for _ in 0..500 {
            if self.status("/readyz").await == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it was not ready after 10 s");
    }

    /// Sends a signal and tells how it ended, and how long that took.
    fn end(mut self, signal: &str) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        (self.child.wait().unwrap().code(), begun.elapsed())
    }
}

#[test]
fn a_wrong_setting_stops_the_start_with_one_line_and_status_2() {
    let folder = tempfile::tempdir().unwrap();
    for (variable, value) in [
        ("ACUSE_LISTEN", "localhost:3000"),
        ("ACUSE_LISTEN", "127.0.0.1"),
        ("ACUSE_PUBLIC_URL", "hooks.example.com"),
        ("ACUSE_PUBLIC_URL", "https://hooks.example.com/acuse"),
        ("ACUSE_DATABASE_URL", "mysql://db/acuse"),
        ("ACUSE_DATABASE_URL", ""),
        ("ACUSE_KEY_FILE", ""),
        ("ACUSE_ALLOW_NETS", "10.0.0.0/33"),
        ("ACUSE_CA_FILE", "/no/such/file"),
        ("ACUSE_TRUSTED_PROXIES", "proxy.example"),
        ("ACUSE_MAX_BODY", "1MB"),
        ("ACUSE_MAX_BODY", "0"),
        ("ACUSE_RETENTION_DAYS", "-1"),
        ("ACUSE_RETENTION_DAYS", "ten"),
        ("ACUSE_LOG", "loud"),
        ("ACUSE_LOG_FORMAT", "xml"),
        ("ACUSE_SANDBOX", "perhaps"),
        ("ACUSE_NO_MIGRATE", "perhaps"),
    ] {
        let line = only_line(&output_of(acuse(folder.path(), &["serve"], &[(variable, value)]), ""), 2);
        assert!(line.starts_with(&format!("acuse: {variable}=\"{value}\"")), "{line}");
        assert!(line.contains("; accepted: "), "{line}");
        let flag = format!("--{}={value}", variable["ACUSE_".len()..].to_lowercase().replace('_', "-"));
        assert_eq!(only_line(&output_of(acuse(folder.path(), &["serve", &flag], &[]), ""), 2), line);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn postgresql_needs_a_key_file_and_no_password_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let url = ("ACUSE_DATABASE_URL", "postgres://acuse:hunter2@127.0.0.1:9/acuse");
    let line = only_line(&output_of(acuse(folder.path(), &["serve"], &[url]), ""), 2);
    assert!(
        line.contains("ACUSE_KEY_FILE=\"data/acuse.key\"") && line.contains("PostgreSQL needs one"),
        "{line}"
    );
    assert!(!folder.path().join("data").exists(), "no key file is made");

    std::fs::write(folder.path().join("key"), "not a key").unwrap();
    let key = ("ACUSE_KEY_FILE", "key");
    let line = only_line(&output_of(acuse(folder.path(), &["serve"], &[url, key]), ""), 2);
    assert!(line.contains("ACUSE_KEY_FILE=\"key\"") && line.contains("line 1"), "{line}");

    server::vault::key_file::create(&folder.path().join("good")).unwrap();
    let line =
        only_line(&output_of(acuse(folder.path(), &["serve"], &[url, ("ACUSE_KEY_FILE", "good")]), ""), 1);
    assert!(line.contains("ACUSE_DATABASE_URL=postgres://acuse:…@127.0.0.1:9/acuse"), "{line}");
    for args in [&["migrate"][..], &["token", "create", "x", "--role", "viewer"]] {
        let line = only_line(&output_of(acuse(folder.path(), args, &[url]), ""), 1);
        assert!(line.contains("cannot be opened") && !line.contains("hunter2"), "{line}");
    }
}

#[test]
fn a_database_that_cannot_be_opened_and_a_port_in_use_are_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "x".repeat(4096)).unwrap();
    for url in ["sqlite://file/acuse.db", "sqlite://file", "sqlite:///proc/acuse.db"] {
        let line =
            only_line(&output_of(acuse(folder.path(), &["serve"], &[("ACUSE_DATABASE_URL", url)]), ""), 1);
        assert!(line.contains(&format!("ACUSE_DATABASE_URL={url}")), "{line}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let line = only_line(&output_of(acuse(folder.path(), &["serve"], &[("ACUSE_LISTEN", &address)]), ""), 1);
    assert!(line.contains(&address) && line.to_lowercase().contains("in use"), "{line}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_process_on_one_sqlite_file_says_that_it_must_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = Serving::start(folder.path(), &[], &[]);
    first.until_ready().await;
    let line = only_line(&output_of(acuse(folder.path(), &["serve"], &[]), ""), 2);
    let process = format!("is in use by another acuse serve (process {})", first.child.id());
    assert!(
        line.starts_with("acuse: ACUSE_DATABASE_URL=\"sqlite://data/acuse.db\"") && line.contains(&process),
        "{line}"
    );
    // What people do beside it on the command line goes on.
    let token = output_of(acuse(folder.path(), &["token", "create", "x", "--role", "viewer"], &[]), "");
    assert!(token.status.success(), "{}", text(&token.stderr));
    first.end("-KILL");
    // Nothing of the first one is in the way of the next.
    let next = Serving::start(folder.path(), &[], &[]);
    next.until_ready().await;
    assert_eq!(next.end("-TERM").0, Some(0));
}

#[test]
fn help_says_every_flag_with_its_variable() {
    let folder = tempfile::tempdir().unwrap();
    let help = output_of(acuse(folder.path(), &["help", "serve"], &[]), "");
    let said = text(&help.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.status.success());
    for variable in [
        "LISTEN",
        "PUBLIC_URL",
        "DATABASE_URL",
        "KEY_FILE",
        "ALLOW_NETS",
        "TRUSTED_PROXIES",
        "MAX_BODY",
        "RETENTION_DAYS",
        "LOG",
        "LOG_FORMAT",
        "CA_FILE",
        "SANDBOX",
        "NO_MIGRATE",
    ] {
        assert!(said.contains(&format!("env: ACUSE_{variable}")), "{variable}: {said}");
        assert!(said.contains(&format!("--{}", variable.to_lowercase().replace('_', "-"))), "{variable}");
    }
    let top = text(&output_of(acuse(folder.path(), &["help"], &[]), "").stdout);
    for command in ["serve", "migrate", "user", "token"] {
        assert!(top.contains(command), "{top}");
    }
    let secret = [("ACUSE_DATABASE_URL", "postgres://acuse:hunter2@db/acuse")];
    let said = text(&output_of(acuse(folder.path(), &["help", "serve"], &secret), "").stdout);
    assert!(!said.contains("hunter2"), "{said}");
    assert_eq!(output_of(acuse(folder.path(), &["nonsense"], &[]), "").status.code(), Some(2));
}

on_both! {
    async fn a_token_is_printed_once_alone_on_a_line(test: TestDb) {
        let url = [("ACUSE_DATABASE_URL", test.url.as_str())];
        let output = output_of(acuse(test.folder.path(), &["token", "create", "ci", "--role", "support"], &url), "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        let value = said.strip_suffix('\n').unwrap();
        assert!(value.starts_with("acuse_") && value.len() == 49 && !value.contains(char::is_whitespace), "{said:?}");
        let row = user::token::find(&test.db, value).await.unwrap().unwrap();
        assert_eq!((row.name.as_str(), row.role), ("ci", Role::Support));
        for (args, named) in [
            (["token", "create", "ci", "--role", "root"], "ACUSE_ROLE=\"root\""),
            (["token", "create", " ", "--role", "admin"], "NAME=\" \""),
        ] {
            let line = only_line(&output_of(acuse(test.folder.path(), &args, &url), ""), 2);
            assert!(line.contains(named) && line.contains("accepted: "), "{line}");
        }
    }

    async fn a_user_is_added_with_a_password_from_standard_input(test: TestDb) {
        let url = [("ACUSE_DATABASE_URL", test.url.as_str())];
        let add = |email, role, input| {
            output_of(acuse(test.folder.path(), &["user", "add", email, "--role", role], &url), input)
        };
        let output = add("Ana@Shop.Example", "admin", "correct horse battery\nignored\n");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "");
        assert!(!text(&output.stderr).contains("correct horse"));
        let sql = "select email, role, password_hash from \"user\"";
        let (email, role, hash): (String, String, String) =
            server::read!(&test.db, on => sqlx::query_as(sql).fetch_one(on).await).unwrap();
        assert_eq!((email.as_str(), role.as_str()), ("ana@shop.example", "admin"));
        assert!(server::users::password::verify("correct horse battery", Some(hash)).await.unwrap());

        assert!(only_line(&add("ana@shop.example", "viewer", "another password\n"), 1).contains("already"));
        let short = only_line(&add("bob@shop.example", "viewer", "eleven char\n"), 1);
        assert!(short.contains("at least 12 characters") && !short.contains("eleven"), "{short}");
        assert!(only_line(&add("bob@shop.example", "viewer", ""), 1).contains("at least 12"));
        assert!(only_line(&add("bob", "viewer", "correct horse battery\n"), 2).contains("EMAIL=\"bob\""));
    }

    async fn signals_end_it_in_order(test: TestDb) {
        let key_file = test.folder.path().join("acuse.key");
        server::vault::key_file::create(&key_file).unwrap();
        let environment = [("ACUSE_DATABASE_URL", test.url.as_str()), ("ACUSE_KEY_FILE", key_file.to_str().unwrap())];
        for signal in ["-TERM", "-INT"] {
            let serving = Serving::start(test.folder.path(), &[], &environment);
            serving.until_ready().await;
            let (status, took) = serving.end(signal);
            assert_eq!(status, Some(0), "{signal}");
            assert!(took < Duration::from_secs(10), "{took:?}");
        }
    }

    async fn another_key_than_the_secrets_are_sealed_with_stops_the_start(test: TestDb) {
        for (slug, file) in [("shop", "one.key"), ("", "two.key")] {
            let key_file = test.folder.path().join(file);
            server::vault::key_file::create(&key_file).unwrap();
            if slug.is_empty() {
                let environment =
                    [("ACUSE_DATABASE_URL", test.url.as_str()), ("ACUSE_KEY_FILE", key_file.to_str().unwrap())];
                let line = only_line(&output_of(acuse(test.folder.path(), &["serve"], &environment), ""), 2);
                assert!(line.contains("ACUSE_KEY_FILE=") && line.contains("two.key"), "{line}");
                continue;
            }
            let vault = server::vault::Vault::read(&key_file).unwrap();
            let sealed = vault.seal(&server::domain::secret::SecretValue::new("x"), "secret/sec_1").unwrap();
            let source = "insert into source (slug, provider, mode, created_at) values ('shop', 'paymos', 'test', 0)";
            let secret = "insert into secret (id, source_id, sealed, key_id, fingerprint, created_by, created_at, n) \
                          values ('sec_1', 1, $1, $2, 'f', 'ana', 0, 1)";
            server::write!(&test.db, on => sqlx::query(source).execute(on).await.map(drop)).unwrap();
            server::write!(&test.db, on => sqlx::query(secret).bind(&sealed.bytes).bind(&sealed.key_id).execute(on).await.map(drop))
                .unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_makes_what_it_needs_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    // reason: PostgreSQL is not made at a first start.
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path(), &[], &[("ACUSE_LOG_FORMAT", "json")]);
    serving.until_ready().await;
    assert_eq!(serving.status("/healthz").await, 200);
    assert_eq!(serving.end("-TERM").0, Some(0));
    let mode = |name| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("data/acuse.key"), 0o600);
    assert!(folder.path().join("data/acuse.db").exists());
}

/// A call whose body is announced and does not come.
fn unfinished_call(folder: &Path, serving: &Serving) -> std::net::TcpStream {
    let made = output_of(acuse(folder, &["token", "create", "ci", "--role", "admin"], &[]), "");
    let head = format!(
        "POST /api/v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: 2\r\n\r\n{{",
        text(&made.stdout).trim()
    );
    let mut stream = std::net::TcpStream::connect(serving.base.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_runs_is_finished_but_not_waited_for_without_end() {
    // reason: it is about connections, not about the database.
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path(), &[], &[]);
    serving.until_ready().await;
    let mut stream = unfinished_call(folder.path(), &serving);
    let base = serving.base.clone();
    let end = std::thread::spawn(move || serving.end("-TERM"));
    std::thread::sleep(Duration::from_millis(500));
    assert!(reqwest::get(format!("{base}/healthz")).await.is_err(), "no new requests are taken");
    stream.write_all(b"}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(end.join().unwrap().0, Some(0));

    let serving = Serving::start(folder.path(), &[], &[]);
    serving.until_ready().await;
    let stream = unfinished_call(folder.path(), &serving);
    let (status, took) = serving.end("-TERM");
    assert_eq!(status, Some(0));
    assert!(took > Duration::from_secs(9) && took < Duration::from_secs(14), "{took:?}");
    drop(stream);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_migrations_it_waits_for_them() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let test = TestDb::new(kind).await;
        for sql in ["drop table arrival", "delete from _sqlx_migrations"] {
            server::write!(&test.db, on => sqlx::query(sql).execute(on).await.map(drop)).unwrap();
        }
        let key_file = test.folder.path().join("acuse.key");
        server::vault::key_file::create(&key_file).unwrap();
        let environment =
            [("ACUSE_DATABASE_URL", test.url.as_str()), ("ACUSE_KEY_FILE", key_file.to_str().unwrap())];
        let serving = Serving::start(test.folder.path(), &["--no-migrate"], &environment);
        assert_eq!((serving.status("/healthz").await, serving.status("/readyz").await), (200, 503));
        assert_eq!(serving.end("-TERM").0, Some(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn migrate_brings_the_tables_up_to_date_under_one_that_waits() {
    // reason: an empty PostgreSQL database is what `TestDb` is copied from; its migration runs in every test run.
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path(), &["--no-migrate"], &[]);
    assert_eq!(serving.status("/readyz").await, 503);
    let output = output_of(acuse(folder.path(), &["migrate"], &[]), "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    serving.until_ready().await;
    assert_eq!(serving.end("-TERM").0, Some(0));
}
