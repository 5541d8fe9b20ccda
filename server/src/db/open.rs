//! Opening a database by its URL, and bringing its tables up to date.

use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use super::{Db, SqlitePools};

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

/// Prepared statements that a connection keeps: batches have a statement for each size.
const STATEMENTS: usize = 1024;

/// Rows that SQLite's writing thread returns without waiting for who reads them: those of a batch.
const ROWS_AHEAD: usize = 512;

/// Pages of SQLite's log (64 MB) after which a commit copies them into the file itself: `checkpoint` is faster, unless
/// nothing runs it.
const CHECKPOINT_PAGES: &str = "16000";

/// Why a database did not open. The URL's password is in none of the texts.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names neither.
    #[error("accepted: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME")]
    Scheme,
    /// The folder of the file cannot be made.
    #[error("the folder of the database cannot be made: {0}")]
    Folder(#[source] std::io::Error),
    /// It does not answer.
    #[error("the database cannot be opened: {0}")]
    Open(#[source] sqlx::Error),
    /// A migration failed.
    #[error("the tables cannot be brought up to date: {0}")]
    Migrate(#[from] MigrateError),
}

impl Db {
    /// Opens `sqlite://PATH` (made when absent) or `postgres://…`, without touching its tables.
    ///
    /// # Errors
    /// The URL is neither, or the database does not answer.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return open_postgres(url).await;
        }
        match url.strip_prefix("sqlite://") {
            Some(path) if !path.is_empty() => open_sqlite(url, path).await,
            _ => Err(OpenError::Scheme),
        }
    }

    /// Applies the migrations that are missing.
    ///
    /// # Errors
    /// One failed; those before it stay applied.
    pub async fn migrate(&self) -> Result<(), OpenError> {
        match self {
            Self::Sqlite(pools) => SQLITE.run(&pools.write).await?,
            Self::Postgres(pool) => POSTGRES.run(pool).await?,
        }
        Ok(())
    }

    /// Whether every migration of this version is applied.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn is_migrated(&self) -> sqlx::Result<bool> {
        let wanted = match self {
            Self::Sqlite(_) => SQLITE.iter().count(),
            Self::Postgres(_) => POSTGRES.iter().count(),
        };
        let sql = "select count(*) from _sqlx_migrations where success";
        let applied: i64 = crate::read!(self, on => sqlx::query_scalar(sql).fetch_one(on).await)?;
        Ok(usize::try_from(applied).is_ok_and(|applied| applied >= wanted))
    }
}

async fn open_sqlite(url: &str, path: &str) -> Result<Db, OpenError> {
    let file = path.split('?').next().unwrap_or(path);
    if let Some(folder) = std::path::Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(OpenError::Folder)?;
    }
    let options = SqliteConnectOptions::from_str(url)
        .map_err(OpenError::Open)?
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .statement_cache_capacity(STATEMENTS)
        .pragma("cache_size", "-16000")
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        .pragma("temp_store", "memory");
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.clone().optimize_on_close(true, None).row_buffer_size(ROWS_AHEAD))
        .await
        .map_err(OpenError::Open)?;
    let checkpoint = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options.clone())
        .await
        .map_err(OpenError::Open)?;
    let read = SqlitePoolOptions::new()
        .max_connections(4)
        .connect_with(options.read_only(true).create_if_missing(false))
        .await
        .map_err(OpenError::Open)?;
    Ok(Db::Sqlite(SqlitePools { read, write, checkpoint }))
}

async fn open_postgres(url: &str) -> Result<Db, OpenError> {
    let options =
        PgConnectOptions::from_str(url).map_err(OpenError::Open)?.statement_cache_capacity(STATEMENTS);
    let pool = PgPoolOptions::new()
        .max_connections(16)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options)
        .await
        .map_err(OpenError::Open)?;
    Ok(Db::Postgres(pool))
}
