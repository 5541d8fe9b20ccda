//! The call that the audit page makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::AuditPage;
#[cfg(feature = "ssr")]
use super::AuditQuery;
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::types::Role;

/// The list that a URL's query asks for.
#[server(prefix = "/rpc", endpoint = "audit/page")]
pub async fn list_audit(search: String) -> Result<AuditPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let AuditQuery { filter, url } = AuditQuery::parse(&search);
    cx.backend.audit.page(filter, url.page, cx.facts.preferences.lang).await
}
