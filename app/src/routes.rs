//! Which page is where. Every page is rendered whole before it is sent: with its status, and also without script.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::SsrMode;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::hooks::use_location;
use leptos_router::path;

use crate::context;
use crate::deliveries::DeliveriesView;
use crate::frame::{Frame, Lost, search_target};
use crate::login::LoginView;
use crate::route_chunks::{AdminChunk, DetailChunk, desk, story};
use crate::ui::{Ui, query};

/// The whole dashboard.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let ui = Ui::new(&context::reader());
    provide_context(ui);
    ui.start();
    view! {
        <Router>
            <Routes fallback=Lost>
                <Route path=path!("/login") view=LoginView ssr=SsrMode::Async />
                <ParentRoute path=path!("") view=Frame ssr=SsrMode::Async>
                    <Route path=path!("/") view=Home ssr=SsrMode::Async />
                    <Route path=path!("/search") view=Search ssr=SsrMode::Async />
                    <Route path=path!("/deliveries") view=DeliveriesView ssr=SsrMode::Async />
                    <Route path=path!("/deliveries/:id") view=|| story(DetailChunk::Delivery) ssr=SsrMode::Async />
                    <Route path=path!("/resends") view=|| desk(AdminChunk::Resends) ssr=SsrMode::Async />
                    <Route path=path!("/resends/new") view=|| desk(AdminChunk::ResendPlan) ssr=SsrMode::Async />
                    <Route path=path!("/resends/:id") view=|| desk(AdminChunk::Resend) ssr=SsrMode::Async />
                    <Route path=path!("/sources") view=|| desk(AdminChunk::Sources) ssr=SsrMode::Async />
                    <Route path=path!("/destinations") view=|| desk(AdminChunk::Destinations) ssr=SsrMode::Async />
                    <Route path=path!("/events") view=|| story(DetailChunk::Events) ssr=SsrMode::Async />
                    <Route path=path!("/events/:id") view=|| story(DetailChunk::Event) ssr=SsrMode::Async />
                    <Route path=path!("/reconciliation") view=|| desk(AdminChunk::Reconciliation) ssr=SsrMode::Async />
                    <Route path=path!("/rejections") view=|| desk(AdminChunk::Rejections) ssr=SsrMode::Async />
                    <Route path=path!("/rejections/:id") view=|| desk(AdminChunk::Rejection) ssr=SsrMode::Async />
                    <Route path=path!("/alerts") view=|| desk(AdminChunk::Alerts) ssr=SsrMode::Async />
                    <Route path=path!("/secrets") view=|| desk(AdminChunk::Secrets) ssr=SsrMode::Async />
                    <Route path=path!("/audit") view=|| desk(AdminChunk::Audit) ssr=SsrMode::Async />
                </ParentRoute>
            </Routes>
        </Router>
    }
}

#[component]
fn Home() -> impl IntoView {
    view! { <Redirect path="/deliveries" /> }
}

/// Without script, the bar's form comes here.
#[component]
fn Search() -> impl IntoView {
    let typed = query::value(&use_location().search.get_untracked(), "q").unwrap_or_default();
    view! { <Redirect path=search_target(&typed) /> }
}
