//! Rows of `sandbox_setting`, a table that only `--sandbox` creates: named values, some of them sealed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::db::{Db, Tx};
use crate::vault::Sealed;

/// A setting; secret ones are sealed by the caller.
///
/// # Errors
/// The database does not answer.
pub async fn setting(db: &Db, name: &str) -> sqlx::Result<Option<String>> {
    let sql = "select value from sandbox_setting where name = $1";
    crate::read!(db, on => sqlx::query_scalar(sql).bind(name).fetch_optional(on).await)
}

/// Keeps a setting.
///
/// # Errors
/// The database does not answer.
pub async fn set_setting(db: &Db, name: &str, value: &str) -> sqlx::Result<()> {
    let sql = "insert into sandbox_setting (name, value) values ($1, $2) \
               on conflict (name) do update set value = excluded.value";
    crate::write!(db, on => sqlx::query(sql).bind(name).bind(value).execute(on).await.map(drop))
}

/// What a sealed setting is bound to.
pub fn owner(name: &str) -> String {
    format!("sandbox/{name}")
}

/// A sealed value as a setting, and back.
fn written(sealed: &Sealed) -> String {
    format!("{} {}", sealed.key_id, STANDARD.encode(&sealed.bytes))
}

/// The value of a sealed setting; none: it is another one.
pub fn read_sealed(text: &str) -> Option<Sealed> {
    let (key_id, bytes) = text.split_once(' ')?;
    Some(Sealed { bytes: STANDARD.decode(bytes).ok()?, key_id: key_id.to_owned() })
}

/// Every sealed setting; none where there never was a sandbox.
///
/// # Errors
/// The database does not answer.
pub async fn sealed(db: &Db) -> sqlx::Result<Vec<(String, Sealed)>> {
    let there: bool = match db {
        Db::Sqlite(pools) => {
            let sql = "select exists (select 1 from sqlite_master where name = 'sandbox_setting')";
            sqlx::query_scalar(sql).fetch_one(&pools.read).await?
        }
        Db::Postgres(pool) => {
            sqlx::query_scalar("select to_regclass('sandbox_setting') is not null").fetch_one(pool).await?
        }
    };
    if !there {
        return Ok(Vec::new());
    }
    let sql = "select name, value from sandbox_setting";
    let rows: Vec<(String, String)> = crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)?;
    Ok(rows.into_iter().filter_map(|(name, text)| Some((name, read_sealed(&text)?))).collect())
}

/// Writes a sealed setting.
///
/// # Errors
/// The database does not answer.
pub async fn set_sealed(tx: &mut Tx, name: &str, sealed: &Sealed) -> sqlx::Result<()> {
    let sql = "insert into sandbox_setting (name, value) values ($1, $2) \
               on conflict (name) do update set value = excluded.value";
    crate::within!(tx, on => sqlx::query(sql).bind(name).bind(written(sealed)).execute(on).await.map(drop))
}
