//! The page that asks before a resend of many: how many, where to, of which types, and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

use super::model::deliveries_link;
use super::{PlanPage, ResendPlan};
use crate::action::{ActionState, FormKind, FormResult};
use crate::context;
use crate::deliveries::{DeliveriesQuery, breakable};
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::group_digits;
use crate::ui::{IntoPart, Ui, dialog, empty, filters, format, live, query, title};

/// Rows of a table at most.
const ROWS: usize = 12;

/// The page.
#[component]
pub fn PlanView() -> impl IntoView {
    let ui = context::ui();
    let search = use_location().search;
    let navigate = use_navigate();
    let doing = ActionState::new(&[FormKind::StartResend]);
    Effect::new(move |_| {
        if let Some(FormResult::Started(id)) = doing.done() {
            navigate(&format!("/resends/{id}"), Default::default());
        }
    });
    ui.live.expect(false);
    let data = page_data::load(ui, Box::new(move || Question::ResendPlan(search.get())));
    let here = Memo::new(move |_| query::link("/resends/new", &search.get()));
    let page = move |answer| match answer {
        Answer::ResendPlan(page) => content(ui, &search.get_untracked(), page, doing),
        _ => ().part(),
    };
    view! {
        {title::title(move || ui.text.resends.many.to_owned())}
        {page_data::loaded(ui, data, here, Arc::new(page))}
    }
}

fn content(ui: Ui, search: &str, page: PlanPage, doing: ActionState) -> AnyView {
    let text = ui.text;
    let query = DeliveriesQuery::parse(search);
    let back = deliveries_link(&query.filter);
    let PlanPage { plan, now } = page;
    let understood = query.url.ignored.is_empty();
    let asks = match (understood, plan.matching) {
        (false, _) => ().part(),
        (true, 0) => {
            let again = vec![(back.clone(), text.common.back_to_deliveries.to_owned())];
            let nothing = empty::empty(
                "search",
                text.deliveries.no_match.to_owned(),
                text.resends.nothing_to_resend.to_owned(),
                again,
            );
            view! { <section class="panel">{nothing}</section> }.part()
        }
        (true, _) => ask(ui, query.url.filters(), &plan, &back, doing),
    };
    view! {
        <header class="page-head">
            <div>
                <nav class="crumbs" aria-label=text.common.you_are_here>
                    <a href="/deliveries">{text.deliveries.title}</a>
                    <span aria-hidden="true">"/"</span>
                    <span>{text.resends.many}</span>
                </nav>
                <h1>{text.resends.many}</h1>
                <p class="lede">{describe_selection(ui, &query)}</p>
            </div>
            {live::line(ui, now)}
        </header>
        {filters::ignored(ui, &query.url.ignored)}
        {asks}
    }
    .part()
}

/// What the filter says, in one line.
fn describe_selection(ui: Ui, query: &DeliveriesQuery) -> String {
    let text = ui.text;
    let filter = &query.filter;
    let mut parts: Vec<String> = Vec::new();
    if !filter.id.is_empty() {
        parts.push(text.counted(
            filter.id.len() as i64,
            text.resends.selected_one,
            text.resends.selected_many,
        ));
    }
    parts.extend(filter.state.iter().map(|state| text.delivery_state(*state).to_owned()));
    let named = |name: &'static str, value: String| format!("{name}: {value}");
    parts.extend(filter.destination.iter().map(|value| named(text.filters.destination, value.to_string())));
    parts.extend(filter.source.iter().map(|value| named(text.filters.source, value.to_string())));
    parts.extend(filter.r#type.iter().map(|value| named(text.filters.event_type, value.clone())));
    parts.extend(filter.resource.iter().map(|value| named(text.filters.payment, value.clone())));
    parts.extend(filter.event_id.iter().map(|value| named(text.filters.event_id, value.clone())));
    parts.extend(filter.overdue.then(|| text.deliveries.overdue_only.to_owned()));
    let moment = |at| format::full(at, ui.clock.utc_offset(at), text);
    parts.extend(filter.from.map(|at| named(text.filters.since, moment(at))));
    parts.extend(filter.to.map(|at| named(text.filters.until, moment(at))));
    if parts.is_empty() { text.resends.every_delivery.to_owned() } else { parts.join(" · ") }
}

fn ask(ui: Ui, filter: String, plan: &ResendPlan, back: &str, doing: ActionState) -> AnyView {
    let text = ui.text;
    let count = group_digits(plan.matching);
    let title = text.counted(plan.matching, text.resends.would_resend_one, text.resends.would_resend_many);
    let content = view! {
        <input type="hidden" name="filter" value=filter />
        <div class="panel-body stack">
            <p>{text.resends.many_help}</p>
            {dialog::problem(ui, move || doing.error())}
            {dialog::reason("reason", text.common.reason, text.common.reason_hint, text.resends.reason_hint, "reason-many")}
            <div class="field">
                <label for="rate">{text.resends.pace}</label>
                <input id="rate" name="rate_per_s" type="number" min="0.1" max="10000" step="any" inputmode="decimal" aria-describedby="rate-hint" />
                <small id="rate-hint">{text.resends.pace_hint}</small>
            </div>
        </div>
        <footer class="panel-foot">
            <a class="button" href=back.to_owned()>{text.common.cancel}</a>
            <button class="button primary" disabled=move || doing.is_pending()>
                {fill(text.resends.resend_count_now, &[&count])}
            </button>
        </footer>
    };
    view! {
        <div class="columns even">
            <section class="panel" aria-labelledby="ask-title">
                <header class="panel-head">
                    <h2 id="ask-title">{title}</h2>
                </header>
                {doing.form(ui, FormKind::StartResend, content.part())}
            </section>
            <div class="stack">
                {counts(ui, "by-destination", text.resends.by_destination, text.filters.destination, &plan.by_destination)}
                {counts(ui, "by-type", text.resends.by_type, text.filters.event_type, &plan.by_type)}
            </div>
        </div>
    }
    .part()
}

fn counts(
    ui: Ui,
    id: &'static str,
    title: &'static str,
    name: &'static str,
    counts: &BTreeMap<String, i64>,
) -> AnyView {
    let mut rows: Vec<_> = counts.iter().map(|(name, count)| (name.clone(), *count)).collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more: i64 = rows.iter().skip(ROWS).map(|(_, count)| count).sum();
    rows.truncate(ROWS);
    if more > 0 {
        rows.push(("…".to_owned(), more));
    }
    let row = |(name, count): (String, i64)| {
        view! {
            <tr>
                <th scope="row" inner_html=breakable(&name)></th>
                <td class="num">{group_digits(count)}</td>
            </tr>
        }
    };
    view! {
        <section class="panel" aria-labelledby=id>
            <header class="panel-head"><h2 id=id>{title}</h2></header>
            <table class="table keep">
                <thead>
                    <tr>
                        <th scope="col">{name}</th>
                        <th scope="col" class="num">{ui.text.deliveries.title}</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
    .part()
}
