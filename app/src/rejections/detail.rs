//! One rejection: what the doctor found, and what arrived.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use super::verify::VerifyForm;
use super::view::{skew, status};
use super::{Finding, FindingKind, RejectionNumber, RejectionPage};
use crate::context;
use crate::page_data::{self, Answer, Question};
use crate::text::fill;
use crate::types::ReverifyStatus;
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, badge, browser, format, icon, live, payload, query, time, title};

/// The page.
#[component]
pub fn RejectionView() -> impl IntoView {
    let ui = context::ui();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<RejectionNumber>().ok()));
    ui.live.expect(false);
    let verifying = VerifyForm::new(ui);
    let search = use_location().search;
    let data = page_data::load(ui, Box::new(move || Question::Rejection(id.get())));
    let title = move || match id.get() {
        Some(id) => fill(ui.text.rejections.detail_title, &[&id.to_string()]),
        None => ui.text.errors.not_found_title.to_owned(),
    };
    let here = Memo::new(move |_| format!("/rejections/{}", id.get().unwrap_or_default()));
    let page = move |answer| match answer {
        Answer::Rejection(page) => content(ui, &search.get_untracked(), *page, verifying),
        _ => ().part(),
    };
    view! {
        {title::title(title)}
        {page_data::loaded(ui, data, here, Arc::new(page))}
    }
}

fn content(ui: Ui, search: &str, page: RejectionPage, verifying: VerifyForm) -> AnyView {
    let text = ui.text;
    let now = page.now;
    let rejection = &page.rejection;
    view! {
        <header class="page-head">
            <div>
                <nav class="crumbs" aria-label=text.common.you_are_here>
                    <a href="/rejections">{text.rejections.title}</a>
                    <span aria-hidden="true">"/"</span>
                    <span>{rejection.id}</span>
                </nav>
                <h1>
                    {fill(text.rejections.detail_title, &[&rejection.id.to_string()])} " "
                    {badge::stamp(status(ui, rejection.status))}
                </h1>
                <p class="lede">
                    <b>{text.rejection_reason(rejection.reason)}</b>
                    " "
                    {text.event.from}
                    " "
                    <a href=format!("/rejections?source={}", rejection.source)>{rejection.source.to_string()}</a>
                </p>
            </div>
            {live::line(ui, now)}
        </header>
        <div class="columns answer even">
            {answer(ui, search, &page, verifying)} {examined(ui, &page)}
        </div>
        <div class="columns">
            <section class="panel" aria-labelledby="body-title">
                <header class="panel-head">
                    <h2 id="body-title">{text.common.what_arrived}</h2>
                </header>
                <p class="panel-body id">{format!("POST {}", rejection.target)}</p>
                {payload::body(ui, &page.body, rejection.body_size)}
            </section>
            <section class="panel" aria-labelledby="headers-title">
                <header class="panel-head">
                    <h2 id="headers-title">{text.rejections.its_headers}</h2>
                </header>
                <div class="panel-body">{payload::headers(ui, rejection.headers.clone())}</div>
            </section>
        </div>
    }
    .part()
}

