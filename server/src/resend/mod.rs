//! Resends of many: what matched when one started gets one manual attempt each, in the background.
//!
//! What matches is read as of one moment and kept in small transactions. Then a few attempts at a time are asked for;
//! the deliverer makes them as it makes those of single resends, which find room beside them. All that is known of the
//! progress is in the database: a process that is killed is taken over from.

mod rate_limit;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use app::context::Viewer;
use app::resends::NewResend;
use app::types::Timestamp;
use rand::RngCore;
use serde_json::json;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use self::rate_limit::{RateLimit, WINDOW};
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::notify::Notifiers;
use crate::store::delivery::matches::MatchCursor;
use crate::store::{audit, resend};

/// Seconds that one is ours without a sign of life.
const LEASE: i64 = 30;
/// How often it looks for resends that nobody works off.
const LEASED_AGAIN: Duration = Duration::from_secs(2);
/// Deliveries of one transaction that keeps, or forgets, what matched.
const BATCH: i64 = 2048;
/// Lanes that one turn looks at.
const LANES: i64 = 200;
/// How long it sleeps when there is nothing to do, and while something runs.
const POLL: Duration = Duration::from_secs(1);
const SOON: Duration = Duration::from_millis(40);
/// How long whoever starts one waits for everything that matches to be kept: most are that small.
const PATIENCE: Duration = Duration::from_millis(800);

/// Starts resends and works them off. Clones share everything.
#[derive(Debug, Clone)]
pub struct Resender {
    db: Db,
    clock: SharedClock,
    notifiers: Notifiers,
    window: i64,
    token: Arc<str>,
    work: Arc<Mutex<WorkState>>,
}

/// What a process knows of its own work.
#[derive(Debug, Default)]
struct WorkState {
    pace: RateLimit,
    leased_at: Option<Instant>,
}

impl Resender {
    /// One over this database.
    pub fn new(db: Db, clock: SharedClock, notifiers: Notifiers) -> Self {
        Self { db, clock, notifiers, window: WINDOW, token: new_token().into(), work: Arc::default() }
    }

    /// With so many attempts at the same time.
    #[must_use]
    pub fn with_window(self, window: i64) -> Self {
        Self { window, ..self }
    }

    fn lease_end(&self) -> Timestamp {
        self.clock.now().plus_seconds(LEASE)
    }

