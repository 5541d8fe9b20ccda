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
    let sql = "update secret set matches = matches + $1, \
               last_used_at = case when last_used_at > $2 then last_used_at else $2 end where id = $3";
    crate::within!(tx, on => sqlx::query(sql)
        .bind(used.times)
        .bind(used.last.micros())
        .bind(&used.id)
        .execute(on).await.map(drop))
}
