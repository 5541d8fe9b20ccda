//! How often secrets were of use, counted elsewhere and written from time to time.

use app::types::Timestamp;

use crate::db::{Db, Tx};

/// What a secret did since it was last written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Its row.
    pub id: String,
    /// How often.
    pub times: i64,
    /// When last.
    pub last: Timestamp,
}

/// Seconds of a slot.
pub const SLOT_S: i64 = 600;
/// Days that the counts of slots are kept.
const KEPT_DAYS: i64 = 15;

/// The slot of a moment.
pub fn slot(at: Timestamp) -> i64 {
    at.unix().div_euclid(SLOT_S)
}

/// How often each secret was of use, by slot, from the slot of that moment on.
///
/// # Errors
/// The database does not answer.
pub async fn since(db: &Db, from: Timestamp) -> sqlx::Result<Vec<(String, i64, i64)>> {
    let sql = "select secret_id, slot, times from secret_use where slot >= $1";
    crate::read!(db, on => sqlx::query_as(sql).bind(slot(from)).fetch_all(on).await)
}

/// Deletes old counts.
///
/// # Errors
/// The database does not answer.
pub async fn prune(db: &Db, now: Timestamp) -> sqlx::Result<()> {
    let sql = "delete from secret_use where slot < $1";
    let before = slot(now.plus_seconds(-KEPT_DAYS * 86_400));
    crate::write!(db, on => sqlx::query(sql).bind(before).execute(on).await.map(drop))
}

/// Adds them. The ids must be in ascending order, so that processes do not wait for each other in a circle.
///
/// # Errors
/// The database does not answer; none of them is added.
pub async fn add(db: &Db, uses: &[Use]) -> sqlx::Result<()> {
    let mut tx = db.begin_write().await?;
    for used in uses {
        add_one(&mut tx, used).await?;
    }
    tx.commit().await
}

async fn add_one(tx: &mut Tx, used: &Use) -> sqlx::Result<()> {
    let sql = "insert into secret_use (secret_id, slot, times) values ($1, $2, $3) \
               on conflict (secret_id, slot) do update set times = secret_use.times + excluded.times";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(&used.id)
        .bind(slot(used.last))
        .bind(used.times)
        .execute(on).await.map(drop))?;
    let sql = "update secret set matches = matches + $1, \
               last_used_at = case when last_used_at > $2 then last_used_at else $2 end where id = $3";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(used.times)
        .bind(used.last.micros())
        .bind(&used.id)
        .execute(on).await.map(drop))
}
