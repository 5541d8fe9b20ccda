//! The ladder of a delivery: where its attempts stand in time, on a log scale. What is drawn and what the list says
//! come from the same [`Ladder`]; the list is what screen readers get.

use leptos::prelude::*;

use super::{Attempt, DeliveryDetail};
use crate::text::{Texts, fill};
use crate::types::{DeliveryState, Timestamp};
use crate::ui::format::{duration, escape, exact, short_time, time_of_day};
use crate::ui::{IntoPart, Ui, icon, time};

/// How a rung stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Made, and it failed.
    Failed,
    /// Made, and it was taken.
    Taken,
    /// The one that comes next.
    Next,
    /// Would be next, were the destination not paused.
    Held,
    /// After that.
    ToCome,
}

/// One rung, or one attempt by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderMark {
    /// Its number; none by hand.
    pub n: Option<u32>,
    /// When.
    pub at: Timestamp,
    /// Where on the ladder, 0 to 100.
    pub x: f64,
    /// How it stands.
    pub step: Step,
    /// What came of it, in a word.
    pub result: String,
    /// Where the rung was before the destination asked to wait.
    pub moved_from: Option<f64>,
}

/// The whole ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// Rungs and attempts by hand, in the order of time.
    pub marks: Vec<LadderMark>,
    /// Nothing is to come any more.
    pub over: bool,
    start: Timestamp,
    minutes: f64,
}

impl Ladder {
    /// The ladder of a delivery.
    pub fn of(delivery: &DeliveryDetail, text: &Texts) -> Self {
        let start = delivery.rungs.first().map_or(delivery.summary.received_at, |rung| rung.due_at);
        let last = delivery.rungs.last().map_or(start, |rung| rung.due_at);
        let state = delivery.summary.state;
        let over = !matches!(state, DeliveryState::Pending | DeliveryState::Held);
        let mut ladder = Self { marks: Vec::new(), over, start, minutes: minutes(last, start) };
        let mut next_seen = false;
        for rung in &delivery.rungs {
            let attempt = delivery.attempt_log.iter().find(|attempt| attempt.n == Some(rung.n));
            let step = match attempt.filter(|attempt| is_finished(attempt)) {
                Some(attempt) if attempt.error.is_none() => Step::Taken,
                Some(_) => Step::Failed,
                None if rung.done => Step::Failed,
                None if over => continue,
                None if next_seen => Step::ToCome,
                None if state == DeliveryState::Held => Step::Held,
                None => Step::Next,
            };
            next_seen |= matches!(step, Step::Next | Step::Held);
            let next_at = delivery.summary.next_attempt_at.filter(|_| step == Step::Next);
            let at = next_at.or(attempt.and_then(|attempt| attempt.started_at)).unwrap_or(rung.due_at);
            let moved = next_at.is_some_and(|at| at.seconds_since(rung.due_at) > 1);
            ladder.marks.push(LadderMark {
                n: Some(rung.n),
                at,
                x: ladder.x(at),
                step,
                result: attempt.map(|attempt| outcome(attempt, text)).unwrap_or_default(),
                moved_from: moved.then(|| ladder.x(rung.due_at)),
            });
        }
        for attempt in delivery.attempt_log.iter().filter(|attempt| attempt.n.is_none()) {
            let at = attempt.started_at.unwrap_or(attempt.queued_at);
            let step = match () {
                () if !is_finished(attempt) => Step::Next,
                () if attempt.error.is_none() => Step::Taken,
                () => Step::Failed,
            };
            let result = outcome(attempt, text);
            ladder.marks.push(LadderMark { n: None, at, x: ladder.x(at), step, result, moved_from: None });
        }
        ladder.marks.sort_by_key(|mark| (mark.at, mark.n));
        ladder
    }

    /// Where a moment is: evenly spaced when each gap doubles the one before.
    pub fn x(&self, at: Timestamp) -> f64 {
        position(minutes(at, self.start), self.minutes)
    }

    /// The rung that comes next.
    pub fn next(&self) -> Option<&LadderMark> {
        self.marks.iter().find(|mark| mark.n.is_some() && matches!(mark.step, Step::Next | Step::Held))
    }
}

/// Whether an attempt has ended.
pub fn is_finished(attempt: &Attempt) -> bool {
    attempt.duration_ms.is_some() || attempt.status.is_some() || attempt.error.is_some()
}

