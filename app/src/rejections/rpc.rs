//! The calls that the rejections' pages make.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::RejectionsQuery;
use super::{RejectionNumber, RejectionPage, RejectionsPage, ReverifyResult, ReverifySummary};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
use crate::types::Slug;
#[cfg(feature = "ssr")]
use crate::types::{ReverifyStatus, Role};
#[cfg(feature = "ssr")]
use crate::ui::list_query::ListRequest;

/// The list that a URL's query asks for; when rows are held, these again and how many are newer.
#[server(prefix = "/rpc", endpoint = "rejections/page")]
pub async fn list_rejections(
    search: String,
    #[server(default)] held: String,
) -> Result<RejectionsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let RejectionsQuery { filter, url } = RejectionsQuery::parse(&search);
    cx.backend.rejections.page(filter, url.page, ListRequest::numbers(&held)).await
}

/// One rejection, examined.
#[server(prefix = "/rpc", endpoint = "rejections/detail")]
pub async fn read_rejection(id: RejectionNumber) -> Result<RejectionPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.rejections.detail_page(id, cx.facts.preferences.lang).await
}

/// Verifies one again.
#[server(prefix = "/rpc", endpoint = "rejections/verify")]
pub async fn verify_rejection(id: RejectionNumber) -> Result<ReverifyResult, AppError> {
    let cx = context::server(Role::Support)?;
    let done = cx.backend.rejections.reverify(&cx.viewer, id, cx.facts.preferences.lang).await?;
    // What is taken in shows on the page itself; that nothing changed has to be said.
    let said = if done.status == ReverifyStatus::Rejected { "?still=1" } else { "" };
    cx.redirect(&format!("/rejections/{id}{said}"));
    Ok(done)
}

/// Verifies all of a source again that wait.
#[server(prefix = "/rpc", endpoint = "rejections/verify-all")]
pub async fn verify_rejections(source: Slug) -> Result<ReverifySummary, AppError> {
    let cx = context::server(Role::Support)?;
    let done = cx.backend.rejections.reverify_all(&cx.viewer, &source, cx.facts.preferences.lang).await?;
    cx.redirect(&format!("/rejections?source={source}&done={}", done.written()));
    Ok(done)
}
