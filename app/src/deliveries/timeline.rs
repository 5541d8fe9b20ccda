//! What became of a delivery, in words to be read aloud, in facts, and as a log.

use leptos::prelude::*;

use super::ladder::{is_finished, outcome};
use super::{Attempt, DeliveryDetail};
use crate::text::fill;
use crate::types::{DeliveryState, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, format, icon, time};

/// The answer: what happened, what it means, what to do.
pub fn answer(ui: Ui, delivery: &DeliveryDetail, now: Timestamp) -> AnyView {
    let text = ui.text;
    let summary = &delivery.summary;
    let destination = || summary.destination.to_string().part();
    let all = || summary.max_attempts.to_string().part();
    let said = match (summary.state, summary.next_attempt_at) {
        (DeliveryState::Pending, Some(at)) if summary.attempts > 0 => {
            let next = (summary.attempts + 1).to_string().part();
            let when = time::relative(ui, at, now).part();
            sentence(
                text.delivery.say_pending,
                [destination(), describe_last_answer(ui, delivery).part(), next, all(), when],
            )
        }
        (DeliveryState::Pending, _) => sentence(text.delivery.say_untried, [destination(), all()]),
        (DeliveryState::Delivered, _) => {
            let when = time::relative(ui, summary.delivered_at.unwrap_or(now), now).part();
            sentence(text.delivery.say_delivered, [destination(), when, delivered_by(ui, delivery).part()])
        }
        (DeliveryState::Failed, _) => sentence(
            text.delivery.say_failed,
            [destination(), all(), describe_last_answer(ui, delivery).part()],
        ),
        (DeliveryState::Held, _) => sentence(text.delivery.say_held, [destination()]),
        (DeliveryState::Cancelled, _) => sentence(text.delivery.say_cancelled, [destination()]),
    };
    let running = delivery.attempt_log.iter().any(|attempt| attempt.n.is_none() && !is_finished(attempt));
    view! {
        {said}
        {running.then(|| format!(" {}", text.delivery.say_running))}
    }
    .part()
}

fn last_finished(delivery: &DeliveryDetail) -> Option<&Attempt> {
    delivery.attempt_log.iter().rev().find(|attempt| is_finished(attempt))
}

fn describe_last_answer(ui: Ui, delivery: &DeliveryDetail) -> String {
    last_finished(delivery)
        .map(|attempt| ui.text.describe_last_answer(attempt.status, attempt.error))
        .unwrap_or_default()
}

fn delivered_by(ui: Ui, delivery: &DeliveryDetail) -> String {
    let text = ui.text;
    let taken = delivery.attempt_log.iter().find(|attempt| is_finished(attempt) && attempt.error.is_none());
    match taken.map(|attempt| attempt.n) {
        Some(None) => text.delivery.by_hand_word.to_owned(),
        Some(Some(n)) if n > 1 => fill(text.delivery.attempt_word, &[&n.to_string()]),
        _ => text.delivery.first_attempt_word.to_owned(),
    }
}

/// The facts behind the answer.
pub fn facts(ui: Ui, delivery: &DeliveryDetail, now: Timestamp) -> AnyView {
    let text = ui.text;
    let summary = &delivery.summary;
    let moment = |at: Timestamp| time::exact(ui, at, now).part();
    let row = |name: String, value: Vec<AnyView>| view! { <dt>{name}</dt> <dd>{value}</dd> };
    let occurred = delivery
        .occurred_at
        .map(|at| row(text.common.occurred.to_owned(), sentence(text.common.occurred_value, [moment(at)])));
    let status = delivery.status.clone().map(|status| {
        row(text.common.status.to_owned(), vec![view! { <span class="id">{status}</span> }.part()])
    });
    let later = delivery
        .occurred_at
        .map(|at| summary.received_at.seconds_since(at))
        .filter(|seconds| *seconds >= 0)
        .map(|seconds| format::duration(seconds).part());
    let received = match later {
        Some(later) => sentence(text.delivery.later, [moment(summary.received_at), later]),
        None => vec![moment(summary.received_at)],
    };
    let waits = summary.state == DeliveryState::Pending;
    let next = summary.next_attempt_at.filter(|_| waits).map(|at| {
        let value = view! { <b>{time::exact(ui, at, now)}</b> ", " {time::relative(ui, at, now)} };
        row(text.delivery.next.to_owned(), vec![value.part()])
    });
    let last = delivery.rungs.last().filter(|_| waits).map(|rung| {
        row(text.delivery.last.to_owned(), sentence(text.delivery.last_value, [moment(rung.due_at)]))
    });
    let taken = summary.delivered_at.map(|at| row(text.delivery.delivered.to_owned(), vec![moment(at)]));
    view! {
        <dl class="facts">
            {occurred} {status} {row(text.delivery.received.to_owned(), received)}
            {row(fill(text.delivery.sent, &[summary.destination.as_str()]), vec![sent(ui, delivery).part()])} {next} {last}
            {taken}
        </dl>
    }.part()
}