/// The cause in words, and what can be done about it here.
fn answer(ui: Ui, search: &str, page: &RejectionPage, verifying: VerifyForm) -> AnyView {
    let text = ui.text;
    let rejection = &page.rejection;
    let first = page.titles.first().zip(rejection.findings.first());
    let (title, said) = match first {
        Some(((title, _), finding)) => (title.clone(), finding.message.clone()),
        None => (text.rejection_reason(rejection.reason).to_owned(), String::new()),
    };
    let code = rejection.findings.first().map(|finding| finding.code.clone());
    let event = rejection.event.map(|event| {
        let link =
            view! { <a href=format!("/events/{event}")>{fill(text.event.title, &[&event.to_string()])}</a> };
        let by = rejection.verified_by.clone().unwrap_or_default();
        view! { <p>{sentence(text.rejections.verified_as, [link.part(), by.part()])}</p> }
    });
    let waits = rejection.status == ReverifyStatus::Rejected;
    // Said by its address when it was verified without script.
    let still = query::value(search, "still").filter(|_| waits && page.cannot.is_none());
    let still = still
        .map(|_| text.rejections.verified_rejected.to_owned())
        .or_else(|| page.cannot.clone().filter(|_| waits));
    let still = still.map(|said| {
        view! {
            <div class="note" data-tone="wait" role="status">
                {icon::icon("info")}
                <p>{said}</p>
            </div>
        }
    });
    view! {
        <section class="slip" aria-labelledby="answer-title">
            <h2 id="answer-title">{title}</h2>
            <p class="say-this" id="answer">
                {said}
            </p>
            {event}
            {still}
            <div class="row">
                {(waits && page.cannot.is_none()).then(|| verifying.one(rejection.id))}
                <button class="button with-script" type="button" on:click=move |_| copy_answer(ui)>
                    {icon::icon("copy")}
                    {text.common.copy_answer}
                </button>
            </div>
            <hr class="tear" />
            {facts(ui, page, code)}
        </section>
    }
    .part()
}

fn copy_answer(ui: Ui) {
    if let Some(answer) = browser::find("#answer") {
        browser::copy(&answer.inner_text());
        ui.toasts.show("ok", ui.text.common.copied, "");
    }
}

fn facts(ui: Ui, page: &RejectionPage, code: Option<String>) -> AnyView {
    let (text, now) = (ui.text, page.now);
    let rejection = &page.rejection;
    let row = |name: &'static str, value: AnyView| view! { <dt>{name}</dt> <dd>{value}</dd> };
    let clock = rejection.skew_s.map(|seconds| {
        let allowed = match page.tolerance_s {
            Some(allowed) => fill(text.rejections.clock_allowed, &[&format::precisely(allowed)]),
            None => text.rejections.clock_any.to_owned(),
        };
        row(text.rejections.clock_off, format!("{}; {allowed}", skew(ui, seconds)).part())
    });
    let hash = page.body_sha256.clone().map(|hash| view! { ", SHA-256 " <span class="id">{hash}</span> });
    let body = view! { {format::bytes(rejection.body_size)} {hash} }.part();
    let address = rejection
        .remote_address
        .clone()
        .map(|address| row(text.rejections.came_from, view! { <span class="id">{address}</span> }.part()));
    view! {
        <dl class="facts">
            {row(text.rejections.why, view! { <span class="id">{rejection.reason.as_str()}</span> }.part())}
            {code.map(|code| row(text.rejections.finding, view! { <span class="id">{code}</span> }.part()))}
            {row(text.common.received, time::exact(ui, rejection.received_at, now))} {clock} {address}
            {row(text.payload.body, body)}
        </dl>
    }
    .part()
}

/// What else the doctor saw; the first is the answer itself.
fn examined(ui: Ui, page: &RejectionPage) -> AnyView {
    let text = ui.text;
    let finding = |((title, verdict), finding): (&(String, FindingKind), &Finding)| {
        let (tone, shape) = match verdict {
            FindingKind::Cause => ("bad", "failed"),
            FindingKind::Hint => ("wait", "info"),
            FindingKind::Good => ("ok", "delivered"),
        };
        view! {
            <div class="finding" data-tone=tone>
                {icon::icon(shape)}
                <div>
                    <h3>{title.clone()}</h3>
                    <p>{finding.message.clone()}</p>
                    <small class="id">{finding.code.clone()}</small>
                </div>
            </div>
        }
    };
    let more = page.titles.iter().zip(&page.rejection.findings).skip(1);
    let nothing = (more.len() == 0).then(|| view! { <p class="muted">{text.rejections.findings_none}</p> });
    let findings = more.map(finding).collect_view();
    view! {
        <section class="panel" aria-labelledby="findings-title">
            <header class="panel-head">
                <h2 id="findings-title">{text.rejections.findings}</h2>
                <p>{text.rejections.findings_help}</p>
            </header>
            <div class="panel-body">{findings} {nothing}</div>
        </section>
    }
    .part()
}
