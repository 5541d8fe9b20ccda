//! Asks a destination's server what it makes of signatures: with every active secret as deliveries are signed, with the
//! newest only, and with one that nobody has, to know how it refuses. What is posted is no event of any provider.

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::context::Viewer;
use app::error::AppError;
use app::secrets::{Probe, TestFinding, TestResult};
use app::types::Slug;
use bytes::Bytes;
use rand::RngCore;
use serde_json::json;

use crate::clock::SharedClock;
use crate::db::Db;
use crate::deliver::{HttpClient, Network};
use crate::domain::audit::{Entry, action};
use crate::domain::secret::{SecretValue, active};
use crate::domain::sign::{self, Outgoing};
use crate::error::Failure;
use crate::registry::{Destination, Registry};
use crate::store::audit;

/// Makes the tests. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Prober {
    db: Db,
    clock: SharedClock,
    registry: Arc<Registry>,
    poster: HttpClient,
}

impl Prober {
    pub(super) fn new(db: Db, clock: SharedClock, registry: Arc<Registry>, network: Network) -> Self {
        Self { db, clock, registry, poster: HttpClient::new(network) }
    }

    /// Makes the test and writes it down.
    pub(super) async fn test(&self, viewer: &Viewer, slug: &Slug) -> Result<TestResult, Failure> {
        let now = self.clock.now();
        let destination = self.registry.snapshot().destination(slug).cloned().ok_or(AppError::NotFound)?;
        let secrets = active(&destination.secrets, now);
        let newest = &secrets.first().ok_or(AppError::NotFound)?.value;
        let wrong = self.post(&destination, &[&SecretValue::generate()]).await?;
        let all = self.post(&destination, &destination.signing(&secrets)).await?;
        let newest = match secrets.len() {
            1 => all.clone(),
            _ => self.post(&destination, &[newest]).await?,
        };
        let old = match secrets.get(1) {
            Some(old) if !is_taken(&all, &wrong) => Some(self.post(&destination, &[&old.value]).await?),
            _ => None,
        };
        let finding = finding(&all, &newest, old.as_ref(), &wrong);
        let tested = TestResult { at: now, by: viewer.name.clone(), all, newest, old, wrong, finding };
        let entry = Entry::by(viewer, action::DESTINATION_TESTED, format!("destination/{slug}"), now);
        audit::record_alone(&self.db, &entry.with(json!(tested))).await?;
        Ok(tested)
    }

    async fn post(&self, destination: &Destination, secrets: &[&SecretValue]) -> Result<Probe, Failure> {
        let mut random = [0_u8; 8];
        rand::rng().fill_bytes(&mut random);
        let event_id = format!("evt_acuse_test_{}", hex::encode(random));
        let now = self.clock.now();
        let body = json!({"event_id": event_id, "event_type": "acuse.test", "version": 1,
            "occurred_at": now.unix(), "data": {"message": "A test of signatures. It is no event."}});
        let body = body.to_string();
        let outgoing = Outgoing {
            event_id: &event_id,
            source: "acuse",
            delivery: 0,
            n: None,
            sequence: 0,
            occurred_at: Some(now),
            content_type: Some("application/json"),
            content_encoding: None,
            body: body.as_bytes(),
            now,
        };
        let mut headers = sign::headers(destination.row.settings.format, secrets, &outgoing)
            .map_err(|error| Failure::other("test delivery", error))?;
        for (name, value) in &mut headers {
            if matches!(*name, "Acuse-Delivery" | "Acuse-Attempt" | "Acuse-Sequence") {
                "test".clone_into(value);
            }
        }
        let limit =
            Duration::from_millis(u64::try_from(destination.row.settings.timeout_ms).unwrap_or(10_000));
        let begun = Instant::now();
        let heard = self.poster.post(&destination.row.settings.url, &headers, Bytes::from(body), limit).await;
        let duration_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        Ok(Probe { status: heard.status, error: heard.error, duration_ms })
    }
}

/// Whether the signature was good enough: a 2xx, or at least another refusal than that of a wrong signature. A server
/// that does not know our event may refuse it after it has looked at the signature.
fn is_taken(probe: &Probe, wrong: &Probe) -> bool {
    let refused = |status: Option<u16>| matches!(status, Some(400..=499));
    match probe.status {
        Some(200..=299) => true,
        status => refused(status) && refused(wrong.status) && status != wrong.status,
    }
}

fn finding(all: &Probe, newest: &Probe, old: Option<&Probe>, wrong: &Probe) -> TestFinding {
    if matches!(wrong.status, Some(200..=299)) {
        return TestFinding::NotVerified;
    }
    let old = old.is_some_and(|old| is_taken(old, wrong));
    match (is_taken(all, wrong), is_taken(newest, wrong)) {
        (true, true) => TestFinding::Ready,
        (true, false) => TestFinding::OldOnly,
        (false, true) => TestFinding::NewButNoList,
        (false, false) if old => TestFinding::OldAndNoList,
        (false, false) => TestFinding::TakesNone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(status: u16) -> Probe {
        Probe { status: (status > 0).then_some(status), error: None, duration_ms: 1 }
    }

    #[test]
    fn tells_what_the_server_has_and_whether_it_reads_the_list() {
        for (all, newest, old, wrong, found) in [
            (200, 200, 0, 401, TestFinding::Ready),
            (200, 401, 0, 401, TestFinding::OldOnly),
            (401, 200, 401, 401, TestFinding::NewButNoList),
            (401, 401, 200, 401, TestFinding::OldAndNoList),
            (401, 401, 401, 401, TestFinding::TakesNone),
            (0, 0, 0, 0, TestFinding::TakesNone),
            (500, 500, 500, 500, TestFinding::TakesNone),
            (503, 503, 503, 401, TestFinding::TakesNone),
            (200, 200, 0, 200, TestFinding::NotVerified),
            // It looks at the signature first, and then does not know the event.
            (422, 422, 0, 401, TestFinding::Ready),
            (422, 401, 0, 401, TestFinding::OldOnly),
            (204, 204, 0, 500, TestFinding::Ready),
        ] {
            let old = (old > 0).then(|| probe(old));
            let told = finding(&probe(all), &probe(newest), old.as_ref(), &probe(wrong));
            assert_eq!(told, found, "{all} {newest} {old:?} {wrong}");
        }
    }
}
