//! Who calls: the bearer of a token. Nothing else opens the API, so no page of another site can use a session for it.

use app::context::Viewer;
use app::types::Role;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use super::ApiState;
use super::problems::ApiError;
use crate::client_address::find_client_address;
use crate::error::Failure;
use crate::store::user;

/// What a route asks of its caller.
#[derive(Clone)]
pub(super) struct ApiAuth {
    pub(super) state: ApiState,
    pub(super) needed: Role,
}

/// Lets a caller through whose token has the role.
pub(super) async fn admit(
    State(gate): State<ApiAuth>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let value = bearer(request.headers())?;
    let mut caller = identify(&gate.state, value).await?;
    if caller.role < gate.needed {
        return Err(ApiError::forbidden(gate.needed));
    }
    let from = find_client_address(&gate.state.trusted_proxies, request.extensions(), request.headers());
    caller.from = from.map(|address| address.to_string());
    request.extensions_mut().insert(caller);
    let response = next.run(request).await;
    if gate.needed > Role::Viewer && !response.status().is_client_error() {
        gate.state.acts.done();
    }
    Ok(response)
}

fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let missing = || ApiError::unauthorized("token_missing", "Send `Authorization: Bearer TOKEN`.");
    let text = headers.get(AUTHORIZATION).ok_or_else(missing)?.to_str().map_err(|_| missing())?;
    let (scheme, value) = text.split_once(' ').ok_or_else(missing)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(value.trim()) } else { Err(missing()) }
}

async fn identify(state: &ApiState, value: &str) -> Result<Viewer, ApiError> {
    let row = user::token::find(&state.db, value).await?;
    let row = row.ok_or_else(|| ApiError::unauthorized("token_unknown", "There is no such token."))?;
    let now = state.clock.now();
    if row.is_stale(now) {
        let db = state.db.clone();
        // Beside the call: reading must not wait for a turn to write.
        tokio::spawn(async move {
            if let Err(error) = user::token::touch(&db, row.id, now).await {
                tracing::warn!(%error, "the use of a token could not be noted");
            }
        });
    }
    Ok(Viewer { name: format!("token:{}", row.name), role: row.role, from: None })
}

/// The caller, for handlers behind a gate.
pub(super) struct Caller(pub(super) Viewer);

impl FromRequestParts<ApiState> for Caller {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, ApiError> {
        let missing = || Failure::stored("route", "it has no gate").into();
        parts.extensions.get::<Viewer>().cloned().map(Self).ok_or_else(missing)
    }
}
