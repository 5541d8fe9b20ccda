//! What the providers' books say beside ours: kinds with what to do next, differences, runs.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::forms::Forms;
use super::{Difference, DifferencesQuery, Reconciliation, ReconciliationPage};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{DifferenceKind, DifferenceState, RunState, Timestamp, group_digits};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, empty, filters, format, live, pager, query, time, title};

/// The page.
#[component]
pub fn ReconciliationView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    let forms = Forms::new(ui);
    let data = page_data::load(ui, Box::new(move || Question::Reconciliation(search.get())));
    Effect::new(move |_| {
        data.with(|data| {
            if let Some(Ok(Answer::Reconciliation(page))) = data {
                ui.live.expect(page.runs.iter().any(|run| run.state == RunState::Running));
            }
        });
    });
    let here = Memo::new(move |_| query::link("/reconciliation", &search.get()));
    let page = move |answer| match answer {
        Answer::Reconciliation(page) => content(ui, &search.get_untracked(), page, forms),
        _ => ().part(),
    };
    view! {
        {title::title(move || ui.text.reconciliation.title.to_owned())}
        {page_data::loaded(ui, data, here, Arc::new(page))}
        {forms.dialogs()}
    }
}

fn content(ui: Ui, search: &str, page: ReconciliationPage, forms: Forms) -> AnyView {
    let text = ui.text;
    let now = page.now;
    let query = DifferencesQuery::parse(search);
    let asks_compare = ui.may_act && query::value(search, "compare").is_some();
    let compare = asks_compare.then(|| forms.compare_in_page(page.sources.clone(), page.has_feed, now));
    let acknowledge =
        query::value(search, "acknowledge").and_then(|id| id.parse::<i64>().ok()).filter(|_| ui.may_act);
    let acknowledge = acknowledge.map(|id| {
        let resource = page.differences.items.iter().find(|difference| difference.id == id);
        let title = resource
            .map(|difference| fill(text.reconciliation.acknowledge_title, &[&difference.resource_id]));
        forms.acknowledge_in_page(id, title.unwrap_or_else(|| text.common.acknowledge.to_owned()))
    });
    let no_sources = page.sources.is_empty();
    view! {
        <header class="page-head">
            <div>
                <h1>{text.reconciliation.title}</h1>
                <p class="lede">{text.reconciliation.lede}</p>
            </div>
            <div class="row">
                {live::line(ui, now)}
                {(!no_sources).then(|| forms.compare_link(page.sources.clone(), page.has_feed))}
            </div>
        </header>
        {filters::ignored(ui, &query.url.ignored)}
        {compare}
        {acknowledge}
        {no_sources.then(|| {
            let (title, help) = (text.reconciliation.no_sources.to_owned(), text.reconciliation.no_sources_help.to_owned());
            view! { <section class="panel">{empty::empty("sources", title, help, vec![])}</section> }
        })}
        {kinds(ui, &page)}
        {differences(ui, &query, page.differences.items, page.differences.next_cursor, now, forms)}
        {runs(ui, page.runs, now)}
    }
    .part()
}

fn kinds(ui: Ui, page: &ReconciliationPage) -> AnyView {
    let text = ui.text;
    let open: i64 = page.open.values().sum();
    let title = match open {
        0 => text.reconciliation.open_none.to_owned(),
        open => text.counted(open, text.reconciliation.open_one, text.reconciliation.open_many),
    };
    let row = |kind: &DifferenceKind| {
        let (name, next) = text.difference_kind(*kind);
        let count = page.open.get(kind).copied().unwrap_or_default();
        let href = format!("/reconciliation?kind={kind}&state=open");
        (count > 0).then(|| {
            view! {
                <tr>
                    <th scope="row" class="full">
                        <a href=href>{name}</a>
                        <small class="id">{kind.as_str()}</small>
                    </th>
                    <td class="num" data-label=text.reconciliation.open_count>
                        <b>{group_digits(count)}</b>
                    </td>
                    <td class="full">{next}</td>
                </tr>
            }
        })
    };
    let table = (open > 0).then(|| {
        view! {
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.filters.kind}</th>
                        <th scope="col" class="num">
                            {text.reconciliation.open_count}
                        </th>
                        <th scope="col">{text.reconciliation.what_next}</th>
                    </tr>
                </thead>
                <tbody>{DifferenceKind::ALL.iter().map(row).collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <section class="panel" aria-labelledby="kind-title">
            <header class="panel-head">
                <h2 id="kind-title">{title}</h2>
                {(open > 0).then(|| view! { <p>{text.reconciliation.by_kind}</p> })}
            </header>
            {table}
        </section>
    }
    .part()
}

fn differences(
    ui: Ui,
    query: &DifferencesQuery,
    rows: Vec<Difference>,
    next: Option<String>,
    now: Timestamp,
    forms: Forms,
) -> AnyView {
    let text = ui.text;
    let content = if rows.is_empty() {
        let (title, help) = match query.url.narrows() {
            true => (text.reconciliation.no_match, text.filters.no_match_help),
            false => (text.reconciliation.none, text.reconciliation.none_help),
        };
        let ways = [
            ("kind", text.filters.any_kind, query.filter.kind.is_some()),
            ("state", text.filters.any_state, query.filter.state.is_some()),
            ("source", text.filters.any_source, query.filter.source.is_some()),
            ("resource", text.filters.any_payment, query.filter.resource.is_some()),
        ];
        let narrowing = ways.into_iter().filter(|(.., narrows)| *narrows);
        let actions = narrowing.map(|(name, word, _)| (query.url.with(name, ""), word.to_owned())).collect();
        empty::empty("resolved", title.to_owned(), help.to_owned(), actions)
    } else {
        let pager = pager::Pager {
            newer: query.url.place.newer().map(|pairs| query.url.link(pairs)),
            older: next.map(|next| query.url.link(query.url.place.older(&next))),
            words: (text.list.newer, text.list.older),
            limit: None,
        };
        let count = text.counted(rows.len() as i64, text.list.rows_one, text.list.rows_many);
        view! {
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.filters.state}</th>
                        <th scope="col">{text.filters.payment}</th>
                        <th scope="col" class="p2">
                            {text.filters.source}
                        </th>
                        <th scope="col">{text.reconciliation.we_have}</th>
                        <th scope="col">{text.reconciliation.they_have}</th>
                        <th scope="col" class="p1">
                            {text.reconciliation.first_seen}
                        </th>
                        <th scope="col">{text.reconciliation.next_step}</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|row| difference(ui, row, now, forms)).collect_view()}</tbody>
            </table>
            {pager::pager(ui, pager, count)}
        }
        .part()
    };
    view! {
        <section class="panel" aria-labelledby="list-title">
            <header class="panel-head">
                <h2 id="list-title">{text.reconciliation.differences}</h2>
                {states(ui, query)}
                {kind_choice(ui, query)}
            </header>
            {content}
        </section>
    }
    .part()
}

