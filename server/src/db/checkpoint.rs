//! Copies SQLite's log into its file, beside the writer and not within one of its commits: the commit that fills the log
//! would else wait for all of it.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Db, SqlitePools};

/// How often the log is looked at.
const EVERY: Duration = Duration::from_millis(250);

/// Pages of the log (32 MB) after which the writer waits while the last of them are copied, so that it begins the log
/// anew. Without that, a log that is always written to would grow for ever.
const LONG: i64 = 8_000;

/// Goes on until `shutdown`; there is nothing to do on PostgreSQL.
pub async fn run(db: Db, shutdown: CancellationToken) {
    let Db::Sqlite(pools) = db else { return };
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = shutdown.cancelled() => return,
        }
        if let Err(error) = truncate_log(&pools, LONG).await {
            tracing::warn!(%error, "the log of the database could not be copied into its file");
        }
    }
}

/// Copies what nobody reads any more, most of it while others write.
async fn truncate_log(pools: &SqlitePools, long: i64) -> sqlx::Result<()> {
    if copy(pools).await? > long {
        let writer = pools.write.begin_with("begin immediate").await?;
        copy(pools).await?;
        writer.rollback().await?;
    }
    Ok(())
}

/// The pages in the log.
async fn copy(pools: &SqlitePools) -> sqlx::Result<i64> {
    let (_busy, pages, _copied): (i64, i64, i64) =
        sqlx::query_as("pragma wal_checkpoint(passive)").fetch_one(&pools.checkpoint).await?;
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_log_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}", folder.path().join("acuse.db").display())).await.unwrap();
        let Db::Sqlite(pools) = &db else { unreachable!() };
        sqlx::raw_sql("create table t (x)").execute(&pools.write).await.unwrap();
        let write = async || sqlx::query("insert into t values (1)").execute(&pools.write).await.unwrap();
        for _ in 0..50 {
            write().await;
        }
        truncate_log(pools, 10).await.unwrap();
        write().await;
        assert!(copy(pools).await.unwrap() < 10, "it goes on at the end of the log");
        let rows: i64 = sqlx::query_scalar("select count(*) from t").fetch_one(&pools.read).await.unwrap();
        assert_eq!(rows, 51);
    }
}
