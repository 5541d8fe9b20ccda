//! The list of deliveries.

use leptos::prelude::*;

use super::resend::ResendForm;
use super::selection::Selection;
use super::{DeliveriesPage, DeliveriesQuery, DeliverySummary, StateCount};
use crate::context;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{AttemptError, DeliveryState, Slug, Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, filters, format, sparkline, time};

/// The page.
#[component]
pub fn DeliveriesView() -> impl IntoView {
    let ui = context::ui();
    let (resending, picks) = (ResendForm::new(ui), Selection::new(ui));
    let show = move |search: &str, answer| match answer {
        Answer::Deliveries(page) => Some(content(ui, search, page, resending, picks)),
        _ => None,
    };
    let text = ui.text;
    let words = ListLabels {
        title: text.deliveries.title,
        lede: text.deliveries.lede,
        filter: text.deliveries.filter,
        newer: (text.live.newer_one, text.live.newer_many),
        pages: (text.list.newer, text.list.older),
        nothing: ("deliveries", text.deliveries.none, text.deliveries.none_help),
        no_match: text.deliveries.no_match,
    };
    view! {
        {list::list(ui, List { words, question: Question::Deliveries, show: Box::new(show) })}
        {resending.dialog()}
    }
}

fn content(
    ui: Ui,
    search: &str,
    page: DeliveriesPage,
    resending: ResendForm,
    picks: Selection,
) -> ListContent {
    let query = DeliveriesQuery::parse(search);
    let text = ui.text;
    let DeliveriesPage { page, counts, sources, destinations, now, .. } = page;
    let rows = page.items;
    ListContent {
        now,
        actions: ().part(),
        above: views(ui, &query, &counts),
        fields: Some(fields(ui, &query, &counts, sources, destinations)),
        toolbar: picks.everything(&query.url, "button quiet small end"),
        bulk: picks.bar(&query.url),
        count: rows.len(),
        span: rows.first().zip(rows.last()).map(|(newest, oldest)| (newest.received_at, oldest.received_at)),
        next: page.next_cursor,
        ways: vec![
            ("from", text.filters.any_time),
            ("to", text.filters.any_time),
            ("state", text.filters.any_state),
            ("destination", text.filters.any_destination),
            ("source", text.filters.any_source),
            ("type", text.filters.any_type),
            ("resource", text.filters.any_payment),
            ("event_id", text.filters.any_event_id),
        ],
        table: table(ui, rows, now, resending, Some(picks)),
        url: query.url,
    }
}