    /// Starts one: what matches at this moment is resent.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn start(&self, viewer: &Viewer, new: &NewResend) -> Result<i64, Failure> {
        let now = self.clock.now();
        let walk = MatchCursor::begin(&self.db, &new.filter, now).await?;
        let token = new_token();
        let beginning = resend::ResendCollector {
            actor: &viewer.name,
            reason: &new.reason,
            filter: &new.filter,
            rate_per_s: new.rate_per_s,
            token: &token,
            lease_until: self.lease_end(),
            now,
        };
        let mut tx = self.db.begin_write().await?;
        let id = resend::insert(&mut tx, beginning).await?;
        let entry = Entry::by(viewer, action::DELIVERIES_RESENT, format!("resend/{id}"), now)
            .with_reason(&new.reason)
            .with(json!({"filter": new.filter, "rate_per_s": new.rate_per_s}));
        audit::record(&mut tx, &entry).await?;
        tx.commit().await?;
        let this = self.clone();
        let collecting = tokio::spawn(async move { this.collect(id, &token, walk).await });
        let _ = tokio::time::timeout(PATIENCE, collecting).await;
        Ok(id)
    }

    async fn collect(&self, id: i64, token: &str, mut walk: MatchCursor) {
        let collected = async {
            loop {
                let members = walk.next(BATCH).await?;
                if members.is_empty() {
                    break;
                }
                let mut tx = self.db.begin_write().await?;
                if !resend::queue::add(&mut tx, id, &members, token, self.lease_end()).await? {
                    return Ok(());
                }
                tx.commit().await?;
            }
            Ok::<_, Failure>(resend::queue::collected(&self.db, id, token).await?)
        };
        match collected.await {
            Ok(()) => self.notifiers.resender.notify(),
            Err(error) => {
                tracing::error!(%error, resend.id = id, "what matches could not be kept; it is done again");
            }
        }
    }

    /// Works off what there is, until told to stop.
    pub async fn run(self, shutdown: CancellationToken) {
        if matches!(self.db, Db::Sqlite(_))
            && let Err(error) = resend::queue::end_leases(&self.db).await
        {
            tracing::warn!(%error, "old leases of resends could not be ended; they run out by themselves");
        }
        while !shutdown.is_cancelled() {
            let wait = match self.run_batch().await {
                Ok(true) => SOON,
                Ok(false) => POLL,
                Err(error) => {
                    tracing::error!(%error, "resends could not be worked off; trying again");
                    POLL
                }
            };
            tokio::select! {
                () = self.notifiers.resender.wait(wait) => {}
                () = shutdown.cancelled() => {}
            }
        }
    }

    /// Counts what is over and asks for what is next. False: there is nothing to do.
    ///
    /// # Errors
    /// The database does not answer; what was not committed is done again.
    pub async fn run_batch(&self) -> Result<bool, Failure> {
        if !resend::queue::is_any(&self.db).await? {
            return Ok(false);
        }
        self.collect_again().await?;
        self.remove_cancelled().await?;
        self.step().await?;
        Ok(true)
    }

    /// Nothing of one that was cut off while it collected has been asked for: it begins anew.
    async fn collect_again(&self) -> Result<(), Failure> {
        let (now, token) = (self.clock.now(), new_token());
        let Some((id, filter)) = resend::queue::claim_run(&self.db, &token, now, self.lease_end()).await?
        else {
            return Ok(());
        };
        let filter =
            serde_json::from_str(&filter).map_err(|error| Failure::stored("resend.filter", error))?;
        self.remove_waiting(id).await?;
        let mut tx = self.db.begin_write().await?;
        resend::queue::requeue_claimed(&mut tx, id).await?;
        tx.commit().await?;
        let walk = MatchCursor::begin(&self.db, &filter, now).await?;
        self.collect(id, &token, walk).await;
        Ok(())
    }

    async fn remove_cancelled(&self) -> Result<(), Failure> {
        match resend::queue::cancelled(&self.db).await? {
            Some(id) => self.remove_waiting(id).await,
            None => Ok(()),
        }
    }

    async fn remove_waiting(&self, id: i64) -> Result<(), Failure> {
        loop {
            let mut tx = self.db.begin_write().await?;
            let forgotten = resend::queue::remove_waiting(&mut tx, id, BATCH).await?;
            tx.commit().await?;
            if forgotten == 0 {
                return Ok(());
            }
        }
    }

    async fn step(&self) -> Result<(), Failure> {
        let mut work = self.work.lock().await;
        let now = self.clock.now();
        let ended = resend::queue::list_finished(&self.db).await?;
        let mut lanes = resend::queue::claim_runs(&self.db, &self.token, LANES).await?;
        let is_old = work.leased_at.is_none_or(|at| at.elapsed() > LEASED_AGAIN);
        if !ended.is_empty() || lanes.is_empty() || is_old {
            let mut tx = self.db.begin_write().await?;
            resend::queue::count(&mut tx, &ended).await?;
            resend::queue::lease(&mut tx, &self.token, now, self.lease_end()).await?;
            resend::queue::finish(&mut tx, now).await?;
            tx.commit().await?;
            work.leased_at = Some(Instant::now());
            lanes = resend::queue::claim_runs(&self.db, &self.token, LANES).await?;
        }
        let outstanding: HashMap<_, _> = resend::queue::outstanding(&self.db).await?.into_iter().collect();
        let shares = work.pace.share(&lanes, &outstanding, self.window, now);
        if shares.iter().all(|share| *share == 0) {
            return Ok(());
        }
        let mut tx = self.db.begin_write().await?;
        for (lane, share) in lanes.iter().zip(shares).filter(|(_, share)| *share > 0) {
            let key = (lane.resend_id, lane.destination_id);
            let asked = resend::queue::ask(&mut tx, key, share, &self.token, now).await?;
            work.pace.spent(lane, i64::try_from(asked).unwrap_or_default());
        }
        tx.commit().await?;
        self.notifiers.deliverer.notify();
        Ok(())
    }
}

fn new_token() -> String {
    let mut bytes = [0_u8; 8];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}