fn states(ui: Ui, query: &DifferencesQuery) -> AnyView {
    let current = query.filter.state;
    let choice = |state: Option<DifferenceState>, word: &'static str| {
        let href = query.url.with("state", state.map(DifferenceState::as_str).unwrap_or_default());
        view! { <a href=href aria-current=(current == state).then_some("true")>{word}</a> }
    };
    let states =
        DifferenceState::ALL.iter().map(|state| choice(Some(*state), ui.text.difference_state(*state)));
    view! {
        <nav class="segmented" aria-label=ui.text.filters.state>
            {choice(None, ui.text.list.all)} {states.collect_view()}
        </nav>
    }
    .part()
}

fn kind_choice(ui: Ui, query: &DifferencesQuery) -> AnyView {
    let current = query.filter.kind;
    let choice = |kind: Option<DifferenceKind>, word: &'static str| {
        let href = query.url.with("kind", kind.map(DifferenceKind::as_str).unwrap_or_default());
        view! { <a href=href aria-current=(current == kind).then_some("true")>{word}</a> }
    };
    let kinds = DifferenceKind::ALL.iter().map(|kind| choice(Some(*kind), kind.as_str()));
    view! {
        <nav class="segmented end" aria-label=ui.text.filters.kind>
            {choice(None, ui.text.filters.any_kind)} {kinds.collect_view()}
        </nav>
    }
    .part()
}

fn difference(ui: Ui, row: Difference, now: Timestamp, forms: Forms) -> AnyView {
    let text = ui.text;
    let payment = match &row.order_ref {
        Some(order) => fill(text.reconciliation.order_of, &[order]),
        None => format::shorten(&row.resource_id),
    };
    // It is a payment's id or an event's.
    let href = query::link("/events", &query::write([("q", row.resource_id.clone())]));
    let amount = row.amount.as_ref().map(|amount| {
        let currency = row.currency.as_deref().unwrap_or_default();
        view! { <small>{format!("{amount} {currency}")}</small> }
    });
    let ours = row.ours.clone().unwrap_or_else(|| text.reconciliation.nothing.to_owned());
    let theirs = row.theirs.clone().unwrap_or_else(|| text.reconciliation.nothing.to_owned());
    view! {
        <tr>
            <td class="shrink">
                {badge::badge(badge::difference(ui, row.state))} <small class="id">{row.kind.as_str()}</small>
            </td>
            <th scope="row" class="full">
                <a href=href>{payment}</a>
                <small class="id" title=row.resource_id.clone()>
                    {format::shorten(&row.resource_id)}
                </small>
            </th>
            <td class="p2" data-label=text.filters.source>
                {row.source.to_string()}
            </td>
            <td data-label=text.reconciliation.we_have>{ours}</td>
            <td data-label=text.reconciliation.they_have>{theirs} {amount}</td>
            <td class="p1 top" data-label=text.reconciliation.first_seen>
                {time::both(ui, row.first_seen, now)}
            </td>
            <td class="full">{next(ui, row, now, forms)}</td>
        </tr>
    }
    .part()
}