/// What came of an attempt, in a word: its status, or why there is none.
pub fn outcome(attempt: &Attempt, text: &Texts) -> String {
    match (attempt.error, attempt.status) {
        (Some(error), _) if !text.attempt_error(error).0.is_empty() => text.attempt_error(error).0.to_owned(),
        (_, Some(status)) => status.to_string(),
        (Some(_), None) => text.states.failed.to_owned(),
        (None, None) if is_finished(attempt) => text.states.delivered.to_owned(),
        (None, None) if attempt.started_at.is_some() => text.ladder.running.to_owned(),
        (None, None) => text.ladder.waiting.to_owned(),
    }
}

fn minutes(at: Timestamp, start: Timestamp) -> f64 {
    (at.micros() - start.micros()).max(0) as f64 / 60_000_000.0
}

/// `log2(m + 1) / log2(M + 1)` in per cent; a ladder of one rung has it at the beginning.
fn position(minutes: f64, all: f64) -> f64 {
    if all <= 0.0 {
        return 0.0;
    }
    ((minutes + 1.0).log2() / (all + 1.0).log2() * 100.0).clamp(0.0, 100.0)
}

/// The time after the first attempt, as it stands under a rung.
fn offset(ladder: &Ladder, at: Timestamp, text: &Texts) -> String {
    match at.seconds_since(ladder.start) {
        ..1 => text.ladder.first.to_owned(),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", (seconds + 30) / 60),
        seconds => match seconds / 60 % 60 {
            0 => format!("{} h", seconds / 3_600),
            minutes => format!("{} h {minutes:02}", seconds / 3_600),
        },
    }
}

fn mark_style(mark: &LadderMark) -> (&'static str, &'static str) {
    match (mark.step, mark.n.is_some()) {
        (Step::Failed, true) => ("bad", "failed"),
        (Step::Failed, false) => ("bad", "manual"),
        (Step::Taken, true) => ("ok", "delivered"),
        (Step::Taken, false) => ("ok", "manual-ok"),
        (Step::Next, _) => ("accent", "next"),
        (Step::Held, _) => ("hold", "held"),
        (Step::ToCome, _) => ("", "todo"),
    }
}

/// The drawing's inside. Only numbers, times and words of ours and of closed sets go in; they are escaped all the same.
fn draw(ladder: &Ladder, now: Timestamp, east: i64, text: &Texts) -> String {
    let mut out = String::from(
        "<line x1=\"0\" x2=\"100%\" y1=\"56\" y2=\"56\"/><line x1=\"0\" x2=\"100%\" y1=\"104\" y2=\"104\"/>",
    );
    let end = match ladder.over {
        true => ladder.marks.iter().map(|mark| mark.x).fold(0.0, f64::max),
        false => ladder.x(now),
    };
    for y in [56, 104] {
        out += &format!("<line class=\"passed\" x1=\"0\" x2=\"{end:.2}%\" y1=\"{y}\" y2=\"{y}\"/>");
    }
    if !ladder.over {
        out += &format!("<line class=\"now\" x1=\"{end:.2}%\" x2=\"{end:.2}%\" y1=\"48\" y2=\"112\"/>");
    }
    let mut labelled = f64::NEG_INFINITY;
    for mark in ladder.marks.iter().filter(|mark| mark.n.is_some()) {
        // Rungs that stand close together share the labels of the first of them.
        let has_room = mark.x - labelled >= 6.5 || matches!(mark.step, Step::Next | Step::Held);
        if has_room {
            labelled = mark.x;
        }
        out += &draw_rung(ladder, mark, has_room, east, text);
    }
    for mark in ladder.marks.iter().filter(|mark| mark.n.is_none()) {
        let (tone, shape) = mark_style(mark);
        out += &format!(
            "<g data-tone=\"{tone}\"><use href=\"#i-{shape}\" x=\"{:.2}%\" y=\"104\" width=\"14\" height=\"14\" \
             transform=\"translate(-7 -7)\"/></g>",
            mark.x
        );
    }
    out + &draw_flag(ladder, now, text)
}

