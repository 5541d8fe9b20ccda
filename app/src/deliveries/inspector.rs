//! The attempts of a delivery, each with what was sent and what came back.

use leptos::prelude::*;
use leptos::tachys::view::keyed::keyed;

use super::ladder::{is_finished, outcome};
use super::view::status_name;
use super::{Attempt, Latency};
use crate::text::{Texts, fill};
use crate::types::{AttemptError, Timestamp};
use crate::ui::{IntoPart, Ui, empty, format, icon, payload, time};

/// Newest first; one is open: the one that the URL names, or the last on the ladder.
pub fn inspector(
    ui: Ui,
    attempts: Vec<Attempt>,
    destination: String,
    wanted: Option<&str>,
    now: Timestamp,
) -> AnyView {
    if attempts.is_empty() {
        let (title, help) = (ui.text.attempts.none.to_owned(), ui.text.attempts.none_help.to_owned());
        return empty::empty("pending", title, help, vec![]);
    }
    let is_wanted = |attempt: &&Attempt| wanted.is_some_and(|wanted| wanted == handle(attempt));
    let on_ladder = |attempt: &&Attempt| attempt.n.is_some() && is_finished(attempt);
    let open = attempts
        .iter()
        .find(is_wanted)
        .or_else(|| attempts.iter().rev().find(on_ladder))
        .or(attempts.last())
        .map(|attempt| attempt.id);
    let newest_first = attempts.into_iter().rev();
    // By key, so that what somebody has open stays open when another attempt comes.
    let entries = keyed(
        newest_first,
        |attempt| (attempt.id, attempt.started_at, is_finished(attempt)),
        move |_, attempt| (|_| {}, one(ui, &attempt, &destination, open == Some(attempt.id), now)),
    );
    view! { <div class="inspector">{entries}</div> }.part()
}

/// How a URL names an attempt: by its rung, or `manual-` and its number.
fn handle(attempt: &Attempt) -> String {
    attempt.n.map_or_else(|| format!("manual-{}", attempt.id), |n| n.to_string())
}

fn one(ui: Ui, attempt: &Attempt, destination: &str, open: bool, now: Timestamp) -> AnyView {
    let text = ui.text;
    let name = match attempt.n {
        Some(n) => fill(text.attempts.title, &[&n.to_string()]),
        None => text.attempts.by_hand.to_owned(),
    };
    let (tone, shape) = match (is_finished(attempt), attempt.error.is_none(), attempt.n.is_some()) {
        (false, ..) => ("accent", "next"),
        (_, true, true) => ("ok", "delivered"),
        (_, true, false) => ("ok", "manual-ok"),
        (_, false, true) => ("bad", "failed"),
        (_, false, false) => ("bad", "manual"),
    };
    let at = attempt.started_at.unwrap_or(attempt.queued_at);
    let took = attempt.duration_ms.map(|millis| format!(" · {}", format::took(millis, text)));
    let actor = attempt.actor.clone().map(|actor| format!(" · {actor}"));
    view! {
        <details name="attempt" id=format!("attempt-{}", handle(attempt)) open=open>
            <summary data-tone=tone>
                {icon::icon(shape)} <b>{name}</b> <span>{outcome(attempt, text)}</span>
                <small>{time::exact(ui, at, now)} {took} {actor}</small>
            </summary>
            <div class="inspected stack">
                {found(text, attempt, destination, (tone, shape))}
                <div class="exchange">{sent(ui, attempt)} {answered(ui, attempt, destination)}</div>
            </div>
        </details>
    }
    .part()
}

/// What an attempt means, in words.
fn found(
    text: &'static Texts,
    attempt: &Attempt,
    destination: &str,
    (tone, shape): (&'static str, &'static str),
) -> AnyView {
    let (title, help) = meaning(text, attempt, destination);
    let by_hand = (attempt.n.is_none() && attempt.error.is_some()).then_some(text.attempts.manual);
    let reason = attempt.reason.clone().map(|reason| view! { <p class="muted">{format!("“{reason}”")}</p> });
    view! {
        <div class="finding" data-tone=tone>
            {icon::icon(shape)}
            <div>
                <h3>{title}</h3>
                <p>{help} " " {by_hand}</p>
                {attempt.detail.clone().map(|detail| view! { <p class="id">{detail}</p> })}
                {reason}
            </div>
        </div>
    }
    .part()
}

