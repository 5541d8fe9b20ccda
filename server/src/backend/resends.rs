//! Resends of many for the dashboard and the API.

use std::sync::Arc;

use app::comment::written;
use app::context::Viewer;
use app::deliveries::DeliveryFilter;
use app::error::{AppError, Rule};
use app::resends::{NewResend, PlanPage, Resend, ResendPage, ResendPlan, Resends, ResendsPage};
use app::types::{Page, PageRequest};

use crate::clock::SharedClock;
use crate::db::Db;
use crate::domain::audit::{Entry, action};
use crate::error::Failure;
use crate::request_coalescing::{ChangeCount, InFlight, key};
use crate::resend::Resender;
use crate::store::{audit, delivery, resend};

/// A reason that can be kept, without white space around it.
///
/// # Errors
/// It is missing or cannot be kept.
pub(super) fn good_reason(reason: &str) -> Result<&str, AppError> {
    written(reason).map_err(|rule| AppError::field("reason", rule))
}

/// Does what the pages and the API ask.
#[derive(Debug, Clone)]
pub struct ResendsBackend {
    db: Db,
    clock: SharedClock,
    resender: Resender,
    acts: ChangeCount,
    shared: Arc<Shared>,
}

/// What renewing pages share.
#[derive(Debug, Default)]
struct Shared {
    pages: InFlight<String, Page<Resend>>,
    details: InFlight<i64, ResendPage>,
    plans: InFlight<String, ResendPlan>,
}

impl ResendsBackend {
    /// With what it needs.
    pub fn new(db: Db, clock: SharedClock, resender: Resender, acts: ChangeCount) -> Self {
        Self { db, clock, resender, acts, shared: Arc::default() }
    }

    async fn end(&self, viewer: &Viewer, id: i64) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut tx = self.db.begin_write().await?;
        if resend::cancel(&mut tx, id, now).await? {
            let entry = Entry::by(viewer, action::RESEND_CANCELLED, format!("resend/{id}"), now);
            audit::record(&mut tx, &entry).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl Resends for ResendsBackend {
    async fn plan(&self, filter: DeliveryFilter) -> Result<ResendPlan, AppError> {
        let mut plan = ResendPlan::default();
        for share in delivery::matches::shares(&self.db, &filter, self.clock.now()).await? {
            plan.matching += share.count;
            *plan.by_destination.entry(share.destination).or_default() += share.count;
            *plan.by_type.entry(share.r#type).or_default() += share.count;
        }
        Ok(plan)
    }

    async fn plan_page(&self, filter: DeliveryFilter) -> Result<PlanPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let plan = self.shared.plans.get(key(&filter), look, self.plan(filter)).await?;
        Ok(PlanPage { plan, now: look.at })
    }

    async fn start(&self, viewer: &Viewer, mut new: NewResend) -> Result<i64, AppError> {
        new.reason = good_reason(&new.reason)?.to_owned();
        if new.rate_per_s.is_some_and(|rate| !rate.is_finite() || rate <= 0.0) {
            return Err(AppError::field("rate_per_s", Rule::OutOfRange));
        }
        Ok(self.resender.start(viewer, &new).await?)
    }

    async fn list(&self, page: PageRequest) -> Result<Page<Resend>, AppError> {
        Ok(resend::list(&self.db, page).await?)
    }

    async fn page(&self, page: PageRequest) -> Result<ResendsPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let read = resend::list(&self.db, page);
        let page = self.shared.pages.get(format!("{page:?}"), look, read).await?;
        Ok(ResendsPage { page, now: look.at })
    }

    async fn get(&self, id: i64) -> Result<Resend, AppError> {
        resend::get(&self.db, id).await?.ok_or(AppError::NotFound)
    }

    async fn detail_page(&self, id: i64) -> Result<ResendPage, AppError> {
        let look = self.acts.snapshot(&self.clock);
        let now = look.at;
        let read = async {
            let resend = self.get(id).await?;
            Ok::<_, AppError>(ResendPage { resend, lanes: resend::lanes(&self.db, id).await?, now })
        };
        Ok(ResendPage { now, ..self.shared.details.get(id, look, read).await? })
    }

    async fn cancel(&self, viewer: &Viewer, id: i64) -> Result<Resend, AppError> {
        self.end(viewer, id).await?;
        self.get(id).await
    }
}
