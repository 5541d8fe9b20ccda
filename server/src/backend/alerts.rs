//! What the server does for the alerts' page and API.

use std::sync::Arc;

use app::alerts::{Alert, AlertFilter, Alerts, AlertsPage};
use app::context::Viewer;
use app::error::AppError;
use app::types::{Page, PageRequest};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::request_coalescing::{ChangeCount, FollowedList, FollowedPage, InFlight, Snapshot, key};
use crate::store::{alert, audit};

/// Reads and acknowledges alerts.
#[derive(Debug, Clone)]
pub struct AlertsBackend {
    db: Db,
    clock: SharedClock,
    acts: ChangeCount,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    list: FollowedList<Alert>,
    open: InFlight<(), i64>,
}

impl AlertsBackend {
    /// Over this database.
    pub fn new(db: Db, clock: SharedClock, acts: ChangeCount) -> Self {
        Self { db, clock, acts, shared: Arc::default() }
    }

    async fn renew_page(
        &self,
        look: Snapshot,
        filter: &AlertFilter,
        page: PageRequest,
        ids: &[i64],
    ) -> Result<(Page<Alert>, usize), Failure> {
        let held =
            FollowedPage { ids, filter: key(filter), page, place: |row: &Alert| (row.opened_at, row.id) };
        let rows = async |ids: Vec<i64>| alert::rows(&self.db, &ids).await;
        let page = async |page| alert::page(&self.db, filter, page).await;
        self.shared.list.renew_page(look, held, rows, page).await
    }

    async fn acknowledge_one(&self, viewer: &Viewer, id: i64) -> Result<Alert, Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        if alert::acknowledge(&mut tx, id, &viewer.name, now).await? {
            let entry = Entry::by(viewer, action::ALERT_ACKNOWLEDGED, format!("alert/{id}"), now);
            audit::record(&mut tx, &entry).await?;
        }
        tx.commit().await?;
        Ok(alert::find(&self.db, id).await?.ok_or(AppError::NotFound)?)
    }
}

#[async_trait::async_trait]
impl Alerts for AlertsBackend {
    async fn list(&self, filter: AlertFilter, page: PageRequest) -> Result<Page<Alert>, AppError> {
        Ok(alert::page(&self.db, &filter, page).await?)
    }

    async fn page(
        &self,
        filter: AlertFilter,
        page: PageRequest,
        held: Vec<i64>,
    ) -> Result<AlertsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let (page, newer) = match held.is_empty() {
            true => (alert::page(&self.db, &filter, page).await?, 0),
            false => self.renew_page(look, &filter, page, &held).await?,
        };
        let open = self.shared.open.get((), look, alert::count_open(&self.db)).await;
        Ok(AlertsPage { page, newer, open: open.map_err(Failure::from)?, now: look.at })
    }

    async fn acknowledge(&self, viewer: &Viewer, id: i64) -> Result<Alert, AppError> {
        Ok(self.acknowledge_one(viewer, id).await?)
    }
}
