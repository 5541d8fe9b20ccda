//! Command line: what each subcommand does.

mod keys;
mod serve;
mod token;
mod user;
mod verify;

use std::process::ExitCode;

use app::types::Role;
use clap::{Args, Parser, Subcommand};

use crate::config::{ConfigError, DatabaseArgs, KeyFileArgs, LogArgs, ServeArgs};
use crate::db::Db;

/// Receives payment webhooks, keeps them, and delivers them.
#[derive(Parser)]
#[command(name = "acuse", version, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    log: LogArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Receiver, deliverer, dashboard and API in one process
    Serve(ServeArgs),
    /// Bring the tables of the database up to date, and exit
    Migrate(DatabaseArgs),
    /// People who log in
    #[command(subcommand)]
    User(UserCommand),
    /// API tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Master keys, which secrets at rest are sealed under
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Say whether the signature of a request is good, and if not, why
    Verify(verify::VerifyArgs),
}

#[derive(Subcommand)]
enum KeysCommand {
    /// Put a new master key into the key file and seal every stored secret again under it, while servers run
    Rotate(KeysArgs),
}

#[derive(Args)]
struct KeysArgs {
    /// Take the older keys out of the file at the end; backups that were made before then need a copy of them
    #[arg(long, env = "ACUSE_DROP_OLD_KEYS", value_name = "BOOL", default_value = "false")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    drop_old: bool,
    #[command(flatten)]
    key_file: KeyFileArgs,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Subcommand)]
enum UserCommand {
    /// Add somebody; the password comes from standard input (its first line) or a prompt, 12 characters at least
    Add(UserArgs),
}

#[derive(Args)]
struct UserArgs {
    /// Their e-mail address
    email: String,
    #[command(flatten)]
    role: RoleArgs,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Make a token for the API and print it, this once, alone on a line of standard output
    Create(TokenArgs),
}

#[derive(Args)]
struct TokenArgs {
    /// What the token is for; written down as the actor of what is done with it
    name: String,
    #[command(flatten)]
    role: RoleArgs,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
struct RoleArgs {
    /// viewer, support or admin
    #[arg(long, env = "ACUSE_ROLE", value_name = "ROLE")]
    role: String,
}

impl RoleArgs {
    fn role(&self) -> Result<Role, ConfigError> {
        self.role.parse().map_err(|_| {
            ConfigError::new("ACUSE_ROLE", &self.role, "is not a role (--role)", "viewer, support or admin")
        })
    }
}

/// Does what the command line says. Status 2: it was called wrongly; 1: it could not be done.
pub fn run(cli: Cli) -> ExitCode {
    match start(cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Scripts and people look for one line.
            let line = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
            eprintln!("acuse: {line}");
            ExitCode::from(if error.is::<ConfigError>() { 2 } else { 1 })
        }
    }
}

/// False: it did what it was asked, and the answer is no.
fn start(cli: Cli) -> anyhow::Result<bool> {
    crate::telemetry::start_logs(cli.log.settings()?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        match cli.command {
            Command::Serve(args) => serve::run(&args).await?,
            Command::Migrate(args) => open(&args).await?.close().await,
            Command::User(UserCommand::Add(args)) => user::add(args).await?,
            Command::Token(TokenCommand::Create(args)) => token::create(args).await?,
            Command::Keys(KeysCommand::Rotate(args)) => keys::rotate(args).await?,
            Command::Verify(args) => return Ok(verify::run(&args)?),
        }
        Ok(true)
    });
    // What did not end in time must not keep the process.
    runtime.shutdown_background();
    done
}

/// Opens the database and brings its tables up to date, as `serve` does.
async fn open(args: &DatabaseArgs) -> anyhow::Result<Db> {
    let db = Db::open(args.url()?.expose()).await?;
    db.migrate().await?;
    Ok(db)
}
