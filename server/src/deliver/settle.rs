//! Writes down what came of many attempts, in one transaction.

use std::collections::{BTreeMap, HashSet};

use app::types::DeliveryState;

use super::job::{Claim, ClaimKind, Made, Report, Verdict};
use crate::db::{Db, Tx};
use crate::domain::ladder::Ladder;
use crate::error::Failure;
use crate::store::attempt::{self, ManualEnd, ScheduledRow};
use crate::store::delivery::{self, LockedRow};

/// Writes the reports. An attempt whose lease somebody else took over in the meantime is left out: its rung is theirs.
///
/// # Errors
/// The database does not answer; nothing is written then.
pub async fn settle(tx: &mut Tx, db: &Db, reports: &[Report]) -> Result<(), Failure> {
    let ours = finish_manual(tx, reports).await?;
    let mut ids: Vec<_> = made(reports)
        .filter(|(claim, made)| match claim.kind {
            ClaimKind::Scheduled { .. } => true,
            // A failed one changes nothing.
            ClaimKind::Manual { attempt_id } => {
                made.record.ending.error.is_none() && ours.contains(&attempt_id)
            }
        })
        .map(|(claim, _)| claim.delivery_id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        let locked = delivery::lock(tx, db, &ids).await?;
        let (moves, rungs) = apply(reports, &ours, locked);
        if !rungs.is_empty() {
            attempt::insert_scheduled(tx, &rungs).await?;
        }
        if !moves.is_empty() {
            delivery::settle(tx, &moves).await?;
        }
    }
    give_back(tx, reports).await
}

fn made(reports: &[Report]) -> impl Iterator<Item = (&Claim, &Made)> {
    reports.iter().filter_map(|report| match &report.verdict {
        Verdict::Made(made) => Some((&report.claim, &**made)),
        Verdict::Unused | Verdict::Lost => None,
    })
}

async fn finish_manual(tx: &mut Tx, reports: &[Report]) -> Result<HashSet<i64>, Failure> {
    let ends: Vec<_> = made(reports)
        .filter_map(|(claim, made)| match claim.kind {
            ClaimKind::Manual { attempt_id } => {
                Some(ManualEnd { id: attempt_id, token: &claim.token, record: &made.record })
            }
            ClaimKind::Scheduled { .. } => None,
        })
        .collect();
    if ends.is_empty() {
        return Ok(HashSet::new());
    }
    Ok(attempt::finish_manual(tx, &ends).await?.into_iter().collect())
}

/// What the reports do to the deliveries, and the scheduled attempts that are kept.
fn apply<'a>(
    reports: &'a [Report],
    ours: &HashSet<i64>,
    locked: Vec<LockedRow>,
) -> (Vec<(LockedRow, LockedRow)>, Vec<ScheduledRow<'a>>) {
    let mut rows: BTreeMap<i64, (LockedRow, LockedRow)> =
        locked.into_iter().map(|row| (row.id, (row.clone(), row))).collect();
    let mut rungs = Vec::new();
    for (claim, made) in made(reports) {
        let Some((_, now)) = rows.get_mut(&claim.delivery_id) else { continue };
        let ending = &made.record.ending;
        match claim.kind {
            ClaimKind::Manual { attempt_id } => {
                if ours.contains(&attempt_id) {
                    now.delivery = now.delivery.after_manual(ending);
                }
            }
            ClaimKind::Scheduled { n, .. } => {
                if now.lease.as_ref().is_none_or(|(_, token)| *token != claim.token) {
                    tracing::warn!(delivery.id = claim.delivery_id, n, "an attempt outlived its lease");
                    metrics::counter!("acuse_attempts_total", "outcome" => "lost").increment(1);
                    continue;
                }
                let ladder = made.destination.as_ref().map_or_else(Ladder::default, |d| d.ladder.clone());
                let queued_at = now.delivery.next_attempt_at.unwrap_or(ending.started_at);
                rungs.push(ScheduledRow {
                    delivery_id: claim.delivery_id,
                    n,
                    queued_at,
                    record: &made.record,
                });
                now.delivery = now.delivery.after_scheduled(ending, &ladder);
                now.lease = None;
                if now.delivery.state == DeliveryState::Failed {
                    tracing::warn!(
                        delivery.id = claim.delivery_id,
                        destination = made.destination.as_ref().map(|to| to.slug.as_str()),
                        attempts = n,
                        "a delivery failed for good: its ladder is used up"
                    );
                }
            }
        }
    }
    (rows.into_values().filter(|(was, now)| was != now).collect(), rungs)
}

async fn give_back(tx: &mut Tx, reports: &[Report]) -> Result<(), Failure> {
    let unused: Vec<_> = reports
        .iter()
        .filter(|report| matches!(report.verdict, Verdict::Unused))
        .map(|report| (report.claim.delivery_id, report.claim.token.clone()))
        .collect();
    if !unused.is_empty() {
        delivery::give_back(tx, &unused).await?;
    }
    Ok(())
}
