//! Writes down what came of many attempts, in one transaction.

use std::collections::{BTreeMap, HashSet};

use app::types::DeliveryState;

use super::attempt_job::{AttemptReport, Claim, ClaimKind, Made, Outcome};
use crate::db::{Db, Tx};
use crate::domain::delivery::Delivery;
use crate::domain::ladder::Ladder;
use crate::error::Failure;
use crate::store::attempt::result::{Rung, schedule_next_attempts};
use crate::store::attempt::{self, ManualEnd, ScheduledRow};
use crate::store::delivery::{self, LockedRow};

/// Writes the reports. An attempt whose lease somebody else took over in the meantime is left out: its rung is theirs.
/// Returns the places of those whose delivery has failed for good.
///
/// # Errors
/// The database does not answer; nothing is written then.
pub async fn settle(tx: &mut Tx, db: &Db, reports: &[AttemptReport]) -> Result<Vec<usize>, Failure> {
    let rungs: Vec<_> = reports.iter().enumerate().filter_map(rung).collect();
    if rungs.len() < reports.len() {
        // Several statements want them.
        let ids: Vec<_> = reports.iter().map(|report| report.claim.delivery_id).collect();
        delivery::reserve(tx, &ids).await?;
    }
    let ours = finish_manual(tx, reports).await?;
    let climbed =
        schedule_next_attempts(tx, &rungs.iter().map(|(_, rung)| rung.clone()).collect::<Vec<_>>()).await?;
    let failed = |(place, rung): &(usize, Rung<'_>)| {
        (rung.now.state == DeliveryState::Failed && climbed.contains(&rung.delivery_id)).then_some(*place)
    };
    let mut failed: Vec<_> = rungs.iter().filter_map(failed).collect();
    // What moved under a running attempt, and what a resend moved.
    let rest = |(_, report): &(usize, &AttemptReport)| match (&report.claim.kind, &report.verdict) {
        (ClaimKind::Scheduled { .. }, Outcome::Made(_)) => !climbed.contains(&report.claim.delivery_id),
        (ClaimKind::Manual { attempt_id }, Outcome::Made(made)) => {
            // A failed one changes nothing.
            made.record.ending.error.is_none() && ours.contains(attempt_id)
        }
        _ => false,
    };
    let rest: Vec<_> = reports.iter().enumerate().filter(rest).collect();
    if !rest.is_empty() {
        failed.extend(settle_locked(tx, db, &rest).await?);
    }
    give_back(tx, reports).await?;
    Ok(failed)
}

/// What a report does to its delivery if that is still as it was claimed.
fn rung((place, report): (usize, &AttemptReport)) -> Option<(usize, Rung<'_>)> {
    let (ClaimKind::Scheduled { was, .. }, Outcome::Made(made)) = (&report.claim.kind, &report.verdict)
    else {
        return None;
    };
    let now = was.after_scheduled(&made.record.ending, &ladder(made));
    let rung = Rung {
        delivery_id: report.claim.delivery_id,
        token: &report.claim.token,
        may_repeat: report.claim.may_repeat,
        was,
        now,
        record: &made.record,
    };
    Some((place, rung))
}

fn ladder(made: &Made) -> Ladder {
    made.destination.as_ref().map_or_else(Ladder::default, |to| to.ladder.clone())
}

async fn finish_manual(tx: &mut Tx, reports: &[AttemptReport]) -> Result<HashSet<i64>, Failure> {
    let end = |report| match report {
        &AttemptReport {
            claim: Claim { kind: ClaimKind::Manual { attempt_id }, ref token, .. },
            verdict: Outcome::Made(ref made),
        } => Some(ManualEnd { id: attempt_id, token, record: &made.record }),
        _ => None,
    };
    let ends: Vec<_> = reports.iter().filter_map(end).collect();
    if ends.is_empty() {
        return Ok(HashSet::new());
    }
    Ok(attempt::finish_manual(tx, &ends).await?.into_iter().collect())
}

/// The same with the deliveries as they stand now, under a lock.
async fn settle_locked(
    tx: &mut Tx,
    db: &Db,
    reports: &[(usize, &AttemptReport)],
) -> Result<Vec<usize>, Failure> {
    let mut ids: Vec<_> = reports.iter().map(|(_, report)| report.claim.delivery_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut rows: BTreeMap<i64, (LockedRow, LockedRow)> =
        delivery::lock(tx, db, &ids).await?.into_iter().map(|row| (row.id, (row.clone(), row))).collect();
    let (mut rungs, mut failed) = (Vec::new(), Vec::new());
    for &(place, report) in reports {
        let AttemptReport { claim, verdict: Outcome::Made(made) } = report else { continue };
        let Some((_, now)) = rows.get_mut(&claim.delivery_id) else { continue };
        match &claim.kind {
            ClaimKind::Manual { .. } => now.delivery = now.delivery.after_manual(&made.record.ending),
            ClaimKind::Scheduled { was, .. } => {
                if !is_ours(now, claim) {
                    continue;
                }
                rungs.push(scheduled_row(claim, was, made));
                now.delivery = now.delivery.after_scheduled(&made.record.ending, &ladder(made));
                now.lease = None;
                if now.delivery.state == DeliveryState::Failed {
                    failed.push(place);
                }
            }
        }
    }
    if !rungs.is_empty() {
        attempt::insert_scheduled(tx, &rungs).await?;
    }
    let moves: Vec<_> = rows.into_values().filter(|(was, now)| was != now).collect();
    if !moves.is_empty() {
        delivery::settle(tx, &moves).await?;
    }
    Ok(failed)
}

fn is_ours(now: &LockedRow, claim: &Claim) -> bool {
    let ours = now.lease.as_ref().is_some_and(|(_, token)| **token == *claim.token);
    if !ours {
        tracing::warn!(delivery.id = claim.delivery_id, "an attempt outlived its lease");
        metrics::counter!("acuse_attempts_lost_total").increment(1);
    }
    ours
}

fn scheduled_row<'a>(claim: &Claim, was: &Delivery, made: &'a Made) -> ScheduledRow<'a> {
    ScheduledRow {
        delivery_id: claim.delivery_id,
        n: was.attempts + 1,
        queued_at: was.next_attempt_at.unwrap_or(made.record.ending.started_at),
        may_repeat: claim.may_repeat,
        record: &made.record,
    }
}

async fn give_back(tx: &mut Tx, reports: &[AttemptReport]) -> Result<(), Failure> {
    let unused: Vec<_> = reports
        .iter()
        .filter(|report| matches!(report.verdict, Outcome::Unused))
        .map(|report| (report.claim.delivery_id, report.claim.token.to_string()))
        .collect();
    if !unused.is_empty() {
        delivery::give_back(tx, &unused).await?;
    }
    Ok(())
}
