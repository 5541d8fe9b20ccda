//! Both databases behind one type. SQL is written once, in `store`; the macros run it on whichever is open.
//!
//! SQLite has one connection that writes and a pool that reads, so that writers queue fairly and never meet
//! `SQLITE_BUSY`; a transaction that writes begins as a write (`BEGIN IMMEDIATE`).

pub mod checkpoint;
mod lock;
mod open;
pub mod refusal;
pub mod unique;

pub use lock::{Lock, LockError};
pub use open::OpenError;

use sqlx::{PgPool, Postgres, Sqlite, SqlitePool, Transaction};

/// An open database. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Db {
    /// One file.
    Sqlite(SqlitePools),
    /// A PostgreSQL server, or what speaks like one.
    Postgres(PgPool),
}

/// The pools of a SQLite file.
#[derive(Debug, Clone)]
pub struct SqlitePools {
    /// Many connections that only read.
    pub read: SqlitePool,
    /// The one connection that writes.
    pub write: SqlitePool,
    /// The one connection that copies the log into the file.
    pub(crate) checkpoint: SqlitePool,
}

/// A transaction that writes.
#[derive(Debug)]
pub enum Tx {
    /// On SQLite's one writing connection.
    Sqlite(Transaction<'static, Sqlite>),
    /// On PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
}

impl Db {
    /// Begins a transaction as a write.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn begin_write(&self) -> sqlx::Result<Tx> {
        tracing::trace!(target: "acuse::transaction", "begin");
        match self {
            Self::Sqlite(pools) => pools.write.begin_with("begin immediate").await.map(Tx::Sqlite),
            Self::Postgres(pool) => pool.begin_with("begin").await.map(Tx::Postgres),
        }
    }

    /// Begins a transaction that only reads, all of it as of one moment: that of its first statement.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn begin_snapshot(&self) -> sqlx::Result<Tx> {
        match self {
            Self::Sqlite(pools) => pools.read.begin_with("begin deferred").await.map(Tx::Sqlite),
            Self::Postgres(pool) => {
                pool.begin_with("begin isolation level repeatable read, read only").await.map(Tx::Postgres)
            }
        }
    }

    /// The end of a claiming `select`: rows that another process holds are passed over.
    pub const fn skip_locked(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " for update skip locked",
        }
    }

    /// The end of a `select` whose rows are about to be changed: nobody else changes them meanwhile, though others may
    /// refer to them. On SQLite there is one writer anyway.
    pub const fn for_update(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " for no key update",
        }
    }

    /// The end of a `select` whose rows must stay as they are until the transaction ends.
    pub const fn for_share(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " for share",
        }
    }

    /// Closes every connection, SQLite's after a checkpoint.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pools) => {
                pools.read.close().await;
                pools.checkpoint.close().await;
                pools.write.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Tx {
    /// Makes it durable.
    ///
    /// # Errors
    /// It is not.
    pub async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx) => tx.commit().await,
        }
    }
}

/// Runs one expression that only reads, with `$on` as the executor: `read!(db, on => query.fetch_all(on).await)`.
#[macro_export]
macro_rules! read {
    ($db:expr, $on:ident => $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite(pools) => {
                let $on = &pools.read;
                $body
            }
            $crate::db::Db::Postgres(pool) => {
                let $on = pool;
                $body
            }
        }
    };
}

/// Runs one expression that writes by a single statement, with `$on` as the executor.
#[macro_export]
macro_rules! write {
    ($db:expr, $on:ident => $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite(pools) => {
                let $on = &pools.write;
                $body
            }
            $crate::db::Db::Postgres(pool) => {
                let $on = pool;
                $body
            }
        }
    };
}

/// Runs one expression inside a transaction (`&mut Tx`), with `$on` as the executor.
#[macro_export]
macro_rules! within {
    ($tx:expr, $on:ident => $body:expr) => {
        match $tx {
            $crate::db::Tx::Sqlite(tx) => {
                let $on = &mut **tx;
                $body
            }
            $crate::db::Tx::Postgres(tx) => {
                let $on = &mut **tx;
                $body
            }
        }
    };
}
