//! The list of events.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use super::{EventSummary, EventsPage, EventsQuery, newer_events};
use crate::context;
use crate::data::{self, Answer, Question};
use crate::deliveries::breakable;
use crate::text::fill;
use crate::types::{Slug, Timestamp, group_digits};
use crate::ui::anchor::Anchor;
use crate::ui::{IntoPart, Ui, empty, filters, format, live, loaded, pager, query, time};

/// The page.
#[component]
pub fn EventsView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    ui.live.expect(false);
    let anchor = Anchor::new(ui, search);
    let data = data::load(ui, Box::new(move || Question::Events(anchor.asked())));
    Effect::new(move |_| {
        let first = data.with(|data| match data {
            Some(Ok(Answer::Events(page))) => page.page.items.first().map(|row| (row.received_at, row.id)),
            _ => None,
        });
        if let Some((search, than)) = anchor.came(first) {
            leptos::task::spawn_local(async move {
                if let Ok(count) = newer_events(search, than).await {
                    anchor.counted(count);
                }
            });
        }
    });
    let here = Memo::new(move |_| query::link("/events", &search.get()));
    let page = move |answer| match answer {
        Answer::Events(page) => content(ui, &search.get_untracked(), page, anchor),
        _ => ().part(),
    };
    view! {
        <Title text=format!("{} · Acuse", ui.text.events) />
        {loaded::loaded(ui, data, here, Arc::new(page))}
    }
}

fn content(ui: Ui, search: &str, page: EventsPage, anchor: Anchor) -> AnyView {
    let text = ui.text;
    let query = EventsQuery::parse(search);
    let rows = page.page.items;
    view! {
        <header class="page-head">
            <div>
                <h1>{text.events}</h1>
                <p class="lede">{text.events_lede}</p>
            </div>
            {live::line(ui, page.now)}
        </header>
        {filters::ignored(ui, &query.ignored)}
        {fields(ui, &query, page.sources)}
        <section class="panel" aria-label=text.events>
            <div class="toolbar">
                <div class="idle">
                    <span>{text.counted(rows.len() as i64, text.rows_one, text.rows_many)}</span>
                    {anchor.announcement((text.newer_events_one, text.newer_events_many), query.link([]))}
                    {shortcuts(ui, &query)}
                </div>
            </div>
            {list(ui, &query, rows, page.page.next_cursor, page.now)}
        </section>
    }
    .part()
}

/// When the list is about one payment, its deliveries are one step away; a number may be a delivery's.
fn shortcuts(ui: Ui, query: &EventsQuery) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let deliveries = filter.resource.clone().map(|resource| {
        let href = query::link("/deliveries", &query::write([("resource", resource)]));
        view! { <a href=href>{text.deliveries_of_payment}</a> }
    });
    let number = filter.q.as_ref().and_then(|q| q.parse::<i64>().ok()).map(|number| {
        view! { <a href=format!("/deliveries/{number}")>{fill(text.look_delivery, &[&number.to_string()])}</a> }
    });
    view! { <span class="row end">{deliveries} {number}</span> }.part()
}

