//! One delivery: what to say about it, its ladder, its attempts, its event, and who did what.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use super::ladder::{self, Ladder, Step};
use super::resend::ResendForm;
use super::timeline::{answer, facts, log};
use super::{DeliveryPage, inspector};
use crate::context;
use crate::page_data::{self, Answer, PageData, Question};
use crate::text::fill;
use crate::types::{DeliveryNumber, DeliveryState, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, browser, format, icon, live, payload, query, time, title};

/// The page.
#[component]
pub fn DeliveryView() -> impl IntoView {
    let ui = context::ui();
    let params = use_params_map();
    let search = use_location().search;
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<DeliveryNumber>().ok()));
    let resending = ResendForm::new(ui);
    let data = page_data::load(ui, Box::new(move || Question::Delivery(id.get())));
    show_result_toast(ui, data);
    let title = move || match id.get() {
        Some(id) => fill(ui.text.delivery.title, &[&id.to_string()]),
        None => ui.text.errors.not_found_title.to_owned(),
    };
    let here = Memo::new(move |_| format!("/deliveries/{}", id.get().unwrap_or_default()));
    let page = move |answer| match answer {
        Answer::Delivery(page) => content(ui, &search.get_untracked(), *page, resending),
        _ => ().part(),
    };
    view! {
        {title::title(title)}
        {page_data::loaded(ui, data, here, Arc::new(page))}
        {resending.dialog()}
    }
}

/// Looks more often while an attempt by hand runs, and says how it ended.
fn show_result_toast(ui: Ui, data: PageData) {
    let waiting_for: StoredValue<Option<i64>> = StoredValue::new(None);
    Effect::new(move |_| {
        data.with(|data| {
            let Some(Ok(Answer::Delivery(page))) = data else { return };
            let attempts = &page.delivery.attempt_log;
            let running =
                attempts.iter().rev().find(|attempt| attempt.n.is_none() && !ladder::is_finished(attempt));
            ui.live.expect(running.is_some());
            let ended = waiting_for.get_value().and_then(|id| {
                attempts.iter().find(|attempt| attempt.id == id && ladder::is_finished(attempt))
            });
            if let Some(attempt) = ended {
                let destination = page.delivery.summary.destination.to_string();
                match attempt.error {
                    None => ui.toasts.show("ok", fill(ui.text.resends.resent_taken, &[&destination]), ""),
                    Some(_) => {
                        let outcome = ladder::outcome(attempt, ui.text);
                        ui.toasts.show(
                            "bad",
                            fill(ui.text.resends.resent_failed, &[&outcome]),
                            ui.text.attempts.manual,
                        );
                    }
                }
            }
            waiting_for.set_value(running.map(|attempt| attempt.id));
        });
    });
}

fn content(ui: Ui, search: &str, page: DeliveryPage, resending: ResendForm) -> AnyView {
    let text = ui.text;
    let now = page.now;
    let summary = page.delivery.summary.clone();
    let destination = summary.destination.to_string();
    let target = (summary.id, destination.clone());
    let in_page = query::value(search, "resend").is_some().then(|| resending.in_page(target.clone()));
    let attempt = query::value(search, "attempt");
    let attempts = page.delivery.attempt_log.clone();
    view! {
        <header class="page-head">
            <div>
                <nav class="crumbs" aria-label=text.common.you_are_here>
                    <a href="/deliveries">{text.deliveries.title}</a>
                    <span aria-hidden="true">"/"</span>
                    <span>{summary.id}</span>
                </nav>
                <h1>
                    {fill(text.delivery.title, &[&summary.id.to_string()])} " "
                    {badge::stamp(badge::delivery(ui, summary.state))}
                </h1>
                {lede(ui, &page)}
            </div>
            <div class="row">
                {live::line(ui, now)} {resending.large(target, in_page.is_none())}
            </div>
        </header>
        {in_page}
        <div class="columns answer even">
            <section class="slip" aria-labelledby="answer-title">
                <h2 id="answer-title">{text.common.what_happened}</h2>
                <p class="say-this" id="answer">
                    {answer(ui, &page.delivery, now)}
                </p>
                <p class="row with-script">
                    <button class="button small" type="button" on:click=move |_| copy_answer(ui)>
                        {icon::icon("copy")}
                        {text.common.copy_answer}
                    </button>
                </p>
                <hr class="tear" />
                {facts(ui, &page.delivery, now)}
            </section>
            {ladder_panel(ui, &page)}
        </div>
        <section class="panel" aria-labelledby="attempts-title">
            <header class="panel-head">
                <h2 id="attempts-title">{text.deliveries.attempts}</h2>
                <p>{text.delivery.attempts_lede}</p>
            </header>
            {inspector::inspector(ui, attempts, destination, attempt.as_deref(), now)}
        </section>
        <div class="columns">
            {event_panel(ui, &page)}
            <section class="panel" aria-labelledby="log-title">
                <header class="panel-head">
                    <h2 id="log-title">{text.delivery.who_did_what}</h2>
                </header>
                {log(ui, &page.delivery, now)}
            </section>
        </div>
    }
    .part()
}

