//! The table of differences, with the next step of each.

use leptos::prelude::*;

use super::forms::Forms;
use super::{Difference, DifferencesQuery};
use crate::text::fill;
use crate::types::{DifferenceKind, DifferenceState, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, empty, format, pager, query, time};

pub(super) fn differences(
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
