//! The calls that the page of sources makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::SourcesPage;
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
use crate::types::FormInput;
#[cfg(feature = "ssr")]
use crate::types::Role;

/// All of them, and what the page's query asks for.
#[server(prefix = "/rpc", endpoint = "sources/page")]
pub async fn read_sources(search: String) -> Result<SourcesPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.sources.page(&cx.viewer, &search, cx.facts.preferences.lang).await
}

/// Makes, changes or deletes one: the path of the page that shows what came of it.
#[server(prefix = "/rpc", endpoint = "sources/apply")]
pub async fn apply_to_source(form: FormInput) -> Result<String, AppError> {
    let cx = context::server(Role::Admin)?;
    let applied = cx.backend.sources.apply(&cx.viewer, &form).await;
    cx.show_or_return(applied, <ApplyToSource as leptos::server_fn::ServerFn>::PATH, &form)
}
