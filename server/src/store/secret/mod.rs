//! Rows of `secret`: sealed, each bound to its own id.

pub mod known;
pub mod usage;

use app::secrets::Holder;
use app::types::{Slug, Timestamp};

use crate::db::{Db, Tx};
use crate::error::Failure;
use crate::vault::Sealed;

/// Whose secret it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HolderId {
    /// A source's.
    Source(i64),
    /// A destination's.
    Destination(i64),
}

impl HolderId {
    /// The two columns, one of them null.
    pub const fn columns(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Source(id) => (Some(id), None),
            Self::Destination(id) => (None, Some(id)),
        }
    }
}

/// A secret, as it is stored.
#[derive(Debug, Clone)]
pub struct SecretRow {
    /// `sec_…`.
    pub id: String,
    /// Whose.
    pub holder: HolderId,
    /// The value, sealed for `secret/ID`.
    pub sealed: Sealed,
    /// A short hash of the value.
    pub fingerprint: String,
    /// Who made it.
    pub created_by: String,
    /// From when it counts.
    pub created_at: Timestamp,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// When it was last of use.
    pub last_used_at: Option<Timestamp>,
    /// How often it was.
    pub matches: i64,
}

impl SecretRow {
    /// Whether it goes on until somebody ends it. The others are in their overlap.
    pub const fn has_no_end(&self) -> bool {
        self.expires_at.is_none()
    }
}

#[derive(sqlx::FromRow)]
struct Raw {
    id: String,
    source_id: Option<i64>,
    destination_id: Option<i64>,
    sealed: Vec<u8>,
    key_id: String,
    fingerprint: String,
    created_by: String,
    created_at: i64,
    expires_at: Option<i64>,
    last_used_at: Option<i64>,
    matches: i64,
}

impl TryFrom<Raw> for SecretRow {
    type Error = Failure;
    fn try_from(raw: Raw) -> Result<Self, Failure> {
        let holder = match (raw.source_id, raw.destination_id) {
            (Some(id), None) => HolderId::Source(id),
            (None, Some(id)) => HolderId::Destination(id),
            _ => return Err(Failure::stored("secret", "it belongs to neither a source nor a destination")),
        };
        Ok(Self {
            id: raw.id,
            holder,
            sealed: Sealed { bytes: raw.sealed, key_id: raw.key_id },
            fingerprint: raw.fingerprint,
            created_by: raw.created_by,
            created_at: Timestamp::from_micros(raw.created_at),
            expires_at: raw.expires_at.map(Timestamp::from_micros),
            last_used_at: raw.last_used_at.map(Timestamp::from_micros),
            matches: raw.matches,
        })
    }
}

/// What a secret's sealed value is bound to.
pub fn owner(id: &str) -> String {
    format!("secret/{id}")
}

/// All that have not ended at `now`, of holders that are not deleted; those of a holder newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn unexpired(db: &Db, now: Timestamp) -> Result<Vec<SecretRow>, Failure> {
    let sql = "select id, source_id, destination_id, sealed, key_id, fingerprint, created_by, created_at, expires_at, \
               last_used_at, matches \
               from secret where expires_at is null or expires_at > $1 order by n desc, id";
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(sql).bind(now.micros()).fetch_all(on).await)?;
    rows.into_iter().map(SecretRow::try_from).collect()
}

/// Adds one as the newest of its holder, in the place of the one that has no end so far; call `end_current` after it.
///
/// # Errors
/// The database does not answer.
pub async fn insert(tx: &mut Tx, row: &SecretRow) -> sqlx::Result<()> {
    let sql = "insert into secret (id, source_id, destination_id, sealed, key_id, fingerprint, created_by, created_at, \
               expires_at, n, replaces) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, \
               (select coalesce(max(n), 0) + 1 from secret where source_id = $2 or destination_id = $3), \
               (select max(id) from secret where (source_id = $2 or destination_id = $3) and expires_at is null))";
    let (source_id, destination_id) = row.holder.columns();
    crate::within!(tx, on => sqlx::query(sql)
        .bind(&row.id)
        .bind(source_id)
        .bind(destination_id)
        .bind(&row.sealed.bytes)
        .bind(&row.sealed.key_id)
        .bind(&row.fingerprint)
        .bind(&row.created_by)
        .bind(row.created_at.micros())
        .bind(row.expires_at.map(Timestamp::micros))
        .execute(on).await.map(drop))
}

/// Finds a holder by name and locks it until the end of the transaction: rotations of one holder follow each other.
///
/// # Errors
/// The database does not answer.
pub async fn lock_holder(tx: &mut Tx, holder: Holder, slug: &Slug) -> sqlx::Result<Option<HolderId>> {
    // An update that changes nothing locks the row on both databases.
    let id: Option<i64> = match holder {
        Holder::Source => {
            let sql = "update source set slug = slug where slug = $1 and deleted_at is null returning id";
            crate::within!(tx, on => sqlx::query_scalar(sql).bind(slug.as_str()).fetch_optional(on).await)?
        }
        Holder::Destination => {
            let sql =
                "update destination set slug = slug where slug = $1 and deleted_at is null returning id";
            crate::within!(tx, on => sqlx::query_scalar(sql).bind(slug.as_str()).fetch_optional(on).await)?
        }
    };
    Ok(id.map(|id| holder_id(holder, id)))
}

