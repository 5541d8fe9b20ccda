//! Which page is where. Every page is rendered whole before it is sent: with its status, and also without script.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::SsrMode;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::hooks::use_location;
use leptos_router::path;

use crate::alerts::AlertsView;
use crate::audit::AuditView;
use crate::context;
use crate::deliveries::{DeliveriesView, DeliveryView};
use crate::destinations::DestinationsView;
use crate::events::{EventView, EventsView};
use crate::login::LoginView;
use crate::reconciliation::ReconciliationView;
use crate::rejections::{RejectionView, RejectionsView};
use crate::resends::{PlanView, ResendView, ResendsView};
use crate::secrets::SecretsView;
use crate::ui::frame::{Frame, Lost, search_target};
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
                    <Route path=path!("/deliveries/:id") view=DeliveryView ssr=SsrMode::Async />
                    <Route path=path!("/resends") view=ResendsView ssr=SsrMode::Async />
                    <Route path=path!("/resends/new") view=PlanView ssr=SsrMode::Async />
                    <Route path=path!("/resends/:id") view=ResendView ssr=SsrMode::Async />
                    <Route path=path!("/destinations") view=DestinationsView ssr=SsrMode::Async />
                    <Route path=path!("/events") view=EventsView ssr=SsrMode::Async />
                    <Route path=path!("/events/:id") view=EventView ssr=SsrMode::Async />
                    <Route path=path!("/reconciliation") view=ReconciliationView ssr=SsrMode::Async />
                    <Route path=path!("/rejections") view=RejectionsView ssr=SsrMode::Async />
                    <Route path=path!("/rejections/:id") view=RejectionView ssr=SsrMode::Async />
                    <Route path=path!("/alerts") view=AlertsView ssr=SsrMode::Async />
                    <Route path=path!("/secrets") view=SecretsView ssr=SsrMode::Async />
                    <Route path=path!("/audit") view=AuditView ssr=SsrMode::Async />
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
