//! The list of resends, and the page of one: how far it is, and the way to end it.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::model::{deliveries_link, percent};
use super::{Resend, ResendLane, ResendPage, ResendsPage, ResendsQuery};
use crate::action::{ActionState, FormKind, FormResult};
use crate::context;
use crate::page_data::list::{self, List, ListContent, ListLabels};
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{ResendState, Timestamp, group_digits};
use crate::ui::{IntoPart, Ui, badge, dialog, live, time, title};

/// The list.
#[component]
pub fn ResendsView() -> impl IntoView {
    let ui = context::ui();
    let text = ui.text;
    let show = move |search: &str, answer| match answer {
        Answer::Resends(page) => Some(rows(ui, search, page)),
        _ => None,
    };
    let words = ListLabels {
        title: text.resends.title,
        lede: text.resends.lede,
        filter: text.resends.title,
        newer: (text.live.newer_one, text.live.newer_many),
        pages: (text.list.newer, text.list.older),
        nothing: ("resend", text.resends.none, text.resends.none_help),
        no_match: text.resends.none,
    };
    list::list(ui, List { words, question: |ask| Question::Resends(ask.search), show: Box::new(show) })
}

fn rows(ui: Ui, search: &str, page: ResendsPage) -> ListContent {
    let text = ui.text;
    let url = ResendsQuery::parse(search).url;
    let ResendsPage { page, now } = page;
    let rows = page.items;
    ui.live.expect(rows.iter().any(|row| row.state == ResendState::Running));
    let row = move |row: Resend| {
        view! {
            <tr>
                <td>{badge::badge(badge::resend(ui, row.state))} <small class="id">{row.id}</small></td>
                <th scope="row" class="full">
                    <a href=format!("/resends/{}", row.id)>{row.reason.clone()}</a>
                    <small>{fill(text.common.by_whom, &[&row.actor])}</small>
                </th>
                <td class="num" data-label=text.resends.matching>{group_digits(row.matching)}</td>
                <td class="num" data-label=text.states.done>{group_digits(row.done)}</td>
                <td class="num p1" data-label=text.resends.taken>{group_digits(row.succeeded)}</td>
                <td class="num p1" data-label=text.resends.not_taken>{group_digits(row.failed)}</td>
                <td data-label=text.common.started>{time::both(ui, row.created_at, now)}</td>
            </tr>
        }
    };
    ListContent {
        now,
        actions: ().part(),
        above: ().part(),
        fields: None,
        toolbar: ().part(),
        bulk: ().part(),
        count: rows.len(),
        span: rows.first().zip(rows.last()).map(|(newest, oldest)| (newest.created_at, oldest.created_at)),
        next: page.next_cursor,
        ways: Vec::new(),
        table: view! {
            <table class="table">
                <caption class="visually-hidden">{text.resends.title}</caption>
                <thead>
                    <tr>
                        <th scope="col">{text.filters.state}</th>
                        <th scope="col">{text.resends.reason_short}</th>
                        <th scope="col" class="num">{text.resends.matching}</th>
                        <th scope="col" class="num">{text.states.done}</th>
                        <th scope="col" class="num p1">{text.resends.taken}</th>
                        <th scope="col" class="num p1">{text.resends.not_taken}</th>
                        <th scope="col">{text.common.started}</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
        .part(),
        url,
    }
}

/// The page of one.
#[component]
pub fn ResendView() -> impl IntoView {
    let ui = context::ui();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<i64>().ok()));
    let doing = ActionState::new(&[FormKind::CancelResend]);
    Effect::new(move |_| {
        if let Some(FormResult::Cancelled) = doing.done() {
            ui.live.renew();
        }
    });
    let data = page_data::load(ui, Box::new(move || Question::Resend(id.get())));
    Effect::new(move |_| {
        data.with(|data| {
            if let Some(Ok(Answer::Resend(page))) = data {
                ui.live.expect(page.resend.done < page.resend.matching && page.resend.finished_at.is_none());
            }
        });
    });
    let title = move || fill(ui.text.resends.detail_title, &[&id.get().unwrap_or_default().to_string()]);
    let here = Memo::new(move |_| format!("/resends/{}", id.get().unwrap_or_default()));
    let page = move |answer| match answer {
        Answer::Resend(page) => content(ui, *page, doing),
        _ => ().part(),
    };
    view! {
        {title::title(title)}
        {page_data::loaded(ui, data, here, Arc::new(page))}
    }
}