fn views(ui: Ui, query: &DeliveriesQuery, counts: &[StateCount]) -> AnyView {
    let text = ui.text;
    let failed =
        counts.iter().find(|count| count.state == DeliveryState::Failed).map(|count| counted(count.count));
    let filter = &query.filter;
    let is_only = |state: &[DeliveryState], overdue: bool| {
        let same = filter.state == state && filter.overdue == overdue;
        let rest = super::DeliveryFilter { state: Vec::new(), overdue: false, ..filter.clone() };
        same && rest == Default::default()
    };
    let tab = |href: &'static str, word: &'static str, count: Option<String>, current: bool| {
        view! {
            <a href=href aria-current=current.then_some("page")>
                {word}
                {count.map(|count| view! { <span class="count">{count}</span> })}
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=text.deliveries.views>
            {tab("/deliveries", text.list.all, None, is_only(&[], false))}
            {tab("/deliveries?state=failed", text.deliveries.needs_person, failed, is_only(&[DeliveryState::Failed], false))}
            {tab("/deliveries?overdue=true", text.deliveries.overdue, None, is_only(&[], true))}
        </nav>
    }.part()
}

/// A count of a chip: nothing is counted above 10 000.
fn counted(count: i64) -> String {
    if count >= 10_000 { format!("{}+", group_digits(10_000)) } else { group_digits(count) }
}

fn fields(
    ui: Ui,
    query: &DeliveriesQuery,
    counts: &[StateCount],
    sources: Vec<Slug>,
    destinations: Vec<Slug>,
) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let count_of = |state| counts.iter().find(|count| count.state == state).map(|count| counted(count.count));
    let chips = DeliveryState::ALL.iter().map(|state| {
        let checked = filter.state.contains(state);
        filters::chip("state", state.as_str(), badge::delivery(ui, *state), count_of(*state), checked)
    });
    let slugs = |slugs: Vec<Slug>| slugs.iter().map(|slug| (slug.to_string(), slug.to_string())).collect();
    let chosen = |slug: &Option<Slug>| slug.as_ref().map(ToString::to_string);
    view! {
        <fieldset class="chips">
            <legend class="visually-hidden">{text.filters.state}</legend>
            {chips.collect_view()}
            {filters::chip("overdue", "true", ("wait", "ending", text.deliveries.overdue_only), None, filter.overdue)}
        </fieldset>
        {filters::input("type", text.filters.event_type, text.filters.type_hint, filter.r#type.clone())}
        {filters::input("resource", text.filters.payment, text.filters.payment_hint, filter.resource.clone())}
        {filters::input("event_id", text.filters.event_id, text.filters.event_id_hint, filter.event_id.clone())}
        {filters::select("destination", text.filters.destination, text.filters.any, slugs(destinations), chosen(&filter.destination))}
        {filters::select("source", text.filters.source, text.filters.any, slugs(sources), chosen(&filter.source))}
        {filters::moment(ui, "from", "from", text.filters.since, filter.from)}
        {filters::moment(ui, "to", "to", text.filters.until, filter.to)}
    }
    .part()
}

/// Deliveries as a table; also on the page of an event, where none are picked.
pub fn table(
    ui: Ui,
    rows: Vec<DeliverySummary>,
    now: Timestamp,
    resending: ResendForm,
    picks: Option<Selection>,
) -> AnyView {
    let text = ui.text;
    let picks = picks.filter(|_| ui.may_act);
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.deliveries.caption}</caption>
            <thead>
                <tr>
                    {picks.map(Selection::all)}
                    <th scope="col">{text.filters.state}</th>
                    <th scope="col">{text.common.event}</th>
                    <th scope="col">{text.filters.destination}</th>
                    <th scope="col">{text.deliveries.attempts}</th>
                    <th scope="col" class="p2">
                        {text.deliveries.last_answer}
                    </th>
                    <th scope="col">{text.deliveries.next_attempt}</th>
                    <th scope="col" class="p1">
                        {text.common.received}
                    </th>
                    <th scope="col" class="p3">
                        {text.filters.event_id}
                    </th>
                    <th scope="col" class="shrink">
                        <span class="visually-hidden">{text.common.action}</span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now, resending, picks)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(
    ui: Ui,
    row: DeliverySummary,
    now: Timestamp,
    resending: ResendForm,
    picks: Option<Selection>,
) -> AnyView {
    let text = ui.text;
    let (answer, more) = last_answer(ui, &row);
    let resource = row.resource_id.clone().unwrap_or_default();
    let target = (row.id, row.destination.to_string());
    view! {
        <tr>
            {picks.map(|picks| picks.one(row.id))}
            <td>
                {badge::badge(badge::delivery(ui, row.state))} <small class="id">{row.id}</small>
            </td>
            <th scope="row" class="full">
                <a href=format!("/deliveries/{}", row.id) inner_html=breakable(&row.r#type)></a>
                <small class="id" title=resource.clone()>
                    {format::shorten(&resource)}
                </small>
            </th>
            <td>
                {row.destination.to_string()}
                <small>{fill(text.common.from_whom, &[&row.source.to_string()])}</small>
            </td>
            <td>
                <b>{row.attempts}</b>
                {format!("/{}", row.max_attempts)}
                {sparkline::sparkline(row.state, row.attempts, row.max_attempts)}
            </td>
            <td class="p2">
                {answer} <small>{more}</small>
            </td>
            <td data-label=text.deliveries.next_attempt>{next(ui, &row, now)}</td>
            <td class="p1 top" data-label=text.common.received>
                {time::both(ui, row.received_at, now)}
            </td>
            <td class="p3" data-label=text.filters.event_id>
                <a class="id" href=format!("/events/{}", row.event) title=row.event_id.clone()>
                    {format::shorten(&row.event_id)}
                </a>
            </td>
            <td class="shrink corner">{resending.small(target)}</td>
        </tr>
    }
    .part()
}

/// The name of an event, which may break after its dots.
pub fn breakable(name: &str) -> String {
    format::escape(name).replace('.', ".<wbr>")
}

/// What the destination said last, in a word and in some more.
fn last_answer(ui: Ui, row: &DeliverySummary) -> (String, &'static str) {
    let text = ui.text;
    let named = |status| format!("{status} {}", status_name(status)).trim_end().to_owned();
    match (row.last_error, row.last_status) {
        (Some(AttemptError::Status | AttemptError::Redirect), Some(status)) => {
            (status.to_string(), status_name(status))
        }
        (Some(error), _) => {
            let (word, more) = text.attempt_error(error);
            (word.to_owned(), more)
        }
        (None, Some(status)) => (named(status), ""),
        (None, None) if row.state == DeliveryState::Delivered => (text.states.delivered.to_owned(), ""),
        (None, None) => (text.deliveries.not_tried.to_owned(), ""),
    }
}

/// The name that HTTP gives a status; empty for those it does not know.
pub fn status_name(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

fn next(ui: Ui, row: &DeliverySummary, now: Timestamp) -> AnyView {
    let text = ui.text;
    let words = |first: &'static str, second: &'static str| {
        view! {
            <span class="muted">{first}</span>
            <small>{second}</small>
        }
        .part()
    };
    match (row.state, row.next_attempt_at) {
        (DeliveryState::Pending, Some(at)) => time::both(ui, at, now).part(),
        (DeliveryState::Pending, None) => words(text.deliveries.due_now, ""),
        (DeliveryState::Failed, _) => words(text.deliveries.none_left, text.deliveries.resend_manually),
        (DeliveryState::Held, _) => words(text.ladder.on_hold, text.deliveries.until_resumed),
        (DeliveryState::Delivered | DeliveryState::Cancelled, _) => ().part(),
    }
}
