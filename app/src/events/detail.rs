//! One event: when it arrived, where it went, and its exact words.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use super::release::ReleaseForm;
use super::{Arrival, EventDetail, EventPage, timeline};
use crate::action::{ActionState, FormKind, FormResult};
use crate::context;
use crate::deliveries::{ResendForm, breakable, table};
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::{EventNumber, Slug, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, dialog, empty, format, icon, live, payload, query, time, title};

/// The page.
#[component]
pub fn EventView() -> impl IntoView {
    let ui = context::ui();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<EventNumber>().ok()));
    ui.live.expect(false);
    let resending = ResendForm::new(ui);
    let releasing = ReleaseForm::new(ui);
    let search = use_location().search;
    let doing = ActionState::new(&[FormKind::Deliver]);
    Effect::new(move |_| {
        if let Some(FormResult::Resent(delivery)) = doing.done() {
            let help = fill(ui.text.resends.queued_help, &[&delivery.to_string()]);
            ui.toasts.show("accent", ui.text.resends.queued, help);
            ui.live.renew();
        }
    });
    let data = page_data::load(ui, Box::new(move || Question::Event(id.get())));
    let title = move || match id.get() {
        Some(id) => fill(ui.text.event.title, &[&id.to_string()]),
        None => ui.text.errors.not_found_title.to_owned(),
    };
    let here = Memo::new(move |_| format!("/events/{}", id.get().unwrap_or_default()));
    let page = move |answer| match answer {
        Answer::Event(page) => {
            content(ui, &search.get_untracked(), *page, PageActions { resending, releasing, doing })
        }
        _ => ().part(),
    };
    view! {
        {title::title(title)}
        {page_data::loaded(ui, data, here, Arc::new(page))}
        {resending.dialog()}
        {releasing.dialog()}
    }
}

/// What the page lets people do.
#[derive(Clone, Copy)]
struct PageActions {
    resending: ResendForm,
    releasing: ReleaseForm,
    doing: ActionState,
}