/// The holder of that name.
///
/// # Errors
/// The database does not answer.
pub async fn find_holder(db: &Db, holder: Holder, slug: &Slug) -> sqlx::Result<Option<HolderId>> {
    let sql = match holder {
        Holder::Source => "select id from source where slug = $1 and deleted_at is null",
        Holder::Destination => "select id from destination where slug = $1 and deleted_at is null",
    };
    let id: Option<i64> =
        crate::read!(db, on => sqlx::query_scalar(sql).bind(slug.as_str()).fetch_optional(on).await)?;
    Ok(id.map(|id| holder_id(holder, id)))
}

const fn holder_id(holder: Holder, id: i64) -> HolderId {
    match holder {
        Holder::Source => HolderId::Source(id),
        Holder::Destination => HolderId::Destination(id),
    }
}

const ACTIVE_OF_ONE: &str = "select id, source_id, destination_id, sealed, key_id, fingerprint, created_by, \
     created_at, expires_at, last_used_at, matches \
     from secret where (source_id = $1 or destination_id = $2) and created_at <= $3 \
     and (expires_at is null or expires_at > $3) order by n desc";

/// Those of one holder that count at `now`, newest first.
///
/// # Errors
/// The database does not answer, or a row breaks a rule.
pub async fn active(db: &Db, holder: HolderId, now: Timestamp) -> Result<Vec<SecretRow>, Failure> {
    let (source_id, destination_id) = holder.columns();
    let rows: Vec<Raw> = crate::read!(db, on => sqlx::query_as(ACTIVE_OF_ONE)
        .bind(source_id)
        .bind(destination_id)
        .bind(now.micros())
        .fetch_all(on).await)?;
    rows.into_iter().map(SecretRow::try_from).collect()
}

/// The same inside a transaction.
///
/// # Errors
/// As `active`.
pub async fn active_within(tx: &mut Tx, holder: HolderId, now: Timestamp) -> Result<Vec<SecretRow>, Failure> {
    let (source_id, destination_id) = holder.columns();
    let rows: Vec<Raw> = crate::within!(tx, on => sqlx::query_as(ACTIVE_OF_ONE)
        .bind(source_id)
        .bind(destination_id)
        .bind(now.micros())
        .fetch_all(on).await)?;
    rows.into_iter().map(SecretRow::try_from).collect()
}

/// Gives the one an end that had none before `newest` came. Those that have one keep it.
///
/// # Errors
/// The database does not answer.
pub async fn end_current(tx: &mut Tx, holder: HolderId, newest: &str, at: Timestamp) -> sqlx::Result<()> {
    let sql = "update secret set expires_at = $4 where (source_id = $1 or destination_id = $2) \
               and expires_at is null and id <> $3";
    let (source_id, destination_id) = holder.columns();
    crate::within!(tx, on => sqlx::query(sql)
        .bind(source_id)
        .bind(destination_id)
        .bind(newest)
        .bind(at.micros())
        .execute(on).await.map(drop))
}

/// The one that was in use before it.
///
/// # Errors
/// The database does not answer.
pub async fn replaced_by(tx: &mut Tx, id: &str) -> sqlx::Result<Option<String>> {
    let sql = "select replaces from secret where id = $1";
    crate::within!(tx, on => sqlx::query_scalar(sql).bind(id).fetch_one(on).await)
}

/// Each secret that has no end, and the one that was in use before it.
///
/// # Errors
/// The database does not answer.
pub async fn replacements(db: &Db) -> sqlx::Result<Vec<(String, String)>> {
    let sql = "select id, replaces from secret where replaces is not null and expires_at is null";
    crate::read!(db, on => sqlx::query_as(sql).fetch_all(on).await)
}

/// Sets when one ends; none: not until somebody ends it.
///
/// # Errors
/// The database does not answer.
pub async fn set_end(tx: &mut Tx, id: &str, at: Option<Timestamp>) -> sqlx::Result<()> {
    let sql = "update secret set expires_at = $2 where id = $1";
    crate::within!(tx, on => sqlx::query(sql).bind(id).bind(at.map(Timestamp::micros)).execute(on).await.map(drop))
}

/// Ends those of one holder at that moment; one that ends sooner keeps its end.
///
/// # Errors
/// The database does not answer.
pub async fn end_all(tx: &mut Tx, holder: HolderId, at: Timestamp) -> sqlx::Result<()> {
    let sql = "update secret set expires_at = $3 where (source_id = $1 or destination_id = $2) \
               and (expires_at is null or expires_at > $3)";
    let (source_id, destination_id) = holder.columns();
    crate::within!(tx, on => sqlx::query(sql)
        .bind(source_id)
        .bind(destination_id)
        .bind(at.micros())
        .execute(on).await.map(drop))
}