fn lede(ui: Ui, page: &DeliveryPage) -> AnyView {
    let text = ui.text;
    let summary = &page.delivery.summary;
    let narrowed =
        |name: &'static str, value: String| query::link("/deliveries", &query::write([(name, value)]));
    let resource = summary.resource_id.clone().map(|id| {
        let href = narrowed("resource", id.clone());
        view! { " " {text.common.for_resource} " " <a class="id" href=href>{id}</a> }
    });
    let destination = summary.destination.to_string();
    view! {
        <p class="lede">
            <b inner_html=super::view::breakable(&summary.r#type)></b>
            {resource}
            " "
            {text.delivery.to_destination}
            " "
            <a href=narrowed("destination", destination.clone())>{destination.clone()}</a>
        </p>
    }
    .part()
}

fn copy_answer(ui: Ui) {
    if let Some(answer) = browser::find("#answer") {
        browser::copy(&answer.inner_text());
        ui.toasts.show("ok", ui.text.common.copied, "");
    }
}

fn ladder_panel(ui: Ui, page: &DeliveryPage) -> AnyView {
    let text = ui.text;
    let (delivery, now) = (&page.delivery, page.now);
    let ladder = Ladder::of(delivery, text);
    let next = ladder.next().filter(|mark| mark.step == Step::Next).map(|mark| mark.at);
    let failed = ladder.marks.iter().filter(|mark| mark.n.is_some() && mark.step == Step::Failed).count();
    let left = delivery.summary.max_attempts.saturating_sub(delivery.summary.attempts);
    let countdown = next.filter(|_| delivery.summary.state == DeliveryState::Pending).map(|at| {
        let counts = fill(text.ladder.failed_left, &[&failed.to_string(), &left.to_string()]);
        (
            view! { <p class="countdown">{time::relative(ui, at, now)}</p> },
            view! {
                <p class="end">
                    {sentence(text.ladder.at, [time::exact(ui, at, now).part()])} " · " {counts}
                </p>
            },
        )
    });
    let (count, exact) = countdown.unzip();
    view! {
        <section class="panel" aria-labelledby="ladder-title">
            <header class="panel-head">
                <div>
                    <h2 id="ladder-title">{ladder::heading(ui, delivery, &ladder)}</h2>
                    {count}
                </div>
                {exact}
            </header>
            <div class="panel-body">{ladder::ladder(ui, ladder.clone(), now)}</div>
            {ladder::legend(ui, &ladder)}
        </section>
    }
    .part()
}

fn event_panel(ui: Ui, page: &DeliveryPage) -> AnyView {
    let text = ui.text;
    let (delivery, now) = (&page.delivery, page.now);
    let summary = delivery.summary.clone();
    let moment = |at: Timestamp| time::exact(ui, at, now);
    let all = query::link("/deliveries", &query::write([("event_id", summary.event_id.clone())]));
    let arrivals = text.counted(delivery.arrivals, text.delivery.arrivals_one, "");
    let arrivals = match delivery.arrivals {
        ..=1 => arrivals,
        count => fill(text.delivery.arrivals_many, &[&count.to_string(), &(count - 1).to_string()]),
    };
    let row = |name: &'static str, value: AnyView| view! { <dt>{name}</dt> <dd>{value}</dd> };
    let optional = |name, value: Option<AnyView>| value.map(|value| row(name, value));
    view! {
        <section class="panel" aria-labelledby="event-title">
            <header class="panel-head">
                <h2 id="event-title">{text.common.the_event}</h2>
                <a class="end" rel="external" href=format!("/events/{}/body", summary.event)>
                    {fill(text.payload.exact_bytes, &[&format::bytes(delivery.body_size)])}
                </a>
            </header>
            <dl class="facts panel-body">
                {row(text.filters.event_id, payload::copyable(ui, text.filters.event_id, summary.event_id.clone()).part())}
                {row(text.common.type_name, view! { <span class="id">{summary.r#type.clone()}</span> }.part())}
                {row(text.common.from, summary.source.to_string().part())}
                {row(text.delivery.arrivals, arrivals.part())}
                {optional(text.common.occurred, delivery.occurred_at.map(|at| moment(at).part()))}
                {row(text.delivery.received, moment(summary.received_at).part())}
                {row(text.delivery.url, view! { <span class="id">{delivery.url.clone()}</span> }.part())}
                {optional(
                    text.common.content_type,
                    delivery.content_type.clone().map(|kind| view! { <span class="id">{kind}</span> }.part()),
                )}
            </dl>
            <p class="panel-body row">
                <a href=format!("/events/{}", summary.event)>{text.delivery.event_page}</a>
                <a href=all>{text.delivery.all_of_event}</a>
            </p>
            {payload::body(ui, &page.body, delivery.body_size)}
        </section>
    }
    .part()
}
