//! The calls that the secrets page makes.
#![expect(missing_docs, reason = "the fields of a call are the arguments of its function")]

use leptos::prelude::*;

use super::{Holder, NewSecret, SecretsPage};
#[cfg(feature = "ssr")]
use crate::context;
use crate::error::AppError;
#[cfg(feature = "ssr")]
use crate::types::Role;
use crate::types::{Pasted, Slug};

/// Every source and destination with its active secrets.
#[server(prefix = "/rpc", endpoint = "secrets/page")]
pub async fn read_secrets() -> Result<SecretsPage, AppError> {
    let cx = context::server(Role::Viewer)?;
    let mut page = cx.backend.secrets.page(cx.facts.preferences.lang).await?;
    page.made = page.made.or(cx.facts.shown_once);
    Ok(page)
}

/// A source's new secret, beside the old one for the overlap.
#[server(prefix = "/rpc", endpoint = "secrets/rotate-source")]
pub async fn rotate_source(
    slug: Slug,
    secret: Pasted,
    overlap_s: i64,
    #[server(default)] reason: String,
) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.rotate_source(&cx.viewer, &slug, secret.expose(), overlap_s, &reason).await?;
    cx.redirect("/secrets");
    Ok(())
}

/// A destination's new secret, made here and shown this once.
#[server(prefix = "/rpc", endpoint = "secrets/rotate-destination")]
pub async fn rotate_destination(
    slug: Slug,
    overlap_s: i64,
    #[server(default)] reason: String,
) -> Result<NewSecret, AppError> {
    let cx = context::server(Role::Support)?;
    let (_, made) = cx.backend.secrets.rotate_destination(&cx.viewer, &slug, overlap_s, &reason).await?;
    cx.show_once(made)
}

/// Ends one secret now.
#[server(prefix = "/rpc", endpoint = "secrets/retire")]
pub async fn retire_secret(
    holder: Holder,
    slug: Slug,
    id: String,
    #[server(default)] reason: String,
) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.retire(&cx.viewer, holder, &slug, &id, &reason).await?;
    cx.redirect("/secrets");
    Ok(())
}

/// Puts the end of a secret off.
#[server(prefix = "/rpc", endpoint = "secrets/extend")]
pub async fn extend_secret(
    holder: Holder,
    slug: Slug,
    id: String,
    extend_s: i64,
    #[server(default)] reason: String,
) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    let by = super::Extension::By(extend_s);
    cx.backend.secrets.extend(&cx.viewer, holder, &slug, &id, by, &reason).await?;
    cx.redirect("/secrets");
    Ok(())
}

/// Takes the newest secret back.
#[server(prefix = "/rpc", endpoint = "secrets/undo")]
pub async fn undo_rotation(
    holder: Holder,
    slug: Slug,
    #[server(default)] reason: String,
) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.undo(&cx.viewer, holder, &slug, &reason).await?;
    cx.redirect("/secrets");
    Ok(())
}

/// Asks a destination's server what it makes of signatures.
#[server(prefix = "/rpc", endpoint = "secrets/test")]
pub async fn test_destination(slug: Slug) -> Result<(), AppError> {
    let cx = context::server(Role::Support)?;
    cx.backend.secrets.test(&cx.viewer, &slug).await?;
    cx.redirect("/secrets");
    Ok(())
}