/// What to do about a difference, and what was done.
fn next(ui: Ui, row: Difference, now: Timestamp, forms: Forms) -> AnyView {
    let text = ui.text;
    if row.state == DifferenceState::Resolved {
        let gone = sentence(text.reconciliation.gone_since, [time::exact(ui, row.last_seen, now).part()]);
        return view! { <span class="muted">{gone}</span> }.part();
    }
    let note = row.note.as_ref().map(|note| {
        let by = row.acknowledged_by.clone().unwrap_or_default();
        view! { <p class="muted">{fill(text.reconciliation.note_by, &[&by, note])}</p> }
    });
    let step = match (row.kind, row.delivery, row.event) {
        (DifferenceKind::Undelivered, Some(delivery), _) if ui.may_act => {
            let href = format!("/deliveries/{delivery}?resend=1");
            view! { <a class="button small" href=href>{text.reconciliation.resend}</a> }.part()
        }
        (_, _, Some(event)) => {
            view! { <a class="button small" href=format!("/events/{event}")>{text.reconciliation.view_event}</a> }.part()
        }
        // Nothing of ours to go to: then it is said what to do there.
        _ => {
            let (_, advice) = text.difference_kind(row.kind);
            view! { <small>{advice}</small> }.part()
        }
    };
    let acknowledge = (row.state == DifferenceState::Open).then(|| forms.acknowledge_link(row));
    view! {
        <span class="row">{step} {acknowledge}</span>
        {note}
    }
    .part()
}

fn runs(ui: Ui, runs: Vec<Reconciliation>, now: Timestamp) -> AnyView {
    let text = ui.text;
    let content = if runs.is_empty() {
        empty::empty(
            "reconciliation",
            text.reconciliation.no_runs.to_owned(),
            text.reconciliation.no_runs_help.to_owned(),
            vec![],
        )
    } else {
        view! {
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.filters.state}</th>
                        <th scope="col">{text.filters.source}</th>
                        <th scope="col" class="p2">
                            {text.reconciliation.window}
                        </th>
                        <th scope="col">{text.common.started}</th>
                        <th scope="col" class="num">
                            {text.reconciliation.compared}
                        </th>
                        <th scope="col">{text.reconciliation.found}</th>
                    </tr>
                </thead>
                <tbody>{runs.into_iter().map(|row| run(ui, row, now)).collect_view()}</tbody>
            </table>
        }
        .part()
    };
    view! {
        <section class="panel" aria-labelledby="runs-title">
            <header class="panel-head">
                <h2 id="runs-title">{text.reconciliation.runs}</h2>
                <p>{text.reconciliation.runs_lede}</p>
            </header>
            {content}
        </section>
    }
    .part()
}

fn run(ui: Ui, row: Reconciliation, now: Timestamp) -> AnyView {
    let text = ui.text;
    let took = row.finished_at.map(|at| {
        view! { <small>{fill(text.time.took, &[&format::duration(at.seconds_since(row.started_at))])}</small> }
    });
    let by = if row.trigger == "nightly" {
        text.reconciliation.nightly.to_owned()
    } else {
        fill(text.common.by_whom, &[&row.actor])
    };
    let is_running = row.state == RunState::Running;
    let (fetched, compared) = (row.fetched.max(0), row.compared.clamp(0, row.fetched.max(0)));
    let compared_words = match is_running || row.state == RunState::Failed {
        true => fill(text.reconciliation.compared_of, &[&group_digits(compared), &group_digits(fetched)]),
        false => group_digits(compared),
    };
    let progress = is_running.then(|| {
        view! {
            <progress
                value=compared.to_string()
                max=fetched.max(1).to_string()
                aria-label=format!("{} {}", text.states.running, row.source)
            ></progress>
        }
    });
    let found: i64 = row.differences.values().sum();
    let backfilled = row.backfill.then(|| {
        view! { <small>{fill(text.reconciliation.backfilled, &[&group_digits(row.backfilled)])}</small> }
    });
    let kinds: Vec<String> = row.differences.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let found = match (&row.error, found, is_running) {
        (Some(error), ..) => view! { <small>{error.clone()}</small> }.part(),
        (None, found, true) => fill(text.reconciliation.found_so_far, &[&group_digits(found)]).part(),
        (None, 0, false) => text.reconciliation.found_none.part(),
        (None, found, false) => {
            view! { <b>{group_digits(found)}</b> <small>{kinds.join(", ")}</small> }.part()
        }
    };
    view! {
        <tr>
            <td>{badge::badge(badge::run(ui, row.state))} {took}</td>
            <th scope="row">{row.source.to_string()} <small>{by}</small></th>
            <td class="p2" data-label=text.reconciliation.window>
                {time::exact(ui, row.from, now)}
                " – "
                {time::exact(ui, row.to, now)}
            </td>
            <td data-label=text.common.started>{time::both(ui, row.started_at, now)}</td>
            <td class="num" data-label=text.reconciliation.compared>
                {compared_words} {progress}
            </td>
            <td data-label=text.reconciliation.found>{found} {backfilled}</td>
        </tr>
    }
    .part()
}