fn content(ui: Ui, search: &str, page: EventPage, acts: PageActions) -> AnyView {
    let PageActions { resending, releasing, doing } = acts;
    let text = ui.text;
    let now = page.now;
    let event = page.event;
    let resource = event.resource_id.clone().map(|id| {
        let href = query::link("/events", &query::write([("resource", id.clone())]));
        view! { " " {text.common.for_resource} " " <a class="id" href=href>{id}</a> }
    });
    view! {
        <header class="page-head">
            <div>
                <nav class="crumbs" aria-label=text.common.you_are_here>
                    <a href="/events">{text.events.title}</a>
                    <span aria-hidden="true">"/"</span>
                    <span>{event.id}</span>
                </nav>
                <h1>{fill(text.event.title, &[&event.id.to_string()])}</h1>
                <p class="lede">
                    <b inner_html=breakable(&event.r#type)></b>
                    {resource}
                    " "
                    {text.event.from}
                    " "
                    {event.source.to_string()}
                </p>
            </div>
            {live::line(ui, now)}
        </header>
        {releasing.note(search, &event, page.live, now)}
        {deliveries(ui, &event, now, resending, deliver(ui, &event, page.destinations, doing))}
        {timeline::panel(ui, &event, now)}
        <div class="columns">
            <section class="panel" aria-labelledby="facts-title">
                <header class="panel-head">
                    <h2 id="facts-title">{text.common.the_event}</h2>
                    <a class="end" rel="external" href=format!("/events/{}/body", event.id)>
                        {fill(text.payload.exact_bytes, &[&format::bytes(event.body_size)])}
                    </a>
                </header>
                {facts(ui, &event, now)}
                {payload::body(ui, &page.body, event.body_size)}
            </section>
            <div class="stack">
                {arrivals(ui, &event, now)}
                <section class="panel" aria-labelledby="headers-title">
                    <header class="panel-head">
                        <h2 id="headers-title">{text.common.what_arrived}</h2>
                    </header>
                    <div class="panel-body">{payload::headers(ui, event.headers.clone())}</div>
                </section>
            </div>
        </div>
    }
    .part()
}

/// The form that delivers it to a destination of one's choice; one that waits to be released goes nowhere before.
fn deliver(ui: Ui, event: &EventDetail, destinations: Vec<Slug>, doing: ActionState) -> AnyView {
    let text = ui.text;
    let option = |slug: &Slug| view! { <option value=slug.to_string()>{slug.to_string()}</option> };
    let content = view! {
        <input type="hidden" name="event" value=event.id.to_string() />
        <div class="panel-body stack">
            <p>{text.event.deliver_help}</p>
            {dialog::problem(ui, move || doing.error())}
            <div class="field">
                <label for="deliver-to">{text.event.deliver_to}</label>
                <select id="deliver-to" name="destination">{destinations.iter().map(option).collect_view()}</select>
            </div>
            {dialog::reason("reason", text.common.reason, text.common.reason_hint, text.resends.reason_hint, "reason-deliver")}
            <p><button class="button primary" disabled=move || doing.is_pending()>{text.event.deliver_now}</button></p>
        </div>
    };
    (ui.may_act && !event.held && !destinations.is_empty())
        .then(|| {
            view! {
                <details class="panel-foot-details">
                    <summary>{text.event.deliver_more}</summary>
                    {doing.form(ui, FormKind::Deliver, content.part())}
                </details>
            }
        })
        .part()
}

fn deliveries(
    ui: Ui,
    event: &EventDetail,
    now: Timestamp,
    resending: ResendForm,
    deliver: AnyView,
) -> AnyView {
    let text = ui.text;
    let content = match (event.deliveries.is_empty(), event.processed_at) {
        (false, _) => table(ui, event.deliveries.clone(), now, resending, None).part(),
        (true, None) if event.held => empty::empty("held", text.event.held.to_owned(), String::new(), vec![]),
        (true, None) => empty::empty("pending", text.event.not_processed.to_owned(), String::new(), vec![]),
        (true, Some(_)) => empty::empty(
            "warn",
            text.event.no_deliveries.to_owned(),
            text.event.no_deliveries_help.to_owned(),
            vec![],
        ),
    };
    view! {
        <section class="panel" aria-labelledby="deliveries-title">
            <header class="panel-head">
                <h2 id="deliveries-title">{text.event.deliveries}</h2>
            </header>
            {content}
            {deliver}
        </section>
    }
    .part()
}

fn facts(ui: Ui, event: &EventDetail, now: Timestamp) -> AnyView {
    let text = ui.text;
    let mono = |value: String| view! { <span class="id">{value}</span> }.part();
    let row = |name: &'static str, value: AnyView| view! { <dt>{name}</dt> <dd>{value}</dd> };
    let optional = |name, value: Option<AnyView>| value.map(|value| row(name, value));
    let occurred = event
        .occurred_at
        .map(|at| sentence(text.common.occurred_value, [time::exact(ui, at, now).part()]).part());
    let processed = match event.processed_at {
        Some(at) => {
            let millis = (at.micros() - event.received_at.micros()).max(0) / 1000;
            fill(text.events.processed_after, &[&format::took(millis, text)])
        }
        None => text.events.not_processed.to_owned(),
    };
    let mode = event.is_test.map(|test| if test { text.states.mode_test } else { text.states.mode_live });
    view! {
        <dl class="facts panel-body">
            {row(text.filters.event_id, payload::copyable(ui, text.filters.event_id, event.event_id.clone()).part())}
            {row(text.common.type_name, mono(event.r#type.clone()))}
            {optional(text.filters.payment, event.resource_id.clone().map(mono))}
            {optional(text.event.kind, event.resource_kind.clone().map(mono))}
            {optional(text.common.status, event.status.clone().map(mono))}
            {row(text.common.from, event.source.to_string().part())} {optional(text.common.occurred, occurred)}
            {row(text.events.received, time::exact(ui, event.received_at, now).part())}
            {row(text.events.processed, processed.part())}
            {optional(text.event.mode, mode.map(IntoPart::part))}
            {optional(text.event.version, event.version.clone().map(mono))}
            {optional(text.common.content_type, event.content_type.clone().map(mono))}
        </dl>
    }
    .part()
}

fn arrivals(ui: Ui, event: &EventDetail, now: Timestamp) -> AnyView {
    let text = ui.text;
    let entry = |arrival: &Arrival| {
        let (shape, tone, words) = match (arrival.outcome.as_str(), arrival.same_bytes) {
            ("stored", _) => ("delivered", "ok", text.event.arrival_stored),
            (_, true) => ("repeat", "none", text.event.arrival_duplicate),
            (_, false) => ("warn", "bad", text.event.arrival_differs),
        };
        view! {
            <li>
                {time::exact(ui, arrival.received_at, now)} {icon::toned(shape, tone)} <div>{words}</div>
            </li>
        }
    };
    let more = event.arrival_count - event.arrivals.len() as i64;
    let more = (more > 0).then(|| fill(text.event.arrivals_more, &[&crate::types::group_digits(more)]));
    view! {
        <section class="panel" aria-labelledby="arrivals-title">
            <header class="panel-head">
                <h2 id="arrivals-title">{text.events.arrivals}</h2>
                <p>{crate::types::group_digits(event.arrival_count)}</p>
            </header>
            <ol class="timeline panel-body">{event.arrivals.iter().map(entry).collect_view()}</ol>
            {more.map(|more| view! { <p class="panel-foot">{more}</p> })}
        </section>
    }
    .part()
}
