//! The table of the API's routes. A route is added with the role that it needs, so that none is open by oversight, and
//! it is written down, so that the document can be compared with it.

use app::types::Role;
use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, on};

use super::ApiState;
use super::auth::{ApiAuth, admit};

/// One route, as it is documented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path below `/api/v1`.
    pub path: &'static str,
    /// The smallest role that may call it.
    pub role: Role,
}

/// The routes so far.
pub(super) struct Routes {
    state: ApiState,
    router: Router<ApiState>,
    table: Vec<Route>,
}

impl Routes {
    pub(super) fn new(state: ApiState) -> Self {
        Self { state, router: Router::new(), table: Vec::new() }
    }

    pub(super) fn get<T: 'static>(self, path: &'static str, handler: impl Handler<T, ApiState>) -> Self {
        self.add(Method::GET, MethodFilter::GET, path, Role::Viewer, handler)
    }

    pub(super) fn post<T: 'static>(
        self,
        path: &'static str,
        role: Role,
        handler: impl Handler<T, ApiState>,
    ) -> Self {
        self.add(Method::POST, MethodFilter::POST, path, role, handler)
    }

    pub(super) fn patch<T: 'static>(
        self,
        path: &'static str,
        role: Role,
        handler: impl Handler<T, ApiState>,
    ) -> Self {
        self.add(Method::PATCH, MethodFilter::PATCH, path, role, handler)
    }

    pub(super) fn delete<T: 'static>(
        self,
        path: &'static str,
        role: Role,
        handler: impl Handler<T, ApiState>,
    ) -> Self {
        self.add(Method::DELETE, MethodFilter::DELETE, path, role, handler)
    }

    fn add<T: 'static>(
        mut self,
        method: Method,
        filter: MethodFilter,
        path: &'static str,
        role: Role,
        handler: impl Handler<T, ApiState>,
    ) -> Self {
        let gate = ApiAuth { state: self.state.clone(), needed: role };
        let route = on(filter, handler).route_layer(from_fn_with_state(gate, admit));
        self.router = self.router.route(path, route);
        self.table.push(Route { method, path, role });
        self
    }

    pub(super) fn finish(self) -> (Router, Vec<Route>) {
        (self.router.with_state(self.state), self.table)
    }
}
