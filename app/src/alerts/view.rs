//! The list of alerts.

use leptos::prelude::*;

use super::model::target;
use super::{Alert, AlertsPage, AlertsQuery, Value};
use crate::action::{ActionState, FormKind, FormResult};
use crate::context;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{Answer, Question};
use crate::text::fill;
use crate::types::{AlertKind, AlertState, Timestamp, group_digits};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, dialog, filters, time};

/// The page.
#[component]
pub fn AlertsView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let doing = ActionState::new(&[FormKind::AcknowledgeAlert]);
    Effect::new(move |_| {
        if let Some(FormResult::Seen) = doing.done() {
            ui.toasts.show("ok", text.alerts.done, "");
            ui.live.renew();
        }
    });
    let show = move |search: &str, answer| match answer {
        Answer::Alerts(page) => Some(content(ui, search, page, doing)),
        _ => None,
    };
    let words = ListLabels {
        title: text.alerts.title,
        lede: text.alerts.lede,
        filter: text.alerts.filter,
        newer: (text.live.newer_one, text.live.newer_many),
        pages: (text.list.newer, text.list.older),
        nothing: ("resolved", text.alerts.none, text.alerts.none_help),
        no_match: text.alerts.no_match,
    };
    list::list(ui, List { words, question: Question::Alerts, show: Box::new(show) })
}

fn content(ui: Ui, search: &str, page: AlertsPage, doing: ActionState) -> ListContent {
    let text = ui.text;
    let query = AlertsQuery::parse(search);
    let AlertsPage { page, open, now, .. } = page;
    Effect::new(move |_| ui.alerts.set(open));
    let rows = page.items;
    ListContent {
        now,
        bulk: ().part(),
        actions: ().part(),
        above: dialog::problem(ui, move || doing.error()),
        fields: Some(fields(ui, &query)),
        toolbar: view! { <span class="end">{text.counted(open, text.alerts.open_one, text.alerts.open_many)}</span> }
            .part(),
        count: rows.len(),
        span: rows.first().zip(rows.last()).map(|(newest, oldest)| (newest.opened_at, oldest.opened_at)),
        next: page.next_cursor,
        ways: vec![("state", text.filters.any_state), ("kind", text.filters.any_kind)],
        table: table(ui, rows, now, doing),
        url: query.url,
    }
}

fn fields(ui: Ui, query: &AlertsQuery) -> AnyView {
    let text = ui.text;
    let states = AlertState::ALL.iter().map(|state| (state.to_string(), text.alert_state(*state).to_owned()));
    let kinds = AlertKind::ALL.iter().map(|kind| (kind.to_string(), text.alert_kind(*kind).to_owned()));
    let (state, kind) = (query.filter.state, query.filter.kind);
    view! {
        {filters::select("state", text.filters.state, text.filters.any, states.collect(), state.map(|it| it.to_string()))}
        {filters::select("kind", text.filters.kind, text.filters.any, kinds.collect(), kind.map(|it| it.to_string()))}
    }
    .part()
}

fn table(ui: Ui, rows: Vec<Alert>, now: Timestamp, doing: ActionState) -> AnyView {
    let text = ui.text;
    view! {
        <table class="table">
            <caption class="visually-hidden">{text.alerts.caption}</caption>
            <thead>
                <tr>
                    <th scope="col">{text.filters.state}</th>
                    <th scope="col">{text.common.what_happened}</th>
                    <th scope="col" class="p1">{text.alerts.details}</th>
                    <th scope="col">{text.alerts.since}</th>
                    <th scope="col" class="shrink">
                        <span class="visually-hidden">{text.common.action}</span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| self::row(ui, row, now, doing)).collect_view()}</tbody>
        </table>
    }
    .part()
}

fn row(ui: Ui, row: Alert, now: Timestamp, doing: ActionState) -> AnyView {
    let text = ui.text;
    let href = target(&row);
    let more = match (row.resolved_at, row.acknowledged_by.clone()) {
        (Some(at), _) => {
            Some(view! { <small>{text.states.resolved} " " {time::relative(ui, at, now)}</small> }.part())
        }
        (None, Some(who)) => Some(view! { <small>{fill(text.common.by_whom, &[&who])}</small> }.part()),
        _ => None,
    };
    let acknowledge = (row.state == AlertState::Open && ui.may_act).then(|| {
        let name = fill(text.alerts.acknowledge, &[&row.subject]);
        let content = view! {
            <input type="hidden" name="id" value=row.id />
            <button class="button small" aria-label=name disabled=move || doing.is_pending()>
                {text.common.acknowledge}
            </button>
        };
        doing.form(ui, FormKind::AcknowledgeAlert, content.part())
    });
    view! {
        <tr>
            <td>{badge::badge(badge::alert(ui, row.state))} {more}</td>
            <th scope="row" class="full">
                <a href=href>{text.alert_kind(row.kind)}</a>
                <small class="id" title=row.subject.clone()>{row.subject.clone()}</small>
            </th>
            <td class="p1" data-label=text.alerts.details>{details(ui, &row, now)}</td>
            <td data-label=text.alerts.since>{time::both(ui, row.opened_at, now)}</td>
            <td class="shrink corner">{acknowledge}</td>
        </tr>
    }
    .part()
}

/// What happened and what to do, in the reader's language and time.
fn details(ui: Ui, row: &Alert, now: Timestamp) -> AnyView {
    let (template, values) = row.facts.describe_parts(&row.subject, ui.text);
    let values = values.into_iter().map(|value| match value {
        Value::Text(text) => text.part(),
        Value::Time(at) => time::exact(ui, at, now),
    });
    sentence(template, values).part()
}

/// How many are open, for the menu; nothing when none is.
pub fn count(ui: Ui) -> AnyView {
    let said = move || {
        let open = ui.alerts.get();
        (open > 0).then(|| {
            let words = ui.text.counted(open, ui.text.alerts.open_one, ui.text.alerts.open_many);
            view! {
                <span class="count end" title=words.clone()>
                    <span aria-hidden="true">{group_digits(open)}</span>
                    <span class="visually-hidden">{words.clone()}</span>
                </span>
            }
        })
    };
    view! { {said} }.part()
}
