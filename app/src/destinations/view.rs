//! Every destination with how it stands: what waits for it, since when, and what it did last.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

use super::forms::{form_from_url, panel};
use super::{DestinationRow, DestinationsPage};
use crate::action::{ActionState, FormKind, FormResult};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::secrets::NewSecret;
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, empty, format, icon, live, payload, query, time, title};

/// Nothing is counted above this.
const COUNTED: i64 = 10_000;

/// The page.
#[component]
pub fn DestinationsView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    let navigate = use_navigate();
    let made: RwSignal<Option<NewSecret>> = RwSignal::new(None);
    let doing = ActionState::new(&[
        FormKind::ApplyToDestination,
        FormKind::CreateDestination,
        FormKind::EditDestination,
    ]);
    Effect::new(move |_| {
        let Some(done) = doing.done() else { return };
        if let FormResult::Made(secret) = done {
            made.set(Some(secret));
        }
        doing.clear();
        navigate("/destinations", Default::default());
    });
    ui.live.expect(false);
    let data = page_data::load(ui, Box::new(move || Question::Destinations(search.get())));
    let here = Memo::new(move |_| query::link("/destinations", &search.get()));
    let page = move |answer| match answer {
        Answer::Destinations(page) => content(ui, &search.get_untracked(), page, doing),
        _ => ().part(),
    };
    view! {
        {title::title(move || ui.text.destinations.title.to_owned())}
        {move || made.get().map(|made| created_secret_panel(ui, made))}
        {page_data::loaded(ui, data, here, Arc::new(page))}
    }
}

/// The secret of the one that was just made.
fn created_secret_panel(ui: Ui, made: NewSecret) -> AnyView {
    let text = ui.text;
    view! {
        <div class="note" data-tone="ok" role="status">
            {icon::icon("key")}
            <div>
                <b>{fill(text.rotation.created_title, &[made.destination.as_str()])}</b>
                <p>{text.rotation.created_help}</p>
                {payload::copyable(ui, text.common.secret, made.secret)}
            </div>
        </div>
    }
    .part()
}

fn content(ui: Ui, search: &str, page: DestinationsPage, doing: ActionState) -> AnyView {
    let text = ui.text;
    let DestinationsPage { destinations, now } = page;
    let ask = form_from_url(search, &destinations).filter(|_| ui.may_change).map(|ask| panel(ui, ask, doing));
    let is_asking = ask.is_some();
    let new = (ui.may_change && !is_asking).then(|| {
        view! {
            <a class="button primary" href="/destinations?new=1">{icon::icon("plus")} {text.destinations.new}</a>
        }
    });
    let list = match destinations.is_empty() {
        true => empty::empty(
            "destinations",
            text.destinations.none.to_owned(),
            text.destinations.none_help.to_owned(),
            vec![],
        ),
        false => table(ui, destinations, now),
    };
    view! {
        <header class="page-head">
            <div>
                <h1>{text.destinations.title}</h1>
                <p class="lede">{text.destinations.lede}</p>
            </div>
            <div class="row">{live::line(ui, now)} {new}</div>
        </header>
        {ask}
        <section class="panel" aria-label=text.destinations.title>{list}</section>
    }
    .part()
}

fn table(ui: Ui, rows: Vec<DestinationRow>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.destinations.title}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.filters.state}</th>
                    <th scope="col">{text.filters.destination}</th>
                    <th scope="col" class="num">{text.states.pending}</th>
                    <th scope="col" class="num">{text.states.held}</th>
                    <th scope="col" class="num">{text.states.failed}</th>
                    <th scope="col">{text.destinations.oldest_due}</th>
                    <th scope="col" class="p1">{text.destinations.last_delivered}</th>
                    <th scope="col" class="p2">{text.destinations.limits}</th>
                    <th scope="col" class="shrink"><span class="visually-hidden">{text.common.action}</span></th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: DestinationRow, now: Timestamp) -> AnyView {
    let text = ui.text;
    let slug = row.slug.to_string();
    let deliveries = |state: &'static str| {
        query::link(
            "/deliveries",
            &query::write([("destination", slug.clone()), ("state", state.to_owned())]),
        )
    };
    let count = |count: i64, state: &'static str| {
        let said = if count >= COUNTED { format!("{}+", group_digits(COUNTED)) } else { group_digits(count) };
        match count {
            0 => view! { <span class="muted">{said}</span> }.part(),
            _ => view! { <a href=deliveries(state)>{said}</a> }.part(),
        }
    };
    let (look, since) = match (row.paused_at, row.failing_since) {
        (Some(at), _) => (("hold", "held", text.destinations.paused), Some(at)),
        (None, Some(at)) => (("bad", "failed", text.destinations.failing), Some(at)),
        (None, None) => (("ok", "delivered", text.destinations.active), None),
    };
    let since = since.map(|at| view! { <small>{time::relative(ui, at, now)}</small> });
    let named = |names: &[String], all: &'static str| {
        if names == ["*"] { all.to_owned() } else { names.join(", ") }
    };
    let takes = fill(
        text.destinations.takes,
        &[
            &named(&row.events, text.destinations.all_events),
            &named(&row.sources, text.destinations.all_sources),
        ],
    );
    let signed =
        fill(text.destinations.signed_as, &[row.format.as_str(), text.signature_order(row.signature_order)]);
    let pace = match row.rate_per_s {
        Some(rate) => fill(text.common.at_most_a_second, &[&rate.to_string()]),
        None => text.destinations.no_rate.to_owned(),
    };
    view! {
        <tr>
            <td>{badge::badge(look)} {since}</td>
            <th scope="row" class="full">
                <a href=query::link("/deliveries", &query::write([("destination", slug.clone())]))>{slug.clone()}</a>
                <small class="id">{row.url.clone()}</small>
                <small>{takes}</small>
                <small>{signed}</small>
            </th>
            <td class="num" data-label=text.states.pending>{count(row.pending, "pending")}</td>
            <td class="num" data-label=text.states.held>{count(row.held, "held")}</td>
            <td class="num" data-label=text.states.failed>{count(row.failed, "failed")}</td>
            <td data-label=text.destinations.oldest_due>{row.oldest_due.map(|at| time::both(ui, at, now))}</td>
            <td class="p1" data-label=text.destinations.last_delivered>{row.last_delivered.map(|at| time::both(ui, at, now))}</td>
            <td class="p2" data-label=text.destinations.limits>
                {fill(text.common.at_most_at_once, &[&row.max_in_flight.to_string()])} <small>{pace}</small>
            </td>
            <td class="shrink full">{actions(ui, &row)}</td>
        </tr>
    }
    .part()
}

/// What admins can do, each asked for by the URL.
fn actions(ui: Ui, row: &DestinationRow) -> AnyView {
    let text = ui.text;
    let link = |name: &'static str, word: &'static str| {
        let href = query::link("/destinations", &query::write([(name, row.slug.to_string())]));
        let named = format::name_with(word, row.slug.as_str());
        view! { <a class="button small" href=href aria-label=named>{word}</a> }
    };
    let hold = match row.paused_at {
        Some(_) => link("resume", text.destinations.resume_more),
        None => link("pause", text.destinations.pause_more),
    };
    ui.may_change
        .then(|| {
            view! {
                <span class="row tight">{hold} {link("edit", text.common.edit_more)} {link("delete", text.common.delete_more)}</span>
            }
        })
        .part()
}
