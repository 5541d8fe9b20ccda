//! What the providers' books say beside ours: kinds with what to do next, differences, runs.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::differences::differences;
use super::forms::Forms;
use super::runs::runs;
use super::{DifferencesQuery, ReconciliationPage};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{DifferenceKind, RunState, group_digits};
use crate::ui::{IntoPart, Ui, empty, filters, live, query, title};

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
