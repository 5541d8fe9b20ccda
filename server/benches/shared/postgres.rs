//! A database of its own for each measurement.

use server::db::Db;

/// Makes one on the server; returns its URL.
pub async fn new(server: &str) -> String {
    let Db::Postgres(pool) = Db::open(server).await.unwrap() else { panic!("{server} is not PostgreSQL") };
    let name = format!("acuse_bench_{}", hex::encode(rand::random::<[u8; 6]>()));
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("create database {name}"))).execute(&pool).await.unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}
