//! Brings a rejection together with every secret that is known, for the doctor of the domain to examine.

use std::sync::Arc;

use app::types::Timestamp;
use axum::http::HeaderName;

use crate::db::Db;
use crate::domain::doctor::{self, CandidateSecret, Case, Finding, SecretOwner};
use crate::domain::secret::SecretValue;
use crate::domain::signature::Incoming;
use crate::error::Failure;
use crate::registry::Source;
use crate::store::rejection::StoredRejection;
use crate::store::secret;
use crate::store::secret::known::{self, KnownSecret};
use crate::vault::Vault;

/// Examines it with the secrets that count at `now`, and with those that ended. Gives the rejection back.
///
/// # Errors
/// The database does not answer, or a secret does not open.
pub async fn examine(
    db: &Db,
    vault: Arc<Vault>,
    source: Option<Arc<Source>>,
    kept: StoredRejection,
    now: Timestamp,
) -> Result<(StoredRejection, Vec<Finding>), Failure> {
    let Some(source) = source else { return Ok((kept, vec![Finding::SourceGone])) };
    let rows = known::of_sources(db).await?;
    // Opening and signing is work: not where other requests wait for their turn.
    let examined = tokio::task::spawn_blocking(move || {
        let findings = examine_now(&vault, &source, &kept, &rows, now)?;
        Ok((kept, findings))
    });
    examined.await.map_err(|error| Failure::other("doctor", error))?
}

fn examine_now(
    vault: &Vault,
    source: &Source,
    kept: &StoredRejection,
    rows: &[KnownSecret],
    now: Timestamp,
) -> Result<Vec<Finding>, Failure> {
    let Some(policy) = &source.policy else { return Ok(vec![Finding::NoScheme]) };
    let open = |row: &KnownSecret| vault.open(&row.sealed, &secret::owner(&row.id));
    let values = rows.iter().map(open).collect::<Result<Vec<SecretValue>, _>>()?;
    let mut secrets: Vec<CandidateSecret<'_>> = rows
        .iter()
        .zip(&values)
        .map(|(row, value)| CandidateSecret {
            name: row.fingerprint.clone(),
            value: value.expose(),
            whose: secret_owner(row, source, now),
        })
        .collect();
    secrets.sort_by_key(|secret| match secret.whose {
        SecretOwner::Own => 0,
        SecretOwner::Ended(_) => 1,
        SecretOwner::Other(..) => 2,
    });
    let headers = kept.header_map();
    let query = kept.target.split_once('?').map(|(_, query)| query);
    let incoming = Incoming { headers: &headers, body: &kept.body, url: source.url.as_deref(), query };
    Ok(doctor::examine(&Case {
        policy,
        incoming,
        target: &kept.target,
        cut_from: (!kept.is_whole()).then_some(kept.summary.body_size),
        left_out: policy.token_header().map(HeaderName::as_str).filter(|name| kept.is_left_out(name)),
        arrived_at: kept.summary.received_at.unix(),
        tolerance: source.tolerance_s,
        secrets: &secrets,
    }))
}

fn secret_owner(row: &KnownSecret, source: &Source, now: Timestamp) -> SecretOwner {
    match row.expires_at {
        _ if row.source_id != source.id => SecretOwner::Other(row.source.clone(), row.mode),
        Some(end) if end <= now => SecretOwner::Ended(end),
        _ => SecretOwner::Own,
    }
}
