//! Every sealed value of the database, for sealing it again.

use app::types::Slug;

use crate::db::{Db, Tx};
use crate::error::Failure;
use crate::store::{sandbox_setting, secret, source};
use crate::vault::Sealed;

/// A sealed value and its place.
#[derive(Debug, Clone)]
pub struct Place {
    /// What it is bound to.
    pub owner: String,
    /// As it is stored.
    pub sealed: Sealed,
    row: Row,
}

#[derive(Debug, Clone)]
enum Row {
    Secret(String),
    Api(i64),
    Sandbox(String),
}

/// All that are not sealed under this key.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn not_under(db: &Db, key_id: &str) -> Result<Vec<Place>, Failure> {
    let mut places = Vec::new();
    let sql = "select id, sealed, key_id from secret where key_id <> $1";
    let rows: Vec<(String, Vec<u8>, String)> =
        crate::read!(db, on => sqlx::query_as(sql).bind(key_id).fetch_all(on).await)?;
    for (id, bytes, key_id) in rows {
        let sealed = Sealed { bytes, key_id };
        places.push(Place { owner: secret::owner(&id), sealed, row: Row::Secret(id) });
    }
    let sql =
        "select id, slug, api_secret_sealed, api_secret_key_id from source where api_secret_key_id <> $1";
    let rows: Vec<(i64, String, Vec<u8>, String)> =
        crate::read!(db, on => sqlx::query_as(sql).bind(key_id).fetch_all(on).await)?;
    for (id, slug, bytes, key_id) in rows {
        let slug: Slug = slug.parse().map_err(|error| Failure::stored("source.slug", error))?;
        let sealed = Sealed { bytes, key_id };
        places.push(Place { owner: source::api_owner(&slug), sealed, row: Row::Api(id) });
    }
    for (name, sealed) in sandbox_setting::sealed(db).await? {
        if sealed.key_id != key_id {
            places.push(Place { owner: sandbox_setting::owner(&name), sealed, row: Row::Sandbox(name) });
        }
    }
    Ok(places)
}

/// Puts the value that was sealed again in its place, unless it was changed meanwhile.
///
/// # Errors
/// The database does not answer.
pub async fn replace(tx: &mut Tx, place: &Place, new: &Sealed) -> sqlx::Result<()> {
    match &place.row {
        Row::Secret(id) => {
            let sql = "update secret set sealed = $1, key_id = $2 where id = $3 and sealed = $4";
            crate::within!(tx, on => sqlx::query(sql).bind(&new.bytes).bind(&new.key_id).bind(id)
                .bind(&place.sealed.bytes).execute(on).await.map(drop))
        }
        Row::Api(id) => {
            let sql = "update source set api_secret_sealed = $1, api_secret_key_id = $2 \
                       where id = $3 and api_secret_sealed = $4";
            crate::within!(tx, on => sqlx::query(sql).bind(&new.bytes).bind(&new.key_id).bind(id)
                .bind(&place.sealed.bytes).execute(on).await.map(drop))
        }
        Row::Sandbox(name) => sandbox_setting::set_sealed(tx, name, new).await,
    }
}

/// One key that something is sealed under; none: nothing is sealed.
///
/// # Errors
/// The database does not answer.
pub async fn any_key(db: &Db) -> sqlx::Result<Option<String>> {
    let sql = "select max(key_id) from (select key_id from secret union all \
               select api_secret_key_id from source) as keys";
    crate::read!(db, on => sqlx::query_scalar(sql).fetch_one(on).await)
}
