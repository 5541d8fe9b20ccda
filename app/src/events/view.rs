//! The list of events.

use leptos::prelude::*;

use super::{EventSummary, EventsPage, EventsQuery};
use crate::context;
use crate::deliveries::breakable;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{Slug, Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, filters, format, query, time};

/// The page.
#[component]
pub fn EventsView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let show = move |search: &str, answer| match answer {
        Answer::Events(page) => Some(content(ui, search, page)),
        _ => None,
    };
    let words = ListLabels {
        title: text.events.title,
        lede: text.events.lede,
        filter: text.events.filter,
        newer: (text.live.newer_events_one, text.live.newer_events_many),
        pages: (text.list.newer_events, text.list.older_events),
        nothing: ("events", text.events.none, text.events.none_help),
        no_match: text.events.no_match,
    };
    list::list(ui, List { words, question: Question::Events, show: Box::new(show) })
}

fn content(ui: Ui, search: &str, page: EventsPage) -> ListContent {
    let text = ui.text;
    let query = EventsQuery::parse(search);
    let EventsPage { page, sources, now, .. } = page;
    let rows = page.items;
    ListContent {
        now,
        actions: ().part(),
        above: ().part(),
        fields: Some(fields(ui, &query, sources)),
        toolbar: shortcuts(ui, &query),
        bulk: ().part(),
        count: rows.len(),
        span: rows.first().zip(rows.last()).map(|(newest, oldest)| (newest.received_at, oldest.received_at)),
        next: page.next_cursor,
        ways: vec![
            ("from", text.filters.any_time),
            ("to", text.filters.any_time),
            ("source", text.filters.any_source),
            ("held", text.filters.any_state),
            ("type", text.filters.any_type),
            ("resource", text.filters.any_payment),
            ("event_id", text.filters.any_event_id),
            ("unrouted", text.filters.any_destination),
        ],
        table: table(ui, rows, now),
        url: query.url,
    }
}

/// When the list is about one payment, its deliveries are one step away; a number may be a delivery's.
fn shortcuts(ui: Ui, query: &EventsQuery) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let deliveries = filter.resource.clone().map(|resource| {
        let href = query::link("/deliveries", &query::write([("resource", resource)]));
        view! { <a href=href>{text.events.deliveries_of_payment}</a> }
    });
    let number = filter.q.as_ref().and_then(|q| q.parse::<i64>().ok()).map(|number| {
        view! { <a href=format!("/deliveries/{number}")>{fill(text.events.delivery, &[&number.to_string()])}</a> }
    });
    view! { <span class="row end">{deliveries} {number}</span> }.part()
}

fn fields(ui: Ui, query: &EventsQuery, sources: Vec<Slug>) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let sources = sources.iter().map(|slug| (slug.to_string(), slug.to_string())).collect();
    let source = filter.source.as_ref().map(ToString::to_string);
    view! {
        <fieldset class="chips">
            <legend class="visually-hidden">{text.filters.state}</legend>
            {filters::chip("held", "true", ("hold", "held", text.events.held_only), None, filter.held)}
            {filters::chip("unrouted", "true", ("wait", "warn", text.events.unrouted_only), None, filter.unrouted)}
        </fieldset>
        // The bar's search has the id `q`.
        <div class="field">
            <label for="begins">{text.events.begins_with}</label>
            <input
                id="begins"
                name="q"
                placeholder=text.events.begins_hint
                value=filter.q.clone()
                autocomplete="off"
                spellcheck="false"
            />
        </div>
        {filters::input("type", text.filters.event_type, text.filters.type_hint, filter.r#type.clone())}
        {filters::input("resource", text.filters.payment, text.filters.payment_hint, filter.resource.clone())}
        {filters::input("event_id", text.filters.event_id, text.filters.event_id_hint, filter.event_id.clone())}
        {filters::select("source", text.filters.source, text.filters.any, sources, source)}
        {filters::moment(ui, "from", "from", text.deliveries.events_from, filter.from)}
        {filters::moment(ui, "to", "to", text.filters.until, filter.to)}
    }
    .part()
}

fn table(ui: Ui, rows: Vec<EventSummary>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.events.caption}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.common.event}</th>
                    <th scope="col">{text.filters.source}</th>
                    <th scope="col" class="p1">{text.filters.event_id}</th>
                    <th scope="col" class="num">{text.events.arrivals}</th>
                    <th scope="col" class="p2">{text.events.occurred}</th>
                    <th scope="col">{text.events.received}</th>
                    <th scope="col" class="p2">{text.events.processed}</th>
                    <th scope="col" class="shrink"><span class="visually-hidden">{text.events.unrouted}</span></th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: EventSummary, now: Timestamp) -> AnyView {
    let text = ui.text;
    let resource = row.resource_id.unwrap_or_default();
    let unrouted = row.unrouted.then(|| badge::badge(("wait", "warn", text.events.unrouted)));
    let processed = match row.processed_at {
        Some(at) => fill(
            text.events.processed_after,
            &[&format::took((at.micros() - row.received_at.micros()).max(0) / 1000, text)],
        ),
        None => text.events.not_processed.to_owned(),
    };
    view! {
        <tr>
            <th scope="row" class="full">
                <a href=format!("/events/{}", row.id) inner_html=breakable(&row.r#type)></a>
                <small class="id" title=resource.clone()>{format::shorten(&resource)}</small>
            </th>
            <td data-label=text.filters.source>{row.source.to_string()}</td>
            <td class="p1" data-label=text.filters.event_id>
                <span class="id" title=row.event_id.clone()>{format::shorten(&row.event_id)}</span>
            </td>
            <td class="num" data-label=text.events.arrivals>{group_digits(row.arrivals)}</td>
            <td class="p2" data-label=text.events.occurred>{row.occurred_at.map(|at| time::exact(ui, at, now))}</td>
            <td data-label=text.events.received>{time::both(ui, row.received_at, now)}</td>
            <td class="p2" data-label=text.events.processed>{processed}</td>
            <td class="shrink">{unrouted}</td>
        </tr>
    }
    .part()
}
