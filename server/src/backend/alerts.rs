//! What the server does for the alerts' page and API.

use app::alerts::{Alert, AlertFilter, Alerts, AlertsPage};
use app::context::Viewer;
use app::error::AppError;
use app::types::{Page, PageRequest};

use super::deliveries::newest;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::store::{alert, audit};

/// Reads and acknowledges alerts.
#[derive(Debug, Clone)]
pub struct AlertsBackend {
    db: Db,
    clock: SharedClock,
}

impl AlertsBackend {
    /// Over this database.
    pub const fn new(db: Db, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    async fn seen(&self, viewer: &Viewer, id: i64) -> Result<Alert, Failure> {
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
        let (page, newer) = match held.is_empty() {
            true => (alert::page(&self.db, &filter, page).await?, 0),
            false => {
                let items = alert::rows(&self.db, &held).await?;
                let newer = match (page.cursor, items.first()) {
                    (None, Some(first)) => {
                        let newest = alert::page(&self.db, &filter, newest()).await?;
                        let first = (first.opened_at, first.id);
                        newest.items.iter().filter(|row| (row.opened_at, row.id) > first).count()
                    }
                    _ => 0,
                };
                (Page { items, next_cursor: None }, newer)
            }
        };
        let open = alert::count_open(&self.db).await.map_err(Failure::from)?;
        Ok(AlertsPage { page, newer, open, now: self.clock.now() })
    }

    async fn acknowledge(&self, viewer: &Viewer, id: i64) -> Result<Alert, AppError> {
        Ok(self.seen(viewer, id).await?)
    }
}
