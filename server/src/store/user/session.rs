//! Rows of `session`: the id is stored hashed, so that a copy of the database opens no session. A session ends
//! after 12 hours without a request, and after 7 days in any case, by our clock.

use app::types::Timestamp;
use async_trait::async_trait;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{self, Error};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::store::placeholders::{Placeholders, filled, size_for};

/// Seconds without a request after which a session ends.
pub const IDLE_S: i64 = 12 * 3600;
/// Seconds after the log-in when a session ends in any case.
pub const LONGEST_S: i64 = 7 * 24 * 3600;
/// An end that is put off by less than this is not worth a write.
const TOUCH_S: i64 = 60;

/// Where tower-sessions keeps them.
#[derive(Debug, Clone)]
pub struct Sessions {
    db: Db,
    clock: SharedClock,
}

/// What is written in `data`.
#[derive(serde::Serialize, serde::Deserialize)]
struct SessionData {
    since: i64,
    values: std::collections::HashMap<String, serde_json::Value>,
}

impl Sessions {
    /// In this database, by this clock.
    pub fn new(db: Db, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    async fn insert(&self, record: &Record) -> sqlx::Result<u64> {
        let now = self.clock.now();
        let prune = "delete from session where expires_at <= $1";
        let sql = "insert into session (id_hash, data, expires_at) values ($1, $2, $3) on conflict (id_hash) do nothing";
        let data = encode(record, now);
        crate::write!(&self.db, on => sqlx::query(prune).bind(now.micros()).execute(on).await.map(drop))?;
        crate::write!(&self.db, on => sqlx::query(sql)
            .bind(hash(&record.id))
            .bind(data)
            .bind(now.plus_seconds(IDLE_S).micros())
            .execute(on).await.map(|done| done.rows_affected()))
    }

    async fn read(&self, id: &Id) -> sqlx::Result<Option<(String, i64)>> {
        let sql = "select data, expires_at from session where id_hash = $1 and expires_at > $2";
        let now = self.clock.now().micros();
        crate::read!(&self.db, on => sqlx::query_as(sql).bind(hash(id)).bind(now).fetch_optional(on).await)
    }

    /// What these sessions, by the hash of their id, keep as a number under this key; those that have ended, and those
    /// that keep none, are left out. Their ends are put off as by any request.
    ///
    /// # Errors
    /// The database does not answer, or a row breaks a rule.
    pub async fn values(&self, hashes: &[String], key: &str) -> Result<Vec<(String, i64)>, Failure> {
        let (mut marks, now) = (Placeholders::on(&self.db), self.clock.now());
        let sql = format!(
            "select id_hash, data, expires_at from session where expires_at > {} and id_hash in ({})",
            marks.one(),
            marks.list(size_for(hashes.len()))
        );
        let rows: Vec<(String, String, i64)> = crate::read!(&self.db, on => {
            let query = sqlx::query_as(AssertSqlSafe(sql)).bind(now.micros());
            filled(hashes).fold(query, |query, hash| query.bind(hash)).fetch_all(on).await
        })?;
        let (mut values, mut later) = (Vec::new(), Vec::new());
        for (hash, data, expires_at) in rows {
            let stored = decode(&data).map_err(|error| Failure::stored("session.data", error))?;
            later.extend(new_end(&stored, expires_at, now).map(|ends_at| (hash.clone(), ends_at)));
            values.extend(
                stored.values.get(key).and_then(serde_json::Value::as_i64).map(|value| (hash, value)),
            );
        }
        self.extend_expiry(&later).await?;
        Ok(values)
    }

    /// Moves the ends of sessions, by the hash of their id.
    async fn extend_expiry(&self, ends: &[(String, Timestamp)]) -> sqlx::Result<()> {
        if ends.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "with later (id_hash, ends_at) as (values {}) update session set expires_at = later.ends_at from later \
             where session.id_hash = later.id_hash and session.expires_at < later.ends_at",
            Placeholders::on(&self.db).rows(size_for(ends.len()), 2)
        );
        crate::write!(&self.db, on => {
            let query = sqlx::query(AssertSqlSafe(sql));
            filled(ends)
                .fold(query, |query, (hash, ends_at)| query.bind(hash).bind(ends_at.micros()))
                .execute(on).await.map(drop)
        })
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        while self.insert(record).await.map_err(backend)? == 0 {
            record.id = Id::default();
        }
        Ok(())
    }

    /// Changes one that is there; one that was ended meanwhile stays ended.
    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let Some((data, _)) = self.read(&record.id).await.map_err(backend)? else { return Ok(()) };
        let since = Timestamp::from_micros(decode(&data)?.since);
        let sql = "update session set data = $2 where id_hash = $1";
        crate::write!(&self.db, on => sqlx::query(sql)
            .bind(hash(&record.id))
            .bind(encode(record, since))
            .execute(on).await.map(drop))
        .map_err(backend)
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let Some((data, expires_at)) = self.read(id).await.map_err(backend)? else { return Ok(None) };
        let stored = decode(&data)?;
        if let Some(ends_at) = new_end(&stored, expires_at, self.clock.now()) {
            self.extend_expiry(&[(hash(id), ends_at)]).await.map_err(backend)?;
        }
        // Only the row's end counts; tower-sessions reads this one nowhere.
        let expiry_date = time::OffsetDateTime::UNIX_EPOCH;
        Ok(Some(Record { id: *id, data: stored.values, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let sql = "delete from session where id_hash = $1";
        crate::write!(&self.db, on => sqlx::query(sql).bind(hash(id)).execute(on).await.map(drop))
            .map_err(backend)
    }
}

/// When a session ends that is used now; none: not much later than it would anyway.
fn new_end(stored: &SessionData, expires_at: i64, now: Timestamp) -> Option<Timestamp> {
    let longest = Timestamp::from_micros(stored.since).plus_seconds(LONGEST_S);
    let ends_at = now.plus_seconds(IDLE_S).min(longest);
    (ends_at.seconds_since(Timestamp::from_micros(expires_at)) >= TOUCH_S).then_some(ends_at)
}

/// What is stored of a session's id.
pub fn hash(id: &Id) -> String {
    hex::encode(Sha256::digest(id.0.to_le_bytes()))
}

fn encode(record: &Record, since: Timestamp) -> String {
    let values = &record.data;
    serde_json::json!({ "since": since.micros(), "values": values }).to_string()
}

fn decode(data: &str) -> session_store::Result<SessionData> {
    serde_json::from_str(data).map_err(|error| Error::Decode(error.to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn backend(error: sqlx::Error) -> Error {
    Error::Backend(error.to_string())
}
