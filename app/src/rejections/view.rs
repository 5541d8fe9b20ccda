//! The list of rejections.

use leptos::prelude::*;

use super::model::counts;
use super::verify::VerifyForm;
use super::{RecentRejections, RejectionSummary, RejectionsPage, RejectionsQuery};
use crate::context;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{RejectionReason, ReverifyStatus, Slug, Timestamp, group_digits};
use crate::ui::badge::{self, BadgeLook};
use crate::ui::{IntoPart, Ui, filters, format, query, time};

/// The page.
#[component]
pub fn RejectionsView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let verifying = VerifyForm::new(ui);
    let show = move |search: &str, answer| match answer {
        Answer::Rejections(page) => Some(content(ui, search, page, verifying)),
        _ => None,
    };
    let words = ListLabels {
        title: text.rejections.title,
        lede: text.rejections.lede,
        filter: text.rejections.filter,
        newer: (text.live.newer_one, text.live.newer_many),
        pages: (text.list.newer, text.list.older),
        nothing: ("resolved", text.rejections.none, text.rejections.none_help),
        no_match: text.rejections.no_match,
    };
    view! {
        {list::list(ui, List { words, question: Question::Rejections, show: Box::new(show) })}
        {verifying.dialog()}
    }
}

fn content(ui: Ui, search: &str, page: RejectionsPage, verifying: VerifyForm) -> ListContent {
    let text = ui.text;
    let query = RejectionsQuery::parse(search);
    let asked = query::value(search, "verify").and_then(|_| query::value(search, "of"));
    let asked = asked.and_then(|of| page.lately.iter().find(|lately| lately.source.as_str() == of));
    let asked = asked.map(|lately| verifying.in_page(lately));
    let reverify_summary = counts(search).map(|counts| verifying.reverify_summary(counts));
    let RejectionsPage { page, sources, lately, now, .. } = page;
    let rows = page.items;
    ListContent {
        now,
        bulk: ().part(),
        actions: ().part(),
        above: view! { {reverify_summary} {asked} {self::recent_rejections(ui, lately, verifying)} }.part(),
        fields: Some(fields(ui, &query, &sources)),
        toolbar: ().part(),
        count: rows.len(),
        span: rows.first().zip(rows.last()).map(|(newest, oldest)| (newest.received_at, oldest.received_at)),
        next: page.next_cursor,
        ways: vec![
            ("from", text.filters.any_time),
            ("to", text.filters.any_time),
            ("reason", text.rejections.any_reason),
            ("source", text.filters.any_source),
        ],
        table: table(ui, rows, now),
        url: query.url,
    }
}

/// What each source refused lately, beside what it usually does.
fn recent_rejections(ui: Ui, sources: Vec<RecentRejections>, verifying: VerifyForm) -> AnyView {
    let text = ui.text;
    if sources.is_empty() {
        return ().part();
    }
    let row = move |lately: RecentRejections| {
        let href = format!("/rejections?source={}", lately.source);
        view! {
            <tr>
                <th scope="row" class="full">
                    <a href=href>{lately.source.to_string()}</a>
                </th>
                <td class="num" data-label=text.rejections.in_a_day>
                    <b>{group_digits(lately.day)}</b>
                </td>
                <td class="num" data-label=text.rejections.usually>
                    {group_digits(lately.usual)}
                </td>
                <td class="num" data-label=text.rejections.kept>
                    {group_digits(lately.waiting)}
                </td>
                <td class="shrink">{(lately.waiting > 0).then(|| verifying.all_link(lately.clone()))}</td>
            </tr>
        }
    };
    view! {
        <section class="panel" aria-labelledby="lately-title">
            <header class="panel-head">
                <h2 id="lately-title">{text.rejections.by_source}</h2>
                <p>{text.rejections.by_source_help}</p>
            </header>
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{text.filters.source}</th>
                        <th scope="col" class="num">
                            {text.rejections.in_a_day}
                        </th>
                        <th scope="col" class="num">
                            {text.rejections.usually}
                        </th>
                        <th scope="col" class="num">
                            {text.rejections.kept}
                        </th>
                        <th scope="col" class="shrink">
                            <span class="visually-hidden">{text.common.action}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{sources.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
    .part()
}

fn fields(ui: Ui, query: &RejectionsQuery, sources: &[Slug]) -> AnyView {
    let text = ui.text;
    let filter = &query.filter;
    let reasons = RejectionReason::ALL.iter();
    let reasons = reasons.map(|reason| (reason.to_string(), text.rejection_reason(*reason).to_owned()));
    let slugs = sources.iter().map(|slug| (slug.to_string(), slug.to_string())).collect();
    let chosen = filter.source.as_ref().map(ToString::to_string);
    let reason = filter.reason.map(|reason| reason.to_string());
    view! {
        {filters::select("source", text.filters.source, text.filters.any, slugs, chosen)}
        {filters::select("reason", text.rejections.why, text.filters.any, reasons.collect(), reason)}
        {filters::moment(ui, "from", "from", text.filters.since, filter.from)}
        {filters::moment(ui, "to", "to", text.filters.until, filter.to)}
    }
    .part()
}

fn table(ui: Ui, rows: Vec<RejectionSummary>, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.rejections.caption}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.rejections.why}</th>
                    <th scope="col">{text.filters.source}</th>
                    <th scope="col">{text.filters.state}</th>
                    <th scope="col" class="p2">{text.rejections.clock_off}</th>
                    <th scope="col" class="p2">{text.rejections.came_from}</th>
                    <th scope="col" class="p3 num">{text.payload.body}</th>
                    <th scope="col">{text.common.received}</th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: RejectionSummary, now: Timestamp) -> AnyView {
    let text = ui.text;
    view! {
        <tr>
            <th scope="row" class="full">
                <a href=format!("/rejections/{}", row.id)>{text.rejection_reason(row.reason)}</a>
                <small class="id">{row.reason.as_str()}</small>
            </th>
            <td data-label=text.filters.source>{row.source.to_string()}</td>
            <td data-label=text.filters.state>{badge::badge(status(ui, row.status))}</td>
            <td class="p2" data-label=text.rejections.clock_off>
                {row.skew_s.map(|skew| self::skew(ui, skew))}
            </td>
            <td class="p2 id" data-label=text.rejections.came_from>
                {row.remote_address}
            </td>
            <td class="p3 num" data-label=text.payload.body>
                {format::bytes(row.body_size)}
            </td>
            <td data-label=text.common.received>{time::both(ui, row.received_at, now)}</td>
        </tr>
    }
    .part()
}

/// How far off the time in a signature is, in words.
pub fn skew(ui: Ui, seconds: i64) -> String {
    let text = ui.text;
    let long = format::precisely(seconds.saturating_abs());
    match seconds {
        0 => text.rejections.clock_right.to_owned(),
        1.. => fill(text.rejections.clock_ahead, &[&long]),
        _ => fill(text.rejections.clock_behind, &[&long]),
    }
}

/// How it looks what became of one.
pub fn status(ui: Ui, status: ReverifyStatus) -> BadgeLook {
    match status {
        ReverifyStatus::Rejected => ("bad", "refused", ui.text.rejections.rejected),
        ReverifyStatus::Stored => ("ok", "delivered", ui.text.rejections.stored),
        ReverifyStatus::Duplicate => ("none", "repeat", ui.text.rejections.known),
    }
}