/// `4 times: 500, 500, timeout, 503 by hand`.
fn sent(ui: Ui, delivery: &DeliveryDetail) -> String {
    let text = ui.text;
    let outcomes: Vec<String> = delivery
        .attempt_log
        .iter()
        .filter(|attempt| is_finished(attempt))
        .map(|attempt| match attempt.n {
            Some(_) => outcome(attempt, text),
            None => fill(text.delivery.manual_short, &[&outcome(attempt, text)]),
        })
        .collect();
    match outcomes.len() {
        0 => text.delivery.sent_never.to_owned(),
        1 => fill(text.delivery.sent_once, &[&outcomes[0]]),
        count => fill(text.delivery.sent_times, &[&count.to_string(), &outcomes.join(", ")]),
    }
}

/// One line of the log: when, its shape and tone, what is said, and the reason that was given.
struct Entry {
    at: Timestamp,
    look: (&'static str, &'static str),
    said: Vec<AnyView>,
    reason: Option<String>,
}

/// Who did what, newest first: what people did, and where the delivery began and ended.
pub fn log(ui: Ui, delivery: &DeliveryDetail, now: Timestamp) -> AnyView {
    let summary = &delivery.summary;
    let source = bold(summary.source.to_string());
    let mut entries: Vec<Entry> =
        delivery.attempt_log.iter().filter_map(|attempt| entry(ui, delivery, attempt)).collect();
    let said = sentence(ui.text.delivery.log_received, [source]);
    entries.push(Entry { at: summary.received_at, look: ("events", "accent"), said, reason: None });
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    let line = |Entry { at, look: (shape, tone), said, reason }| {
        view! {
            <li>
                {time::exact(ui, at, now)} {icon::toned(shape, tone)}
                <div>{said} {reason.map(|reason| view! { <p class="muted">{reason}</p> })}</div>
            </li>
        }
    };
    view! { <ol class="timeline panel-body">{entries.into_iter().map(line).collect_view()}</ol> }.part()
}

fn bold(words: String) -> AnyView {
    view! { <b>{words}</b> }.part()
}

/// What an attempt is to the log; nothing when the ladder went on as it always does.
fn entry(ui: Ui, delivery: &DeliveryDetail, attempt: &Attempt) -> Option<Entry> {
    let text = ui.text;
    let at = attempt.started_at.unwrap_or(attempt.queued_at);
    let ended = outcome(attempt, text);
    match (attempt.n, is_finished(attempt), attempt.error.is_none()) {
        (None, finished, taken) => {
            let ended = match (finished, taken) {
                (false, _) => text.delivery.log_runs.to_owned(),
                (true, true) => fill(text.delivery.log_taken, &[&ended]),
                (true, false) => fill(text.delivery.log_failed, &[&ended]),
            };
            let actor = bold(attempt.actor.clone().unwrap_or_default());
            let said = sentence(text.delivery.log_resent, [actor, ended.part()]);
            let reason = attempt.reason.as_ref().map(|reason| format!("“{reason}”"));
            Some(Entry { at: attempt.queued_at, look: ("resend", "accent"), said, reason })
        }
        (Some(n), true, true) => {
            let who = bold(delivery.summary.destination.to_string());
            let said = sentence(text.delivery.log_delivered, [who, n.to_string().part()]);
            Some(Entry { at, look: ("delivered", "ok"), said, reason: None })
        }
        (Some(n), true, false) if n == delivery.summary.max_attempts => Some(Entry {
            at,
            look: ("failed", "bad"),
            said: vec![text.delivery.log_gave_up.part()],
            reason: None,
        }),
        _ => None,
    }
}
