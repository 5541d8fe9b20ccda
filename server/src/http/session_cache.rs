//! Who has a page open that renews itself: their sessions are read together, so that any number of open pages costs the
//! database no more than one. Only for looks; whoever opens a page or does something is looked up by themselves.

use app::context::Viewer;
use app::types::Role;
use tower_sessions::session::Id;

use super::layers::guard::USER;
use crate::clock::SharedClock;
use crate::db::Db;
use crate::error::Failure;
use crate::request_coalescing::{ChangeCount, RowCache};
use crate::store::user;
use crate::store::user::session::{Sessions, hash};

/// The sessions of those who look.
#[derive(Debug, Default)]
pub struct SessionCache(RowCache<String, SessionUser>);

/// A session, and whose it is.
#[derive(Debug, Clone)]
struct SessionUser {
    session: String,
    name: String,
    role: Role,
}

impl SessionCache {
    /// Whose session this is; none: it has ended, or nobody has logged in.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn find(
        &self,
        db: &Db,
        clock: &SharedClock,
        acts: &ChangeCount,
        session: &Id,
    ) -> Result<Option<Viewer>, Failure> {
        let read = async |sessions: Vec<String>| read(db, clock, &sessions).await;
        let look = acts.snapshot(clock);
        let found = self.0.get(&[hash(session)], look, |looker| looker.session.clone(), read).await?;
        Ok(found.into_iter().next().map(|looker| Viewer { name: looker.name, role: looker.role, from: None }))
    }
}

async fn read(db: &Db, clock: &SharedClock, sessions: &[String]) -> Result<Vec<SessionUser>, Failure> {
    let store = Sessions::new(db.clone(), clock.clone());
    let logged_in = store.values(sessions, USER).await?;
    let ids: Vec<i64> = logged_in.iter().map(|(_, id)| *id).collect();
    let users = user::by_ids(db, &ids).await?;
    let looker = |(session, id): (String, i64)| {
        let user = users.iter().find(|user| user.id == id)?;
        Some(SessionUser { session, name: user.email.clone(), role: user.role })
    };
    Ok(logged_in.into_iter().filter_map(looker).collect())
}
