//! The calls that the page of destinations makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::{Change, DestinationForm, DestinationsPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::error::Rule;
use crate::secrets::NewSecret;
#[cfg(feature = "ssr")]
use crate::types::Role;
use crate::types::Slug;

/// All of them.
#[server(prefix = "/rpc", endpoint = "destinations/page")]
pub async fn read_destinations() -> Result<DestinationsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    cx.backend.destinations.page().await
}

/// Pauses, resumes or deletes one; before it is deleted its name has to be typed.
#[server(prefix = "/rpc", endpoint = "destinations/apply")]
pub async fn apply_to_destination(slug: Slug, change: Change, typed: Option<String>) -> Result<(), AppError> {
    let cx = context::server(Role::Admin)?;
    if change == Change::Delete && typed.as_deref().map(str::trim) != Some(slug.as_str()) {
        return Err(AppError::field("typed", Rule::NotTheName));
    }
    cx.backend.destinations.apply(&cx.viewer, &slug, change).await?;
    cx.redirect("/destinations");
    Ok(())
}

/// Makes one; its secret is shown this once.
#[server(prefix = "/rpc", endpoint = "destinations/create")]
pub async fn create_destination(form: DestinationForm) -> Result<NewSecret, AppError> {
    let cx = context::server(Role::Admin)?;
    let made = cx.backend.destinations.create(&cx.viewer, form).await?;
    cx.show_once(made)
}

/// Changes the settings of one.
#[server(prefix = "/rpc", endpoint = "destinations/edit")]
pub async fn edit_destination(form: DestinationForm) -> Result<(), AppError> {
    let cx = context::server(Role::Admin)?;
    cx.backend.destinations.edit(&cx.viewer, form).await?;
    cx.redirect("/destinations");
    Ok(())
}