fn fields(ui: Ui, query: &EventsQuery, sources: Vec<Slug>) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let sources = sources.iter().map(|slug| (slug.to_string(), slug.to_string())).collect();
    let source = filter.source.as_ref().map(ToString::to_string);
    let fields = view! {
        // The bar's search has the id `q`.
        <div class="field">
            <label for="begins">{text.begins_with}</label>
            <input
                id="begins"
                name="q"
                placeholder=text.begins_hint
                value=filter.q.clone()
                autocomplete="off"
                spellcheck="false"
            />
        </div>
        {filters::input("type", text.event_type, text.type_hint, filter.r#type.clone())}
        {filters::input("resource", text.payment, text.payment_hint, filter.resource.clone())}
        {filters::input("event_id", text.event_id, text.event_id_hint, filter.event_id.clone())}
        {filters::select("source", text.source, text.any, sources, source)}
        {filters::moment(ui, "from", "from", text.events_from, filter.from)}
        {filters::moment(ui, "to", "to", text.received_to, filter.to)}
    };
    filters::form(ui, "/events", text.filter_events, fields.part()).part()
}

fn list(
    ui: Ui,
    query: &EventsQuery,
    rows: Vec<EventSummary>,
    next: Option<String>,
    now: Timestamp,
) -> AnyView {
    let text = ui.text;
    let (Some(newest), Some(oldest)) = (rows.first(), rows.last()) else {
        return nothing(ui, query);
    };
    let (newest, oldest) = (newest.received_at, oldest.received_at);
    let count = text.counted(rows.len() as i64, text.rows_one, text.rows_many);
    let span = move || {
        let said = |at| format::exact(at, ui.clock.now(now), ui.clock.east(at), text);
        format!("{count}{}", fill(text.rows_span, &[&said(oldest), &said(newest)]))
    };
    let pager = pager::Pager {
        newer: query.place.newer().map(|pairs| query.link(pairs)),
        older: next.map(|next| query.link(query.place.older(&next))),
        words: (text.newer_events, text.older_events),
        limit: Some(query.page.limit.get()),
    };
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.events_caption}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.event}</th>
                    <th scope="col">{text.source}</th>
                    <th scope="col" class="p1">{text.event_id}</th>
                    <th scope="col" class="num">{text.arrivals}</th>
                    <th scope="col" class="p2">{text.occurred}</th>
                    <th scope="col">{text.event_received}</th>
                    <th scope="col" class="p2">{text.processed}</th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
        {pager::pager(ui, pager, span)}
    }
    .part()
}

fn row(ui: Ui, row: EventSummary, now: Timestamp) -> AnyView {
    let text = ui.text;
    let resource = row.resource_id.unwrap_or_default();
    let processed = match row.processed_at {
        Some(at) => fill(
            text.processed_after,
            &[&format::took((at.micros() - row.received_at.micros()).max(0) / 1000, text)],
        ),
        None => text.not_processed.to_owned(),
    };
    view! {
        <tr>
            <th scope="row" class="full">
                <a href=format!("/events/{}", row.id) inner_html=breakable(&row.r#type)></a>
                <small class="id" title=resource.clone()>{format::shorten(&resource)}</small>
            </th>
            <td data-label=text.source>{row.source.to_string()}</td>
            <td class="p1" data-label=text.event_id>
                <span class="id" title=row.event_id.clone()>{format::shorten(&row.event_id)}</span>
            </td>
            <td class="num" data-label=text.arrivals>{group_digits(row.arrivals)}</td>
            <td class="p2" data-label=text.occurred>{row.occurred_at.map(|at| time::exact(ui, at, now))}</td>
            <td data-label=text.event_received>{time::both(ui, row.received_at, now)}</td>
            <td class="p2" data-label=text.processed>{processed}</td>
        </tr>
    }
    .part()
}

fn nothing(ui: Ui, query: &EventsQuery) -> AnyView {
    let text = ui.text;
    if query.place.cursor.is_some() {
        let newest = vec![(query.link([]), text.first_page.to_owned())];
        return empty::empty("search", text.end_of_list.to_owned(), String::new(), newest);
    }
    if !query.narrows() {
        return empty::empty("events", text.no_events.to_owned(), text.no_events_help.to_owned(), vec![]);
    }
    let filter = &query.filter;
    let ways = [
        ("from", text.any_time, filter.from.is_some()),
        ("to", text.any_time, filter.to.is_some() && filter.from.is_none()),
        ("source", text.any_source, filter.source.is_some()),
        ("type", text.any_type, filter.r#type.is_some()),
        ("resource", text.any_payment, filter.resource.is_some()),
        ("event_id", text.any_event_id, filter.event_id.is_some()),
    ];
    let mut actions: Vec<(String, String)> = ways
        .into_iter()
        .filter(|(.., narrows)| *narrows)
        .take(2)
        .map(|(name, word, _)| (query.without(name), word.to_owned()))
        .collect();
    actions.push(("/events".to_owned(), text.clear_all.to_owned()));
    empty::empty("search", text.no_event_match.to_owned(), text.no_match_help.to_owned(), actions)
}
