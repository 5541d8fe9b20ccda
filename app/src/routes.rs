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
use crate::route_chunks::{AdminChunk, DetailChunk, load_admin_page, load_detail_page};
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
                    <Route path=path!("/deliveries/:id") view=|| load_detail_page(DetailChunk::Delivery) ssr=SsrMode::Async />
                    <Route path=path!("/resends") view=|| load_admin_page(AdminChunk::Resends) ssr=SsrMode::Async />
                    <Route path=path!("/resends/new") view=|| load_admin_page(AdminChunk::ResendPlan) ssr=SsrMode::Async />
                    <Route path=path!("/resends/:id") view=|| load_admin_page(AdminChunk::Resend) ssr=SsrMode::Async />
                    <Route path=path!("/sources") view=|| load_admin_page(AdminChunk::Sources) ssr=SsrMode::Async />
                    <Route path=path!("/destinations") view=|| load_admin_page(AdminChunk::Destinations) ssr=SsrMode::Async />
                    <Route path=path!("/events") view=|| load_detail_page(DetailChunk::Events) ssr=SsrMode::Async />
                    <Route path=path!("/events/:id") view=|| load_detail_page(DetailChunk::Event) ssr=SsrMode::Async />
                    <Route path=path!("/reconciliation") view=|| load_admin_page(AdminChunk::Reconciliation) ssr=SsrMode::Async />
                    <Route path=path!("/rejections") view=|| load_admin_page(AdminChunk::Rejections) ssr=SsrMode::Async />
                    <Route path=path!("/rejections/:id") view=|| load_admin_page(AdminChunk::Rejection) ssr=SsrMode::Async />
                    <Route path=path!("/alerts") view=|| load_admin_page(AdminChunk::Alerts) ssr=SsrMode::Async />
                    <Route path=path!("/secrets") view=|| load_admin_page(AdminChunk::Secrets) ssr=SsrMode::Async />
                    <Route path=path!("/audit") view=|| load_admin_page(AdminChunk::Audit) ssr=SsrMode::Async />
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
