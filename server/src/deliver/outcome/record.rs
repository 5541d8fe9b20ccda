//! Writes the outcomes of many attempts in one transaction.

use std::collections::{BTreeMap, HashSet};

use app::types::DeliveryState;

use crate::db::{Db, Tx};
use crate::deliver::report::{AttemptReport, Claim, ClaimKind, CompletedAttempt, Outcome};
use crate::domain::delivery::Delivery;
use crate::domain::ladder::Ladder;
use crate::error::Failure;
use crate::store::attempt::result::{LadderAttempt, schedule_next_attempts};
use crate::store::attempt::{self, ManualEnd, ScheduledRow};
use crate::store::delivery::{self, LockedRow};

/// Writes the reports, without those whose lease another process has taken over. Returns the indexes of the reports whose
/// delivery has failed after its last attempt.
///
/// # Errors
/// The database does not answer; nothing is written then.
pub async fn record_outcomes(tx: &mut Tx, db: &Db, reports: &[AttemptReport]) -> Result<Vec<usize>, Failure> {
    let rungs: Vec<_> = reports.iter().enumerate().filter_map(rung).collect();
    if rungs.len() < reports.len() {
        // Several statements lock these rows.
        let ids: Vec<_> = reports.iter().map(|report| report.claim.delivery_id).collect();
        delivery::reserve(tx, &ids).await?;
    }
    let ours = finish_manual(tx, reports).await?;
    let climbed =
        schedule_next_attempts(tx, &rungs.iter().map(|(_, rung)| rung.clone()).collect::<Vec<_>>()).await?;
    let failed = |(place, rung): &(usize, LadderAttempt<'_>)| {
        (rung.now.state == DeliveryState::Failed && climbed.contains(&rung.delivery_id)).then_some(*place)
    };
    let mut failed: Vec<_> = rungs.iter().filter_map(failed).collect();
    // Deliveries that changed during their attempt, and those that a resend delivered.
    let rest = |(_, report): &(usize, &AttemptReport)| match (&report.claim.kind, &report.outcome) {
        (ClaimKind::Scheduled { .. }, Outcome::Completed(_)) => !climbed.contains(&report.claim.delivery_id),
        (ClaimKind::Manual { attempt_id }, Outcome::Completed(made)) => {
            // A failed manual attempt does not change its delivery.
            made.record.ending.error.is_none() && ours.contains(attempt_id)
        }
        _ => false,
    };
    let rest: Vec<_> = reports.iter().enumerate().filter(rest).collect();
    if !rest.is_empty() {
        failed.extend(record_locked(tx, db, &rest).await?);
    }
    release_claims(tx, reports).await?;
    Ok(failed)
}

/// The result of a scheduled attempt, for a delivery that has not changed since it was claimed.
fn rung((place, report): (usize, &AttemptReport)) -> Option<(usize, LadderAttempt<'_>)> {
    let (ClaimKind::Scheduled { was, .. }, Outcome::Completed(made)) = (&report.claim.kind, &report.outcome)
    else {
        return None;
    };
    let now = was.after_scheduled(&made.record.ending, &ladder(made));
    let rung = LadderAttempt {
        delivery_id: report.claim.delivery_id,
        token: &report.claim.token,
        may_repeat: report.claim.may_repeat,
        was,
        now,
        record: &made.record,
    };
    Some((place, rung))
}

fn ladder(made: &CompletedAttempt) -> Ladder {
    made.destination.as_ref().map_or_else(Ladder::default, |to| to.row.settings.ladder_with_jitter())
}

async fn finish_manual(tx: &mut Tx, reports: &[AttemptReport]) -> Result<HashSet<i64>, Failure> {
    let end = |report| match report {
        &AttemptReport {
            claim: Claim { kind: ClaimKind::Manual { attempt_id }, ref token, .. },
            outcome: Outcome::Completed(ref made),
        } => Some(ManualEnd { id: attempt_id, token, record: &made.record }),
        _ => None,
    };
    let ends: Vec<_> = reports.iter().filter_map(end).collect();
    if ends.is_empty() {
        return Ok(HashSet::new());
    }
    Ok(attempt::finish_manual(tx, &ends).await?.into_iter().collect())
}

/// Records outcomes against the current deliveries, under a lock.
async fn record_locked(
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
        let AttemptReport { claim, outcome: Outcome::Completed(made) } = report else { continue };
        let Some((_, now)) = rows.get_mut(&claim.delivery_id) else { continue };
        match &claim.kind {
            ClaimKind::Manual { .. } => now.delivery = now.delivery.after_manual(&made.record.ending),
            ClaimKind::Scheduled { was, .. } => {
                if !holds_lease(now, claim) {
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
        delivery::apply_moves(tx, &moves).await?;
    }
    Ok(failed)
}

fn holds_lease(now: &LockedRow, claim: &Claim) -> bool {
    let ours = now.lease.as_ref().is_some_and(|(_, token)| **token == *claim.token);
    if !ours {
        tracing::warn!(delivery.id = claim.delivery_id, "an attempt outlived its lease");
        metrics::counter!("acuse_attempts_lost_total").increment(1);
    }
    ours
}

fn scheduled_row<'a>(claim: &Claim, was: &Delivery, made: &'a CompletedAttempt) -> ScheduledRow<'a> {
    ScheduledRow {
        delivery_id: claim.delivery_id,
        n: was.attempts + 1,
        queued_at: was.next_attempt_at.unwrap_or(made.record.ending.started_at),
        may_repeat: claim.may_repeat,
        record: &made.record,
    }
}

async fn release_claims(tx: &mut Tx, reports: &[AttemptReport]) -> Result<(), Failure> {
    let unused: Vec<_> = reports
        .iter()
        .filter(|report| matches!(report.outcome, Outcome::Released))
        .map(|report| (report.claim.delivery_id, report.claim.token.to_string()))
        .collect();
    if !unused.is_empty() {
        delivery::return_claims(tx, &unused).await?;
    }
    Ok(())
}