fn draw_rung(ladder: &Ladder, mark: &LadderMark, has_room: bool, east: i64, text: &Texts) -> String {
    let (tone, shape) = mark_style(mark);
    let x = format!("{:.2}%", mark.x);
    let small = mark.step == Step::ToCome;
    let (class, radius, size) = if small { ("rung todo", 9, 16) } else { ("rung", 12, 22) };
    let strong = if small { "" } else { " class=\"strong\"" };
    let tone = if tone.is_empty() { String::new() } else { format!(" data-tone=\"{tone}\"") };
    let mut out = format!(
        "<g{tone}><line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"56\" y2=\"104\"/>\
         <circle class=\"ground\" cx=\"{x}\" cy=\"80\" r=\"{radius}\"/>\
         <use href=\"#i-{shape}\" x=\"{x}\" y=\"80\" width=\"{size}\" height=\"{size}\" \
         transform=\"translate(-{half} -{half})\"/>",
        half = size / 2,
    );
    let mut label = |y: u8, class: &str, words: &str| {
        if has_room && !words.is_empty() {
            out += &format!("<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escape(words));
        }
    };
    label(42, strong, &mark.n.map(|n| n.to_string()).unwrap_or_default());
    label(126, " class=\"result\"", &mark.result);
    label(152, strong, &short_time(mark.at, east));
    label(170, "", &offset(ladder, mark.at, text));
    out += "</g>";
    if let Some(before) = mark.moved_from {
        out += &format!(
            "<g data-tone=\"wait\"><line class=\"rung todo\" x1=\"{before:.2}%\" x2=\"{x}\" y1=\"112\" y2=\"112\"/></g>"
        );
    }
    out
}

fn draw_flag(ladder: &Ladder, now: Timestamp, text: &Texts) -> String {
    let Some(next) = ladder.next() else { return String::new() };
    let (tone, words) = match next.step {
        Step::Held => ("hold", text.ladder.on_hold.to_owned()),
        _ => match next.at.seconds_since(now) {
            ..=0 => ("accent", text.time.now.to_owned()),
            seconds => ("accent", duration(seconds)),
        },
    };
    format!(
        "<svg data-tone=\"{tone}\" x=\"{:.2}%\" y=\"4\" overflow=\"visible\"><path class=\"flag\" \
         d=\"M-38 0h76a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H5l-5 5-5-5h-33a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z\"/>\
         <text class=\"on-flag\" y=\"14.5\">{}</text></svg>",
        next.x,
        escape(&words)
    )
}

/// Drawing and list.
pub fn ladder(ui: Ui, ladder: Ladder, page: Timestamp) -> AnyView {
    let marks = ladder.marks.clone();
    let list = marks.into_iter().map(|mark| rung(ui, &ladder, mark, page)).collect_view();
    let drawing = move || draw(&ladder, ui.clock.now(page), ui.clock.utc_offset(page), ui.text);
    view! {
        <div class="ladder">
            <svg class="drawn" height="180" aria-hidden="true" inner_html=drawing></svg>
            <ol class="rungs">{list}</ol>
        </div>
    }
    .part()
}

fn rung(ui: Ui, ladder: &Ladder, mark: LadderMark, page: Timestamp) -> AnyView {
    let (tone, shape) = mark_style(&mark);
    let tone = (!tone.is_empty()).then_some(tone);
    let class = match (mark.step, mark.n.is_some()) {
        (Step::Failed | Step::Taken, true) => "passed",
        (Step::Failed | Step::Taken, false) => "manual passed",
        (_, false) => "manual",
        (Step::Next | Step::Held, true) => "next",
        (Step::ToCome, true) => "todo",
    };
    let at = mark.at;
    let when = move || {
        let east = ui.clock.utc_offset(at);
        let now = ui.clock.now(page);
        match at.seconds_since(now).abs() < 43_200 {
            true => time_of_day(at, east),
            false => exact(at, now, east, ui.text),
        }
    };
    let by_hand = mark.n.is_none().then(|| format!(" {}", ui.text.ladder.by_hand));
    let last = match mark.step {
        Step::Failed | Step::Taken => mark.result.part(),
        Step::Held => ui.text.ladder.on_hold.part(),
        Step::Next if mark.n.is_none() => mark.result.part(),
        Step::Next => time::relative(ui, at, page).part(),
        Step::ToCome => offset(ladder, at, ui.text).part(),
    };
    let spoken = mark.n.map(|n| {
        let words = match mark.step {
            Step::Failed => ui.text.ladder.rung_failed,
            Step::Taken => ui.text.ladder.rung_delivered,
            Step::Next => ui.text.ladder.rung_next,
            Step::Held => ui.text.ladder.on_hold,
            Step::ToCome => ui.text.ladder.rung_todo,
        };
        view! {
            <b>
                {n} <span class="visually-hidden">{format!(", {words}")}</span>
            </b>
        }
    });
    view! {
        <li class=class data-tone=tone>
            {icon::icon(shape)}
            {spoken}
            <span>
                <time datetime=at.to_string() title=move || time::title(ui, at)>
                    {when}
                </time>
                {by_hand}
            </span>
            <span>{last}</span>
        </li>
    }
    .part()
}

/// What the shapes mean.
pub fn legend(ui: Ui, ladder: &Ladder) -> AnyView {
    let text = ui.text;
    let has = |step: Step, by_hand: bool| {
        ladder.marks.iter().any(|mark| mark.step == step && mark.n.is_none() == by_hand)
    };
    let entry = |there: bool, tone: &'static str, shape: &'static str, word: &'static str| {
        let tone = (!tone.is_empty()).then_some(tone);
        there.then(|| view! { <li data-tone=tone>{icon::icon(shape)}{word}</li> })
    };
    let by_hand_failed = has(Step::Failed, true);
    view! {
        <div class="panel-foot">
            <ul class="legend">
                {entry(has(Step::Failed, false), "bad", "failed", text.ladder.rung_failed)}
                {entry(has(Step::Taken, false), "ok", "delivered", text.ladder.rung_delivered)}
                {entry(has(Step::Next, false), "accent", "next", text.ladder.rung_next)}
                {entry(has(Step::Held, false), "hold", "held", text.states.held)}
                {entry(has(Step::ToCome, false), "", "todo", text.ladder.rung_todo)}
                {entry(by_hand_failed, "bad", "manual", text.ladder.rung_manual)}
                {entry(!by_hand_failed && has(Step::Taken, true), "ok", "manual-ok", text.ladder.rung_manual)}
            </ul>
            <span class="end">{text.ladder.log_scale}</span>
        </div>
    }
    .part()
}

