//! The calls that the pages of resends make.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::{NewResend, ResendsQuery};
use super::{PlanPage, ResendPage, ResendsPage};
#[cfg(feature = "ssr")]
use crate::context;
#[cfg(feature = "ssr")]
use crate::deliveries::DeliveriesQuery;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::error::Rule;
#[cfg(feature = "ssr")]
use crate::types::Role;

/// All of them.
#[server(prefix = "/rpc", endpoint = "resends/page")]
pub async fn list_resends(search: String) -> Result<ResendsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.resends.page(ResendsQuery::parse(&search).url.page).await
}

/// One of them.
#[server(prefix = "/rpc", endpoint = "resends/detail")]
pub async fn read_resend(id: i64) -> Result<ResendPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.resends.detail_page(id).await
}

/// What a resend of the deliveries that a URL's query asks for would do.
#[server(prefix = "/rpc", endpoint = "resends/plan/page")]
pub async fn plan_resend(search: String) -> Result<PlanPage, AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.resends.plan_page(DeliveriesQuery::parse(&search).filter).await
}

/// Resends them, in the background.
#[server(prefix = "/rpc", endpoint = "resends/start")]
pub async fn start_resend(
    #[server(default)] filter: String,
    reason: String,
    #[server(default)] rate_per_s: String,
) -> Result<i64, AppError> {
    let cx = context::server(Role::Support)?;
    let query = DeliveriesQuery::parse(&filter);
    if !query.url.ignored.is_empty() {
        // Less would be narrowed than was meant.
        return Err(AppError::field("filter", Rule::Malformed));
    }
    let rate_per_s = match rate_per_s.trim() {
        "" => None,
        text => Some(text.parse().map_err(|_| AppError::field("rate_per_s", Rule::Malformed))?),
    };
    let new = NewResend { filter: query.filter, reason, rate_per_s };
    let id = cx.backend.resends.start(&cx.viewer, new).await?;
    cx.redirect(&format!("/resends/{id}"));
    Ok(id)
}

/// Cancels what of it has not run.
#[server(prefix = "/rpc", endpoint = "resends/cancel")]
pub async fn cancel_resend(id: i64) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.resends.cancel(&cx.viewer, id).await?;
    cx.redirect(&format!("/resends/{id}"));
    Ok(())
}
