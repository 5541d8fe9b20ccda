//! Migrations and the schema.

use crate::on_both;
use crate::support::{Kind, TestDb};

on_both! {
    async fn a_migrated_database_says_so(test: TestDb) {
        assert!(test.db.is_migrated().await.unwrap());
        test.db.migrate().await.unwrap();
        assert!(test.db.is_migrated().await.unwrap());
    }
}

/// Table, column, and whether it may be null: the same on both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_schemas_have_the_same_columns_and_indexes() {
    let sqlite = TestDb::new(Kind::Sqlite).await;
    let postgres = TestDb::new(Kind::Postgres).await;
    let columns_sqlite: Vec<(String, String, bool)> = server::read!(&sqlite.db, on => sqlx::query_as(
        "select m.name, c.name, c.\"notnull\" = 0 and c.pk = 0 from sqlite_master m join pragma_table_info(m.name) c \
         where m.type = 'table' and m.name not like '\\_%' escape '\\' and m.name not like 'sqlite%' order by 1, 2")
        .fetch_all(on).await).unwrap();
    let columns_postgres: Vec<(String, String, bool)> = server::read!(&postgres.db, on => sqlx::query_as(
        "select table_name::text, column_name::text, is_nullable = 'YES' from information_schema.columns \
         where table_schema = 'public' and table_name not like '\\_%' order by 1, 2")
        .fetch_all(on).await)
    .unwrap();
    let mut sorted = columns_postgres;
    sorted.sort();
    assert_eq!(columns_sqlite, sorted);
    let indexes_sqlite: Vec<(String,)> = server::read!(&sqlite.db, on => sqlx::query_as(
        "select name from sqlite_master where type = 'index' and sql is not null order by 1").fetch_all(on).await).unwrap();
    let mut indexes_postgres: Vec<(String,)> = server::read!(&postgres.db, on => sqlx::query_as(
        "select indexname::text from pg_indexes where schemaname = 'public' and indexname not like '%\\_pkey'")
        .fetch_all(on).await).unwrap();
    indexes_postgres.sort();
    assert_eq!(indexes_sqlite, indexes_postgres);
}
