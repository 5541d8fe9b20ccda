//! The calls that the reconciliation page makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::ReconciliationPage;
#[cfg(feature = "ssr")]
use super::{Comparison, DifferencesQuery};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::error::Rule;
use crate::types::Slug;
#[cfg(feature = "ssr")]
use crate::types::{Role, Timestamp};

/// The runs, and the differences that a URL's query asks for.
#[server(prefix = "/rpc", endpoint = "reconciliation/page")]
pub async fn read_reconciliation(search: String) -> Result<ReconciliationPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let query = DifferencesQuery::parse(&search);
    cx.backend.reconciliations.page(query.filter, query.url.page).await
}

/// Compares a source with its provider, over what was made there in a window, and takes in what is missing if that is
/// asked for. Times without a zone are UTC.
#[server(prefix = "/rpc", endpoint = "reconciliation/start")]
pub async fn start_reconciliation(
    source: Slug,
    from: String,
    to: String,
    #[server(default)] backfill: bool,
) -> Result<i64, AppError> {
    let cx = context::server(Role::Support)?;
    let moment =
        |field, text: &str| text.parse::<Timestamp>().map_err(|_| AppError::field(field, Rule::Malformed));
    let asked = Comparison { from: moment("from", &from)?, to: moment("to", &to)?, backfill };
    let id = cx.backend.reconciliations.start(&cx.viewer, &source, asked).await?;
    cx.redirect("/reconciliation");
    Ok(id)
}

/// Marks a difference as looked at, with a note.
#[server(prefix = "/rpc", endpoint = "reconciliation/acknowledge")]
pub async fn acknowledge_difference(id: i64, note: String) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.reconciliations.acknowledge(&cx.viewer, id, &note).await?;
    cx.redirect("/reconciliation");
    Ok(())
}
