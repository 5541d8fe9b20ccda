//! Counts which secrets verified something; written to their rows from time to time.

use std::collections::BTreeMap;

use app::types::Timestamp;

use crate::db::Db;
use crate::store::secret_use::{self, Use};

#[derive(Debug, Default)]
pub(super) struct Uses(BTreeMap<String, (i64, Timestamp)>);

impl Uses {
    pub(super) fn count(&mut self, secret_id: &str, at: Timestamp) {
        match self.0.get_mut(secret_id) {
            Some((times, last)) => (*times, *last) = (*times + 1, at.max(*last)),
            None => drop(self.0.insert(secret_id.to_owned(), (1, at))),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes them; those that could not be written are kept for the next time.
    pub(super) async fn flush(&mut self, db: &Db) {
        let uses: Vec<Use> = self
            .0
            .iter()
            .map(|(id, (times, last))| Use { id: id.clone(), times: *times, last: *last })
            .collect();
        if uses.is_empty() {
            return;
        }
        match secret_use::add(db, &uses).await {
            Ok(()) => self.0.clear(),
            Err(error) => {
                tracing::warn!(%error, "the use of secrets could not be written, it is tried again")
            }
        }
    }
}
