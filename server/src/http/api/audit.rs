//! `/audit`.

use app::audit::{AuditFilter, ChainVerification};
use app::types::{Page, Timestamp};
use axum::Json;
use axum::extract::State;

use super::ApiState;
use super::extract::Query;
use super::problems::ApiError;
use crate::domain::input_value;
use crate::store::audit::{self, AuditEntry};

/// List what was done
///
/// Who did what, when, to what, from where and why, newest first.
#[utoipa::path(get, path = "/audit", params(
    ("actor" = Option<String>, Query, description = "By this e-mail, `token:NAME`, or `command line`"),
    ("action" = Option<String>, Query, description = "`secret.rotated`, or `secret.*`"),
    ("subject" = Option<String>, Query, description = "`source/paymos-live`, or `source/*`"),
    ("from" = Option<Timestamp>, Query, description = "At or after"),
    ("to" = Option<Timestamp>, Query, description = "Before"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<AuditEntry>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<AuditEntry>>, ApiError> {
    let filter = AuditFilter {
        actor: query.optional("actor", input_value::text(1..=300)),
        action: query.optional("action", input_value::text(1..=100)),
        subject: query.optional("subject", input_value::text(1..=300)),
        from: query.optional("from", input_value::parsed),
        to: query.optional("to", input_value::parsed),
    };
    let page = query.page();
    query.done(|| Some(()))?;
    Ok(Json(audit::page(&api.db, &filter, page).await?))
}

/// Verify the audit
///
/// Checks the hash of every entry, that none is missing, and that the last one is the one that was written last.
#[utoipa::path(get, path = "/audit/verify",
    responses((status = 200, description = "Whether the chain holds", body = ChainVerification)))]
pub(super) async fn verify(
    State(api): State<ApiState>,
    Query(query): Query,
) -> Result<Json<ChainVerification>, ApiError> {
    query.done(|| Some(()))?;
    Ok(Json(audit::verify(&api.db, api.clock.now()).await?))
}