fn meaning(text: &'static Texts, attempt: &Attempt, destination: &str) -> (String, String) {
    let about = |title: &'static str, help: &'static str| (title.to_owned(), fill(help, &[destination]));
    let status = |status: u16| format!("{status} {}", status_name(status)).trim_end().to_owned();
    match (attempt.error, attempt.status) {
        _ if !is_finished(attempt) => (outcome(attempt, text), text.attempts.waiting.to_owned()),
        (None, code) => (
            code.map_or_else(|| text.states.delivered.to_owned(), status),
            fill(text.attempts.ok, &[destination]),
        ),
        (Some(AttemptError::Status), code) => {
            let help = match code {
                Some(500..) => text.attempts.status_5,
                Some(400..500) => text.attempts.status_4,
                _ => text.attempts.status_other,
            };
            (code.map_or_else(|| text.states.failed.to_owned(), status), fill(help, &[destination]))
        }
        (Some(AttemptError::Timeout), _) => about(text.attempts.timeout, text.attempts.timeout_help),
        (Some(AttemptError::Dns), _) => about(text.attempts.dns, text.attempts.dns_help),
        (Some(AttemptError::Connect), _) => about(text.attempts.connect, text.attempts.connect_help),
        (Some(AttemptError::Tls), _) => about(text.attempts.tls, text.attempts.tls_help),
        (Some(AttemptError::Blocked), _) => about(text.attempts.blocked, text.attempts.blocked_help),
        (Some(AttemptError::Redirect), _) => about(text.attempts.redirect, text.attempts.redirect_help),
        (Some(AttemptError::Body), _) => about(text.attempts.body, text.attempts.body_help),
    }
}

fn sent(ui: Ui, attempt: &Attempt) -> AnyView {
    let text = ui.text;
    let label = format!("{}, {}", text.attempts.what_we_sent, handle(attempt));
    view! {
        <section class="stack" aria-label=label>
            <h3>{text.attempts.what_we_sent}</h3>
            {attempt.may_repeat.then(|| view! { <p class="faint">{text.attempts.may_repeat}</p> })}
            {attempt.url.clone().map(|url| view! { <p class="id">{format!("POST {url}")}</p> })}
            {headers(ui, &attempt.request_headers, false)}
        </section>
    }
    .part()
}

fn answered(ui: Ui, attempt: &Attempt, destination: &str) -> AnyView {
    let text = ui.text;
    let heading = fill(text.attempts.what_it_answered, &[destination]);
    let label = format!("{heading}, {}", handle(attempt));
    let body = attempt.response_body.as_deref().filter(|body| !body.is_empty()).map(payload::code);
    let truncated =
        attempt.response_truncated.then(|| view! { <p class="faint">{text.attempts.answer_truncated}</p> });
    let answer = match attempt.status {
        None if is_finished(attempt) => view! { <p>{text.attempts.nothing_answered}</p> }.part(),
        None => ().part(),
        Some(status) => view! {
            <p class="id">{format!("HTTP {status} {}", status_name(status))}</p>
            {headers(ui, &attempt.response_headers, true)}
        }
        .part(),
    };
    view! {
        <section class="stack" aria-label=label>
            <h3>{heading}</h3>
            {answer}
            {attempt.latency.map(|latency| steps(text, latency))}
            {body}
            {truncated}
        </section>
    }
    .part()
}

/// Where the time went: `DNS 3 ms · connection 12 ms · TLS 31 ms · first byte 145 ms`.
fn steps(text: &'static Texts, latency: Latency) -> AnyView {
    let step = |name: &str, millis: Option<i64>| millis.map(|millis| format!("{name} {millis} ms"));
    let steps = [
        step("DNS", latency.dns_ms),
        step(text.attempts.step_connect, latency.connect_ms),
        step("TLS", latency.tls_ms),
        latency.reused.then(|| text.attempts.step_reused.to_owned()),
        step(text.attempts.step_first_byte, latency.first_byte_ms),
    ];
    let steps = steps.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! { <p class="faint">{steps}</p> }.part()
}

fn headers(ui: Ui, headers: &[(String, String)], open: bool) -> AnyView {
    if headers.is_empty() {
        return ().part();
    }
    let count =
        ui.text.counted(headers.len() as i64, ui.text.payload.headers_one, ui.text.payload.headers_many);
    view! {
        <details open=open>
            <summary>{count}</summary>
            {payload::headers(ui, headers.to_vec())}
        </details>
    }
    .part()
}
