//! `/alerts`.

use app::error::AppError;
use app::types::{AlertKind, AlertState, Page, Timestamp};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::ApiState;
use super::auth::Caller;
use super::extract::{Input, Named, Query};
use super::fields;
use super::problems::ApiError;
use crate::store::alert::{self, AlertRow};

/// Something that somebody should know.
#[derive(Serialize, ToSchema)]
pub(super) struct Alert {
    /// Its number.
    id: i64,
    /// What kind of thing.
    kind: AlertKind,
    /// When it happened.
    opened_at: Timestamp,
    /// What it is about.
    subject: String,
    /// What happened.
    detail: String,
    /// How it stands.
    state: AlertState,
    /// Who acknowledged it.
    acknowledged_by: Option<String>,
    /// When they did.
    acknowledged_at: Option<Timestamp>,
    /// When it was over.
    resolved_at: Option<Timestamp>,
}

impl From<AlertRow> for Alert {
    fn from(row: AlertRow) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            opened_at: row.opened_at,
            subject: row.subject,
            detail: row.detail,
            state: row.state,
            acknowledged_by: row.acknowledged_by,
            acknowledged_at: row.acknowledged_at,
            resolved_at: row.resolved_at,
        }
    }
}

/// List alerts
///
/// Newest first.
#[utoipa::path(get, path = "/alerts", params(
    ("state" = Option<AlertState>, Query, description = "In this state"),
    ("limit" = Option<u16>, Query, description = "Rows of a page, 1 to 200; 50 when left out"),
    ("cursor" = Option<String>, Query, description = "The next_cursor of the page before")),
    responses((status = 200, description = "One page", body = Page<Alert>)))]
pub(super) async fn list(
    State(api): State<ApiState>,
    Query(mut query): Query,
) -> Result<Json<Page<Alert>>, ApiError> {
    let state = query.optional("state", fields::parsed);
    let page = query.page();
    query.done(|| Some(()))?;
    let rows = alert::page(&api.db, state, page).await?;
    Ok(Json(Page { items: rows.items.into_iter().map(Alert::from).collect(), next_cursor: rows.next_cursor }))
}

/// Acknowledge an alert
///
/// Somebody has looked at it. One that is acknowledged already stays as it is.
#[utoipa::path(post, path = "/alerts/{id}/acknowledge", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "As it is now", body = Alert)))]
pub(super) async fn acknowledge(
    State(api): State<ApiState>,
    Named(id): Named<i64>,
    Caller(viewer): Caller,
    Input(input): Input,
) -> Result<Json<Alert>, ApiError> {
    input.done(|| Some(()))?;
    alert::acknowledge(&api.db, id, &viewer.name, api.clock.now()).await?;
    Ok(Json(alert::find(&api.db, id).await?.ok_or(AppError::NotFound)?.into()))
}