/// What the ladder says, as a heading.
pub fn heading(ui: Ui, delivery: &DeliveryDetail, ladder: &Ladder) -> String {
    let text = ui.text;
    let summary = &delivery.summary;
    let (made, all) = (summary.attempts.to_string(), summary.max_attempts.to_string());
    match summary.state {
        DeliveryState::Pending => {
            let next = ladder.next().and_then(|mark| mark.n).unwrap_or(summary.attempts + 1);
            fill(text.ladder.next, &[&next.to_string(), &all])
        }
        DeliveryState::Failed => fill(text.ladder.failed, &[&all]),
        DeliveryState::Held => fill(text.ladder.held, &[&made, &all]),
        DeliveryState::Cancelled => fill(text.ladder.cancelled, &[&made, &all]),
        DeliveryState::Delivered => {
            match ladder.marks.iter().find(|mark| mark.step == Step::Taken).map(|mark| mark.n) {
                Some(None) => text.ladder.delivered_hand.to_owned(),
                Some(Some(n)) => fill(text.ladder.delivered_at, &[&n.to_string(), &all]),
                None => text.states.delivered.to_owned(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_ladder_is_nearly_even() {
        let offsets = [0, 1, 3, 7, 15, 31, 63, 123, 243, 483, 963];
        let at: Vec<f64> = offsets.iter().map(|m| position(f64::from(*m), 963.0)).collect();
        // The figures of the design's drawing.
        for (index, expected) in [(1, 10.09), (2, 20.18), (3, 30.26), (6, 60.53), (7, 70.15), (9, 89.97)] {
            assert!((at[index] - expected).abs() < 0.01, "{index}: {}", at[index]);
        }
        assert_eq!((at[0], at[10]), (0.0, 100.0));
    }

    #[test]
    fn odd_ladders_stay_inside() {
        assert_eq!(position(0.0, 0.0), 0.0);
        assert_eq!(position(5_000.0, 963.0), 100.0);
        assert!(position(0.5, 1.0) > 0.0);
    }
}
