//! The calls that the secrets page makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::{Holder, NewSecret, SecretsPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::types::Role;
use crate::types::Slug;

/// Every source and destination with its active secrets.
#[server(prefix = "/rpc", endpoint = "secrets/page")]
pub async fn read_secrets() -> Result<SecretsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let mut page = cx.backend.secrets.page().await?;
    page.made = page.made.or(cx.facts.shown_once);
    Ok(page)
}

/// A source's new secret, beside the old one for the overlap.
#[server(prefix = "/rpc", endpoint = "secrets/rotate-source")]
pub async fn rotate_source(slug: Slug, secret: String, overlap_s: i64) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.rotate_source(&cx.viewer, &slug, &secret, overlap_s).await?;
    cx.redirect("/secrets");
    Ok(())
}

/// A destination's new secret, made here and shown this once.
#[server(prefix = "/rpc", endpoint = "secrets/rotate-destination")]
pub async fn rotate_destination(slug: Slug, overlap_s: i64) -> Result<NewSecret, AppError> {
    let cx = context::server(Role::Support)?;
    let (_, made) = cx.backend.secrets.rotate_destination(&cx.viewer, &slug, overlap_s).await?;
    cx.show_once(&made)?;
    Ok(made)
}

/// Ends one secret now.
#[server(prefix = "/rpc", endpoint = "secrets/retire")]
pub async fn retire_secret(holder: Holder, slug: Slug, id: String) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.retire(&cx.viewer, holder, &slug, &id).await?;
    cx.redirect("/secrets");
    Ok(())
}
