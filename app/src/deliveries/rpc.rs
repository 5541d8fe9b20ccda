//! The calls that the deliveries' pages make.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::DeliveriesQuery;
use super::{DeliveriesPage, DeliveryPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
use crate::types::DeliveryNumber;
#[cfg(feature = "ssr")]
use crate::types::{Cursor, PageRequest, Role};

/// The list that a URL's query asks for.
#[server(prefix = "/rpc", endpoint = "deliveries/page")]
pub async fn list_deliveries(search: String) -> Result<DeliveriesPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let query = DeliveriesQuery::parse(&search);
    cx.backend.deliveries.page(query.filter, query.page).await
}

/// How many of its deliveries are newer than a row, counted up to 100.
#[server(prefix = "/rpc", endpoint = "deliveries/newer")]
pub async fn newer_deliveries(search: String, than: String) -> Result<usize, AppError> {
    let cx = context::server(Role::Viewer)?;
    let than: Cursor = than.parse().map_err(|_| AppError::field("than", crate::error::Rule::Malformed))?;
    let limit = "100".parse().unwrap_or_default();
    let newest = PageRequest { cursor: None, limit };
    let page = cx.backend.deliveries.list(DeliveriesQuery::parse(&search).filter, newest).await?;
    Ok(page.items.iter().filter(|row| (row.received_at, row.id) >= (than.at, than.id)).count())
}

/// One delivery with its body.
#[server(prefix = "/rpc", endpoint = "deliveries/detail")]
pub async fn read_delivery(id: DeliveryNumber) -> Result<DeliveryPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.deliveries.detail_page(id).await
}

/// One attempt by hand, now.
#[server(prefix = "/rpc", endpoint = "deliveries/resend")]
pub async fn resend(id: DeliveryNumber, reason: String) -> Result<DeliveryNumber, AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.deliveries.resend(&cx.viewer, id, &reason).await?;
    cx.redirect(&format!("/deliveries/{id}"));
    Ok(id)
}
