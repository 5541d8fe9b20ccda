//! The calls that the deliveries' pages make.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::DeliveriesQuery;
use super::{DeliveriesPage, DeliveryPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::types::Role;
use crate::types::{DeliveryNumber, EventNumber, Slug};
#[cfg(feature = "ssr")]
use crate::ui::list_query::ListRequest;

/// The list that a URL's query asks for; when rows are held, these again and how many are newer.
#[server(prefix = "/rpc", endpoint = "deliveries/page")]
pub async fn list_deliveries(
    search: String,
    #[server(default)] held: String,
) -> Result<DeliveriesPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let DeliveriesQuery { filter, url } = DeliveriesQuery::parse(&search);
    cx.backend.deliveries.page(filter, url.page, ListRequest::numbers(&held)).await
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

/// An event goes to a destination, whatever it subscribes to.
#[server(prefix = "/rpc", endpoint = "deliveries/deliver")]
pub async fn deliver(
    event: EventNumber,
    destination: Slug,
    reason: String,
) -> Result<DeliveryNumber, AppError> {
    let cx = context::server(Role::Support)?;
    let id = cx.backend.deliveries.deliver(&cx.viewer, event, &destination, &reason).await?;
    cx.redirect(&format!("/deliveries/{id}"));
    Ok(id)
}