fn content(ui: Ui, page: ResendPage, doing: ActionState) -> AnyView {
    let text = ui.text;
    let ResendPage { resend, lanes, now } = page;
    let runs = resend.state == ResendState::Running;
    let percent = percent(&resend);
    let done = fill(text.resends.done_of, &[&group_digits(resend.done), &group_digits(resend.matching)]);
    let figure =
        |count: i64, word: &'static str| view! { <li><strong>{group_digits(count)}</strong> {word}</li> };
    let left = (resend.matching - resend.done).max(0);
    view! {
        <header class="page-head">
            <div>
                <nav class="crumbs" aria-label=text.common.you_are_here>
                    <a href="/resends">{text.resends.title}</a>
                    <span aria-hidden="true">"/"</span>
                    <span>{resend.id}</span>
                </nav>
                <h1>
                    {fill(text.resends.detail_title, &[&resend.id.to_string()])} " "
                    {badge::stamp(badge::resend(ui, resend.state))}
                </h1>
                <p class="lede">
                    {resend.reason.clone()} " · " {fill(text.common.by_whom, &[&resend.actor])} " · "
                    {time::exact(ui, resend.created_at, now)}
                </p>
            </div>
            {live::line(ui, now)}
        </header>
        <section class="panel" aria-labelledby="progress-title">
            <header class="panel-head">
                <h2 id="progress-title">{done}</h2>
                <a class="end" href=deliveries_link(&resend.filter)>{text.resends.what_matched}</a>
            </header>
            <div class="panel-body stack">
                <progress max="100" value=percent.to_string() aria-labelledby="progress-title">
                    {percent}"%"
                </progress>
                <ul class="stats">
                    {figure(resend.succeeded, text.resends.taken)}
                    {figure(resend.failed, text.resends.not_taken)}
                    {figure(left, if runs { text.resends.still_waiting } else { text.resends.not_run })}
                </ul>
                {ends(ui, &resend, now)}
            </div>
            {(runs && ui.may_act).then(|| cancel(ui, resend.id, doing))}
        </section>
        {destinations(ui, lanes)}
    }
    .part()
}

fn ends(ui: Ui, resend: &Resend, now: Timestamp) -> AnyView {
    let text = ui.text;
    let said = match resend.state {
        ResendState::Running => text.resends.running_help,
        ResendState::Done => text.resends.done_help,
        ResendState::Cancelled => text.resends.cancelled_help,
    };
    let pace = resend.rate_per_s.map(|rate| fill(text.common.at_most_a_second, &[&rate.to_string()]));
    let at = resend.finished_at.map(|at| view! { " " {time::relative(ui, at, now)} });
    view! { <p>{said} " " {pace} {at}</p> }.part()
}

fn cancel(ui: Ui, id: i64, doing: ActionState) -> AnyView {
    let content = view! {
        <input type="hidden" name="id" value=id.to_string() />
        {dialog::problem(ui, move || doing.error())}
        <footer class="panel-foot">
            <button class="button danger" disabled=move || doing.is_pending()>{ui.text.resends.cancel}</button>
            <span>{ui.text.resends.cancel_help}</span>
        </footer>
    };
    doing.form(ui, FormKind::CancelResend, content.part())
}

fn destinations(ui: Ui, lanes: Vec<ResendLane>) -> AnyView {
    let text = ui.text;
    let row = move |lane: ResendLane| {
        let waits = if lane.paused { text.resends.waits_paused } else { "" };
        view! {
            <tr>
                <th scope="row">{lane.destination.to_string()} <small>{waits}</small></th>
                <td class="num" data-label=text.resends.matching>{group_digits(lane.matching)}</td>
                <td class="num" data-label=text.resends.still_waiting>{group_digits(lane.waiting)}</td>
            </tr>
        }
    };
    (!lanes.is_empty())
        .then(|| {
            view! {
                <section class="panel" aria-labelledby="lanes-title">
                    <header class="panel-head"><h2 id="lanes-title">{text.resends.by_destination}</h2></header>
                    <table class="table">
                        <thead>
                            <tr>
                                <th scope="col">{text.filters.destination}</th>
                                <th scope="col" class="num">{text.resends.matching}</th>
                                <th scope="col" class="num">{text.resends.still_waiting}</th>
                            </tr>
                        </thead>
                        <tbody>{lanes.into_iter().map(row).collect_view()}</tbody>
                    </table>
                </section>
            }
        })
        .part()
}
