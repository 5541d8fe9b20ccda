//! The list of what was done, and whether the chain of it holds.

use leptos::prelude::*;

use super::{AuditLine, AuditPage, AuditQuery, ChainVerification};
use crate::context;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, filters, icon, time};

/// The page.
#[component]
pub fn AuditView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let show = move |search: &str, answer| match answer {
        Answer::Audit(page) => Some(content(ui, search, page)),
        _ => None,
    };
    let words = ListLabels {
        title: text.audit.title,
        lede: text.audit.lede,
        filter: text.audit.filter,
        newer: (text.audit.newer_entries_one, text.audit.newer_entries_many),
        pages: (text.audit.newer_entries, text.audit.older_entries),
        nothing: ("acknowledged", text.audit.none, text.audit.none_help),
        no_match: text.audit.no_match,
    };
    list::list(ui, List { words, question: Question::Audit, show: Box::new(show) })
}

fn content(ui: Ui, search: &str, page: AuditPage) -> ListContent {
    let text = ui.text;
    let query = AuditQuery::parse(search);
    let AuditPage { items, next_cursor, actions, verified, now } = page;
    ListContent {
        now,
        actions: ().part(),
        above: chain(ui, &verified, now),
        bulk: ().part(),
        fields: Some(fields(ui, &query, actions)),
        toolbar: ().part(),
        count: items.len(),
        span: items.first().zip(items.last()).map(|(newest, oldest)| (newest.at, oldest.at)),
        next: next_cursor,
        ways: vec![
            ("from", text.filters.any_time),
            ("to", text.filters.any_time),
            ("actor", text.audit.anybody),
            ("action", text.audit.any_action),
            ("subject", text.audit.any_subject),
        ],
        table: table(ui, items, now),
        url: query.url,
    }
}

/// Whether every entry is as it was written.
fn chain(ui: Ui, verified: &ChainVerification, now: Timestamp) -> AnyView {
    let text = ui.text;
    let (tone, shape, title) = match verified.broken_at {
        None => {
            let entries = group_digits(verified.entries);
            ("ok", "delivered", fill(text.audit.chain_holds, &[&entries]))
        }
        Some(id) => ("bad", "warn", fill(text.audit.chain_broken, &[&id.to_string()])),
    };
    let head = verified.head.get(..12).unwrap_or_default().to_owned();
    let head = view! { <span class="id" title=verified.head.clone()>{head}</span> }.part();
    let when = time::relative(ui, verified.checked_at, now);
    view! {
        <div class="note" data-tone=tone>
            {icon::icon(shape)}
            <div>
                <b>{title}</b>
                <p>{sentence(text.audit.chain_checked, [when, head])}</p>
            </div>
        </div>
    }
    .part()
}

fn fields(ui: Ui, query: &AuditQuery, actions: Vec<(String, String)>) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    view! {
        {filters::input("actor", text.audit.actor, "ana@shop.example", filter.actor.clone())}
        {filters::select("action", text.common.action, text.filters.any, actions, filter.action.clone())}
        {filters::input("subject", text.audit.subject, "source/*", filter.subject.clone())}
        {filters::moment(ui, "from", "from", text.audit.from, filter.from)}
        {filters::moment(ui, "to", "to", text.filters.until, filter.to)}
    }
    .part()
}

fn table(ui: Ui, rows: Vec<AuditLine>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.audit.title}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.common.action}</th>
                    <th scope="col">{text.audit.actor}</th>
                    <th scope="col">{text.audit.at}</th>
                    <th scope="col">{text.audit.reason}</th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: AuditLine, now: Timestamp) -> AnyView {
    let text = ui.text;
    let did = match row.page {
        Some(page) => view! { <a href=page>{row.did}</a> }.part(),
        None => row.did.part(),
    };
    view! {
        <tr>
            <th scope="row">{did} <small class="id">{format!("#{}", row.id)}</small></th>
            <td data-label=text.audit.actor>{row.actor} <small>{row.address}</small></td>
            <td data-label=text.audit.at>{time::both(ui, row.at, now)}</td>
            <td data-label=text.audit.reason>{row.reason} <small>{row.detail}</small></td>
        </tr>
    }
    .part()
}
