//! The list of what was done, and whether the chain of it holds.

use leptos::prelude::*;

use super::{AuditLine, AuditPage, AuditQuery, Verified};
use crate::context;
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{Timestamp, group_digits};
use crate::ui::list::{self, List, Shown, Words};
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
    let words = Words {
        title: text.audit,
        lede: text.audit_lede,
        filter: text.filter_audit,
        newer: (text.newer_entries_one, text.newer_entries_many),
        pages: (text.newer_entries, text.older_entries),
        nothing: ("acknowledged", text.no_entries, text.no_entries_help),
        no_match: text.no_entry_match,
    };
    list::list(ui, List { words, question: Question::Audit, show: Box::new(show) })
}

fn content(ui: Ui, search: &str, page: AuditPage) -> Shown {
    let text = ui.text;
    let query = AuditQuery::parse(search);
    let AuditPage { items, next_cursor, actions, verified, now } = page;
    Shown {
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
            ("from", text.any_time),
            ("to", text.any_time),
            ("actor", text.anybody),
            ("action", text.any_action),
            ("subject", text.any_subject),
        ],
        table: table(ui, items, now),
        url: query.url,
    }
}

/// Whether every entry is as it was written.
fn chain(ui: Ui, verified: &Verified, now: Timestamp) -> AnyView {
    let text = ui.text;
    let (tone, shape, title) = match verified.broken_at {
        None => {
            let entries = group_digits(verified.entries);
            ("ok", "delivered", fill(text.chain_holds, &[&entries]))
        }
        Some(id) => ("bad", "warn", fill(text.chain_broken, &[&id.to_string()])),
    };
    let head = verified.head.get(..12).unwrap_or_default().to_owned();
    let head = view! { <span class="id" title=verified.head.clone()>{head}</span> }.part();
    let when = time::relative(ui, verified.checked_at, now);
    view! {
        <div class="note" data-tone=tone>
            {icon::icon(shape)}
            <div>
                <b>{title}</b>
                <p>{sentence(text.chain_checked, [when, head])}</p>
            </div>
        </div>
    }
    .part()
}

fn fields(ui: Ui, query: &AuditQuery, actions: Vec<(String, String)>) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    view! {
        {filters::input("actor", text.actor, "ana@shop.example", filter.actor.clone())}
        {filters::select("action", text.action, text.any, actions, filter.action.clone())}
        {filters::input("subject", text.audit_subject, "source/*", filter.subject.clone())}
        {filters::moment(ui, "from", "from", text.audit_from, filter.from)}
        {filters::moment(ui, "to", "to", text.received_to, filter.to)}
    }
    .part()
}

fn table(ui: Ui, rows: Vec<AuditLine>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.audit}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.action}</th>
                    <th scope="col">{text.actor}</th>
                    <th scope="col">{text.audit_at}</th>
                    <th scope="col">{text.audit_reason}</th>
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
            <td data-label=text.actor>{row.actor} <small>{row.address}</small></td>
            <td data-label=text.audit_at>{time::both(ui, row.at, now)}</td>
            <td data-label=text.audit_reason>{row.reason} <small>{row.detail}</small></td>
        </tr>
    }
    .part()
}
