//! The calls that the alerts' page makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::AlertsPage;
#[cfg(feature = "ssr")]
use super::AlertsQuery;
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::types::Role;
#[cfg(feature = "ssr")]
use crate::ui::list_query::ListRequest;

/// The list that a URL's query asks for; when rows are held, these again and how many are newer.
#[server(prefix = "/rpc", endpoint = "alerts/page")]
pub async fn list_alerts(search: String, #[server(default)] held: String) -> Result<AlertsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let AlertsQuery { filter, url } = AlertsQuery::parse(&search);
    cx.backend.alerts.page(filter, url.page, ListRequest::numbers(&held)).await
}

/// Somebody has looked at it.
#[server(prefix = "/rpc", endpoint = "alerts/acknowledge")]
pub async fn acknowledge_alert(id: i64) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.alerts.acknowledge(&cx.viewer, id).await?;
    cx.redirect("/alerts");
    Ok(())
}
